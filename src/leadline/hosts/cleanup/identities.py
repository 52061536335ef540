"""Identities of files, folders and processes, beyond names and numbers that are used again."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

SHARED = Path("/dev/shm")
PROC = Path("/proc")
BECOMES_S = 1.0
"""Longest time in which a process becomes another program, however busy the machine."""
SETTLED = 2
"""Consecutive reads of an empty environment: between two it may have become the other program."""
ENVIRONMENT_END = 48
"""Index in /proc/PID/stat behind the name: env_end, field 51 of proc(5)."""
_MAPPED = re.compile(
    r"^(?:\S+ ){3}(?P<major>[0-9a-f]+):(?P<minor>[0-9a-f]+) (?P<inode>\d+) +"
    r"(?P<path>/dev/shm/[^/\n]+)$",
    re.MULTILINE,
)
"""A line of /proc/PID/maps; a file that was removed has more behind its path, and its name begins
as a library's all the same: `is_my` then finds that there is none."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """File or folder, identified by its number on its file system."""

    path: str
    device: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> Self:
        """Identity of what is there now, links not followed; OSError where there is nothing."""
        status = path.lstat()
        return cls(str(path), status.st_dev, status.st_ino)

    def is_my(self, kind: int) -> bool:
        """Whether it is still there, this user's, and of this kind (stat.S_IFDIR, stat.S_IFREG)."""
        try:
            status = Path(self.path).lstat()
        except OSError:
            return False
        same = (status.st_dev, status.st_ino) == (self.device, self.inode)
        return same and status.st_uid == os.geteuid() and stat.S_IFMT(status.st_mode) == kind


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """Process, identified by its number and the time when it was started."""

    pid: int
    started: int
    """Clock ticks between the machine's boot and the start."""

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """Identity of the process with this number; None: there is none, or it is a zombie."""
        try:  # the name, before the last parenthesis, may be any bytes
            words = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            return None
        return None if words[0] in b"ZX" else cls(pid, int(words[19]))

    @property
    def is_alive(self) -> bool:
        """Whether the same process still has the number."""
        return ProcessIdentity.of(self.pid) == self


def segments_of(pid: int, beginnings: Iterable[str]) -> set[FileIdentity]:
    """This user's files in shared memory that a process maps or has open, by name prefixes."""
    try:
        maps = Path(f"/proc/{pid}/maps").read_text(errors="replace")
    except OSError:
        return set()
    segments = list(_mapped(maps))
    opened: list[Path] = []  # among them files that were made and aren't mapped yet
    with contextlib.suppress(OSError):
        opened = list(Path(f"/proc/{pid}/fd").iterdir())
    for link in opened:
        with contextlib.suppress(OSError):
            path = link.readlink()
            if path.parent == SHARED:
                segments.append(FileIdentity.of(path))
    known = tuple(beginning for beginning in beginnings if beginning)
    return {
        segment
        for segment in segments
        if Path(segment.path).name.startswith(known) and segment.is_my(stat.S_IFREG)
    }


def _mapped(maps: str) -> Iterator[FileIdentity]:
    """Files in shared memory in the text of /proc/PID/maps."""
    for line in _MAPPED.finditer(maps):
        device = os.makedev(int(line["major"], 16), int(line["minor"], 16))
        yield FileIdentity(line["path"], device, int(line["inode"]))


def all_mapped() -> set[FileIdentity]:
    """Files in shared memory mapped by any process that this user can inspect."""
    mapped: set[FileIdentity] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            maps = (folder / "maps").read_text(errors="replace")
        except OSError:
            continue
        mapped |= set(_mapped(maps))
    return mapped


def started_with(variable: str, values: Iterable[str]) -> set[int]:
    """Processes started with this environment variable at one of `values`, of those readable."""
    wanted = [value for value in values if value]
    numbers = (int(path.name) for path in PROC.glob("[0-9]*") if wanted)
    return {pid for pid in numbers if has(pid, variable, *wanted)}


def has(pid: int, variable: str, *values: str) -> bool:
    """Whether process `pid` was started with this environment variable at one of `values`."""
    words = environment_at_start(pid).split(b"\0")
    return any(f"{variable}={value}".encode() in words for value in values if value)


def environment_at_start(pid: int) -> bytes:
    """Environment that process `pid` was started with, NAME=VALUE ended by zero bytes.

    Empty: it can't be read. A process has no environment for an instant while it becomes another
    program (execve replaces its memory first, then writes the environment there), which is waited
    out: else a caller that marks its processes would overlook those that it has just started.
    """
    environment = PROC / str(pid) / "environ"
    deadline = time.monotonic() + BECOMES_S
    try:
        looks = 0
        while not (found := environment.read_bytes()):
            looks = 0 if _becomes_another(pid) else looks + 1
            if looks == SETTLED or time.monotonic() > deadline:
                break
            if looks == 0:
                time.sleep(BECOMES_S / 1000)
        return found
    except OSError:
        return b""


def _becomes_another(pid: int) -> bool:
    """Whether it has a program, as kernel threads and zombies don't, but no environment yet."""
    try:
        (PROC / str(pid) / "exe").readlink()
        words = (PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return False
    return words[ENVIRONMENT_END] == b"0"


def is_detached(pid: int, programs: Iterable[Path], daemons: Collection[str] = ()) -> bool:
    """Whether process `pid` leads a session of its own, as daemons do, and isn't one of ours.

    Ours are programs in the folders `programs`, and those called as one of `daemons`, which serve
    one launch alone. A detached one may be used by others by now, as ssh's shared connections are.
    """
    try:
        program = Path(f"/proc/{pid}/exe").readlink()
        folders = [folder.resolve() for folder in programs]
        is_ours = program.name in daemons or any(map(program.is_relative_to, folders))
        return os.getsid(pid) == pid and not is_ours
    except OSError:
        return False  # it is gone
