"""What a machine, and a user of it, must have for emulated hosts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

from leadline.errors import MachineError

PROGRAMS: Mapping[str, str] = {
    "unshare": "util-linux", "nsenter": "util-linux", "setsid": "util-linux",
    "mount": "mount", "hostname": "hostname", "ip": "iproute2", "tc": "iproute2",
}  # fmt: skip
"""What it takes, each with the package that has it."""


def check_machine() -> None:
    """MachineError where emulated hosts can't be made here, and what to do."""
    check_root()
    for program, package in PROGRAMS.items():
        if shutil.which(program) is None:
            raise MachineError(f"emulated hosts need {program!r}: install the package {package}")


def check_root() -> None:
    """MachineError for any other user: nobody else makes, enters or removes namespaces."""
    if os.geteuid() != 0:
        raise MachineError(
            "emulated hosts are namespaces, which are root's: sudo leadline ..., or a "
            "container with --cap-add=SYS_ADMIN,NET_ADMIN"
        )
