"""Ranks above the core count on emulated hosts: verdicts where the link between them is full."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root

from leadline.compare.analysis import Analysis
from leadline.compare.pairs import compare_within
from leadline.hosts.emulated.cluster import Cluster
from leadline.record.run import Run
from leadline.store import load

pytestmark = needs_root

SMALL, LARGE = 8, 500_000
MBIT = 125_000


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    """Two hosts on one machine, 100 Mbit/s each way between them."""
    with emulated_hosts(link="100Mbit") as up:
        yield up


def measured(hosts: Cluster, out: Path, names: str, *link_bound: str) -> Run:
    """A run of two ranks on one core: raw TCP beside itself."""
    command = (
        sys.executable, "-m", "leadline", "run", "--hosts", names, "--agent", str(hosts.agent),
        "--bind", "0", "--backends", "tcp", "--variant", "again=tcp", "--patterns", "exchange",
        "--sizes", f"{SMALL},{LARGE}", "--blocks", "1", "--budget", "1s", "--out", str(out),
        *link_bound,
    )  # fmt: skip
    done = subprocess.run(
        inside(hosts, 0, "timeout", "-k", "1", "100", *command),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    run = load(out)
    assert all(one.oversubscribed for one in run.configurations)
    return run


def counted(run: Run) -> dict[int | None, bool]:
    """Which sizes count in a comparison."""
    return {row.size_bytes: row.counted for row in compare_within(Analysis(run), "tcp").rows}


def link_shares(run: Run) -> dict[int, list[float | None]]:
    rows = Analysis(run).summaries
    return {size: [r.link_share for r in rows if r.size_bytes == size] for size in (SMALL, LARGE)}


def test_large_messages_that_fill_the_link_count_and_small_ones_do_not(
    hosts: Cluster, tmp_path: Path
) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts), "--link-bound", "100Mbit")
    assert counted(run) == {SMALL: False, LARGE: True}
    rows = Analysis(run).summaries
    assert {row.link for row in rows} <= {
        f"{hosts.prefix}{n} eth0 {end}x" for n in (1, 2) for end in "rt"
    }
    assert all(row.run_delay_share is not None for row in rows)


def test_rate_stated_ten_times_too_high_lets_nothing_count(hosts: Cluster, tmp_path: Path) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts), "--link-bound", "1Gbit")
    assert counted(run) == {SMALL: False, LARGE: False}


def test_rate_stated_ten_times_too_low_is_told_from_the_link(
    hosts: Cluster, tmp_path: Path
) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts), "--link-bound", "10Mbit")
    assert not counted(run)[LARGE]
    rows = [row for row in Analysis(run).summaries if row.size_bytes == LARGE]
    assert all("link_rate" in {caveat.code for caveat in row.warnings} for row in rows)


def test_own_speed_of_a_virtual_interface_is_more_than_it_is_let_have(
    hosts: Cluster, tmp_path: Path
) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts), "--link-bound")
    assert counted(run) == {SMALL: False, LARGE: False}
    assert run.conditions is not None
    assert set(run.conditions.link_bytes_per_s.tolist()) == {10_000 * MBIT}


def test_ranks_that_meet_in_loopback_leave_the_link_idle(hosts: Cluster, tmp_path: Path) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts, 1, 1), "--link-bound", "100Mbit")
    assert counted(run) == {SMALL: False, LARGE: False}
    assert all(one is not None and one < 0.1 for one in link_shares(run)[LARGE])


def test_nothing_is_read_unless_asked_for(hosts: Cluster, tmp_path: Path) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts))
    assert counted(run) == {SMALL: False, LARGE: False}
    assert link_shares(run) == {SMALL: [None, None], LARGE: [None, None]}
