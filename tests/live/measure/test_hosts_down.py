"""A host that goes down during a run: named, the rest goes on, and all when it is back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from errno import EHOSTUNREACH
from pathlib import Path

import pytest
from harness.patience import HANG_S, PATIENCE_S
from tests.support.campaigns import Silent
from tests.support.emulated import emulated_hosts, host_words, needs_root
from tests.support.processes import until

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.impairing import impair, start, stop
from leadline.hosts.emulated.impairment import HEALTHY, Impairment
from leadline.hosts.placement import Hosts
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request
from leadline.record.run import Cell, Run
from leadline.store import load

pytestmark = [needs_root, pytest.mark.long]

HOSTS = 3


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts(HOSTS) as up:
        yield up


def leadline(*words: str) -> subprocess.Popen[str]:
    command = ("timeout", "-k", "1", "100", sys.executable, "-m", "leadline", "run", *words)
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def ended(front_end: subprocess.Popen[str]) -> tuple[int, str]:
    """Its status, and what it said."""
    with front_end:
        _, output = front_end.communicate(timeout=PATIENCE_S)
    return front_end.returncode, output


def assert_all_hosts_are_lost(run: Run) -> None:
    """What needs all of them is said to have failed once; which blocks have the rest, is scripted
    in test_scripted_hosts.py."""
    assert run.awaits_hosts
    assert [(f.configuration, f.cell, f.code) for f in run.failures] == [
        (number, None, "host_down")
        for number, one in enumerate(run.configurations)
        if one.ranks == HOSTS
    ]


def test_campaign_goes_on_without_a_host_and_with_it_when_it_is_back(
    hosts: Cluster, tmp_path: Path
) -> None:
    out, name = tmp_path / "run", hosts.hosts[-1].name
    front_end = leadline(
        "--backends", "tcp,mpich", "--patterns", "allgather", "--sizes", "8", "--ranks", "2,3",
        "--bind", "none", "--blocks", "3", "--budget", "2s", "--hosts", host_words(hosts),
        "--out", str(out),
    )  # fmt: skip
    journal = out / "journal.jsonl"
    until(lambda: journal.exists() and '"block":1' in journal.read_text())
    stop(hosts, name)
    status, message = ended(front_end)
    assert status == 1, message
    assert f" run --resume {out}" in message
    run = load(out)
    assert_all_hosts_are_lost(run)
    assert all(f"host {name} " in failure.message for failure in run.failures)
    status, message = ended(leadline("--resume", str(out)))
    assert status == 1
    assert f"{name!r} " in message and os.strerror(EHOSTUNREACH) in message
    start(hosts, name)
    status, message = ended(leadline("--resume", str(out)))
    assert status == 0, message
    whole = load(out)
    assert whole.complete
    assert whole.failures == ()


class Cutting(Silent):
    """Cuts a host's link when all hosts are to be measured, or when their first slice is done."""

    def __init__(self, hosts: Cluster, early: bool) -> None:
        super().__init__()
        self.hosts, self.early, self.on_all, self.is_cut = hosts, early, False, False

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        self.on_all = ranks == HOSTS
        if self.early:
            self.cut()
        super().block_begins(block, blocks, ranks)

    def slice_done(self, variant: str, cell: Cell) -> None:
        self.cut()
        super().slice_done(variant, cell)

    def cut(self) -> None:
        if self.on_all and not self.is_cut:
            self.is_cut = True
            impair(self.hosts, self.hosts.hosts[-1].name, Impairment(cut=True))


@pytest.mark.parametrize("early", [True, False], ids=["starting", "measuring"])
def test_host_whose_link_is_cut_is_named_though_it_answers(
    hosts: Cluster, tmp_path: Path, early: bool
) -> None:
    names = tuple(host.name for host in hosts.hosts)
    request = Request(
        patterns=("allgather",), sizes=(8,), ranks=(2, HOSTS), backends=("tcp", "mpich"),
        blocks=2, budget_s=1.0, bind=False, patience_s=HANG_S,
        start_patience_s=20.0 if early else PATIENCE_S,
        hosts=Hosts(names, str(hosts.agent), emulated=True),
    )  # fmt: skip
    try:
        run = conduct(prepare(request), tmp_path / "run", Cutting(hosts, early))
    finally:
        impair(hosts, names[-1], HEALTHY)
    assert_all_hosts_are_lost(run)
    first = run.failures[0].message
    told = first.rpartition("; ")[2]
    assert names[-1] in told and "--resume" in told
