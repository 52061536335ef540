"""What srun is told in an allocation, for each kind of library."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.backends.backend import Backend
from leadline.backends.kinds import KINDS, launcher_for
from leadline.backends.launchers import Command, JobStep
from leadline.errors import UsageError
from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import SLURM, BatchJob

JOB = BatchJob(SLURM, "17", "/slurm/srun", ("n1", "n2", "n3"), "n2")
ALWAYS = ("--overlap", "--cpu-bind=none", "--export=ALL", "--kill-on-bad-exit=1")
STEP = JobStep("/k/kernel", ("--x",), 2, {"LEADLINE_JOB": "a b"})


def backend(kind: str, **environment: str) -> Backend:
    return Backend(
        name=kind,
        kind=kind,
        version="5.0.2",
        usable=True,
        launcher="/p/bin/mpiexec",
        compiler="/p/bin/mpicc",
        environment=environment,
        reason=None,
        remedy=None,
        shared_memory="unknown",
    )


def command(kind: str, step: JobStep = STEP, **environment: str) -> Command:
    (only,) = launcher_for(backend(kind, **environment), JOB).commands(step)
    return only


def test_mpich_is_greeted_by_pmi2_on_this_host() -> None:
    here = ("--nodes=1", "--nodelist=n2", "--distribution=plane=2")
    assert command("mpich") == Command(
        ("/slurm/srun", *ALWAYS, "--mpi=pmi2", *here, "-n", "2", "/k/kernel", "--x"),
        {"LEADLINE_JOB": "a b"},
    )


def test_intel_mpi_is_told_to_speak_pmi2_and_not_to_pin() -> None:
    told = command("impi", I_MPI_ROOT="/p")
    assert "--mpi=pmi2" in told.argv
    assert told.environment == {
        "I_MPI_ROOT": "/p", "I_MPI_PMI": "pmi2", "I_MPI_PIN": "0", "LEADLINE_JOB": "a b",
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["openmpi", "shmem"])
def test_open_mpi_is_greeted_by_pmix(kind: str) -> None:
    assert "--mpi=pmix" in command(kind, OMPI_MCA_memory="^patcher").argv


def test_unknown_openshmem_is_greeted_as_the_site_says() -> None:
    assert not [word for word in command("shmem").argv if word.startswith("--mpi")]


@pytest.mark.parametrize("kind", ["mpi", "shm", "tcp", "pvm", "null"])
def test_others_are_started_as_outside_an_allocation(kind: str) -> None:
    assert launcher_for(backend(kind), JOB).name == launcher_for(backend(kind)).name != "srun"


@pytest.mark.parametrize("kind", KINDS)
def test_outside_an_allocation_nothing_is_started_by_srun(kind: str) -> None:
    assert launcher_for(backend(kind)).name != "srun"


@pytest.mark.parametrize(
    ("ranks", "nodes", "each"),
    [(6, "n1,n2,n3", 2), (5, "n1,n2,n3", 2), (4, "n1,n2", 2), (3, "n1,n2,n3", 1), (1, "n1", 1)],
)
def test_consecutive_ranks_share_a_host(ranks: int, nodes: str, each: int) -> None:
    step = replace(STEP, ranks=ranks, hosts=Hosts(("n1", "n2", "n3")))
    number = nodes.count(",") + 1
    where = (f"--nodes={number}", f"--nodelist={nodes}", f"--distribution=plane={each}")
    assert command("mpich", step).argv[6:9] == where


def test_more_ranks_than_cores_are_allowed_only_then() -> None:
    assert "--overcommit" not in command("mpich").argv
    assert "--overcommit" in command("mpich", replace(STEP, oversubscribed=True)).argv


def test_words_of_the_user_stand_before_the_program() -> None:
    argv = command("mpich", replace(STEP, launcher_arguments=("--label", "$(reboot); a"))).argv
    assert argv[-6:] == ("--label", "$(reboot); a", "-n", "2", "/k/kernel", "--x")


def test_ranks_know_their_number_by_slurms_variable() -> None:
    assert launcher_for(backend("openmpi"), JOB).rank_variable == "SLURM_PROCID"


def test_values_of_variables_are_on_no_command_line() -> None:
    for kind, known in KINDS.items():
        if known.scheduled:
            assert "a b" not in " ".join(command(kind).argv)


def test_host_that_the_job_has_not_got_is_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        command("mpich", replace(STEP, hosts=Hosts(("n9",))))
    assert str(caught.value) == snapshot
