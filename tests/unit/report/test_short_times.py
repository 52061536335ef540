"""A table of times at 80 columns: what matters of a pattern, and who stands out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from harness.synthetic import BASE_NS, Campaign, pingpong

from leadline.cli.outcome import computed
from leadline.compare.analysis import THRESHOLD, Analysis
from leadline.record.slices import Slice
from leadline.report.document import Section
from leadline.report.formats.plain_text import text_lines
from leadline.report.text.run import run_document
from leadline.report.text.times import curve_sections

CELLS = [pingpong(size) for size in (8, 1024)]
LIBRARIES = ("mpich", "openmpi", "impi")


FEW = LIBRARIES, CELLS, 4


class Uneven(Campaign):
    """Whose fourth block has no second cell."""

    def slices(self) -> Iterator[Slice]:
        return (one for one in super().slices() if (one.block, one.cell) != (3, 1))


def sections(campaign: Campaign) -> list[Section]:
    return list(curve_sections(computed(Analysis(campaign.run()), THRESHOLD)))


def bold(campaign: Campaign, width: int = 80) -> list[list[str]]:
    """The texts that stand out in each row."""
    lines = text_lines(sections(campaign), width)
    rows = [line for line in lines if line.text.startswith(("  8 B", "  1 KiB"))]
    return [[line.text[begin:end] for begin, end in line.strong] for line in rows]


def printed(campaign: Campaign, width: int) -> list[str]:
    measured = computed(Analysis(campaign.run()), THRESHOLD)
    return [line.text for line in text_lines(run_document(measured), width)]


@pytest.mark.parametrize("variants", [LIBRARIES[:2], LIBRARIES, (*LIBRARIES, "shm")])
def test_times_and_verdicts_are_one_table_at_80_columns(variants: tuple[str, ...]) -> None:
    lines = printed(Campaign(variants, CELLS), 80)
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("  size") for line in lines) == 1


def test_intervals_of_times_are_left_out_only_where_there_is_no_room() -> None:
    campaign = Campaign(LIBRARIES, CELLS)
    assert any("±" in line for line in printed(campaign, 80) if line.startswith("  8 B"))
    four = Campaign((*LIBRARIES, "shm"), CELLS)
    assert not any("±" in line for line in printed(four, 70) if line.startswith("  8 B"))


def test_versions_are_said_once() -> None:
    lines = printed(Campaign(LIBRARIES, CELLS), 100)
    (line,) = (line for line in lines if "5.0.11" in line)
    assert "openmpi 5.0.11" in line and line.count("5.0.11") == 1


def test_blocks_are_said_once_where_all_times_rest_on_as_many() -> None:
    few = "\n".join(line.text for line in text_lines(sections(Campaign(*FEW)), 100))
    assert few.count("4 blocks") == 1
    uneven = "\n".join(line.text for line in text_lines(sections(Uneven(*FEW)), 200))
    assert "us, 3 blocks" in uneven and "us, 4 blocks" in uneven


def test_fastest_stands_out_by_its_verdict_in_wide_and_narrow_tables() -> None:
    for width in (80, 200):
        rows = bold(Campaign(("mpich", "openmpi"), CELLS), width)
        assert [len(row) for row in rows] == [1, 1]


def test_nobody_stands_out_where_nothing_is_decided() -> None:
    assert bold(Campaign(("mpich", "openmpi"), CELLS, blocks=3)) == [[], []]


def test_all_stand_out_that_are_shown_to_be_as_fast() -> None:
    alike = {"openmpi": BASE_NS["mpich"] / BASE_NS["openmpi"]}
    campaign = Campaign(("mpich", "openmpi"), [pingpong(0)], blocks=40, slowdown=alike)
    (section,) = sections(campaign)
    assert section.table is not None
    assert "same" in section.narrower[0].rows[0]
    (row,) = section.table.rows
    marked = [number for number, cell in enumerate(row) if getattr(cell, "fastest", False)]
    assert marked == [1, 2]
