"""What is packed for the page's scripts, and that nothing of it is lost."""

from __future__ import annotations

import base64
import gzip
import json
from itertools import accumulate

import pytest
from harness.synthetic import Campaign, pingpong

from leadline.cli.commands.report import _reported
from leadline.compare.analysis import Analysis
from leadline.report.page import Reported
from leadline.report.page.charts import charts
from leadline.report.page.columns import UNIT, packed

SIZES = tuple(pingpong(size) for size in (0, 8, 65536))


@pytest.fixture(scope="module")
def reported() -> Reported:
    run = Campaign(["shm", "mpich", "openmpi"], SIZES, unmeasured=[("mpich", SIZES[1])]).run()
    return _reported([Analysis(run)], None, 0.02)


def test_what_is_packed_is_the_document_and_the_same_each_time(reported: Reported) -> None:
    document = charts(reported)
    text = packed(document)
    assert json.loads(gzip.decompress(base64.b64decode(text))) == json.loads(json.dumps(document))
    assert packed(charts(reported)) == text


def test_intervals_and_medians_come_back(reported: Reported) -> None:
    times = charts(reported)["times"]
    for i, cell in enumerate(reported.cells):
        row, found = cell.summary, cell.distribution
        assert found is not None
        assert times["y"][i] == pytest.approx(row.median_s, rel=1e-5)
        low, high = (1 - UNIT * times["below"][i], 1 + UNIT * times["above"][i])
        assert (low, high) == pytest.approx(
            ((row.low_s or 0) / row.median_s, (row.high_s or 0) / row.median_s), abs=UNIT
        )
        medians = [row.median_s * (1 + UNIT * share) for share in times["medians"][i]]
        assert medians == pytest.approx(found.blocks_s, rel=2 * UNIT)


def test_quantiles_come_back_with_four_digits(reported: Reported) -> None:
    times = charts(reported)["times"]
    for i, cell in enumerate(reported.cells):
        assert cell.distribution is not None
        power, *steps = times["quantiles"][i]
        back = [1e-9 * total * 10.0**power for total in accumulate(steps)]
        assert back == pytest.approx(cell.distribution.quantiles_s, rel=5.01e-4)


def test_every_row_of_the_columns_is_drawn_once_for_each_baseline(reported: Reported) -> None:
    document = charts(reported)
    times = [row for curve in document["curves"] for line in curve["lines"] for row in line["rows"]]
    assert sorted(times) == list(range(len(document["times"]["y"])))
    ratios = [
        row
        for curve in document["curves"]
        for ratio in curve["ratios"]
        for line in ratio["lines"]
        for row in line["rows"]
    ]
    known = [i for i, y in enumerate(document["ratios"]["y"]) if y is not None]
    assert sorted(ratios) == known
    assert len(document["ratios"]["y"]) > len(known)  # what wasn't measured is no point
