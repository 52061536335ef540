"""What an agent is given to start: its end is told, by a signal, too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S

from leadline.backends.launchers import Command, JobStep, sent
from leadline.hosts.placement import Hosts
from leadline.processes import spawn


@pytest.fixture
def step(tmp_path: Path) -> JobStep:
    agent = tmp_path / "agent"
    agent.write_text('#!/bin/sh\nshift\nexec sh -c "$*"\n')
    agent.chmod(0o755)
    return JobStep("kernel", (), 2, {}, hosts=Hosts(("h1", "h2"), str(agent)))


def status(step: JobStep, *argv: str) -> int:
    command = sent(step, "h2", Command(argv, step.environment, "rank 1"))
    assert command.role == "rank 1 on h2"
    return spawn(command.argv, command.environment, None, command.read).wait(PATIENCE_S)


def test_shell_of_another_machine_tells_of_a_signal_by_its_status(step: JobStep) -> None:
    assert status(step, "sh", "-c", "kill -SEGV $$") == 128 + 11
    assert status(step, "sh", "-c", "exit 7") == 7


def test_shell_of_an_emulated_host_becomes_what_it_starts(step: JobStep) -> None:
    step = replace(step, hosts=replace(step.hosts, emulated=True))
    assert status(step, "sh", "-c", "kill -SEGV $$") == -11


def test_values_that_are_read_reach_what_is_started(step: JobStep) -> None:
    hidden = replace(step, environment={"SECRET": "a b"}, confidential=frozenset({"SECRET"}))
    assert status(hidden, "sh", "-c", 'test "$SECRET" = "a b"') == 0
