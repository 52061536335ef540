"""What a compiler wrapper is found to be, and what it is called."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from errno import ENOENT
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import (
    below,
    library,
    mpiexec,
    on_path,
    script,
    times_asked,
    wrapper,
)
from tests.support.refused_wrappers import refusal
from tests.support.texts import numbers

from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends, identify, probe
from leadline.backends.discovery.probe import transport_used
from leadline.backends.kinds import INSTALLABLE
from leadline.errors import LaunchError
from leadline.files import cache_directory, config_directory
from leadline.hosts.schedulers import SLURM, BatchJob


def without(folder: Path, *message: str) -> list[str]:
    """What was said, with DIR in the place of `folder`."""
    return [text.replace(str(folder), "DIR") for text in message]


# -- what it is ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["mpich", "openmpi", "impi"])
def test_kind_and_version_are_the_librarys_own_report(bare_machine: Path, kind: str) -> None:
    backend = identify(library(bare_machine, kind, "7.8.9"))
    assert backend.usable, backend.reason
    assert (backend.kind, backend.version) == (kind, "7.8.9")
    assert backend.launcher == str(bare_machine / "bin/mpiexec")


UNKNOWN = "Brand New Library 1.0"


def test_unknown_library_is_an_mpi_with_its_report_for_a_version(bare_machine: Path) -> None:
    backend = identify(library(bare_machine, "mpi", "1.0"))
    assert backend.usable, backend.reason
    assert (backend.kind, backend.version) == ("mpi", UNKNOWN)


def test_intel_mpi_gets_its_root_and_its_own_libfabric(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/theirs")
    script(bare_machine / "lib/libfabric/libfabric.so.1", "")
    (bare_machine / "lib/libfabric/prov").mkdir()
    assert identify(library(bare_machine, "impi")).environment == {
        "I_MPI_ROOT": str(bare_machine),
        "LD_LIBRARY_PATH": f"{bare_machine}/lib/libfabric:/theirs",
        "FI_PROVIDER_PATH": f"{bare_machine}/lib/libfabric/prov",
    }


# -- what can't be used ----------------------------------------------------------------------------


def test_failing_wrapper_is_refused_with_what_it_says(bare_machine: Path) -> None:
    mpicc = script(bare_machine / "bin/mpicc", "#!/bin/sh\n# MPICH\necho no license >&2; exit 1\n")
    reason, remedy = refusal(mpicc)
    assert "no license" in reason
    assert str(mpicc) in remedy
    assert identify(mpicc).kind == "mpich"


def test_wrapper_that_succeeds_without_a_program_is_refused(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    mpicc = script(bare_machine / "bin/mpicc", "#!/bin/sh\n")
    reason, remedy = refusal(mpicc)
    assert reason == snapshot
    assert str(mpicc) in remedy


def test_wrapper_without_an_interpreter_is_refused(bare_machine: Path) -> None:
    mpicc = script(bare_machine / "bin/mpicc", "#!/nonexistent/sh\n")
    assert os.strerror(ENOENT) in refusal(mpicc)[0]


def test_hanging_wrapper_is_refused(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(probe, "PATIENCE_S", 0.2)
    mpicc = script(bare_machine / "bin/mpicc", "#!/bin/sh\nexec sleep 60\n")
    reason, _ = refusal(mpicc)
    assert reason == snapshot


def test_wrapper_in_a_path_with_a_space_is_refused_with_that_remedy(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    mpicc = script(bare_machine / "a b/bin/mpicc", "#!/bin/sh\nexit 1\n")
    assert without(bare_machine, *refusal(mpicc)) == snapshot


def test_library_whose_programs_do_not_start_is_refused(bare_machine: Path) -> None:
    mpicc = library(bare_machine)
    failing = "#!/bin/sh\necho libmpi.so.12: error; exit 127\nif"
    reason, remedy = refusal(script(mpicc, mpicc.read_text().replace("#!/bin/sh\nif", failing)))
    assert "libmpi.so.12" in reason
    assert "LD_LIBRARY_PATH" in remedy


def test_header_of_one_library_and_programs_of_another_are_refused(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    mpiexec(bare_machine / "bin/mpiexec", "openmpi")
    reason, _ = refusal(wrapper(bare_machine / "bin/mpicc", "openmpi", "5.0", header="mpich"))
    assert without(bare_machine, reason) == snapshot


def test_library_without_a_launcher_is_refused(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    mpicc = wrapper(bare_machine / "bin/mpicc")
    assert without(bare_machine, *refusal(mpicc)) == snapshot


def test_launcher_of_another_library_is_never_used(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mpicc = wrapper(bare_machine / "bin/mpicc")
    other = mpiexec(bare_machine / "bin/mpiexec", "openmpi")
    mpiexec(bare_machine / "elsewhere/mpiexec", "mpich")
    monkeypatch.setenv("PATH", f"{bare_machine}/elsewhere:/usr/bin:/bin")
    reason, _ = refusal(mpicc)
    assert str(other) in reason and "Open MPI" in reason


def test_launcher_that_makes_singletons_is_refused(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    mpicc = library(bare_machine)
    launcher = mpiexec(bare_machine / "bin/mpiexec", worlds="1 1")
    reason, _ = refusal(mpicc)
    assert str(launcher) in reason
    assert without(bare_machine, reason) == snapshot


@pytest.mark.parametrize(
    "prefix",
    [
        "data/leadline/mpi/mpich-9.9",
        "own",
    ],
)
def test_launch_that_fails_is_refused_with_what_it_says(
    prefix: str, bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    mpicc, launcher = library(bare_machine / prefix), bare_machine / prefix / "bin/mpiexec"
    text = "#!/bin/sh\necho 'HYDRA build details: no error'\n[ $1 = --version ]\n"
    script(launcher, text)
    reason, remedy = refusal(mpicc)
    assert "HYDRA" in reason and numbers(reason)[0] == "2"
    assert remedy.replace(str(launcher), "LAUNCHER") == snapshot


def test_library_that_breaks_when_made_to_talk_is_usable_over_an_unknown_transport(
    bare_machine: Path,
) -> None:
    mpicc, launcher = library(bare_machine), bare_machine / "bin/mpiexec"
    breaking = '\n[ -n "$MPIR_CVAR_DEBUG_SUMMARY" ] && exit 1\nfor'
    script(launcher, launcher.read_text().replace("\nfor", breaking))
    backend = identify(mpicc)
    assert (backend.usable, backend.shared_memory) == (True, "unknown")


def test_library_that_a_scheduler_cannot_start_is_refused_in_its_job(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    backend = identify(library(bare_machine))
    for worlds in ("1 1", ""):
        srun = mpiexec(bare_machine / "slurm/srun", worlds=worlds)
        job = BatchJob(SLURM, "17", str(srun), ("n1",), "n1")
        with pytest.raises(LaunchError, match=r"\b17 \(n1\) ") as caught:
            transport_used(backend, {}, job=job)
        message, _, _ = str(caught.value).rpartition(f" ({srun} ")
        assert without(bare_machine, message) == snapshot
        assert transport_used(backend, {}) == "unknown"


def test_debian_link_finds_the_launcher_of_its_own_library(bare_machine: Path) -> None:
    folder = bare_machine / "bin"
    wrapper(folder / "mpicc.openmpi", "openmpi")
    (folder / "mpicc").symlink_to("mpicc.openmpi")
    mpiexec(folder / "mpiexec", "mpich")
    own = mpiexec(folder / "mpiexec.openmpi", "openmpi")
    assert identify(folder / "mpicc").launcher == str(own)
    assert identify(folder / "mpicc.openmpi").launcher == str(own)


# -- memory ----------------------------------------------------------------------------------------


def test_answer_is_remembered_until_the_wrapper_changes(bare_machine: Path) -> None:
    mpicc = library(bare_machine)
    first = identify(mpicc)
    assert identify(mpicc) == first
    assert times_asked(mpicc) == 1
    os.utime(mpicc, (1, 1))
    identify(mpicc)
    assert times_asked(mpicc) == 2


def test_refusal_is_not_remembered(bare_machine: Path) -> None:
    mpicc = wrapper(bare_machine / "bin/mpicc")
    refusal(mpicc)
    mpiexec(bare_machine / "bin/mpiexec")
    assert identify(mpicc).usable


def test_remembered_library_whose_launcher_went_is_asked_again(bare_machine: Path) -> None:
    mpicc = library(bare_machine)
    identify(mpicc)
    (bare_machine / "bin/mpiexec").unlink()
    refusal(mpicc)


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"name": "x"}'])
def test_damaged_memory_is_ignored(bare_machine: Path, damage: str) -> None:
    mpicc = library(bare_machine)
    first = identify(mpicc)
    (memory,) = (cache_directory() / "backends").iterdir()
    memory.write_text(damage)
    assert identify(mpicc) == first


def test_memory_with_a_value_of_another_type_is_ignored(bare_machine: Path) -> None:
    mpicc = library(bare_machine)
    first = identify(mpicc)
    (memory,) = (cache_directory() / "backends").iterdir()
    memory.write_text(json.dumps({**json.loads(memory.read_text()), "version": 5}))
    assert identify(mpicc) == first


def test_cache_that_cannot_be_written_costs_no_result(bare_machine: Path) -> None:
    cache_directory().parent.mkdir(parents=True)
    cache_directory().write_text("a file in the way")
    assert identify(library(bare_machine)).usable


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("asked_before")
def test_further_ones_of_a_kind_are_named_by_version_then_by_number(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = ("4.1", "5.0", "5.0")
    paths = [library(bare_machine / str(i), "mpich", v) for i, v in enumerate(versions)]
    on_path(monkeypatch, paths)
    names = [b.name for b in below(bare_machine, find_backends())]
    assert names == ["mpich", "mpich@5.0", "mpich@5.0#2"]


@pytest.mark.usefixtures("asked_before")
def test_broken_one_never_takes_the_plain_name(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = script(bare_machine / "a/bin/mpicc", "#!/bin/sh\n# MPICH\nexit 1\n")
    on_path(monkeypatch, [broken, library(bare_machine / "b")])
    first, second = (b.name for b in below(bare_machine, find_backends()))
    assert re.fullmatch(r"mpich#\d", first)
    assert second == "mpich"


@pytest.mark.usefixtures("asked_before")
def test_config_file_names_a_library(bare_machine: Path) -> None:
    mpicc = library(bare_machine / "x")
    config_directory().mkdir(parents=True)
    (config_directory() / "config.toml").write_text(f"[[mpi]]\nmpicc = '{mpicc}'\nname = 'mine'\n")
    (backend,) = below(bare_machine, find_backends())
    assert (backend.name, backend.kind) == ("mine", "mpich")


@pytest.mark.usefixtures("asked_before")
def test_kinds_that_are_missing_are_listed_with_the_command_that_installs_them(
    bare_machine: Path,
) -> None:
    backends = find_backends([str(library(bare_machine, "openmpi"))])
    missing = {b.kind: b for b in backends if b.reason == "not installed"}
    assert {b.kind for b in backends} >= set(INSTALLABLE)
    assert "openmpi" not in missing
    assert all(b.remedy == f"leadline get {kind}" for kind, b in missing.items())


@pytest.mark.usefixtures("asked_before")
def test_backends_without_a_library_are_always_there_and_last(bare_machine: Path) -> None:
    last = find_backends()[-4:]
    assert all(backend.usable for backend in last)
    assert [(b.name, b.shared_memory) for b in last] == [
        ("shm", "shm"),
        ("tcp", "tcp loopback"),
        ("trace", "pipes"),
        ("null", "none"),
    ]


def test_shm_and_null_need_a_compiler(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("PATH", str(bare_machine))
    for backend in find_backends()[-2:]:
        assert not backend.usable
        assert (backend.reason, backend.remedy) == snapshot


# -- real libraries --------------------------------------------------------------------------------


def test_installed_libraries_are_found_with_their_own_launchers(
    installed_backends: Mapping[str, Backend],
) -> None:
    found = {b.compiler: b for b in find_backends()}
    for kind, installed in installed_backends.items():
        backend = found[installed.compiler]
        assert (backend.kind, backend.usable) == (kind, True)
        assert re.fullmatch(r"\d+\.\d+[\w.]*", backend.version or "")
        assert Path(str(backend.launcher)).parent == Path(str(backend.compiler)).parent


def test_libraries_say_that_they_use_shared_memory(
    installed_backends: Mapping[str, Backend],
) -> None:
    names = {kind: backend.shared_memory for kind, backend in installed_backends.items()}
    assert names == {"mpich": "posix", "openmpi": "ob1 sm", "impi": "shm"}


@pytest.mark.parametrize(
    ("kind", "environment", "transport"),
    [
        ("mpich", {"MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "tcp,self"}, "ucx tcp"),
        ("openmpi", {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self"}, "ob1 tcp"),
        ("impi", {"I_MPI_FABRICS": "ofi", "FI_PROVIDER": "tcp"}, "ofi tcp"),
    ],
)
def test_library_forced_to_another_transport_says_so(
    installed_backends: Mapping[str, Backend],
    kind: str,
    environment: dict[str, str],
    transport: str,
) -> None:
    assert transport_used(installed_backends[kind], environment) == transport
