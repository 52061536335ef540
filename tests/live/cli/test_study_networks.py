"""Studies over emulated networks: made for the time of the study, gone however it ends."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.campaigns import seen
from tests.support.emulated import needs_root
from tests.support.texts import lines_from, numbers
from tests.support.tiny_network_study import NETWORK, SIZE_BYTES, STAGE

from leadline.cli import main
from leadline.cli import stages as running
from leadline.hosts.emulated.cluster import Cluster, clusters
from leadline.hosts.emulated.lifecycle import down, hosts_up, up
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.wire import switch_of
from leadline.papers.catalogue import STUDIES
from leadline.papers.t3e_mapping.stages import stages
from leadline.store import load

pytestmark = pytest.mark.long

Capture = pytest.CaptureFixture[str]
TINY = "tests.support.tiny_network_study"
INTERRUPTED = f"""
import signal, sys
from leadline.cli import main
from leadline.report.text.progress import PlainProgress
from leadline.papers.catalogue import STUDIES

STUDIES["tiny-network"] = {TINY!r}
begins = PlainProgress.block_begins

def interrupted(progress, block, *words):
    begins(progress, block, *words)
    if block == 1:
        signal.raise_signal(signal.SIGINT)

PlainProgress.block_begins = interrupted
sys.exit(main(sys.argv[1:]))
"""
"""leadline, with Ctrl-C at the beginning of the second block."""


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STUDIES, "tiny-network", TINY)


def mine() -> list[str]:
    """The prefixes of the study's hosts that are up."""
    return [one.prefix for one in clusters() if one.prefix == NETWORK.prefix]


@needs_root
def test_ranks_of_a_stage_are_on_its_network_which_is_gone_afterwards(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture
) -> None:
    out, sent_bytes = tmp_path / "tiny", list[int]()

    @contextlib.contextmanager
    def counted(*words: Any) -> Iterator[Cluster]:
        with hosts_up(*words) as cluster:
            yield cluster
            sent_bytes.extend(port.sent_bytes for port in switch_of(cluster).traffic())

    monkeypatch.setattr(running, "hosts_up", counted)
    assert main(["study", "tiny-network", "--quick", "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert "here    " in printed.out
    assert mine() == []
    run = load(out / STAGE)
    assert [one.hosts for one in run.configurations] == [("tinystudy1", "tinystudy2")]
    assert {(one.pattern, one.size_bytes) for one in run.cells} == {("pingpong", SIZE_BYTES)}
    messages = int(run.batches.repetitions[run.batches.rank == 0].sum())
    assert messages > 0
    assert len(sent_bytes) == NETWORK.hosts
    assert min(sent_bytes) >= messages * SIZE_BYTES


@needs_root
def test_plan_of_a_study_over_a_network_leaves_nothing(capsys: Capture) -> None:
    assert main(["study", "tiny-network", "--dry-run"]) == 0
    assert "stage line:" in capsys.readouterr().err
    assert mine() == []


@needs_root
def test_plan_of_the_study_of_mapping_says_what_there_is_to_gain_and_leaves_nothing(
    capsys: Capture,
) -> None:
    assert main(["study", "mapping", "--quick", "--dry-run"]) == 0
    output = capsys.readouterr().err
    laid = [line for line in output.splitlines() if "mpich-mapped" in line]
    for pattern, hops in (("pair", "2.00 -> 0.00"), ("halo:4x4", "1.00 -> 0.67")):
        found = [line for line in laid if f" {pattern} by hops on nodes:4x4, " in line]
        assert hops in found[0]
    prefixes = {one.network.prefix for one in stages(1.0, True, 2) if one.network}
    assert [one.prefix for one in clusters() if one.prefix in prefixes] == []


@needs_root
def test_study_that_can_not_be_planned_leaves_nothing(capsys: Capture) -> None:
    assert main(["study", "tiny-network", "--budget", "10ms", "--dry-run"]) == 2
    (output,) = lines_from("leadline study: ", capsys.readouterr().err)
    assert "stage line " in output and "--budget" in output
    assert numbers(output)[0] == "0.01"
    assert mine() == []


@needs_root
def test_interrupted_study_leaves_nothing_and_its_stage_goes_on_as_it_says(
    tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "tiny"
    words = ["study", "tiny-network", "--budget", "2s", "--out", str(out)]
    command = [sys.executable, "-c", INTERRUPTED, *words]
    study = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    assert study.returncode == 130, study.stderr
    again = f"leadline run --resume {out / STAGE}"
    hosts = f"up --count 2 --link 20Mbit --prefix {NETWORK.prefix}"
    assert f"{hosts} && {again}" in study.stderr
    assert mine() == []
    before = load(out / STAGE)
    assert not before.complete
    assert set(before.batches.block.tolist()) == {0}
    up(NETWORK.hosts, parse_link(NETWORK.link), NETWORK.prefix)
    try:
        assert main(["run", "--resume", str(out / STAGE)]) == 0
    finally:
        down(NETWORK.prefix)
    after = load(out / STAGE)
    assert after.complete
    assert seen(before) < seen(after)
    assert main(["study", "tiny-network", "--from", str(out)]) == 0
    assert "here    " in capsys.readouterr().out


@needs_root
def test_hosts_that_are_up_already_are_named_and_stay(tmp_path: Path, capsys: Capture) -> None:
    up(1, parse_link("1Gbit"), NETWORK.prefix)
    try:
        assert main(["study", "tiny-network", "--out", str(tmp_path / "tiny")]) == 2
        assert f"down --prefix {NETWORK.prefix}" in capsys.readouterr().err
        assert mine() == [NETWORK.prefix]
    finally:
        down(NETWORK.prefix)


def test_without_root_a_study_over_networks_says_what_it_needs_and_what_it_can_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 65534)
    status = main(["study", "ethernet-atm", "--quick", "--out", str(tmp_path / "networks")])
    output = capsys.readouterr().err
    assert status != 0
    assert "root" in output
    assert "--from" in output
    assert not (tmp_path / "networks").exists()


@needs_root
def test_the_papers_networks_are_measured_and_drawn_by_raw_tcp(
    tmp_path: Path, capsys: Capture
) -> None:
    out, drawn = tmp_path / "networks", tmp_path / "drawn"
    words = ["--quick", "--backends", "tcp", "--budget", "3s", "--out", str(out), "--json"]
    assert main(["study", "ethernet-atm", *words, "--figures", str(drawn)]) == 0
    printed = capsys.readouterr().out
    json_schema.check("study", printed)
    figures = json.loads(printed)["figures"]
    row, quantity = "here, Ethernet, tcp", "of TCP's most"
    peaks = {
        f["row"]: f["value"]
        for f in figures
        if f["table"] == 3 and f["quantity"] == quantity and f["value"]
    }
    assert peaks[row] > 0  # bench hosts compares it with what TCP can carry
    assert {path.name for path in drawn.iterdir()} == {
        "1-bandwidth.svg", "2-bandwidth-small.svg", "3-round-trip.svg", "4-round-trip-small.svg",
    }  # fmt: skip
    assert {path.name for path in out.iterdir()} == {"ethernet", "atm"}
    assert not {"ethernet", "atm"} & {one.prefix for one in clusters()}


NAMED = "mapnamed"
WORDS = ("study", "mapping", "--quick", "--budget", "8s", "--backends", "tcp")


@pytest.fixture
def named() -> Iterator[str]:
    """Two hosts that are up, as --hosts takes them."""
    up(2, parse_link("100Mbit"), NAMED)
    yield f"{NAMED}[1-2]"
    down(NAMED)


@needs_root
def test_the_study_of_mapping_takes_hosts_that_are_up_already_and_leaves_them(
    named: str, tmp_path: Path, capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    assert main([*WORDS, "--hosts", named, "--out", str(tmp_path / "named")]) == 0
    assert NAMED in [one.prefix for one in clusters()]
    printed = capsys.readouterr()
    assert lines_from("links: ", printed.err) == snapshot
    assert "hosts map" not in printed.err, "none of its own are made"
    (here,) = (line for line in printed.out.splitlines() if line.strip().startswith("Here: "))
    assert numbers(here)[:3] == ["2", "8", "100"]
    run = load(tmp_path / "named" / "neighbours")
    assert {one.variant for one in run.configurations} == {"tcp", "tcp-mapped"}


@needs_root
def test_an_interrupted_stage_on_named_hosts_goes_on_without_making_any(
    named: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "named"
    begun = SimpleNamespace(complete=False, awaits_hosts=False, path=str(out / "uncongested"))
    monkeypatch.setattr("leadline.cli.stages.conduct", lambda *_: begun)
    assert main([*WORDS, "--hosts", named, "--out", str(out)]) == 130
    output = capsys.readouterr().err
    assert f" run --resume {out}/uncongested\n" in output


@pytest.mark.parametrize(
    "words",
    [
        ["mapping", "--hosts", "a", "--agent", "true"],
        ["mapping", "--hosts", "n[1-9]", "--agent", "true"],
        ["mapping", "--agent", "true"],
        ["ethernet-atm", "--hosts", "a,b", "--agent", "true"],
        ["mapping", "--from", "x", "--hosts", "a,b"],
        ["--hosts", "a,b"],
    ],
    ids=" ".join,
)
def test_hosts_that_a_study_can_not_take_are_refused_in_one_line(
    words: list[str], capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    assert main(["study", *words]) == 2
    output = capsys.readouterr().err
    assert output == snapshot
    assert output.count("\n") == 1
