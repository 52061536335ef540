"""What is told of each kind of library, and how one is told from another."""

from __future__ import annotations

import pytest

from leadline.backends.discovery.probe import SOURCES as PROBES
from leadline.backends.kinds import INSTALLABLE, KINDS, Kind, is_raw, title_of
from leadline.backends.kinds.mpi import STANDARD as MPI
from leadline.backends.kinds.openshmem import STANDARD as SHMEM
from leadline.backends.recognition import (
    compiler_names,
    is_launcher,
    kind_by_launcher,
    kind_by_report,
    kind_by_wrapper,
    standard_of,
)
from leadline.kernels.build import SOURCES, kind_sources

ALL = pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)


@ALL
def test_every_file_that_a_kind_names_is_there(kind: Kind) -> None:
    assert all(path.exists() for path in kind_sources(kind.name))
    if kind.standard is not None:
        assert (PROBES / kind.standard.probe).exists()


@ALL
def test_kinds_speak_only_of_kinds_that_are_known(kind: Kind) -> None:
    assert set(kind.started_by) <= KINDS.keys()
    assert kind.standard is None or kind.standard.name in KINDS


def test_every_backend_in_c_belongs_to_a_kind() -> None:
    files = {path.stem for path in (SOURCES / "backends").glob("*.c")}
    assert files == {kind.sources[0] for kind in KINDS.values() if kind.sources}


def test_library_is_installed_from_wheels_or_packages_or_by_nobody() -> None:
    remedies = {name: kind.remedy for name, kind in KINDS.items() if kind.remedy}
    assert remedies == {
        **{name: f"leadline get {name}" for name in INSTALLABLE},
        "shmem": "apt-get install openmpi-bin libopenmpi-dev",
        "pvm": "apt-get install pvm pvm-dev",
        "smpi": "apt-get install libsimgrid-dev",
    }


def test_raw_are_those_kinds_and_no_library_however_a_record_calls_it() -> None:
    assert [name for name in KINDS if is_raw(name)] == ["shm", "tcp", "trace", "null"]
    assert not any(map(is_raw, ("mpich@4.1", "mine", "nccl")))


def test_kind_that_nobody_knows_is_called_by_its_own_name() -> None:
    assert (title_of("openmpi"), title_of("nccl")) == ("Open MPI", "nccl")


def test_wrapper_compiles_what_its_name_says() -> None:
    assert compiler_names() == ("mpicc", "mpicc.mpich", "mpicc.openmpi", "oshcc", "shmemcc")
    assert [standard_of(name) for name in ("oshcc", "mpicc", "mine")] == [SHMEM, MPI, MPI]


def test_descendant_of_mpich_that_speaks_of_it_is_itself() -> None:
    assert kind_by_wrapper(MPI, b"# I_MPI_ROOT; the wrapper of MPICH") == "impi"
    assert kind_by_wrapper(MPI, b"# the wrapper of MPICH") == "mpich"
    text = "Intel(R) MPI Library for Linux* OS\nHYDRA build details:"
    assert kind_by_launcher(text) == "impi"
    assert kind_by_launcher("HYDRA build details:") == "mpich"


def test_launcher_is_known_by_its_name_whosever_it_is() -> None:
    for name in ("mpiexec", "mpiexec.hydra", "mpirun", "mpirun.openmpi", "oshrun", "srun"):
        assert is_launcher(name)
    for name in ("hello", "a.out", "mpiexecutor"):
        assert not is_launcher(name)


def test_library_that_says_nothing_known_is_another_with_its_report_for_a_version() -> None:
    assert kind_by_wrapper(MPI, b"opaque") == "mpi"
    assert kind_by_report(MPI, 70 * "x") == ("mpi", 60 * "x")
    assert kind_by_launcher("Brand New 1.0") is None


def test_openshmem_is_one_kind_whoever_made_it() -> None:
    assert kind_by_wrapper(SHMEM, b"opal") == "shmem"
    assert kind_by_report(SHMEM, "Open MPI v4.1.4, package: x") == ("shmem", "4.1.4")
    assert kind_by_report(SHMEM, "Sandia") == ("shmem", "Sandia")
