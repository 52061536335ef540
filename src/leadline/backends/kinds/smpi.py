"""SimGrid's SMPI: the same calls on a machine that you don't have."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind
from leadline.backends.launchers.smpi import Smpirun

TESTED = ("3.32",)
"""Versions of SimGrid; others take other platforms and other words."""

SMPI = Kind(
    name="smpi",
    title="SimGrid's SMPI",
    sources=("mpi", "smpi"),
    left_out=("mpi/neighbours.c",),
    launcher=Smpirun,
    startup_s=0.5,
    process_bytes=2**20,
    only_by_name=True,
    simulated=True,
    program_environment={"SMPI_PRETEND_CC": "1"},
    one_host=True,
    debian=("libsimgrid-dev",),
    transport="simulated",
)
