"""MPI libraries keep the contract of the operations that are taken from them as they are."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from harness.contracts import contract
from harness.kernels import NATIVE
from harness.patience import PATIENCE_S
from harness.scripts import SLICE, ids
from harness.steps import commands_of

from leadline.backends.backend import Backend
from leadline.backends.launchers import JobStep
from leadline.kernels.build import (
    Additions,
    build_kernel,
)
from leadline.kernels.messages import Fault, Message, Result, read_records
from leadline.processes import input_without_end

pytestmark = pytest.mark.long


CHECKS = ("collectives", "vectors", "nonblocking", "requests", "datatypes", "modes", "packing")
AMONG_MORE = CHECKS[:4]
"""What isn't between two ranks alone."""


@pytest.mark.parametrize("checks", CHECKS)
@pytest.mark.parametrize("kind", ["mpich", "openmpi", "impi"])
def test_operations_of_mpi_leave_every_byte_where_it_belongs(
    kind: str, checks: str, installed_backends: Mapping[str, Backend]
) -> None:
    backend = installed_backends[kind]
    program = contract(checks, backend)
    for ranks in (1, 2, 3) if checks in AMONG_MORE else (2,):
        step = JobStep(str(program), (), ranks, {}, oversubscribed=ranks > 2)
        (command,) = commands_of(backend, step)
        done = subprocess.run(
            command.argv,
            env=os.environ | dict(command.environment),
            stdin=input_without_end(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr


DATATYPES = (
    "id=1 pattern=pingpong_strided size=8000",
    "id=2 pattern=pingpong_strided size=100000 buffers=separate",
    "id=3 pattern=pingpong_struct size=16 cadence=isolated",
    "id=4 pattern=pingpong_struct size=80000 buffers=cold cold_bytes=1000000",
)
THREADS = (
    "id=1 pattern=pingpong_multiple size=8",
    "id=2 pattern=pingpong_threads size=0",
    "id=3 pattern=pingpong_threads size=100 buffers=separate",
    "id=4 pattern=pingpong_threads size=70000 buffers=cold cold_bytes=1000000",
)
PACKING = (
    "id=5 pattern=pack size=9",
    "id=6 pattern=unpack size=1001 cadence=isolated",
    "id=7 pattern=unpack size=70000 buffers=cold cold_bytes=1000000",
    "id=8 pattern=pingpong_packed size=100000 buffers=cold cold_bytes=1000000",
)
LOST_UNPACKING = Additions(
    sources=(NATIVE / "lost_unpacking.c",), link_flags=("-Wl,--wrap=tp_unpack",)
)


def obeyed(
    backend: Backend,
    lines: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    additions: Additions | None = None,
) -> list[list[Message]]:
    """What both ranks of the kernel over `backend` said to a script of `lines`."""
    script, records = folder / "script", folder / "records"
    script.write_text("".join(f"{line} {SLICE}\n" for line in lines) + "end")
    words = ("--script", str(script), "--records", str(records))
    program = build_kernel(backend, additions)
    step = JobStep(str(program), words, 2, environment)
    (command,) = commands_of(backend, step)
    environment = os.environ | dict(command.environment)
    subprocess.run(
        command.argv,
        env=environment,
        stdin=input_without_end(),
        timeout=PATIENCE_S,
        check=True,
    )
    return [read_records(Path(f"{records}.{rank}"))[1:] for rank in range(2)]


@pytest.mark.parametrize("kind", ["mpich", "openmpi", "impi"])
@pytest.mark.parametrize(
    ("lines", "environment"),
    [(DATATYPES + PACKING, {}), (THREADS, {"LEADLINE_THREADS": "2"})],
    ids=["datatypes and packing", "threads"],
)
def test_datatypes_packing_and_threads_over_mpi_move_every_byte(
    kind: str,
    lines: Sequence[str],
    environment: Mapping[str, str],
    installed_backends: Mapping[str, Backend],
    tmp_path: Path,
) -> None:
    output, _ = obeyed(installed_backends[kind], lines, tmp_path, environment)
    assert [type(message) for message in output] == [Result] * len(lines), output


def test_message_that_is_never_unpacked_fails_its_cell(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    output = obeyed(installed_backends["mpich"], PACKING, tmp_path, {}, LOST_UNPACKING)
    for line in PACKING:
        checking = output[1 if "pattern=pack " in line else 0]
        (found,) = [one for one in checking if isinstance(one, Fault) and [one.id] == ids([line])]
        assert found.code == "wrong_byte", line


def test_library_that_was_not_told_of_threads_refuses_and_says_what_to_do(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    output, _ = obeyed(installed_backends["mpich"], THREADS, tmp_path, {})
    for message in output:
        assert isinstance(message, Fault)
        assert message.code == "refused"
        assert "MPI_THREAD_MULTIPLE" in message.text
