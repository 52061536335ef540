"""Two simulations beside each other: exact ratios, one sentence, and no verdict to wait for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.mixed import Word, with_words

from leadline.compare.analysis import Analysis
from leadline.compare.pairs import NO_REGRESSION, TOO_UNCERTAIN, compare_within
from leadline.record.run import Cell, Origin
from leadline.report.formats.plain_text import text_lines
from leadline.report.text.comparison import Compared, comparison_document, concluding_sentence

SIZES = (8, 512, 65536)
NOBODY = replace(
    Campaign(["mpich"], [pingpong(size) for size in SIZES], blocks=0).run(), configurations=()
)


def compared(seconds: Callable[[Cell], float], origin: Origin = Origin.SIMULATED) -> Compared:
    """A variant that takes so long against one that takes a microsecond."""
    words = Word("row", origin, lambda cell: 1e-6), Word("row+link2x", Origin.SIMULATED, seconds)
    run = with_words(NOBODY, *words)
    return Compared((run,), compare_within(Analysis(run), "row"), 0.02)


def shrinking(cell: Cell) -> float:
    return {8: 0.98512e-6, 512: 0.9e-6, 65536: 0.65349e-6}[cell.size_bytes]


def test_each_size_has_three_digits_and_no_words(snapshot: SnapshotAssertion) -> None:
    sections = comparison_document(compared(shrinking))
    table = next(one.table for one in sections if one.table is not None)
    assert [row[1] for row in table.rows][:3] == ["0.985", "0.900", "0.653"]
    assert [line.text for line in text_lines(sections, 100)] == snapshot


@pytest.mark.parametrize(
    "seconds",
    [
        shrinking,
        lambda cell: 2e-6,
        lambda cell: 1.0001e-6,
        lambda cell: 1e-6 * (0.5 if cell.size_bytes == 8 else 1),
        lambda cell: 1e-6 * (0.5 if cell.size_bytes == 8 else 1234.5),
    ],
    ids=["faster", "slower", "as long", "faster or as long", "faster or slower"],
)
def test_one_sentence_says_what_the_change_does(
    seconds: Callable[[Cell], float], snapshot: SnapshotAssertion
) -> None:
    result = compared(seconds).result
    assert concluding_sentence(result, 0.02) == snapshot
    assert result.exit_status == NO_REGRESSION


def test_simulated_beside_predicted_stays_undecided(snapshot: SnapshotAssertion) -> None:
    result = compared(shrinking, Origin.PREDICTED).result
    assert result.exit_status == TOO_UNCERTAIN
    assert concluding_sentence(result, 0.02) == snapshot
