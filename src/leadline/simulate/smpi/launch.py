"""How smpirun is called for a program on a described machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from leadline.errors import UsageError
from leadline.simulate.machine import MachineModel, Profile
from leadline.simulate.routes import fabric_of
from leadline.simulate.smpi.collectives import left_out, options
from leadline.simulate.smpi.lines import smpi_costs
from leadline.simulate.smpi.platform import write_platform
from leadline.simulate.smpi.simgrid import plug_in, simgrid_version, smpirun
from leadline.topology.allocation import Allocation, first_slots
from leadline.topology.networks import Int64

MODEL = (
    "network/model:CM02", "network/crosstraffic:0", "network/weight-S:0", "network/TCP-gamma:1e15",
    "network/loopback-lat:0", "surf/precision:1e-12", "maxmin/precision:1e-9",
    "smpi/simulate-computation:0", "smpi/wtime:0", "smpi/init:0", "smpi/test:1e-6",
    "smpi/iprobe:1e-6",
)  # fmt: skip
"""Links are shared max-min fair, and no call costs more than the machine file says."""
_SPLIT = (" ", "\t", "\n", "*", "?", "[")
"""In what smpirun, a shell script, makes several words of, or other ones."""


@dataclass(frozen=True, slots=True)
class SmpiLaunch:
    """A call of smpirun, but for the program and its words."""

    ranks: int
    options: tuple[str, ...]
    """For the platform, and what no call of MPI is to cost besides."""
    environment: Mapping[str, str]
    """On top of this process's own."""
    simgrid: str
    """The version."""
    left_out: tuple[str, ...]
    """What the machine file says and SimGrid hasn't got."""

    @property
    def words(self) -> tuple[str, ...]:
        """The program smpirun and all its options."""
        return (smpirun(), "-np", str(self.ranks), *self.options)


def smpi_launch(
    machine: MachineModel,
    profile: Profile,
    ranks: int,
    directory: Path,
    *,
    pool: Allocation | None = None,
    slots: Int64 | None = None,
    privatize: bool = True,
) -> SmpiLaunch:
    """What runs a program that smpicc compiled, on `ranks` ranks of `machine`.

    Args:
        machine: As its file says.
        profile: Whose costs messages have.
        ranks: How many.
        directory: Is there; the platform's files are written to it and must outlive the run.
        pool: Slots whose first ones ranks get, in order; None: those that the machine gives them.
        slots: Shape (ranks,): of these, the one of each rank; None: rank r has slot r.
        privatize: Whether every rank gets global variables of its own.

    Raises:
        UsageError: Too many ranks, the machine splits messages, which SimGrid doesn't, or smpirun
            splits the directory's name.
        MachineError: SimGrid or a C++ compiler is missing, or SimGrid's version isn't tested.
    """
    _check_unsplit(directory)
    if machine.split_ties:
        raise UsageError(
            f'{machine.name} splits messages (ties = "split"), SimGrid sends each one way; take '
            'a copy of the file with ties = "one way"'
        )
    allocation = machine.allocate(ranks) if pool is None else first_slots(pool, ranks)
    costs = smpi_costs(machine, profile)
    platform = plug_in()
    own = np.arange(ranks, dtype=np.int64) if slots is None else slots
    write_platform(directory, fabric_of(machine, allocation), own, costs, machine.compute)
    hosts = directory / "hosts"
    hosts.write_text("".join(f"rank{rank}\n" for rank in range(ranks)))
    chosen = [
        "-platform", str(platform), "-hostfile", str(hosts),
        *([] if privatize else ["-no-privatize"]),
        f"--cfg=smpi/send-is-detached-thresh:{costs.detached_below_bytes}",
        *(f"--cfg={option}" for option in (*MODEL, *options(profile))),
        "--log=root.thres:critical",
    ]  # fmt: skip
    around = {"LEADLINE_PLATFORM": str(directory)}
    lacks = tuple(left_out(profile))
    return SmpiLaunch(ranks, tuple(chosen), around, simgrid_version(), lacks)


def _check_unsplit(directory: Path) -> None:
    if any(one in str(directory) for one in _SPLIT):
        raise UsageError(
            f"smpirun would split or expand '{directory}'; set TMPDIR to a folder without blanks, "
            "*, ? and ["
        )
