"""Removal of what killed front-ends left, as their records say (notes.py), and of nothing else.

Removed are a folder that a record names by its path and its number on the file system, with those
beside it that have its name and more after a dot (its hosts'); a file in shared memory likewise, if
no process maps it; a process by its number and start, or by its environment, which has the random
name of its launch or the folder for temporary files, unless it is a daemon that the launch merely
started. By name alone only this user's folders are removed, after a long time.

`python -m leadline.hosts.cleanup.sweep RECORD` is what a guard becomes when its front-end has ended
and left something: it cleans up, and ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.files import cache_directory
from leadline.hosts.cleanup.identities import (
    SHARED,
    FileIdentity,
    ProcessIdentity,
    all_mapped,
    is_detached,
    segments_of,
    started_with,
)
from leadline.hosts.cleanup.notes import FORMAT, LAUNCH, UNFINISHED, Note, Owner, here, records

OURS = "leadline-"
"""Prefix of the names of folders in records."""
LEAST_NAME = len(OURS) + 6
"""Least length of such a name: a shorter one is no temporary folder's."""
PATIENCE_S = 2.0
"""Wait for processes that are about to end by themselves, as their front-end was just killed."""
TOLD_S = 1.0
"""Wait for launchers after SIGTERM, which end their ranks and clean up."""
KILLED_S = 1.0
"""Wait for processes after SIGKILL."""
LOOK_S = 0.02
TORN_S = 86_400.0
"""Age of an incomplete record from which on nobody is still writing it."""
FORGOTTEN_S = 30 * TORN_S
"""Age from which the record of an owner that can't be seen from here is removed, as in a container
that is no more; a living one writes it again at every block. What it names stays."""
TEMPORARY = "TMPDIR"
"""Environment variable by which started processes have their temporary files in such a folder."""
UNFIT = (OSError, ValueError, TypeError, KeyError, RecursionError)
"""Errors raised by reading what is no record."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What killed front-ends had left, and was removed."""

    folders: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()
    """Files in shared memory."""
    processes: int = 0

    def __add__(self, other: Swept) -> Swept:
        """Sum of both."""
        return Swept(
            self.folders + other.folders,
            self.segments + other.segments,
            self.processes + other.processes,
        )


def sweep() -> Swept:
    """Cleans up after this user's front-ends on this host that are no more."""
    swept = Swept()
    for path in _records("*.json"):
        swept += sweep_record(path)
    for path in _records(f"*{UNFINISHED}"):
        _remove_torn(path)
    return swept


def _records(pattern: str) -> list[Path]:
    try:
        return sorted(records().glob(pattern))
    except OSError:
        return []


def sweep_record(path: Path) -> Swept:
    """Cleans up after the front-end of one record, and removes the record with what it names."""
    try:
        owner, notes = _read(path)
    except UNFIT:
        _remove_torn(path)
        return Swept()
    try:
        if _is_over(owner):
            return _cleared(path, notes, owner.boot == here()[0])
    except UNFIT:
        return Swept()  # another day
    if not owner.process.is_alive:
        _remove_after(path, FORGOTTEN_S)
    return Swept()


def _cleared(path: Path, notes: Sequence[Note], same_boot: bool) -> Swept:
    """Removes what `notes` name, and their record at `path` if nothing of them is left."""
    if not same_boot:  # shared memory is another by now, and its numbers come again
        for note in notes:
            note.segments.clear()
    ended, segments = 0, {file for note in notes for file in note.segments}
    if same_boot:
        ended, mapped = end_processes(notes, PATIENCE_S)
        segments |= mapped
    removed = remove_segments(segments)
    folders = [folder for note in notes for folder in remove_folder(note.folder)]
    if not any(note.is_left for note in notes):
        path.with_suffix(UNFINISHED).unlink(missing_ok=True)  # if it was killed as it wrote
        path.unlink(missing_ok=True)
    return Swept(tuple(folders), tuple(removed), ended)


def _remove_torn(path: Path) -> None:
    """Removes this user's old file that is no record, unless it is another version's."""
    with contextlib.suppress(*UNFIT):
        if json.loads(path.read_bytes())["format"] != FORMAT:
            return
    _remove_after(path, TORN_S)


def _remove_after(path: Path, least_age_s: float) -> None:
    """Removes this user's file that nobody has written to for so long."""
    with contextlib.suppress(OSError):
        status = path.lstat()
        if time.time() - status.st_mtime > least_age_s and status.st_uid == os.geteuid():
            path.unlink()


def _read(path: Path) -> tuple[Owner, list[Note]]:
    """Owner and notes of a record; one of UNFIT is raised where it is none."""
    content: dict[str, Any] = json.loads(path.read_bytes())
    if content["format"] != FORMAT or path.lstat().st_uid != os.geteuid():
        raise ValueError(path)
    owner = dict(content["owner"])
    process = _process(**owner.pop("process"))
    return Owner(process, **owner), [_note(**fields) for fields in content["notes"]]


def _file(path: str, device: int, inode: int) -> FileIdentity:
    if "\0" in path:
        raise ValueError(path)
    return FileIdentity(str(Path(path)), int(device), int(inode))


def _process(pid: int, started: int) -> ProcessIdentity:
    if not (isinstance(pid, int) and isinstance(started, int) and pid > 0):
        raise ValueError(pid)
    return ProcessIdentity(pid, started)


def _note(
    folder: dict[str, Any],
    launch: str,
    beginnings: list[str],
    processes: list[dict[str, int]],
    segments: list[dict[str, Any]],
    daemons: Sequence[str] = (),
) -> Note:
    """Note with these fields in a record, whose names and number are checked by the call."""
    return Note(
        _file(**folder),
        str(launch),
        tuple(str(beginning) for beginning in beginnings),
        [_process(**fields) for fields in processes],
        [_file(**fields) for fields in segments],
        tuple(str(daemon) for daemon in daemons),
    )


def _is_over(owner: Owner) -> bool:
    """Whether it ran here and is no more; not if it may be on another host, or in a container."""
    boot, host, namespace = here()
    if not (boot and owner.boot):
        return False
    if owner.boot != boot:
        return owner.host == host
    return owner.namespace == namespace and not owner.process.is_alive


def end_processes(notes: Sequence[Note], patience_s: float) -> tuple[int, set[FileIdentity]]:
    """Ends processes that still run for `notes` after so long.

    Launchers get SIGTERM first. A process that is starting may map more by the next look, so that
    all are looked at again and again, until none is left.

    Returns:
        The number of processes that were ended, and the files in shared memory that any had mapped.
    """
    ends, segments = set[ProcessIdentity](), set[FileIdentity]()
    left = _await_end(notes, patience_s, segments)
    if launchers := left & _known(notes):
        ends |= {process for process in launchers if _signal(process, signal.SIGTERM)}
        left = _await_end(notes, TOLD_S, segments)
    deadline = time.monotonic() + KILLED_S
    while left and time.monotonic() < deadline:
        ends |= {process for process in left if _signal(process, signal.SIGKILL)}
        left = _await_end(notes, LOOK_S, segments)
    return len(ends), segments


def _await_end(
    notes: Sequence[Note], longest_s: float, segments: set[FileIdentity]
) -> set[ProcessIdentity]:
    """Processes that run for `notes` after so long; files they map meanwhile go into `segments`."""
    deadline = time.monotonic() + longest_s
    while left := _running(notes):
        for note in notes:
            for process in left:
                segments |= segments_of(process.pid, note.beginnings)
        if time.monotonic() >= deadline:
            break
        time.sleep(LOOK_S)
    return left


def _running(notes: Sequence[Note]) -> set[ProcessIdentity]:
    """Launchers of `notes` and their other processes, by the environment, that still run."""
    folders = {path for note in notes if _is_called_as_ours(path := Path(note.folder.path))}
    named = started_with(LAUNCH, {note.launch for note in notes})
    named |= started_with(TEMPORARY, map(str, folders))
    programs = {cache_directory(), *folders}
    daemons = {daemon for note in notes for daemon in note.daemons}
    attached = (pid for pid in named if not is_detached(pid, programs, daemons))
    return _known(notes) | {process for pid in attached if (process := ProcessIdentity.of(pid))}


def _known(notes: Sequence[Note]) -> set[ProcessIdentity]:
    """Launchers that still run."""
    return {process for note in notes for process in note.processes if process.is_alive}


def _signal(process: ProcessIdentity, number: signal.Signals) -> bool:
    """Sends a signal to `process`; whether it was there."""
    if process.pid == os.getpid():
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError), contextlib.ExitStack() as stack:
        handle = None
        try:
            handle = os.pidfd_open(process.pid)
            stack.callback(os.close, handle)
        except ProcessLookupError:
            return False
        except OSError:
            pass  # kernels before 5.3 have no pidfd
        if process.is_alive:  # checked after opening the handle, which no other process can get
            if handle is None:
                os.kill(process.pid, number)
            else:
                signal.pidfd_send_signal(handle, number)
            return True
    return False


def remove_segments(segments: Iterable[FileIdentity]) -> list[str]:
    """Removes those that are unchanged, directly in shared memory, and not mapped; their paths."""
    left = [
        identity
        for identity in segments
        if Path(identity.path).parent == SHARED and identity.is_my(stat.S_IFREG)
    ]
    mapped = all_mapped() if left else set()
    removed = []
    for segment in left:
        if segment not in mapped:
            with contextlib.suppress(OSError):
                Path(segment.path).unlink()
                removed.append(segment.path)
    return removed


def _is_called_as_ours(path: Path) -> bool:
    """Whether `path` may be a temporary folder of ours."""
    return path.is_absolute() and path.name.startswith(OURS) and len(path.name) >= LEAST_NAME


def remove_folder(folder: FileIdentity) -> list[str]:
    """Removes `folder`, if it is unchanged, with those of its hosts; the paths that are gone."""
    path = Path(folder.path)
    if not (_is_called_as_ours(path) and folder.is_my(stat.S_IFDIR)):
        return []
    beside: list[Path] = []
    with contextlib.suppress(OSError):  # a folder may be executable, yet not readable
        beside = [one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}.")]
    of_hosts = []
    for one in beside:
        with contextlib.suppress(OSError):
            if FileIdentity.of(one).is_my(stat.S_IFDIR):
                of_hosts.append(one)
    for host in (*of_hosts, path):
        shutil.rmtree(host, ignore_errors=True)
    return [str(host) for host in (path, *of_hosts) if not host.exists()]


def remove_old_folders(
    beginning: str, least_age_s: float, is_used: Callable[[Path], bool] = lambda _: False
) -> list[str]:
    """Removes this user's temporary folders that no record names, by their age; their paths.

    Args:
        beginning: Prefix of their names; those with a dot and more behind are their hosts'.
        least_age_s: Least time since something was last made in them.
        is_used: Whether a process still uses a folder.
    """
    noted: set[str] = set()  # a campaign may take long
    for record in _records("*.json"):
        with contextlib.suppress(*UNFIT):
            noted |= {Path(note.folder.path).name for note in _read(record)[1]}
    removed: list[str] = []
    for path in Path(tempfile.gettempdir()).glob(f"{beginning}*"):
        if path.name.partition(".")[0] in noted:
            continue
        with contextlib.suppress(OSError):
            folder, age_s = FileIdentity.of(path), time.time() - path.lstat().st_mtime
            if age_s > least_age_s and folder.is_my(stat.S_IFDIR) and not is_used(path):
                removed += remove_folder(folder)
    return removed


OWNER_PATIENCE_S = 30.0
"""Wait for a front-end that is about to end, and for files that others still map."""
OWNER_LOOK_S = 0.1


def clear_up(record: Path) -> None:
    """Cleans up after the front-end of `record` as soon as it has ended, until nothing is left."""
    deadline = time.monotonic() + OWNER_PATIENCE_S
    while record.exists() and time.monotonic() < deadline:
        sweep_record(record)
        time.sleep(OWNER_LOOK_S)


if __name__ == "__main__":
    clear_up(Path(sys.argv[1]))
