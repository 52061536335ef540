"""Ranks above the core count on emulated hosts: what is read of the link between them.

Which shares let them into verdicts, tests/unit/measure/test_scripted_links.py says.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root

from leadline.compare.analysis import Analysis
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
        inside(hosts, 0, "timeout", "-k", "1", str(PATIENCE_S), *command),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    run = load(out)
    assert all(one.oversubscribed for one in run.configurations)
    return run


def test_link_between_hosts_is_named_and_its_stated_rate_recorded(
    hosts: Cluster, tmp_path: Path
) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts), "--link-bound", "100Mbit")
    rows = Analysis(run).summaries
    assert {row.link for row in rows} <= {
        f"{hosts.prefix}{n} eth0 {end}x" for n in (1, 2) for end in "rt"
    }
    assert all(row.run_delay_share is not None for row in rows)
    assert run.conditions is not None
    assert set(run.conditions.link_bytes_per_s.tolist()) == {100 * MBIT}
    assert run.conditions.link_bytes.max() >= LARGE


def test_own_speed_of_a_virtual_interface_is_more_than_it_is_let_have(
    hosts: Cluster, tmp_path: Path
) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts), "--link-bound")
    assert run.conditions is not None
    assert set(run.conditions.link_bytes_per_s.tolist()) == {10_000 * MBIT}


def test_ranks_that_meet_in_loopback_leave_the_link_idle(hosts: Cluster, tmp_path: Path) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts, 1, 1), "--link-bound", "100Mbit")
    assert run.conditions is not None
    assert run.conditions.link_bytes.max() < LARGE


def test_nothing_is_read_unless_asked_for(hosts: Cluster, tmp_path: Path) -> None:
    run = measured(hosts, tmp_path / "run", host_words(hosts))
    assert {row.link_share for row in Analysis(run).summaries} == {None}
