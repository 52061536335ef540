"""Ending the processes of a launch so that nothing of them is left.

Libraries remove what they keep in shared memory where their ranks end by themselves; ranks that are
hung up on do it in their stead (native/kernels/channel/segments.h). Only who doesn't end then is
killed, and what was seen of it before is removed here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from leadline.hosts.cleanup.identities import FileIdentity
from leadline.hosts.cleanup.notes import Note, forget
from leadline.hosts.cleanup.sweep import remove_folder, remove_segments
from leadline.kernels.clock import Clock
from leadline.measure.system import LaunchedProcess, System

HUNG_UP_S = 1.0
"""For launchers whose ranks were hung up on: they end when these have."""
GRACE_S = 1.0
LOOK_S = 0.005


def gone(processes: Iterable[LaunchedProcess]) -> bool:
    """Whether all have ended."""
    return all(process.poll() is not None for process in processes)


def went_well(processes: Iterable[LaunchedProcess]) -> bool:
    """Whether all have ended as they should; ranks of one that fell may still run."""
    return all(process.poll() == 0 for process in processes)


def await_end(processes: Sequence[LaunchedProcess], deadline: float, clock: Clock) -> bool:
    """Whether all end before `deadline` of `clock`."""
    while not gone(processes) and clock.monotonic() < deadline:
        clock.sleep(LOOK_S)
    return gone(processes)


def look(note: Note | None, ranks: Sequence[int] | None, system: System) -> None:
    """Writes down what `ranks`, process numbers, have in shared memory; None: they aren't known."""
    if note is not None:
        note.know_segments(system.processes_of(note.launch) if ranks is None else ranks)


def end(processes: Sequence[LaunchedProcess], hung_up: bool, system: System) -> None:
    """Ends the sessions of `processes`: those whose ranks were hung up on first by themselves.

    Then launchers are told by TERM, who end their ranks and clear up; then all are killed.
    """
    clock = system.clock
    if hung_up and await_end(processes, clock.monotonic() + HUNG_UP_S, clock):
        return
    for process in processes:
        if process.poll() is None:
            process.terminate()
    if await_end(processes, clock.monotonic() + GRACE_S, clock):
        return
    for process in processes:
        if process.poll() is None:
            system.kill(process)
    await_end(processes, clock.monotonic() + GRACE_S, clock)


def clear(scratch: Path, note: Note | None, orderly: bool, system: System) -> None:
    """Removes the folders of a launch that has ended, and what is left of it in shared memory.

    First, unless all went in an `orderly` way, the processes that still have its name are ended.
    """
    if note is None:
        with contextlib.suppress(OSError):
            remove_folder(FileIdentity.of(scratch))
        return
    found = set() if orderly else system.end_processes(note, GRACE_S)
    remove_segments({*note.segments, *found})
    remove_folder(note.folder)
    if not note.is_left:  # else whoever comes after looks again
        forget(note)
