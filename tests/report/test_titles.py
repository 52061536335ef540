"""What titles say of verdicts: the threshold and the test by which they came about."""

from __future__ import annotations

import pytest
from tests.support.synthetic import BARRIER, Campaign, pingpong

from leadline.cli.show import computed
from leadline.compare.analysis import Analysis
from leadline.report.text.titles import standings_notes


def notes(variants: list[str]) -> tuple[str, ...]:
    run = Campaign(variants, (pingpong(8), BARRIER)).run()
    return standings_notes(computed(Analysis(run), 0.025))


@pytest.mark.parametrize(
    ("variants", "family"),
    [
        (["shm", "mpich", "openmpi"], "all sizes"),
        (["mpich", "openmpi", "impi"], "all pairs of libraries and all sizes"),
    ],
)
def test_note_names_what_is_one_family_of_tests(variants: list[str], family: str) -> None:
    assert notes(variants) == (
        "Faster, slower: by more than 2.5 %, in the cell's 95 % interval and in a permutation test "
        f"over {family} (any wrong in 5 % at most); same: the interval within 2.5 %.",
    )


def test_where_nothing_is_compared_there_is_no_note() -> None:
    assert notes(["shm", "mpich"]) == ()
