"""What each launcher starts, and what real ranks then see."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from harness.steps import commands_of
from tests.support.launcher_commands import REAL, backend

from leadline.backends.backend import Backend
from leadline.backends.kinds import launcher_for
from leadline.backends.launchers import Command, JobStep
from leadline.hosts.placement import Hosts
from leadline.processes import CommandResult, run, spawn

QUOTED = "it's $HOME; *"
LISTS = ("/bin/sh", "-c", "cat /proc/[0-9]*/cmdline 2>&- | tr '\\0' ' '")
"""Prints the command lines of all processes."""


# -- real launches ---------------------------------------------------------------------------------


def launched(real: Backend, ranks: int, program: tuple[str, ...]) -> CommandResult:
    """How `program` ended that says what it sees."""
    variables = {"LEADLINE_JOB": QUOTED}
    crowded = ranks > len(os.sched_getaffinity(0))
    asked = JobStep(program[0], program[1:], ranks, variables, oversubscribed=crowded)
    (only,) = commands_of(real, asked)
    return run(only.argv, PATIENCE_S, only.environment)


@pytest.mark.parametrize("kind", REAL)
@pytest.mark.parametrize("per_core", [1, 2])
def test_ranks_are_numbered_before_initialisation_and_see_the_jobs_variables(
    installed_backends: Mapping[str, Backend], kind: str, per_core: int
) -> None:
    ranks = per_core * len(os.sched_getaffinity(0)) + (per_core > 1)
    variable = launcher_for(installed_backends[kind]).rank_variable
    one_line = ("/bin/sh", "-c", f'echo "${variable} $LEADLINE_JOB"')  # a write: nothing in between
    ending = launched(installed_backends[kind], ranks, one_line)
    assert ending.status == 0, ending.output
    assert sorted(ending.output.splitlines()) == [f"{rank} {QUOTED}" for rank in range(ranks)]


@pytest.mark.parametrize("kind", REAL)
def test_library_starts_where_no_home_is_set(
    installed_backends: Mapping[str, Backend], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")
    ending = launched(installed_backends[kind], 1, ("/bin/true",))
    assert ending.status == 0, ending.output


@pytest.mark.parametrize("kind", REAL)
def test_no_command_line_shows_the_value_of_a_variable(
    installed_backends: Mapping[str, Backend], kind: str
) -> None:
    secret, variable = secrets.token_hex(16), launcher_for(installed_backends[kind]).rank_variable
    lists = f'if [ "${variable}" = 0 ]; then {LISTS[2]}; fi'  # one alone, or lists are mixed
    asked = JobStep(LISTS[0], (LISTS[1], lists), 2, {"LEADLINE_SECRET": secret})
    (only,) = commands_of(installed_backends[kind], asked)
    ending = run(only.argv, PATIENCE_S, only.environment)
    assert f"-n 2 {LISTS[0]}" in ending.output
    assert secret not in ending.output


def test_agent_hands_on_by_a_pipe_what_no_command_line_may_show(tmp_path: Path) -> None:
    agent, secret = tmp_path / "agent", secrets.token_hex(16)
    agent.write_text('#!/bin/sh\nshift\nexec sh -c "$*"\n')
    agent.chmod(0o755)
    variables = {"LEADLINE_SECRET": secret, "LEADLINE_X": "it's $HOME; *"}
    program = (*LISTS[:2], f'echo "$LEADLINE_SECRET $LEADLINE_X"; {LISTS[2]}')
    asked = JobStep(
        program[0], program[1:], 1, variables,
        hosts=Hosts(("a",), str(agent)), confidential=frozenset({"LEADLINE_SECRET"}),
    )  # fmt: skip
    (only,) = commands_of(backend("tcp"), asked)
    told, listed = said(only).split("\n", 1)
    assert told == f"{secret} it's $HOME; *"
    assert "LEADLINE_SECRET" in listed
    assert secret not in listed
    agent.write_text('#!/bin/sh\nshift\nexec sh -c "$*" </dev/null\n')  # as ssh -n
    complaint = said(only)
    assert complaint.startswith("leadline: ") and "LEADLINE_SECRET" in complaint
    assert complaint.count("\n") == 1  # nothing was started


def said(command: Command) -> str:
    """What the process of `command` prints to its end."""
    with tempfile.TemporaryFile() as output:
        spawn(command.argv, command.environment, output, command.read).wait(PATIENCE_S)
        output.seek(0)
        return output.read().decode()


@pytest.mark.parametrize("kind", REAL)
def test_ranks_are_left_unbound(installed_backends: Mapping[str, Backend], kind: str) -> None:
    program = ("/bin/grep", "Cpus_allowed_list", "/proc/self/status")
    mine = run(program, PATIENCE_S).output.strip()
    ending = launched(installed_backends[kind], 2, program)
    assert [line for line in ending.output.splitlines() if line] == [mine, mine]
