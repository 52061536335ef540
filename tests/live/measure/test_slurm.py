"""Campaigns in an allocation of Slurm, whose daemons the tests start themselves."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from harness.kernels import openshmem
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.emulated import emulated_hosts, needs_root
from tests.support.fake_library import script
from tests.support.processes import processes, variable
from tests.support.slurm import Node, Slurm, on_this_host, slurm
from tests.support.texts import numbers

from leadline.backends.backend import Backend
from leadline.backends.kinds import launcher_for
from leadline.backends.launchers import JobStep
from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import job_for
from leadline.processes import run
from leadline.record.run import Run
from leadline.store import load

pytestmark = [pytest.mark.shares("Slurm"), pytest.mark.long]
"""Its ports are free when they are chosen; a second one might take them before its daemons do."""

OTHER = "leadline-other"
"""A second node, which is this host, too."""
SHORT = ("--patterns", "pingpong", "--sizes", "8", "--blocks", "1", "--budget", "1s")
RELAYS_FOR_ALL = (
    "import runpy; from leadline.backends.launchers import relays; relays.MOST_CONNECTIONS = 1; "
    "runpy.run_module('leadline', run_name='__main__')"
)
LOGS = '#!/bin/sh\necho "$@" >> "$0.log"\nexec {srun} "$@"\n'


@pytest.fixture(scope="module")
def cluster() -> Iterator[Slurm]:
    with slurm(on_this_host(OTHER)) as running:
        yield running


def leadline(
    *words: str,
    job: Mapping[str, str],
    path: str | None = None,
    door: tuple[str, ...] = (),
    program: tuple[str, ...] = ("-m", "leadline"),
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*door, sys.executable, *program, *words],
        env=os.environ | dict(job) | ({"PATH": f"{path}:{os.environ['PATH']}"} if path else {}),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def measured(run: Run) -> set[str]:
    """The variants that have batches."""
    return {run.configurations[c].variant for c in set(run.batches.configuration.tolist())}


# -- what srun does --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["mpich", "openmpi", "impi", "shmem"])
def test_every_library_is_measured_and_started_by_srun(
    kind: str, cluster: Slurm, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    real = run(("sh", "-c", "command -v srun"), PATIENCE_S).output.strip()
    logging = script(tmp_path / "bin" / "srun", LOGS.format(srun=real))
    words = ("run", "--backends", f"{kind},shm", *SHORT, "--out", str(tmp_path / "run"))
    with cluster.allocation() as job:
        done = leadline(*words, job=job, path=str(logging.parent))
    assert done.returncode == 0, done.stderr
    found = load(tmp_path / "run")
    assert measured(found) == {kind, "shm"}
    used = {one.variant: one.transport for one in found.configurations}
    assert (
        used[kind] == (openshmem() if kind == "shmem" else installed_backends[kind]).shared_memory
    )
    assert found.provenance.options["launcher"] == "srun"
    assert all("--overlap" in line for line in Path(f"{logging}.log").read_text().splitlines())


def test_ranks_run_on_the_nodes_asked_for(
    cluster: Slurm, installed_backends: Mapping[str, Backend]
) -> None:
    this = cluster.nodes[0].name
    both = tuple(sorted((this, OTHER)))
    # A line a rank, by one write: srun hands on what is written as it comes, of all ranks.
    says = 'echo "rank $SLURM_PROCID $SLURMD_NODENAME $LEADLINE_JOB"'
    variables = {"LEADLINE_JOB": "it's $HOME; *"}
    step = JobStep("/bin/sh", ("-c", says), 5, variables, oversubscribed=True)
    for hosts, expected in (
        (both, [both[0], both[0], both[0], both[1], both[1]]),
        ((), [this] * 5),
    ):
        text = _said(cluster, installed_backends["mpich"], step, Hosts(hosts))
        assert sorted(line for line in text.splitlines() if line.startswith("rank ")) == [
            f"rank {rank} {node} it's $HOME; *" for rank, node in enumerate(expected)
        ]


@needs_root
def test_ranks_and_relays_of_several_hosts_are_started_by_srun(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    words = ("run", "--backends", ",".join(installed_backends), *SHORT, "--agent", "/nowhere/ssh")
    relayed = ("run", "--backends", "mpich", *SHORT, "--ranks", "4", "--agent", "/nowhere/ssh")
    logging = script(tmp_path / "bin" / "srun", LOGS.format(srun=shutil.which("srun")))
    with emulated_hosts() as hosts:
        nodes = [
            Node(host.name, host.name, host.address, hosts.entrance(host.name))
            for host in hosts.hosts
        ]
        names = [node.name for node in nodes]
        with slurm(nodes) as cluster, cluster.allocation() as job:
            at = ("--hosts", job["SLURM_JOB_NODELIST"], "--out")
            done = leadline(*words, *at, str(tmp_path / "run"), job=job, door=nodes[0].door)
            again = leadline(
                *relayed, *at, str(tmp_path / "relayed"), job=job, path=str(logging.parent),
                door=nodes[0].door, program=("-c", RELAYS_FOR_ALL),
            )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = load(tmp_path / "run")
    assert measured(found) == set(installed_backends)
    assert [host.name for host in found.hosts] == names
    assert again.returncode == 0, again.stderr
    assert measured(load(tmp_path / "relayed")) == {"mpich"}
    steps = Path(f"{logging}.log").read_text().splitlines()
    asked = [line.split("--nodelist=")[1] for line in steps if "--relay" in line]
    assert {nodes.split()[0] for nodes in asked} == {*names}


def _said(cluster: Slurm, backend: Backend, step: JobStep, hosts: Hosts) -> str:
    """What `step` on `hosts` printed, in an allocation of all nodes."""
    with cluster.allocation() as variables:
        job = job_for("srun", variables, cluster.nodes[0].name, shutil.which)
        (command,) = launcher_for(backend, job).commands(replace(step, hosts=hosts))
        ending = run(command.argv, PATIENCE_S, {**command.environment, **variables})
    assert ending.status == 0, ending.output
    return ending.output


# -- who starts ranks ------------------------------------------------------------------------------


def test_own_launchers_can_be_asked_for_in_an_allocation(cluster: Slurm, tmp_path: Path) -> None:
    words = ("run", "--backends", "shm", *SHORT, "--out", str(tmp_path / "run"))
    with cluster.allocation() as job:
        done = leadline(*words, "--launcher", "own", job=job)
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "run").provenance.options["launcher"] == "own"


def test_srun_outside_an_allocation_is_one_line(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    words = ("run", "--backends", "shm", *SHORT, "--out", str(tmp_path / "run"))
    done = leadline(*words, "--launcher", "srun", job={"SLURM_JOB_ID": ""})
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr == snapshot
    assert not (tmp_path / "run").exists()


def test_nodes_are_asked_by_srun_without_an_agent(
    cluster: Slurm, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    words = ("run", "--backends", "mpich", *SHORT, "--agent", "/nowhere/ssh")
    with cluster.allocation() as job:
        out = tmp_path / "run"
        one = leadline(*words, "--hosts", cluster.nodes[0].name, "--out", str(out), job=job)
        both = leadline(*words, "--hosts", job["SLURM_JOB_NODELIST"], job=job)
    assert one.returncode == 0, one.stderr
    assert load(out).configurations[0].hosts == (cluster.nodes[0].name,)
    assert (both.returncode, both.stderr.count("\n")) == (1, 1)
    assert f"'{cluster.nodes[0].name}'" in both.stderr


def test_node_that_the_allocation_has_not_got_is_one_line(
    cluster: Slurm, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    words = ("run", "--backends", "mpich", *SHORT, "--out", str(tmp_path / "run"))
    with cluster.allocation("--nodes=1", f"--nodelist={OTHER}") as job:
        named = leadline(*words, "--hosts", cluster.nodes[0].name, job=job)
        here = leadline(*words, job=job)
    assert (named.returncode, here.returncode) == (2, 2)
    assert f"--hosts: '{cluster.nodes[0].name}' " in named.stderr
    assert job["SLURM_JOB_ID"] in numbers(named.stderr)
    assert job["SLURM_JOB_ID"] in numbers(here.stderr)


def test_run_goes_on_only_in_an_allocation_again(
    cluster: Slurm,
    installed_backends: Mapping[str, Backend],
    tmp_path: Path,
    snapshot: SnapshotAssertion,
) -> None:
    path = tmp_path / "run"
    with cluster.allocation() as job, _begun(job, path) as campaign:
        campaign.send_signal(signal.SIGINT)
        assert campaign.wait(PATIENCE_S) == 130
    refused = leadline("run", "--resume", str(path), job={})
    assert refused.returncode == 2
    assert refused.stderr.replace(str(tmp_path), "DIR") == snapshot
    with cluster.allocation() as job:
        done = leadline("run", "--resume", str(path), job=job)
    assert done.returncode == 0, done.stderr
    assert load(path).complete


# -- what goes wrong -------------------------------------------------------------------------------


def test_step_that_is_refused_is_said_with_what_srun_says(
    cluster: Slurm, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    words = ("run", "--backends", "mpich", *SHORT, "--out", str(tmp_path / "run"))
    with cluster.allocation() as job:
        revoked = dict(job)
    done = leadline(*words, job=revoked)
    assert done.returncode == 1
    assert "mpich: " in done.stderr and revoked["SLURM_JOB_ID"] in numbers(done.stderr)
    assert "srun: error: " in done.stderr
    assert "Traceback" not in done.stderr


def test_library_that_srun_cannot_start_is_left_out_and_the_others_measured(
    cluster: Slurm, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    real = run(("sh", "-c", "command -v srun"), PATIENCE_S).output.strip()
    lacks = 'case "$*" in *pmix*) echo "srun: error: Invalid MPI type" >&2; exit 1;; esac\n'
    folder = script(tmp_path / "bin" / "srun", f'#!/bin/sh\n{lacks}exec {real} "$@"\n').parent
    words = ("run", "--backends", "openmpi,mpich", *SHORT, "--out", str(tmp_path / "run"))
    with cluster.allocation() as job:
        done = leadline(*words, job=job, path=str(folder))
    assert done.returncode == 1
    found = load(tmp_path / "run")
    assert measured(found) == {"mpich"}
    (left_out,) = [warning for warning in found.warnings if warning.code == "launcher"]
    assert "openmpi" in left_out.cause and "mpich" not in left_out.cause
    assert "MPI type" in left_out.cause


def test_slurmd_that_dies_costs_what_srun_starts_and_nothing_measured(
    cluster: Slurm, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    path, this = tmp_path / "run", cluster.nodes[0]
    with cluster.allocation() as job, _begun(job, path) as campaign:
        cluster.stop(this.name)
        try:
            status = campaign.wait(PATIENCE_S)
        finally:
            cluster.start_node(this)
    found = load(path)
    assert status == 1
    assert found.complete
    assert measured(found) == {"mpich", "shm"}
    assert any("srun" in failure.message for failure in found.failures)


@contextlib.contextmanager
def _begun(job: Mapping[str, str], path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A campaign of several blocks that has measured something; it is ended where it still runs."""
    words = ("run", "--backends", "mpich,shm", "--patterns", "pingpong", "--sizes", "8,64")
    command = [sys.executable, "-m", "leadline", *words, "--blocks", "2", "--budget", "6s"]
    with subprocess.Popen(
        [*command, "--out", str(path)], env=os.environ | dict(job), start_new_session=True
    ) as campaign:
        deadline = time.monotonic() + PATIENCE_S
        while '"slice"' not in _journal(path) and campaign.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        try:
            yield campaign
        finally:
            campaign.kill()


def _journal(path: Path) -> str:
    with contextlib.suppress(OSError):
        return (path / "journal.jsonl").read_text()
    return ""


def test_ranks_end_with_the_front_end(
    cluster: Slurm, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    with cluster.allocation() as job:
        number = job["SLURM_JOB_ID"]
        with _begun(job, tmp_path / "run"):
            assert _ranks(number)
        deadline = time.monotonic() + PATIENCE_S
        while _ranks(number):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def _ranks(job: str) -> list[int]:
    """Processes of the steps of `job`."""
    return [
        pid
        for pid in processes()
        if variable(pid, "SLURM_PROCID") and variable(pid, "SLURM_JOB_ID") == job
    ]
