"""Campaigns whose ranks are so many that a relay speaks for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from harness.kernels import local_backend
from harness.patience import HANG_S, PATIENCE_S
from tests.support.campaigns import Silent
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root
from tests.support.launches import noted
from tests.support.leftovers import scratch_folders
from tests.support.processes import ended, processes, until, variable, watching

from leadline.backends.launchers import relays
from leadline.backends.launchers.relays import MOST_CONNECTIONS
from leadline.hosts.emulated.cluster import Cluster
from leadline.kernels.connections import CONFIDENTIAL
from leadline.kernels.messages import FittedClock
from leadline.measure import preparation
from leadline.measure.conduct import conduct
from leadline.measure.launch import Launch
from leadline.measure.pool import LaunchPool
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request
from leadline.measure.tracing import traced
from leadline.record.run import Run
from leadline.store import load
from leadline.store.directory import read_journal

RANKS = 2 * MOST_CONNECTIONS
REQUEST = Request(
    patterns=("barrier", "pingpong", "halo"), sizes=(8,), ranks=(RANKS,), backends=("trace",),
    blocks=1, budget_s=0.1, bind=False, all_ranks=False,
)  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_but_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "find_backends", lambda _: [local_backend("trace")])


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Launch]:
    """All launches that are started."""
    return noted(monkeypatch)


def shape(run: Run, directory: Path) -> list[object]:
    """All of a run but times, and how many slices and batches there was time for."""
    slices = {
        (one.cell, (*one.ranks.tolist(),), (*one.others.tolist(),), one.spread is None)
        for one in read_journal(directory).slices
    }
    configurations = [(one.variant, one.ranks, one.algorithms) for one in run.configurations]
    return [run.cells, configurations, sorted(slices), run.failures]


def test_run_through_a_relay_is_as_one_without(
    tmp_path: Path, started: list[Launch], monkeypatch: pytest.MonkeyPatch
) -> None:
    through = conduct(prepare(REQUEST), tmp_path / "through", Silent())
    monkeypatch.setattr(relays, "MOST_CONNECTIONS", RANKS)
    straight = conduct(prepare(REQUEST), tmp_path / "straight", Silent())
    assert [one.relays for one in started] == [1, 0]
    assert shape(through, tmp_path / "through") == shape(straight, tmp_path / "straight")
    assert through.complete
    assert through.failures == ()
    kept = read_journal(tmp_path / "through").slices
    assert {one.ranks.size + one.others.size for one in kept} == {2, RANKS}
    assert nothing_is_left(started)


def test_clocks_are_fitted_through_a_relay(
    tmp_path: Path, started: list[Launch], monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[FittedClock] = []
    place = LaunchPool.place

    def fit_first(launch_pool: LaunchPool, launch: Launch, *words: Any) -> int:
        fitted[:] = fitted or launch.fit_clocks(60.0, "hosts")
        return place(launch_pool, launch, *words)

    monkeypatch.setattr(LaunchPool, "place", fit_first)
    assert conduct(prepare(REQUEST), tmp_path / "run", Silent()).failures == ()
    assert [one.relays for one in started] == [1]
    assert [(one.rank, one.leader, one.fits) for one in fitted] == [(r, 0, 0) for r in range(RANKS)]


def test_what_is_traced_through_a_relay_is_what_is_traced_without(
    started: list[Launch], monkeypatch: pytest.MonkeyPatch
) -> None:
    request = replace(REQUEST, patterns=("halo:8x8", "allreduce"))
    through = traced(request, repetitions=2)
    monkeypatch.setattr(relays, "MOST_CONNECTIONS", RANKS)
    assert traced(request, repetitions=2) == through
    assert [one.relays for one in started] == [1, 0]
    assert [cell.trace.messages > RANKS for cell in through.cells] == [True, True]


def test_relay_hands_on_all_ranks_where_they_are_asked_for(tmp_path: Path) -> None:
    request = replace(REQUEST, patterns=("barrier",), all_ranks=True)
    run = conduct(prepare(request), tmp_path / "run", Silent())
    assert run.batches.spread is None
    assert set(run.batches.rank.tolist()) == set(range(RANKS))


def nothing_is_left(started: list[Launch]) -> bool:
    """No process of these launches, and no folder."""
    names = {one.credentials.name for one in started}
    mine = [pid for pid in processes() if variable(pid, "LEADLINE_LAUNCH") in names]
    folders = [one for la in started for one in la.scratch.parent.glob(f"{la.scratch.name}*")]
    return mine == [] and folders == []


class Killing(Silent):
    """Ends the process that it is told to, once the first slice is done."""

    def __init__(self, whom: Callable[[], int]) -> None:
        super().__init__()
        self.whom = whom

    def slice_done(self, variant: str, cell: object) -> None:
        if not self.slices:
            subprocess.run(["kill", "-9", str(self.whom())], check=True)
        self.slices.append(variant)


def test_relay_that_dies_is_a_failure_and_the_campaign_goes_on(
    tmp_path: Path, started: list[Launch]
) -> None:
    killing = Killing(lambda: started[0].started[0].pid)
    run = conduct(prepare(REQUEST), tmp_path / "run", killing)
    (failure,) = run.failures
    assert failure.code == "crash"
    assert "relay " in failure.message and "SIGKILL" in failure.message
    assert len(started) == 2
    assert len(killing.slices) > 1
    assert nothing_is_left(started)


def test_rank_that_dies_is_named_by_its_relay(tmp_path: Path, started: list[Launch]) -> None:
    killing = Killing(lambda: started[0].hellos[5].pid)
    run = conduct(prepare(REQUEST), tmp_path / "run", killing)
    (failure,) = run.failures
    assert failure.code == "crash"
    assert "rank 5 " in failure.message and "SIGKILL" in failure.message
    assert len(started) == 2
    assert nothing_is_left(started)


def test_rank_that_hangs_is_named_though_a_relay_has_the_answers(
    tmp_path: Path, started: list[Launch]
) -> None:
    class Stopping(Killing):
        def slice_done(self, variant: str, cell: object) -> None:
            if not self.slices:
                subprocess.run(["kill", "-STOP", str(self.whom())], check=True)
            self.slices.append(variant)

    request = replace(REQUEST, patterns=("barrier", "allreduce"), patience_s=HANG_S)
    stopping = Stopping(lambda: started[0].hellos[7].pid)
    run = conduct(prepare(request), tmp_path / "run", stopping)
    assert {one.code for one in run.failures} == {"hang"}
    blamed, _, _ = run.failures[0].message.partition(" (")
    assert "rank 7 " in blamed and blamed.count("rank ") == 1
    assert nothing_is_left(started)


# -- who ends everything ---------------------------------------------------------------------------


def relays_below(temporary: Path) -> list[int]:
    """The relays of front-ends whose temporary files are there; other tests have relays, too."""
    below = f"{temporary}/"
    return [pid for pid in processes() if variable(pid, "LEADLINE_RELAY").startswith(below)]


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary files with a name short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        yield Path(folder)


@pytest.mark.parametrize("early", [True, False], ids=["starting", "measuring"])
def test_front_end_that_is_killed_leaves_no_process(
    early: bool, temporary: Path, tmp_path: Path
) -> None:
    words = ["--backends", "trace", "--ranks", str(RANKS), "--patterns", "barrier"]
    command = [sys.executable, "-m", "leadline", "run", *words, "--out", str(tmp_path / "run")]
    there = os.environ | {"TMPDIR": str(temporary)}
    with ended(subprocess.Popen(command, stdout=subprocess.DEVNULL, env=there)) as front_end:
        until(lambda: bool(relays_below(temporary)))
        (relay,) = relays_below(temporary)
        name = variable(relay, "LEADLINE_LAUNCH")
        if not early:
            journal = tmp_path / "run" / "journal.jsonl"
            until(lambda: journal.exists() and '"slice"' in journal.read_text())
        front_end.send_signal(signal.SIGKILL)
    until(lambda: not [pid for pid in processes() if variable(pid, "LEADLINE_LAUNCH") == name])
    left = scratch_folders(temporary)
    assert {path.name.count(".") for path in left} <= {0}  # the relay's own is gone


# -- two hosts -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts() as up:
        yield up


@needs_root
def test_each_of_two_hosts_has_a_relay(hosts: Cluster, temporary: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    ranks = 2 * MOST_CONNECTIONS + 3  # not as many on each
    words = [
        "--backends", "tcp", "--ranks", str(ranks), "--patterns", "barrier,pingpong",
        "--bind", "none", "--blocks", "1", "--budget", "1s",
        "--hosts", host_words(hosts), "--agent", str(hosts.agent),
    ]  # fmt: skip
    command = (sys.executable, "-m", "leadline", "run", *words, "--out", str(out))
    entered = inside(hosts, 0, *command)
    with (
        watching(CONFIDENTIAL) as seen,
        subprocess.Popen(
            entered,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": str(temporary)},
        ) as front_end,
    ):
        until(lambda: len(relays_below(temporary)) == 2)
        output = front_end.communicate(timeout=PATIENCE_S)[1]
    assert front_end.returncode == 0, output
    assert seen.shown() == []
    run = load(out)
    assert run.failures == ()
    barrier = [one for one in read_journal(out).slices if one.spread is not None]
    assert barrier
    for one in barrier:
        assert [*one.ranks, *one.others] == list(range(ranks))
        assert one.slowest is not None
        assert set(one.slowest.tolist()) <= set(range(ranks))
    assert relays_below(temporary) == []
