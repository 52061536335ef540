"""Hosts that answer, through a program in the agent's place that says what is planted."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.survey_agents import agent

from leadline.errors import UsageError
from leadline.hosts import survey as module
from leadline.hosts.cores import Site
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.hosts.survey import survey


def test_this_host_says_so_without_an_agent() -> None:
    (here,) = survey(THIS_HOST)
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert here == Site(socket.gethostname(), boot, tuple(sorted(os.sched_getaffinity(0))))


@pytest.mark.parametrize("asked", [survey, module.unanswering])
def test_more_hosts_than_can_be_asked_at_once_are_refused_before_anybody_is(
    asked: Callable[[Hosts], object], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    names = tuple(f"n{number}" for number in range(100_000))
    hosts = Hosts(names, agent(tmp_path, f"touch {tmp_path}/asked"))
    with pytest.raises(UsageError) as caught:
        asked(hosts)
    assert str(caught.value) == snapshot
    assert not (tmp_path / "asked").exists()
