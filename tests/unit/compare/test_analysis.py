"""A run is reduced once, whatever is asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.synthetic import BARRIER, Campaign, pingpong

from leadline.cli import main
from leadline.compare import analysis
from leadline.compare.analysis import Analysis
from leadline.compare.sides import Side

CELLS = [pingpong(8), pingpong(512), BARRIER]
STEPS = ("reduce_ranks", "block_medians", "visit_medians", "summarise", "distributions_of")


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """How often each step was taken since."""
    taken = dict.fromkeys(STEPS, 0)

    def counted(name: str) -> None:
        step = getattr(analysis, name)

        def count(*arguments: object) -> object:
            taken[name] += 1
            return step(*arguments)

        monkeypatch.setattr(analysis, name, count)

    for name in STEPS:
        counted(name)
    yield taken


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two runs of two libraries and raw shared memory."""
    folder = tmp_path_factory.mktemp("runs")
    names = ["shm", "mpich", "impi"]
    for name in ("before", "after"):
        Campaign(names, CELLS, blocks=6, batches=4).write(folder / name)
    return [str(folder / name) for name in ("before", "after")]


ONE_RUN = [
    ["show"],
    ["show", "--json"],
    ["show", "--tails"],
    ["compare", "--baseline", "mpich"],
    ["report", "--out", "page.html"],
    ["plot", "--out", "figure.svg"],
    ["plot", "--ratio", "impi", "mpich", "--out", "figure.svg"],
    ["export", "--csv"],
    ["sql", "SELECT * FROM measurements JOIN blocks USING (run, pattern, variant)"],
]


@pytest.mark.parametrize("words", ONE_RUN, ids=" ".join)
def test_report_of_one_run_reduces_it_once(
    words: list[str], runs: list[str], counts: dict[str, int], in_folder: Path
) -> None:
    main([*words, runs[0]])
    assert counts["reduce_ranks"] == 1
    assert max(counts.values()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["compare"],
        ["report", "--out", "page.html"],
        ["plot", "--out", "figure.svg"],
        ["plot", "--ratio", "impi (after)", "impi (before)", "--out", "figure.svg"],
    ],
    ids=" ".join,
)
def test_report_of_two_runs_reduces_each_once(
    words: list[str], runs: list[str], counts: dict[str, int], in_folder: Path
) -> None:
    main([*words, *runs])
    assert counts["reduce_ranks"] == 2
    assert max(counts.values()) == 2


def test_starting_again_from_the_run_is_seen(runs: list[str], counts: dict[str, int]) -> None:
    run = Campaign(["mpich"], CELLS).run()
    assert Analysis(run).summaries == Analysis(run).summaries
    assert counts["reduce_ranks"] == 2


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pair(found: Analysis) -> tuple[Side, Side]:
    return found.sides[0], found.sides[1]


def test_curve_of_the_same_two_is_judged_once() -> None:
    found = Analysis(Campaign(["mpich", "impi"], CELLS).run())
    rows = found.curve_rows[0]
    first = found.curve(*pair(found), rows, 0.02)
    assert found.curve(*pair(found), rows, 0.02) is first
    assert found.curve(*pair(found), rows, 0.05) is not first
    assert found.curve(*pair(found)[::-1], rows, 0.02) is not first


def test_nothing_is_computed_before_it_is_asked_for(counts: dict[str, int]) -> None:
    Analysis(Campaign(["mpich"], CELLS).run())
    assert sum(counts.values()) == 0
