"""Which file, folder or process it is, and not another that has its name or number by now."""

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
"""A process becomes another program in less, however busy the machine."""
SETTLED = 2
"""Looks in a row at an environment that is empty: between two it may have become the other one."""
ENVIRONMENT_END = 48
"""Of /proc/PID/stat behind the name: env_end, field 51 of proc(5)."""
_MAPPED = re.compile(
    r"^(?:\S+ ){3}(?P<major>[0-9a-f]+):(?P<minor>[0-9a-f]+) (?P<inode>\d+) +"
    r"(?P<path>/dev/shm/[^/\n]+)$",
    re.MULTILINE,
)
"""A line of /proc/PID/maps; a file that was removed has more behind its path, and its name begins
as a library's all the same: `is_my` then sees that there is none."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """A file or folder, known by its number on its file system."""

    path: str
    device: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> Self:
        """Of what is there now, links not followed; OSError where there is nothing."""
        seen = path.lstat()
        return cls(str(path), seen.st_dev, seen.st_ino)

    def is_my(self, kind: int) -> bool:
        """Whether it is still there, this user's, and of this kind (stat.S_IFDIR, stat.S_IFREG)."""
        try:
            seen = Path(self.path).lstat()
        except OSError:
            return False
        same = (seen.st_dev, seen.st_ino) == (self.device, self.inode)
        return same and seen.st_uid == os.geteuid() and stat.S_IFMT(seen.st_mode) == kind


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """A process, known by when it was started."""

    pid: int
    started: int
    """Ticks of the machine's clock after it was booted."""

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """Of who has this number now; None where nobody has, or who had it only isn't collected."""
        try:
            words = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            return None  # its name, before that, may be any bytes
        return None if words[0] in b"ZX" else cls(pid, int(words[19]))

    @property
    def is_alive(self) -> bool:
        """Whether it is still the one that has the number."""
        return ProcessIdentity.of(self.pid) == self


def segments_of(pid: int, beginnings: Iterable[str]) -> set[FileIdentity]:
    """This user's files in shared memory that a process maps or has open, named beginning so."""
    try:
        maps = Path(f"/proc/{pid}/maps").read_text(errors="replace")
    except OSError:
        return set()
    known = tuple(beginning for beginning in beginnings if beginning)
    return {
        segment
        for segment in (*_mapped(maps), *_open(pid))
        if Path(segment.path).name.startswith(known) and segment.is_my(stat.S_IFREG)
    }


def _mapped(maps: str) -> Iterator[FileIdentity]:
    for found in _MAPPED.finditer(maps):
        device = os.makedev(int(found["major"], 16), int(found["minor"], 16))
        yield FileIdentity(found["path"], device, int(found["inode"]))


def _open(pid: int) -> Iterator[FileIdentity]:
    """Files in shared memory that a process has open: what was made and isn't mapped yet."""
    try:
        opened = list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return
    for link in opened:
        with contextlib.suppress(OSError):
            path = link.readlink()
            if path.parent == SHARED:
                yield FileIdentity.of(path)


def all_mapped() -> set[FileIdentity]:
    """The files in shared memory that any process maps which this user can look into."""
    found: set[FileIdentity] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            maps = (folder / "maps").read_text(errors="replace")
        except OSError:
            continue
        found |= set(_mapped(maps))
    return found


def started_with(variable: str, values: Iterable[str]) -> set[int]:
    """Processes that got this environment variable with one of `values`, as far as can be seen."""
    wanted = [value for value in values if value]
    numbers = (int(path.name) for path in PROC.glob("[0-9]*") if wanted)
    return {pid for pid in numbers if has(pid, variable, *wanted)}


def has(pid: int, variable: str, *values: str) -> bool:
    """Whether process `pid` was started with this environment variable, one of `values` in it."""
    words = environment_at_start(pid).split(b"\0")
    return any(f"{variable}={value}".encode() in words for value in values if value)


def environment_at_start(pid: int) -> bytes:
    """What process `pid` was started with, NAME=VALUE ended by zero bytes; empty: can't be seen.

    It has none for an instant while it becomes another program (execve replaces its memory first,
    then writes the environment there), which is waited out: else who marks its processes so would
    overlook those that it has just started.
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
    """Whether it has a program, which kernel threads and the dead don't, but no environment yet."""
    try:
        (PROC / str(pid) / "exe").readlink()
        words = (PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return False
    return words[ENVIRONMENT_END] == b"0"


def is_detached(pid: int, programs: Iterable[Path], daemons: Collection[str] = ()) -> bool:
    """Whether it leads a session of its own, as daemons do, and runs none of `programs`' folders.

    Nor one called as one of `daemons`, which serve a launch alone.

    Others than who started it may use it by then, as ssh's shared connections.
    """
    try:
        program = Path(f"/proc/{pid}/exe").readlink()
        folders = [folder.resolve() for folder in programs]
        is_ours = program.name in daemons or any(map(program.is_relative_to, folders))
        return os.getsid(pid) == pid and not is_ours
    except OSError:
        return False  # it is gone
