"""leadline health on emulated hosts: planted faults are named, from outside of the hosts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.support import json_schema
from tests.support.emulated import emulated_hosts, host_words, needs_root

from leadline.cli import health_rounds, main
from leadline.cli.health_rounds import Rounds
from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.impairing import impair, start, stop
from leadline.hosts.emulated.impairment import HEALTHY, Impairment
from leadline.hosts.placement import Hosts
from leadline.measure.prepared import Prepared
from leadline.store import load, runs_below
from leadline.studies.health.observations import Round, Tolerances

HOSTS = 4


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts(HOSTS, "100Mbit") as up:
        yield up


def examined(hosts: Cluster, out: Path, status: int, budget: str = "150s") -> Mapping[str, Any]:
    """What `leadline health --json` says, having ended with `status`."""
    words = ("--hosts", host_words(hosts), "--budget", budget, "--out", str(out), "--json")
    command = ("timeout", "-k", "1", "200", sys.executable, "-m", "leadline", "health", *words)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    json_schema.check("health", done.stdout)
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found


@needs_root
def test_link_at_half_of_its_rate_is_named_and_each_round_is_a_run(
    hosts: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = hosts.hosts[2].name
    impair(hosts, slow, Impairment(rate_share=0.5))
    try:
        found = examined(hosts, tmp_path / "out", status=1)
    finally:
        impair(hosts, slow, HEALTHY)
    assert {(one["kind"], one["name"]) for one in found["suspects"]} == {("link", slow)}
    by_symptom = {one["symptom"]: one for one in found["suspects"]}
    assert by_symptom["rate"]["high"] < 0.9
    paths = runs_below(tmp_path / "out", print)
    assert len(paths) == found["rounds"] == len(found["runs"])
    pairs = [one.hosts for one in load(paths[0]).configurations]
    assert len(pairs) == len({host for pair in pairs for host in pair}) / 2 == HOSTS / 2
    assert main(["show", str(paths[-1])]) == 0
    assert "+" in capsys.readouterr().out


@needs_root
def test_host_that_is_down_is_named_and_the_rest_is_examined(
    hosts: Cluster, tmp_path: Path
) -> None:
    down = hosts.hosts[1].name
    stop(hosts, down)
    try:
        found = examined(hosts, tmp_path / "out", status=1, budget="4s")
    finally:
        start(hosts, down)
    (suspect,) = found["suspects"]
    assert (suspect["kind"], suspect["name"], suspect["factor"]) == ("down", down, None)
    assert "No route to host" in suspect["why"]
    assert found["rounds"] >= 1
    assert len(found["hosts"]) == HOSTS


@needs_root
def test_link_that_carries_nothing_is_found_by_its_silence(hosts: Cluster, tmp_path: Path) -> None:
    cut = hosts.hosts[0].name
    impair(hosts, cut, Impairment(cut=True))
    try:
        found = examined(hosts, tmp_path / "out", status=1)
    finally:
        impair(hosts, cut, HEALTHY)
    named = {(one["kind"], one["name"]) for one in found["suspects"]}
    assert named == {("down", cut)}
    assert "no message reaches it" in found["suspects"][0]["why"]


def test_quiet_examination_says_nothing_of_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = Round((("a", "b"),), ())
    run = SimpleNamespace(complete=True, awaits_hosts=False)
    for name, found in (("conduct", run), ("paired", None), ("round_of", seen)):
        monkeypatch.setattr(health_rounds, name, lambda *_, found=found: found)
    hosts = Hosts(("a", "b"))
    rounds = Rounds(hosts, "tcp", 1.0, Tolerances(), 0, tmp_path, quiet=True, _large_bytes=1)
    assert rounds._round(cast("Prepared", None), seen.pairs) == seen
    assert capsys.readouterr().err == ""


def test_nobody_answers_where_the_agent_reaches_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--hosts", "n[1-3]", "--agent", "false", "--out", str(tmp_path / "out"))
    assert main(["health", *words]) == 1
    said = capsys.readouterr().err
    assert "none of 3 hosts answers" in said
    assert "name another program by --agent" in said
