"""What a campaign loses by hosts that go down, and which of them are down."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import remote_shells_of
from leadline.measure import diagnostics
from leadline.measure.diagnostics import Outage, RankLocator
from leadline.record.run import HOST_DOWN

# -- which hosts are down --------------------------------------------------------------------------


def agent(folder: Path, *lines: str) -> str:
    path = folder / "agent"
    path.write_text("\n".join(["#!/bin/sh", "host=$1; shift", *lines]) + "\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def down(agent: str, *names: str) -> list[Outage]:
    doors = {door.host: door for door in remote_shells_of(Hosts(names, agent))}
    return RankLocator(Path("/nowhere/progress"), doors).outages([*names, "unasked"])


def test_host_that_its_agent_enters_is_up(tmp_path: Path) -> None:
    assert down(agent(tmp_path, "echo welcome:$host", 'exec sh -c "$*"'), "h1", "h2") == []


def test_host_that_refuses_is_down_and_says_why(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    refusing = 'test $host = h2 && { echo "No route to $host" >&2; exit 255; }; exec sh -c "$*"'
    (found,) = down(agent(tmp_path, refusing), "h1", "h2", "h3")
    assert found.hosts == {"h2"}
    assert found.reason == snapshot
    assert found.code == HOST_DOWN


def test_host_that_says_nothing_in_time_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(diagnostics, "HOST_ANSWERS_S", 0.2)
    (found,) = down(agent(tmp_path, "sleep 60"), "h1")
    assert found.reason == snapshot
