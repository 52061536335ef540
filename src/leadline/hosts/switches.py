"""What a batch system knows of the switches between its nodes."""

from __future__ import annotations

import shutil

from leadline.hosts.schedulers import BatchJob
from leadline.processes import run

PATIENCE_S = 10.0
"""For its controller, which may be down."""


def switches_of(job: BatchJob) -> str:
    """What the job's scheduler says of its switches; empty where it knows of none or is silent."""
    command = job.scheduler.switches
    if shutil.which(command[0]) is None:
        return ""
    ending = run(command, PATIENCE_S)
    return ending.output if ending.status == 0 and "SwitchName=" in ending.output else ""
