"""MPI libraries keep the contract of the operations that are taken from them as they are."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from leadline.backend import Backend
from leadline.build import C_FLAGS, LIBRARIES, SOURCES, backend_sources, common_objects
from leadline.launchers import Job, launcher_for

PATIENCE_S = 60


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="leadline-mpi-") as made:
        yield Path(made)


def build(backend: Backend, checks: str, target: Path) -> None:
    """Compiles and links the program `checks` over `backend`."""
    sources = [SOURCES / "tests" / f"{checks}.c", *backend_sources(backend)]
    common = common_objects()
    sources += [path for path in common.glob("*.o") if path.stem != "kernels-main"]
    sources.append(common / "libfallback.a")
    words = [*C_FLAGS, f"-I{SOURCES}", *map(str, sources), *LIBRARIES]
    environment = os.environ | dict(backend.environment)
    subprocess.run([str(backend.compiler), *words, "-o", target], check=True, env=environment)


@pytest.mark.parametrize("checks", ["collectives", "vectors", "nonblocking", "datatypes"])
@pytest.mark.parametrize("kind", ["mpich", "openmpi", "impi"])
def test_operations_of_mpi_leave_every_byte_where_it_belongs(
    kind: str, checks: str, folder: Path, installed_backends: Mapping[str, Backend]
) -> None:
    backend = installed_backends[kind]
    program = folder / f"{checks}-{kind}"
    build(backend, checks, program)
    for ranks in (1, 2, 3):
        job = Job(str(program), (), ranks, cores=2, environment={})
        (command,) = launcher_for(backend).commands(job)
        done = subprocess.run(
            command.argv,
            env=os.environ | dict(command.environment),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
