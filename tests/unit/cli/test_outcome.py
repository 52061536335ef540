"""What `leadline run` ends with."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import pytest
from harness.synthetic import Campaign, pingpong
from tests.support.texts import line_with

from leadline.cli.outcome import COMPLETE, conclude, next_commands, resuming
from leadline.cli.parsing.reading import NOT_WHOLE
from leadline.record.run import Cell, Run
from leadline.record.slices import BatchFlag


@pytest.mark.parametrize("path", ["first", "a b/run", "it's"])
def test_next_commands_are_what_a_shell_takes(path: str) -> None:
    lines = next_commands(path).splitlines()
    assert [shlex.split(line) for line in lines] == [
        ["leadline", "show", path, "--full"],
        ["leadline", "report", path],
    ]
    assert shlex.split(resuming(path)) == ["leadline", "run", "--resume", path]


@pytest.mark.parametrize("measured", [True, False])
def test_run_with_nothing_in_it_leads_to_no_commands(
    measured: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    conclude(campaign([pingpong(8)] if measured else []), quiet=False, known=True)
    assert ("leadline show" in capsys.readouterr().err) is measured


@pytest.mark.parametrize("known", [True, False])
def test_quiet_run_says_where_it_is_if_nobody_knows_and_nothing_else(
    known: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    run = campaign([pingpong(8)])
    conclude(run, quiet=True, known=known)
    output = capsys.readouterr().err
    assert output == "" if known else line_with(output.strip()).endswith(f": {run.path}")


def test_cell_without_a_time_is_not_whole_to_who_is_strict() -> None:
    run = campaign([pingpong(8), pingpong(512)])
    assert conclude(run, quiet=True, known=True, strict=True) == COMPLETE
    own = (run.batches.configuration == 1) & (run.batches.cell == 1)
    run.batches.flags[own] = BatchFlag.MISCOUNTED
    assert conclude(run, quiet=True, known=True, strict=True) == NOT_WHOLE
    assert conclude(run, quiet=True, known=True) == COMPLETE


def campaign(cells: Sequence[Cell]) -> Run:
    return Campaign(["mpich", "openmpi"], cells, blocks=1, batches=3).run()
