"""Two simulations beside each other: exact ratios, one sentence, and no verdict to wait for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from harness.synthetic import Campaign, pingpong
from tests.support.mixed import Word, with_words

from leadline.compare.analysis import Analysis
from leadline.compare.pairs import NO_REGRESSION, TOO_UNCERTAIN, ComparisonResult, compare_within
from leadline.record.run import Cell, Origin
from leadline.report.text.compared import Compared
from leadline.report.text.comparison import comparison_document
from leadline.report.text.conclusions import concluding_sentence

SIZES = (8, 512, 65536)
NOBODY = replace(
    Campaign(["mpich"], [pingpong(size) for size in SIZES], blocks=0).run(), configurations=()
)
END = " That is no verdict on a machine: nothing was measured."


def compared(seconds: Callable[[Cell], float], origin: Origin = Origin.SIMULATED) -> Compared:
    """A variant that takes so long against one that takes a microsecond."""
    words = Word("row", origin, lambda cell: 1e-6), Word("row+link2x", Origin.SIMULATED, seconds)
    run = with_words(NOBODY, *words)
    return Compared((run,), compare_within(Analysis(run), "row"), 0.02)


def conclusion(result: ComparisonResult) -> str:
    return concluding_sentence(result, 0.02).replace(" (simulated)", "")


def shrinking(cell: Cell) -> float:
    return {8: 0.98512e-6, 512: 0.9e-6, 65536: 0.65349e-6}[cell.size_bytes]


def test_each_size_has_three_digits_and_no_words() -> None:
    sections = comparison_document(compared(shrinking))
    table = next(one.table for one in sections if one.table is not None)
    assert [row[1] for row in table.rows][:3] == ["0.985", "0.900", "0.653"]
    assert "not decided" not in str(sections).lower()
    assert "threshold" not in str(sections)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (shrinking, "row+link2x is faster than row: it takes 0.653 to 0.985 times as long"),
        (lambda cell: 2e-6, "row+link2x is slower than row: it takes 2.00 times as long"),
        (lambda cell: 1.0001e-6, "row+link2x takes as long as row"),
        (lambda cell: 1e-6 * (0.5 if cell.size_bytes == 8 else 1),
         "row+link2x takes 0.500 to 1.00 times as long as row"),
        (lambda cell: 1e-6 * (0.5 if cell.size_bytes == 8 else 1234.5),
         "row+link2x takes 0.500 to 1,234 times as long as row"),
    ],
)  # fmt: skip
def test_one_sentence_says_what_the_change_does(
    seconds: Callable[[Cell], float], said: str
) -> None:
    result = compared(seconds).result
    assert conclusion(result) == f"In the simulation {said}.{END}"
    assert result.exit_status == NO_REGRESSION


def test_simulated_beside_predicted_stays_undecided() -> None:
    result = compared(shrinking, Origin.PREDICTED).result
    assert result.exit_status == TOO_UNCERTAIN
    assert conclusion(result).startswith("Not decided: ")
