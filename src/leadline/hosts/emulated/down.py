"""Removing an emulated cluster, or what is left of one: processes, and with them all else."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass

from leadline.errors import MachineError, UsageError
from leadline.hosts.emulated.cluster import checked_prefix, folder_of
from leadline.hosts.emulated.machine import check_root
from leadline.hosts.emulated.marks import (
    HOST,
    environment_of,
    hold,
    is_marked,
    members,
    namespaces_of,
)

GRACE_S = 1.0
"""Between asking processes to end and killing them."""
PATIENCE_S = 10.0
INTERVAL_S = 0.01
SETTLED = 2
"""Looks in a row that find nothing: a process just started has no mark for an instant."""


@dataclass(frozen=True, slots=True)
class Removed:
    """What was there and is no more."""

    prefix: str
    hosts: tuple[str, ...]
    """Whose keepers were found."""
    processes: int
    """Keepers and all that ran in their namespaces."""
    folder: bool
    """Whether there was a folder of the cluster's state."""

    @property
    def nothing(self) -> bool:
        """Whether nothing was there."""
        return not (self.processes or self.folder)


def down(prefix: str) -> Removed:
    """Ends every process of the cluster of `prefix`; its namespaces, devices, mounts go with them.

    Raises:
        UsageError: This process is inside the cluster.
        MachineError: Something can't be ended, or this user can't see what there is.
    """
    check_root()
    folder = folder_of(checked_prefix(prefix))
    held: dict[str, int] = {}
    try:
        hold(prefix, held)
        if held.keys() & namespaces_of("self"):
            raise UsageError("hosts down: this process is inside of these hosts; call it outside")
        found = members(prefix, held.keys())
        hosts = {environment_of(pid).get(HOST, "") for pid in found if is_marked(pid, prefix)}
        removed = Removed(prefix, tuple(sorted(hosts - {""})), len(found), folder.exists())
        _end(prefix, held)
    finally:
        for descriptor in held.values():
            os.close(descriptor)
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        raise MachineError(f"{folder}: can't be removed; see what is in it, and who owns it")
    return removed


def _end(prefix: str, held: dict[str, int]) -> None:
    """TERM, then KILL, until nothing is found, several times in a row.

    What outlives its keeper is known by the namespaces that the keeper held; they stay open.
    """
    begin, clean = time.monotonic(), 0
    while clean < SETTLED:
        hold(prefix, held)
        left = members(prefix, held.keys())
        clean = 0 if left else clean + 1
        elapsed = time.monotonic() - begin
        if left and elapsed > PATIENCE_S:
            raise MachineError(f"processes that don't end: {', '.join(map(str, sorted(left)))}")
        _signal(left, signal.SIGTERM if elapsed < GRACE_S else signal.SIGKILL)
        time.sleep(INTERVAL_S)


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
