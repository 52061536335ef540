"""Scripts that kernels obey instead of the front-end, and what they recorded."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from harness.kernels import backend_of
from harness.patience import PATIENCE_S
from harness.steps import commands_of
from leadline.backends.backend import Backend
from leadline.backends.launchers import JobStep
from leadline.kernels.build import build_kernel, describe
from leadline.kernels.messages import Message, Result, read_records
from leadline.processes import input_without_end

TWO_RANKS = ("pingpong", "exchange", "pingpong_strided_packed", "pingpong_struct_packed")
"""Ends a hang; beside eight busy processes the longest script takes a minute."""
SLICE = "slice_ns=200000 max_batches=64 warm_up_ns=100000"
"""Before what a line says: the shortest slices, whose launches needn't have settled."""
EVERY_PATTERN = (
    "id=1 pattern=pingpong size=8 cadence=streaming",
    "id=2 pattern=pingpong size=100000 buffers=separate cadence=streaming",
    "id=3 pattern=pingpong size=5000 buffers=cold cold_bytes=1000000 cadence=streaming",
    "id=4 pattern=pingpong size=0 cadence=isolated",
    "id=5 pattern=barrier cadence=isolated",
    "id=6 pattern=barrier_dissemination cadence=streaming",
    "id=7 pattern=bcast size=1000 cadence=isolated root=1",
    "id=8 pattern=allreduce size=800 cadence=isolated op=max type=int64",
    "id=9 pattern=allreduce size=16 buffers=cold cold_bytes=100000 cadence=streaming",
    "id=10 pattern=gather size=1001 cadence=isolated root=1",
    "id=11 pattern=gather size=300 buffers=cold cold_bytes=100000 cadence=streaming",
    "id=12 pattern=scatter size=1001 cadence=isolated root=1",
    "id=13 pattern=scatter size=300 buffers=cold cold_bytes=100000 cadence=streaming",
    "id=14 pattern=allgather size=77 cadence=isolated",
    "id=15 pattern=alltoall size=5000 cadence=isolated",
    "id=16 pattern=alltoall size=9 buffers=cold cold_bytes=100000 cadence=streaming",
    "id=17 pattern=reduce size=800 cadence=isolated op=max root=1",
    "id=18 pattern=reduce_scatter size=64 cadence=isolated type=int64",
    "id=19 pattern=reduce_scatter size=64 buffers=cold cold_bytes=100000 cadence=streaming",
    "id=20 pattern=scan size=800 cadence=isolated",
    "id=30 pattern=allreduce size=16 buffers=cold cold_bytes=100000 type=int64",
    "id=31 pattern=reduce_scatterv size=104 buffers=cold cold_bytes=100000 type=int64",
    *(
        f"id={32 + row} pattern={name} size=104 op=land"
        for row, name in enumerate(
            ("allreduce", "reduce", "reduce_scatter", "scan", "exscan", "reduce_scatterv")
        )
    ),
    "id=22 pattern=exchange size=8 cadence=streaming",
    "id=23 pattern=exchange size=100000 cadence=isolated",
    "id=24 pattern=exchange size=5000 buffers=cold cold_bytes=1000000 cadence=streaming",
    "id=21 pattern=exscan size=800 cadence=isolated op=max type=int64",
    "id=40 pattern=bcast size=1000 cadence=isolated root=rotating",
    "id=41 pattern=bcast size=300 buffers=separate cadence=streaming root=rotating",
    "id=42 pattern=gather size=1001 cadence=streaming root=rotating",
    "id=43 pattern=scatter size=300 buffers=cold cold_bytes=100000 root=rotating",
    "id=44 pattern=reduce size=800 cadence=isolated root=rotating type=int64",
    "id=45 pattern=gatherv size=1001 cadence=isolated counts=skewed root=1",
    "id=46 pattern=gatherv size=300 buffers=cold cold_bytes=100000 root=rotating",
    "id=47 pattern=scatterv size=1000 cadence=isolated counts=skewed root=rotating",
    "id=48 pattern=scatterv size=300 buffers=cold cold_bytes=100000 counts=skewed",
    "id=49 pattern=allgatherv size=1 cadence=isolated counts=skewed",
    "id=50 pattern=allgatherv size=8 cadence=isolated",
    "id=51 pattern=alltoallv size=5000 cadence=isolated counts=skewed",
    "id=52 pattern=alltoallv size=9 buffers=cold cold_bytes=100000 counts=skewed",
    "id=53 pattern=reduce_scatterv size=64 cadence=isolated counts=skewed type=int64",
    "id=54 pattern=reduce_scatterv size=8 buffers=cold cold_bytes=100000 counts=skewed op=max",
    "id=55 pattern=reduce_scatterv size=640 cadence=streaming",
    "id=56 pattern=neighbor_allgather size=1001 cadence=isolated",
    "id=57 pattern=neighbor_allgather size=9 buffers=cold cold_bytes=100000",
    "id=58 pattern=neighbor_alltoall size=1001 cadence=isolated",
    "id=59 pattern=neighbor_alltoall size=9 buffers=cold cold_bytes=100000",
    "id=70 pattern=pingpong_strided_packed size=8 cadence=streaming",
    "id=71 pattern=pingpong_strided_packed size=100000 buffers=separate cadence=isolated",
    "id=72 pattern=pingpong_strided_packed size=5000 buffers=cold cold_bytes=1000000",
    "id=73 pattern=pingpong_struct_packed size=16 cadence=streaming",
    "id=74 pattern=pingpong_struct_packed size=80000 buffers=separate cadence=isolated",
    "id=75 pattern=pingpong_struct_packed size=4800 buffers=cold cold_bytes=1000000",
)

MODES = (
    "pingpong_sync", "pingpong_nonblocking", "pingpong_buffered", "pingpong_persistent",
    "pingpong_anysource",
)  # fmt: skip
UNEXPECTED = (
    "id=301 pattern=unexpected size=8",
    "id=302 pattern=unexpected size=0 depth=17",
    "id=303 pattern=unexpected size=70000 depth=1024 buffers=separate",
    "id=304 pattern=unexpected size=1001 depth=64 buffers=cold cold_bytes=1000000",
)
MODES_AND_STREAMS = tuple(
    f"id={200 + 10 * row + column} pattern={name} {words}"
    for row, name in enumerate((*MODES, "stream", "message_rate"))
    for column, words in enumerate(
        (
            "size=0",
            "size=8",
            "size=5000 buffers=separate",
            "size=100000 cadence=isolated",
            "size=1001 buffers=cold cold_bytes=1000000",
        )
    )
    if not (name == "pingpong_persistent" and "cold" in words)
)
EVERY_MODE = MODES_AND_STREAMS + UNEXPECTED

_GRIDS = {
    2: (
        "pattern=pair size=0",
        "pattern=pair size=8 cadence=isolated",
        "pattern=pair size=100000 buffers=separate",
        "pattern=pair size=1001 buffers=cold cold_bytes=1000000",
        "pattern=cyclic size=8",
        "pattern=cyclic size=1001 rings=open cadence=isolated",
        "pattern=cyclic_two_step size=70000",
        "pattern=halo size=0",
        "pattern=halo size=1001 edges=periodic steps=at_once buffers=cold cold_bytes=1000000",
    ),
    3: (
        "pattern=cyclic size=5000 buffers=separate",
        "pattern=cyclic size=8 rings=open axes=all",
        "pattern=cyclic_two_step size=100000",
        "pattern=cyclic_two_step size=8 rings=open",
        "pattern=halo size=8 grid=1x3x1 edges=periodic neighbours=corners",
    ),
    4: (
        "pattern=pair size=20000",
        "pattern=cyclic size=8 grid=4",
        "pattern=cyclic size=1001 grid=2x2 axes=all buffers=cold cold_bytes=1000000",
        "pattern=cyclic_two_step size=5000 grid=4",
        "pattern=halo size=8 grid=2x2 edges=periodic neighbours=corners",
        "pattern=halo size=1001 grid=2x1x2x1 steps=at_once cadence=isolated",
    ),
    6: (
        "pattern=pair size=8 buffers=separate",
        "pattern=cyclic size=77 grid=3x2 axes=all",
        "pattern=cyclic_two_step size=5000 grid=6",
        "pattern=halo size=1001 neighbours=corners buffers=cold cold_bytes=1000000",
        "pattern=halo size=20000 grid=3x2 edges=periodic neighbours=corners steps=at_once",
    ),
    8: (
        "pattern=pair size=1001 buffers=cold cold_bytes=1000000",
        "pattern=cyclic size=8",
        "pattern=cyclic_two_step size=20000 grid=2x4",
        "pattern=halo size=8",
        "pattern=halo size=1001 grid=2x2x2x1 edges=periodic neighbours=corners",
    ),
}
GRIDS = {
    ranks: tuple(f"id={400 + ranks * 10 + row} {line}" for row, line in enumerate(lines))
    for ranks, lines in _GRIDS.items()
}
"""By the number of ranks: patterns of neighbours on a grid of so many."""


def ids(lines: Iterable[str]) -> list[int]:
    """The numbers of `lines`, in order."""
    return sorted(int(line.split()[0].removeprefix("id=")) for line in lines)


def obey(
    program: Path,
    lines: tuple[str, ...],
    tmp: Path,
    ranks: int = 2,
    of_a_slice: str = SLICE,
    environment: Mapping[str, str] = MappingProxyType({}),
    entering: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
) -> list[list[Message]]:
    """Runs `program` on `ranks` processes over a script of `lines`; what each rank said.

    `entering` has words that run what follows them elsewhere, by the number of the process.
    """
    script = tmp / "script"
    commands = (
        line if line.startswith(("placement", "trace", "clocks")) else f"{of_a_slice} {line}"
        for line in lines
    )
    script.write_text("\n".join([*commands, "end\n"]))
    words = ("--script", str(script), "--records", str(tmp / "records"))
    kind = describe(program).backend
    around = {"LEADLINE_JOB": tmp.name, **environment}
    step = JobStep(str(program), words, ranks, around, oversubscribed=ranks > 2, folder=str(tmp))
    running = [
        subprocess.Popen(
            (*entering.get(number, ()), *command.argv),
            env=os.environ | dict(command.environment),
            stdin=input_without_end(),
            stderr=subprocess.PIPE,
        )
        for number, command in enumerate(commands_of(backend_of(kind), step))
    ]
    try:
        said = [process.communicate(timeout=PATIENCE_S)[1].decode() for process in running]
        # All of them: others than the one that failed say only that it is gone.
        assert not any(process.returncode for process in running), "".join(said)
    finally:
        for process in running:
            process.kill()
            process.communicate()
    return [read_records(tmp / f"records.{rank}") for rank in range(1 if kind == "null" else ranks)]


def obeyed(
    backend: Backend, lines: tuple[str, ...], ranks: int, folder: Path
) -> list[list[Message]]:
    """What each rank of the kernel over `backend`, whose launcher starts them all, said."""
    script, records = folder / "script", folder / "records"
    script.write_text("\n".join([*(f"{SLICE} {line}" for line in lines), "end\n"]))
    words = ("--script", str(script), "--records", str(records))
    step = JobStep(str(build_kernel(backend)), words, ranks, {}, oversubscribed=ranks > 2)
    (command,) = commands_of(backend, step)
    environment = os.environ | dict(command.environment)
    subprocess.run(
        command.argv,
        env=environment,
        stdin=input_without_end(),
        timeout=PATIENCE_S,
        check=True,
    )
    return [read_records(Path(f"{records}.{rank}")) for rank in range(ranks)]


def results(said: list[Message]) -> dict[int, Result]:
    return {message.id: message for message in said if isinstance(message, Result)}
