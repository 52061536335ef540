"""leadline health: clusters that are numbers only, and emulated hosts, from outside of them.

How often planted faults are named, and nobody else, is measured by validation/hosts/health.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.clusters import Cluster
from tests.support.emulated import emulated_hosts, host_words, needs_root

from leadline.cli import health_rounds, main
from leadline.cli.health_rounds import Rounds
from leadline.health.matchings import Matching, pair_of
from leadline.health.measured import SMALLEST_LARGE, round_of
from leadline.health.observations import Round, Tolerances
from leadline.hosts.emulated.cluster import Cluster as EmulatedCluster
from leadline.hosts.emulated.impairing import impair, start, stop
from leadline.hosts.emulated.impairment import HEALTHY, Impairment
from leadline.hosts.placement import Hosts
from leadline.measure.prepared import Prepared
from leadline.store import load, runs_below

HOSTS = 4
NAMES = "h[1-8]"


# -- in numbers ------------------------------------------------------------------------------------


class Measuring:
    """Rounds of a cluster that exists as numbers only, in place of measured ones."""

    def __init__(self, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cluster = cluster
        self.rounds: list[Matching] = []
        run = SimpleNamespace(complete=True, awaits_hosts=False)
        for name, instead in (
            ("unanswering", lambda _: {}),
            ("prepare", lambda _: SimpleNamespace(machine_warnings=())),
            ("paired", lambda *_: None),
            ("conduct", lambda *_: run),
            ("large_bytes", lambda _: 4096),
            ("round_of", self.measured),
        ):
            monkeypatch.setattr(health_rounds, name, instead)

    def measured(self, _run: object, pairs: Matching, _large: int) -> Round:
        self.rounds.append(pairs)
        return self.cluster.measured(pairs)


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ({}, set()),
        ({"rates": {"h3": 0.5}}, {("link", "h3", "rate")}),
        ({"delays_s": {"h3": 1e-3}}, {("link", "h3", "latency")}),
        ({"stalls": {"h3": 8.0}}, {("host", "h3", "stalls")}),
        ({"dead": ("h3",)}, {("down", "h3", None)}),
        ({"rates": {"h1": 0.5}, "dead": ("h8",)}, {("link", "h1", "rate"), ("down", "h8", None)}),
    ],
    ids=["healthy", "rate", "latency", "stalls", "silent", "two"],
)
def test_planted_fault_is_named_by_kind_and_symptom(
    fault: Mapping[str, Any],
    named: set[tuple[str, str, str | None]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    measuring = Measuring(Cluster(8, spread=0.01, **fault), monkeypatch)
    words = ("--hosts", NAMES, "--agent", "true", "--budget", "1h", "--out", str(tmp_path / "out"))
    assert main(["health", *words, "--json"]) == (1 if named else 0)
    printed = capsys.readouterr().out
    json_schema.check("health", printed)
    found = json.loads(printed)
    assert {(s["kind"], s["name"], s["symptom"]) for s in found["suspects"]} == named
    assert found["rounds"] == len(found["runs"]) == len(measuring.rounds)
    for pairs in measuring.rounds:
        assert len({host for pair in pairs for host in pair}) == 2 * len(pairs)


# -- on emulated hosts -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hosts() -> Iterator[EmulatedCluster]:
    with emulated_hosts(HOSTS, "100Mbit") as up:
        yield up


def examined(hosts: EmulatedCluster, out: Path, budget: str) -> tuple[int, Mapping[str, Any]]:
    """The status of `leadline health --json`, and what it says."""
    words = ("--hosts", host_words(hosts), "--budget", budget, "--out", str(out), "--json")
    command = (
        "timeout",
        "-k",
        "1",
        str(PATIENCE_S),
        sys.executable,
        "-m",
        "leadline",
        "health",
        *words,
    )
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    json_schema.check("health", done.stdout)
    found: Mapping[str, Any] = json.loads(done.stdout)
    assert set(found["hosts"]) == {host.name for host in hosts.hosts}
    return done.returncode, found


@needs_root
def test_host_that_is_down_is_named_and_each_round_of_the_rest_is_a_run(
    hosts: EmulatedCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    down = hosts.hosts[1].name
    stop(hosts, down)
    try:
        status, found = examined(hosts, tmp_path / "out", budget="4s")
    finally:
        start(hosts, down)
    assert status == 1
    assert ("down", down) in {(one["kind"], one["name"]) for one in found["suspects"]}
    paths = runs_below(tmp_path / "out", print)
    assert len(paths) == found["rounds"] == len(found["runs"]) >= 1
    (pair,) = (one.hosts for one in load(paths[-1]).configurations)
    assert set(pair) < {host.name for host in hosts.hosts} - {down}
    assert main(["show", str(paths[-1]), "--full"]) == 0
    assert "+".join(pair) in capsys.readouterr().out


@needs_root
def test_pair_over_a_link_that_carries_nothing_is_silent(
    hosts: EmulatedCluster, tmp_path: Path
) -> None:
    """After a round nobody is blamed for that yet."""
    cut = hosts.hosts[0].name
    impair(hosts, cut, Impairment(cut=True))
    try:
        _, found = examined(hosts, tmp_path / "out", budget="1ms")
    finally:
        impair(hosts, cut, HEALTHY)
    assert found["rounds"] == 1
    run = load(tmp_path / "out" / "round-01")
    pairs = [pair_of(*one.hosts) for one in run.configurations]
    assert len({host for pair in pairs for host in pair}) == 2 * len(pairs) == HOSTS
    (silent,) = (pair for pair in pairs if cut in pair)
    assert silent in round_of(run, pairs, SMALLEST_LARGE).silent
    assert pairs.index(silent) in {failure.configuration for failure in run.failures}


# -- what is said ----------------------------------------------------------------------------------


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
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    words = ("--hosts", "n[1-3]", "--agent", "false", "--out", str(tmp_path / "out"))
    assert main(["health", *words]) == 1
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot
