"""What `leadline simulate` takes, from the command to the written run, as the machine grows.

Goal: a uniform phase of a million PEs within 8 GiB; times have none. The machine is the Cray T3E
with another torus, and a rank on each vertex in plain order: partners of a pair are neighbours
along a first axis of length 2.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.spent import spent
from leadline.simulate.machine_files import machine_named

LIMIT_GIB = 8.0
UNIFORM = "pair"
CASES = (
    (UNIFORM, (2, 16, 16)),
    (UNIFORM, (2, 128, 128)),
    (UNIFORM, (2, 256, 512)),
    (UNIFORM, (2, 500, 1000)),
    ("halo", (8, 8, 8)),
    ("halo", (16, 16, 16)),
    ("halo", (32, 32, 32)),
    ("allreduce", (16, 16, 16)),
    ("alltoall", (8, 8, 4)),
)
"""Pattern, and the torus."""


def measure() -> dict[str, object]:
    """Every figure, and whether the goal is reached."""
    with tempfile.TemporaryDirectory() as scratch:
        rows = [_row(Path(scratch), *case) for case in CASES]
    return {"chain": rows, "reached": all(row["reached"] for row in rows)}


def _row(scratch: Path, pattern: str, dims: Sequence[int]) -> dict[str, object]:
    ranks = math.prod(dims)
    command = ["simulate", "--machine", str(_machine(scratch, dims)), "--ranks", str(ranks)]
    command += [
        "--patterns",
        pattern,
        "--sizes",
        "1MiB",
        "--out",
        str(scratch / f"{pattern}-{ranks}"),
    ]
    took_s, peak_bytes = spent(command)
    gib = peak_bytes / 2**30
    row: dict[str, object] = {"pattern": pattern, "ranks": ranks, "took_s": took_s, "most_gib": gib}
    return row | {"reached": gib <= LIMIT_GIB or pattern != UNIFORM}


def _machine(scratch: Path, dims: Sequence[int]) -> Path:
    """The T3E's file with other lengths, in plain order."""
    text = machine_named("cray-t3e-900").text
    for key, value in (("network", f"torus:{'x'.join(map(str, dims))}"), ("allocation", "first")):
        before, _, rest = text.partition(f'\n{key} = "')
        text = f'{before}\n{key} = "{value}"{rest.partition(chr(34))[2]}'
    file = scratch / "machine.toml"
    file.write_text(text)
    return file
