"""What `leadline run` ends with."""

from __future__ import annotations

import shlex

import pytest
from tests.support.synthetic import Campaign, pingpong

from leadline.cli.outcome import conclude, next_commands


@pytest.mark.parametrize("path", ["first", "a b/run", "it's"])
def test_next_commands_are_what_a_shell_takes(path: str) -> None:
    lines = next_commands(path).splitlines()
    assert [shlex.split(line) for line in lines] == [
        ["leadline", "show", path],
        ["leadline", "report", path],
    ]


@pytest.mark.parametrize("measured", [True, False])
def test_run_with_nothing_in_it_leads_to_no_commands(
    measured: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    conclude(
        Campaign(["mpich", "openmpi"], [pingpong(8)] if measured else [], blocks=1, batches=3).run()
    )
    assert ("leadline show" in capsys.readouterr().err) is measured
