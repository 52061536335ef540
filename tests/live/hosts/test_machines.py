"""Four hosts on this one machine: they share its cores, and a rank on the wrong one is found."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root
from tests.support.texts import numbers

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.survey import this_site
from leadline.record.run import Run
from leadline.store import load

pytestmark = needs_root

HOSTS = 4
ALL = "tcp,mpich,openmpi,impi"
MISPLACING = """#!/bin/sh
# Says what each host is, but starts everything on the first.
while case "${1-}" in -[lpoi]) shift 2 ;; -*) shift ;; *) false ;; esac do :; done
host=$1
test "$2" = cat || host=FIRST
shift
exec AGENT "$host" "$@"
"""
DEAF = "#!/bin/sh\necho no agent\n"


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts(HOSTS) as up:
        yield up


def leadline(
    hosts: Cluster, out: Path, *words: str, agent: Path | None = None
) -> subprocess.CompletedProcess[str]:
    command = (
        sys.executable, "-m", "leadline", "run", "--patterns", "allgather", "--sizes", "8",
        "--blocks", "1", "--budget", "1s", "--agent", str(agent or hosts.agent),
        "--out", str(out), *words,
    )  # fmt: skip
    return subprocess.run(
        inside(hosts, 0, "timeout", "-k", "1", str(PATIENCE_S), *command),
        capture_output=True,
        text=True,
        check=False,
    )


def measured(hosts: Cluster, out: Path, *words: str) -> Run:
    done = leadline(hosts, out, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 1 machine" in done.stderr
    run = load(out)
    assert not run.failures
    return run


@pytest.fixture
def two_cores() -> tuple[int, int]:
    """The first two that ranks may use here, if there are as many."""
    first, second, *_ = (*this_site().cores, 0, 0)
    return first, second


def test_ranks_of_four_hosts_share_the_cores_of_their_machine(
    hosts: Cluster, tmp_path: Path, two_cores: tuple[int, int]
) -> None:
    bind = ("--bind", ",".join(map(str, two_cores)))
    run = measured(
        hosts, tmp_path / "run", "--backends", "tcp,mpich", "--hosts", host_words(hosts),
        "--ranks", "2,4", *bind,
    )  # fmt: skip
    four = [c for c in run.configurations if c.ranks == HOSTS]
    assert {c.binding for c in four} == {two_cores * 2}
    assert all(c.oversubscribed for c in four)
    causes = {warning.code: warning.cause for warning in run.warnings}
    assert numbers(causes["oversubscribed"]) == ["4", "2", "4", "1"]
    assert "binding" not in causes


@pytest.fixture(scope="module")
def of_two(hosts: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All backends, measured between the second host and the third."""
    out = tmp_path_factory.mktemp("two") / "run"
    return measured(hosts, out, "--backends", ALL, "--hosts", host_words(hosts, 2, 3))


def test_two_ranks_on_two_hosts_have_a_core_each(of_two: Run) -> None:
    run = of_two
    assert {c.binding for c in run.configurations} == {this_site().cores[:2]}
    assert not any(c.oversubscribed for c in run.configurations)
    assert "binding" not in {warning.code for warning in run.warnings}


def test_run_keeps_its_hosts_as_their_ranks_say_they_are(hosts: Cluster, of_two: Run) -> None:
    run = of_two
    here = this_site()
    assert [(host.name, host.machine, host.cores) for host in run.hosts] == [
        (host.name, here.machine, here.cores) for host in hosts.hosts[1:3]
    ]  # fmt: skip
    assert len({host.clock for host in run.hosts}) == 1


def test_rank_on_another_host_than_asked_for_gives_no_number(
    hosts: Cluster, tmp_path: Path
) -> None:
    agent, out = tmp_path / "agent", tmp_path / "run"
    agent.write_text(
        MISPLACING.replace("AGENT", str(hosts.agent)).replace("FIRST", hosts.hosts[0].name)
    )
    agent.chmod(0o755)
    done = leadline(hosts, out, "--backends", ALL, "--hosts", host_words(hosts, 1, 2), agent=agent)
    assert done.returncode == 1, done.stdout + done.stderr
    run = load(out)
    assert len(run.batches.rank) == 0
    first, second = (host.name for host in hosts.hosts[:2])
    failed = {run.configurations[failure.configuration].backend for failure in run.failures}
    assert failed == set(ALL.split(","))
    for failure in run.failures:
        assert "rank 1 " in failure.message and "--agent" in failure.message, failure
        assert failure.message.index(f"'{first}'") < failure.message.index(f"'{second}'"), failure


def test_agent_that_answers_anything_else_starts_nothing(hosts: Cluster, tmp_path: Path) -> None:
    agent, out = tmp_path / "agent", tmp_path / "run"
    agent.write_text(DEAF)
    agent.chmod(0o755)
    done = leadline(
        hosts, out, "--backends", "tcp", "--hosts", host_words(hosts, 1, 2), agent=agent
    )
    assert done.returncode == 1
    assert f"{hosts.hosts[0].name!r} " in done.stderr
    assert "'no agent'" in done.stderr
    assert not out.exists()
