"""Collectives on machines that SimGrid's smpirun simulates, read as any user's: by `import`.

A machine is hosts on one switch: each has a link of its own, and nothing else is shared. Which
algorithm a collective uses is chosen by name (--cfg=smpi/bcast:binomial_tree), or as a library
does (--cfg=smpi/bcast:mpich). Debian's libsimgrid-dev, seen with version 3.32.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.places import PROGRAMS
from leadline.compare.analysis import Analysis
from leadline.models.observations import Observations, observations_of
from leadline.store import load

SOURCE = PROGRAMS / "collectives_smpi.c"
OPERATIONS = {
    "bcast": ("Bcast", "bcast"),
    "gather": ("Gather", "gather"),
    "scatter": ("Scatter", "scatter"),
    "allgather": ("Allgather", "allgather"),
    "alltoall": ("Alltoall", "alltoall"),
    "reduce": ("Reduce", "reduce"),
    "allreduce": ("Allreduce", "allreduce"),
}
"""By pattern: what the Intel MPI Benchmarks and smpirun call it."""
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="all" prefix="n" suffix="" radical="0-{last}" speed="10Gf"
             bw="{bytes_per_s}Bps" lat="{latency_s}s"/>
  </zone>
</platform>
"""
TITLE, END = "#    Intel(R) MPI Benchmarks 2021.11", "# All processes entering MPI_Finalize"
BARE = (
    "smpi/lat-factor:0:1", "smpi/bw-factor:0:1", "network/weight-S:0", "network/TCP-gamma:1e15",
    "network/crosstraffic:0",
)  # fmt: skip
"""A message takes latency + size / bandwidth; as it is, factors of both depend on its size."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Hosts on a switch."""

    latency_s: float
    """Of each of a message's two links."""
    bytes_per_s: float
    bare: bool = True
    """Whether messages take the time of the plain line."""

    @property
    def options(self) -> tuple[str, ...]:
        """For smpirun."""
        chosen = ("smpi/simulate-computation:0", *(BARE if self.bare else ()))
        return tuple(f"--cfg={one}" for one in chosen)


class Simulator:
    """smpirun, with what it needs in a directory."""

    def __init__(self, scratch: Path, ranks: Sequence[int]) -> None:
        """Compiles; `ranks` are the numbers of them that are simulated."""
        self._scratch, self._ranks = scratch, tuple(ranks)
        self._program = scratch / "collectives"
        subprocess.run(["smpicc", "-O2", "-o", self._program, SOURCE], check=True)
        hosts = "".join(f"n{i}\n" for i in range(max(ranks)))
        (scratch / "hosts").write_text(hosts)
        self._number = 0

    def collective(
        self,
        pattern: str,
        algorithm: str,
        machine: Machine,
        sizes_bytes: Sequence[int],
        ranks: Sequence[int] = (),
    ) -> Observations:
        """Times of `pattern` by `algorithm` at `ranks`, or all; stated values, no blocks."""
        platform = PLATFORM.format(
            last=max(self._ranks) - 1, bytes_per_s=machine.bytes_per_s, latency_s=machine.latency_s
        )
        (self._scratch / "platform.xml").write_text(platform)
        chosen = ranks or self._ranks
        tables = [self._table(pattern, algorithm, machine, p, sizes_bytes) for p in chosen]
        self._number += 1
        text, run = (self._scratch / f"{self._number}.{end}" for end in ("txt", "run"))
        text.write_text("\n".join([TITLE, *tables, END]) + "\n")
        name = f"{pattern}_{algorithm}"
        subprocess.run(
            [
                sys.executable, "-m", "leadline", "import", text, "--origin", "simulated",
                "--name", name, "--out", run,
            ],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        (found,) = observations_of(Analysis(load(run)))
        return replace(found, pattern=pattern)

    def _table(
        self, pattern: str, algorithm: str, machine: Machine, ranks: int, sizes: Sequence[int]
    ) -> str:
        """What the program prints on `ranks` ranks."""
        name, option = OPERATIONS[pattern]
        command: list[str | Path] = [
            "timeout", "-k", "5", "300", "smpirun", "-np", str(ranks),
            "-hostfile", self._scratch / "hosts", "-platform", self._scratch / "platform.xml",
            *machine.options, f"--cfg=smpi/{option}:{algorithm}", "--log=root.thres:critical",
            self._program, name, *map(str, sizes),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"smpirun {pattern} by {algorithm}: {done.stderr[-500:]}")
        return done.stdout.rstrip("\n")
