"""Which MPI a launcher's command line starts ranks of."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import library, mpiexec, script

from leadline.backends.backend import Backend
from leadline.backends.discovery.launched import launched
from leadline.backends.launchers.forwarding import by_genv, by_inheritance, by_x
from leadline.errors import UsageError
from leadline.processes import run

SOURCE = "#include <mpi.h>\nint main(void) { return MPI_Init(0, 0) || MPI_Finalize(); }\n"
KINDS = ("mpich", "openmpi", "impi")


def on_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def built(compiler: str, folder: Path, *words: str, environment: Mapping[str, str]) -> str:
    """The path of an MPI program."""
    source, program = folder / "app.c", folder / "app"
    source.write_text(SOURCE)
    ending = run([compiler, str(source), "-o", str(program), *words], PATIENCE_S, environment)
    assert ending.status == 0, ending.output
    return str(program)


@pytest.mark.parametrize(("kind", "forward"), [("mpich", by_genv), ("openmpi", by_x)])
def test_program_that_is_not_linked_belongs_to_the_launchers_library(
    kind: str, forward: object, bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mpicc = library(bare_machine / "it", kind)
    on_path(mpicc.parent, monkeypatch)
    found = launched(["mpiexec", "-n", "2", "python3", "app.py"])
    assert (found.library.kind, found.library.compiler) == (kind, str(mpicc))
    assert found.forward is forward


def test_launcher_is_that_of_the_wrapper_beside_what_it_links_to(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mpicc = library(bare_machine / "it")
    on_path(mpicc.parent, monkeypatch)
    link = bare_machine / "elsewhere" / "mpirun"
    link.parent.mkdir()
    link.symlink_to(mpicc.with_name("mpiexec"))
    assert launched([str(link), "app"]).library.compiler == str(mpicc)


def test_launcher_of_an_unknown_mpi_is_said(bare_machine: Path) -> None:
    path = mpiexec(bare_machine / "bin/mpiexec", "mpi")
    with pytest.raises(UsageError, match=f"^{path} .*MPICH, Open MPI"):
        launched([str(path), "app"])


def test_launcher_without_a_compiler_wrapper_is_said(bare_machine: Path) -> None:
    path = mpiexec(bare_machine / "bin/mpiexec", "mpich")
    with pytest.raises(UsageError, match=rf"\bmpicc\b.* {path}"):
        launched([str(path), "app"])


@pytest.mark.parametrize("kind", KINDS)
def test_program_belongs_to_the_library_that_it_loads_whatever_starts_it(
    kind: str, installed_backends: Mapping[str, Backend], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    of = installed_backends[kind]
    program = built(str(of.compiler), tmp_path, environment=of.environment)
    script(tmp_path / "bin/srun", "#!/bin/sh\n")
    on_path(tmp_path / "bin", monkeypatch)
    found = launched(["srun", "-n", "2", program, "echo"])
    assert (found.library.kind, found.library.version) == (kind, of.version)
    assert Path(str(found.library.compiler)).samefile(str(of.compiler))
    assert found.forward is by_inheritance


@pytest.mark.parametrize("kind", KINDS)
def test_own_launcher_forwards_in_its_own_way(
    kind: str, installed_backends: Mapping[str, Backend]
) -> None:
    found = launched([str(installed_backends[kind].launcher), "-n", "2", "echo"])
    assert found.library.kind == kind
    assert found.forward is (by_x if kind == "openmpi" else by_genv)


def test_srun_alone_does_not_tell_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    script(tmp_path / "srun", "#!/bin/sh\n")
    on_path(tmp_path, monkeypatch)
    with pytest.raises(UsageError) as caught:
        launched(["srun", "echo"])
    assert str(caught.value) == snapshot


@pytest.mark.parametrize("kind", ["mpich", "openmpi"])
def test_of_python_below_srun_mpi4py_tells_the_library(
    kind: str,
    installed_backends: Mapping[str, Backend],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = installed_backends[kind]
    script(tmp_path / "srun", "#!/bin/sh\n")
    on_path(tmp_path, monkeypatch)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(Path(str(own.launcher)).parents[1] / "lib"))
    found = launched(["srun", "-n", "2", sys.executable, "app.py"])
    assert found.library.compiler == own.compiler
    assert found.forward is by_inheritance


def test_python_without_mpi4py_does_not_tell_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    script(tmp_path / "srun", "#!/bin/sh\n")
    script(tmp_path / "python3", "#!/bin/sh\necho No module named mpi4py >&2; exit 1\n")
    on_path(tmp_path, monkeypatch)
    with pytest.raises(UsageError) as caught:
        launched(["srun", "python3", "app.py"])
    assert str(caught.value) == snapshot


def test_static_program_has_nothing_put_before_its_mpi(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """A stand-in: an MPI needs libraries that there are no static ones of."""
    source = tmp_path / "app.c"
    source.write_text("int PMPI_Init(void) { return 0; }\nint main(void) { return 0; }\n")
    for words in ((), ("-static",)):
        program = tmp_path / f"app{len(words)}"
        assert run(["cc", str(source), "-o", str(program), *words], PATIENCE_S).status == 0
        with pytest.raises(UsageError) as caught:
            launched(["mpiexec", "-n", "2", str(program)])
        assert str(caught.value).replace(str(program), "APP") == snapshot


def test_program_of_the_standards_abi_is_for_no_one_library(
    installed_backends: Mapping[str, Backend], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    compiler = Path(str(installed_backends["mpich"].compiler)).with_name("mpicc_abi")
    if not compiler.exists():
        pytest.skip("this MPICH has no standard ABI; leadline get mpich has one")
    program = built(str(compiler), tmp_path, environment={})
    with pytest.raises(UsageError) as caught:
        launched([str(installed_backends["mpich"].launcher), program])
    assert str(caught.value).replace(program, "APP") == snapshot


def test_program_whose_sanitiser_insists_on_being_first_says_how_it_can_be(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    mpich = installed_backends["mpich"]
    program = built(str(mpich.compiler), tmp_path, "-fsanitize=address", environment={})
    with pytest.raises(UsageError, match=r"libasan\.so\b.*\bLD_PRELOAD\b"):
        launched([str(mpich.launcher), program])
    told = launched([str(mpich.launcher), "-genv", "LD_PRELOAD", "/libasan.so", program])
    assert told.library.compiler == mpich.compiler
