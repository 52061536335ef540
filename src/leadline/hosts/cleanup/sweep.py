"""Removing what front-ends left that were killed: theirs alone, as their notes say (notes.py).

A folder is removed that a record names by its path and its number on the file system, with those
beside it whose names are its own and more after a dot (its hosts'); a file in shared memory
likewise, if no process maps it; a process by its number and start, or by the random name of its
launch, or its folder as the one for temporary files, in its environment, unless it is a daemon that
the launch only began. By name alone only this user's folders go, after a long time.

`python -m leadline.hosts.cleanup.sweep RECORD` is what a guard becomes when its front-end has ended
and left something: it clears up, and ends.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
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
"""How the names of folders begin that records name."""
LEAST_NAME = len(OURS) + 6
"""Letters: a shorter one would be no temporary folder's."""
PATIENCE_S = 2.0
"""For processes that are about to end by themselves: their front-end was killed just now."""
TOLD_S = 1.0
"""For launchers that are told to end, which end their ranks and clear up."""
KILLED_S = 1.0
LOOK_S = 0.02
TORN_S = 86_400.0
"""Age of what is no whole record, from when on nobody is still writing it."""
FORGOTTEN_S = 30 * TORN_S
"""Likewise of the record of who can't be seen from here, as in a container that is no more; who
lives writes it anew at every block. What it names stays."""
TEMPORARY = "TMPDIR"
"""The environment variable by which what is started has its temporary files in such a folder."""
UNFIT = (OSError, ValueError, TypeError, KeyError, RecursionError)
"""What a record raises that isn't one."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What was left of killed front-ends, and is no more."""

    folders: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()
    """Files in shared memory."""
    processes: int = 0

    def __add__(self, other: Swept) -> Swept:
        """Both."""
        return Swept(
            self.folders + other.folders,
            self.segments + other.segments,
            self.processes + other.processes,
        )


def sweep() -> Swept:
    """Clears up after this user's front-ends on this host that are no more."""
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
    """Clears up after the front-end of one record, which goes with what it names."""
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
    for note in notes:
        if not same_boot:  # shared memory is another by now, and its numbers come again
            note.segments.clear()
    swept = _clear(notes, same_boot)
    if not any(note.is_left for note in notes):
        path.with_suffix(UNFINISHED).unlink(missing_ok=True)  # of who was killed as it wrote
        path.unlink(missing_ok=True)
    return swept


def _remove_torn(path: Path) -> None:
    """Removes this user's file of long ago that is no record, unless it is another version's."""
    if not _is_of_another_version(path):
        _remove_after(path, TORN_S)


def _remove_after(path: Path, least_age_s: float) -> None:
    """Removes this user's file that nobody has written to for so long."""
    with contextlib.suppress(OSError):
        seen = path.lstat()
        if time.time() - seen.st_mtime > least_age_s and seen.st_uid == os.geteuid():
            path.unlink()


def _is_of_another_version(path: Path) -> bool:
    try:
        return bool(json.loads(path.read_bytes())["format"] != FORMAT)
    except UNFIT:
        return False


def _read(path: Path) -> tuple[Owner, list[Note]]:
    content: dict[str, Any] = json.loads(path.read_bytes())
    if content["format"] != FORMAT or path.lstat().st_uid != os.geteuid():
        raise ValueError(path)
    owner = dict(content["owner"])
    process = _process(**owner.pop("process"))
    return Owner(process, **owner), [_note(**one) for one in content["notes"]]


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
    return Note(
        _file(**folder),
        str(launch),
        tuple(str(one) for one in beginnings),
        [_process(**one) for one in processes],
        [_file(**one) for one in segments],
        tuple(str(one) for one in daemons),
    )


def _is_over(owner: Owner) -> bool:
    """Whether it ran here and is no more; who may be on another host, or in a container, isn't."""
    boot, host, namespace = here()
    if not (boot and owner.boot):
        return False
    if owner.boot != boot:
        return owner.host == host
    return owner.namespace == namespace and not owner.process.is_alive


def _clear(notes: Sequence[Note], same_boot: bool) -> Swept:
    ended, segments = 0, {one for note in notes for one in note.segments}
    if same_boot:
        ended, found = end_processes(notes, PATIENCE_S)
        segments |= found
    removed = remove_segments(segments)
    folders = [path for note in notes for path in remove_folder(note.folder)]
    return Swept(tuple(folders), tuple(removed), ended)


def end_processes(notes: Sequence[Note], patience_s: float) -> tuple[int, set[FileIdentity]]:
    """Ends what still runs for `notes` after so long; how many, and what any of it had mapped.

    Launchers are told to end first. Whoever is starting may map more by the next look, so that all
    are looked at again and again, until nobody is left.
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
    """Who still runs for `notes` after so long; what they map meanwhile is added to `segments`."""
    deadline = time.monotonic() + longest_s
    while left := _running(notes):
        segments.update(one for note in notes for one in _mapped(note, left))
        if time.monotonic() >= deadline:
            break
        time.sleep(LOOK_S)
    return left


def _mapped(note: Note, processes: Iterable[ProcessIdentity]) -> set[FileIdentity]:
    return {one for process in processes for one in segments_of(process.pid, note.beginnings)}


def _running(notes: Sequence[Note]) -> set[ProcessIdentity]:
    folders = {path for note in notes if _is_called_as_ours(path := Path(note.folder.path))}
    named = started_with(LAUNCH, {note.launch for note in notes})
    named |= started_with(TEMPORARY, map(str, folders))
    programs, daemons = (
        {cache_directory(), *folders},
        {one for note in notes for one in note.daemons},
    )
    mine = (pid for pid in named if not is_detached(pid, programs, daemons))
    return _known(notes) | {one for pid in mine if (one := ProcessIdentity.of(pid))}


def _known(notes: Sequence[Note]) -> set[ProcessIdentity]:
    """The launchers among those who still run."""
    return {process for note in notes for process in note.processes if process.is_alive}


def _signal(process: ProcessIdentity, number: signal.Signals) -> bool:
    """Whether it was there to be told."""
    if process.pid == os.getpid():
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError), _handle(process.pid) as handle:
        if process.is_alive:  # after the handle is had, which no other process can get
            if handle is None:
                os.kill(process.pid, number)
            else:
                signal.pidfd_send_signal(handle, number)
            return True
    return False


@contextlib.contextmanager
def _handle(pid: int) -> Iterator[int | None]:
    """What stands for the process that has this number now; None: kernels before 5.3 have none."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        raise
    except OSError:
        yield None
        return
    try:
        yield handle
    finally:
        os.close(handle)


def _left(segments: Iterable[FileIdentity]) -> list[FileIdentity]:
    """Those that are still what they were, directly in shared memory."""
    return [one for one in segments if Path(one.path).parent == SHARED and one.is_my(stat.S_IFREG)]


def remove_segments(segments: Iterable[FileIdentity]) -> list[str]:
    """Removes those that are still what they were, and that nobody maps; their paths."""
    left = _left(segments)
    mapped = all_mapped() if left else set()
    removed = []
    for segment in left:
        if segment not in mapped:
            with contextlib.suppress(OSError):
                Path(segment.path).unlink()
                removed.append(segment.path)
    return removed


def _is_called_as_ours(path: Path) -> bool:
    """Whether it may be a temporary folder of ours."""
    return path.is_absolute() and path.name.startswith(OURS) and len(path.name) >= LEAST_NAME


def remove_folder(folder: FileIdentity) -> list[str]:
    """Removes it, if it is still what it was, with those of its hosts; what is gone of them."""
    path = Path(folder.path)
    if not (_is_called_as_ours(path) and folder.is_my(stat.S_IFDIR)):
        return []
    beside: list[Path] = []
    with contextlib.suppress(OSError):  # a folder that may be gone through, not looked at
        beside = [one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}.")]
    mine = [one for one in beside if _is_my_folder(one)]
    for one in (*mine, path):
        shutil.rmtree(one, ignore_errors=True)
    return [str(one) for one in (path, *mine) if not one.exists()]


def remove_old_folders(
    beginning: str, least_age_s: float, is_used: Callable[[Path], bool] = lambda _: False
) -> list[str]:
    """Removes this user's temporary folders that no record names, by their age; their paths.

    Args:
        beginning: Of their names; what a dot and more follows are their hosts'.
        least_age_s: Since something was last made in them.
        is_used: Whether somebody is still there.
    """
    noted = _noted()
    removed: list[str] = []
    for path in Path(tempfile.gettempdir()).glob(f"{beginning}*"):
        if path.name.partition(".")[0] in noted:
            continue
        with contextlib.suppress(OSError):
            folder, age_s = FileIdentity.of(path), time.time() - path.lstat().st_mtime
            if age_s > least_age_s and folder.is_my(stat.S_IFDIR) and not is_used(path):
                removed += remove_folder(folder)
    return removed


def _noted() -> set[str]:
    """The names of the folders that a record still names: a campaign may take long."""
    found: set[str] = set()
    for path in _records("*.json"):
        with contextlib.suppress(*UNFIT):
            found |= {Path(note.folder.path).name for note in _read(path)[1]}
    return found


def _is_my_folder(path: Path) -> bool:
    try:
        return FileIdentity.of(path).is_my(stat.S_IFDIR)
    except OSError:
        return False


OWNER_PATIENCE_S = 30.0
"""For a front-end that is about to be gone, and for what others still map."""
OWNER_LOOK_S = 0.1


def clear_up(record: Path) -> None:
    """Sweeps what the front-end of `record` left as soon as it is no more, until nothing is."""
    deadline = time.monotonic() + OWNER_PATIENCE_S
    while record.exists() and time.monotonic() < deadline:
        sweep_record(record)
        time.sleep(OWNER_LOOK_S)


if __name__ == "__main__":
    clear_up(Path(sys.argv[1]))
