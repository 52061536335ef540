"""Record of what this process has started and not cleaned up yet.

A front-end that is killed leaves its folders, and its libraries' files in shared memory: nobody
else knows whose these are. So each process that starts ranks keeps a file in the user's state
folder with what is its own, replaced atomically at every change and removed when nothing is left. A
guard reads it when the process has ended; where there is none, the next of this user's front-ends
does.

The guard is a shell that reads the paths of records from a pipe; the other end is the front-end's
alone, so that it reads the end of file when that has ended, for whatever reason. If a record is
left then, it becomes the cleanup program (sweep.py), else it ends. Until then it sleeps, in a
session of its own: neither keys nor a closed terminal reach it.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import platform
import secrets
import shutil
import stat
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import leadline
from leadline.files import state_directory
from leadline.hosts.cleanup.identities import FileIdentity, ProcessIdentity, has, segments_of
from leadline.processes import Process, let_go, outliving

SCRIPT = (
    "trap '' HUP INT TERM; while IFS= read -r told; do record=$told; done; "
    'test -z "$record" || exec "$@" "$record"'
)
SWEEPER = (sys.executable, "-m", "leadline.hosts.cleanup.sweep")
LEAVE_S = 1.0
"""Longest wait for the shell to end behind a front-end that left nothing."""


class Guard:
    """Guard of this process, started when there is something to guard."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._shell: Process | None = None

    @property
    def is_there(self) -> bool:
        """Whether it is running, and waits for this process's end."""
        return self._shell is not None and self._shell.poll() is None

    def tell(self, record: Path | None) -> None:
        """Reports the file `record` of what this process started; None: nothing is left of it.

        Where the guard can't be started, or reached, the next front-end cleans up.
        """
        with contextlib.suppress(OSError):
            if not self.is_there and record is not None:
                self._shell = _started()
            if self._shell is not None and self._shell.stdin is not None:
                self._shell.stdin.write(f"{record or ''}\n".encode())

    def leave(self) -> None:
        """Closes the pipe; waits for the guard where it has nothing to do."""
        if self._shell is not None:
            let_go(self._shell, LEAVE_S)


def _started() -> Process:
    """Shell of the guard; a function of its own for unit tests, which start none."""
    package = Path(leadline.__file__).resolve().parent.parent
    path = os.pathsep.join(filter(None, (str(package), os.environ.get("PYTHONPATH", ""))))
    shell = outliving(("sh", "-c", SCRIPT, "sh", *SWEEPER), {"PYTHONPATH": path})
    if shell.stdin is not None:  # a guard that was stopped must not block this process
        os.set_blocking(shell.stdin.fileno(), False)
    return shell


FORMAT = 1
UNFINISHED = ".new"
"""Suffix of a record's name while it is being written."""
LAUNCH = "LEADLINE_LAUNCH"
"""Environment variable in which all processes of a launch have its name, which is random."""


@dataclass(slots=True)
class Note:
    """Folder, and what was started with it. Made by `note`, removed by `forget`."""

    folder: FileIdentity
    launch: str = ""
    """Name of the launch; empty: none."""
    beginnings: tuple[str, ...] = ()
    """Prefixes of the names of the files that its library makes in shared memory."""
    processes: list[ProcessIdentity] = field(default_factory=list)
    """Processes that started its ranks."""
    segments: list[FileIdentity] = field(default_factory=list)
    """Files that its ranks map in shared memory."""
    daemons: tuple[str, ...] = ()
    """Names of the library's daemons of which each launch has its own."""

    @property
    def is_left(self) -> bool:
        """Whether any of its files, or its folder, is still there."""
        files = any(segment.is_my(stat.S_IFREG) for segment in self.segments)
        return files or self.folder.is_my(stat.S_IFDIR)

    def know_processes(self, pids: Iterable[int]) -> None:
        """Records that processes `pids` belong to it."""
        alive = [process for pid in pids if (process := ProcessIdentity.of(pid))]
        if alive:
            with _book.lock:
                self.processes += alive
                _book.write()

    def know_segments(self, ranks: Iterable[int]) -> None:
        """Records the files that those of the processes `ranks` with the launch's name map by now.

        Process numbers of ranks on other hosts may be any process's on this one.
        """
        of_launch = [pid for pid in ranks if self.beginnings and has(pid, LAUNCH, self.launch)]
        mapped = {file for pid in of_launch for file in segments_of(pid, self.beginnings)}
        with _book.lock:
            if mapped - set(self.segments):
                self.segments = sorted(mapped | set(self.segments), key=lambda file: file.path)
                _book.write()


@dataclass(frozen=True, slots=True)
class Owner:
    """Writer of a record, with its host: process numbers are meaningless elsewhere."""

    process: ProcessIdentity
    boot: str
    host: str
    namespace: str
    """Namespaces of process numbers and times, e.g. "pid:[4026531836] time:[4026531834]"."""

    @classmethod
    def this(cls) -> Owner:
        """Owner of records of this process."""
        identity = ProcessIdentity.of(os.getpid()) or ProcessIdentity(os.getpid(), 0)
        return cls(identity, *here())


def here() -> tuple[str, str, str]:
    """Boot id of the machine, the host, and the namespaces of process numbers and start times.

    Empty where it can't be read.
    """
    boot = namespaces = ""
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        namespaces = str(Path("/proc/self/ns/pid").readlink())
        namespaces += f" {Path('/proc/self/ns/time').readlink()}"  # kernels before 5.6 have none
    machine = ""
    with contextlib.suppress(OSError):  # hosts of one name may share a user's folder
        machine = Path("/etc/machine-id").read_text().strip()
    return boot, f"{platform.node()} {machine}".strip(), namespaces


class _Book:
    """Notes of this process, and the file that has them."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """Lock of notes and file, as several threads may start probes."""
        self._notes: list[Note] = []
        self._path: Path | None = None
        self._pid = 0
        self.guard = Guard()

    def add(self, note: Note) -> None:
        with self.lock:
            if self._pid != os.getpid():  # they are of the process that this one was forked from
                self._notes, self._path, self._pid = [], None, os.getpid()
                self.guard = Guard()
            self._notes.append(note)
            self.write()

    def remove(self, note: Note) -> None:
        with self.lock:
            self._notes = [one for one in self._notes if one is not note]
            self.write()

    def write(self) -> None:
        """Writes the record; failing that, the next cleanup lacks it, but this campaign goes on."""
        if self._pid != os.getpid():
            return
        with self.lock, contextlib.suppress(OSError):
            if not self._notes:
                if self._path is not None:
                    self._path.unlink(missing_ok=True)
                    self._path = None
                    self.guard.tell(None)
                return
            is_new = self._path is None
            if self._path is None:
                folder = records()
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._path = folder / f"{self._pid}-{secrets.token_hex(4)}.json"
            content = {
                "format": FORMAT,
                "owner": asdict(Owner.this()),
                "notes": [asdict(note) for note in self._notes],
            }
            new = self._path.with_suffix(UNFINISHED)
            new.write_text(json.dumps(content))
            new.replace(self._path)
            if is_new:
                self.guard.tell(self._path)

    def leave(self) -> None:
        """Ends the guard as this process is about to end, unless something is left."""
        if self._pid == os.getpid():
            self.guard.leave()


_book = _Book()
atexit.register(_book.leave)


def records() -> Path:
    """Folder of the records, one file per process."""
    return state_directory() / "started"


def is_guarded() -> bool:
    """Whether a guard cleans up after this process as soon as it is killed."""
    return _book.guard.is_there


def note(
    folder: Path, launch: str = "", beginnings: tuple[str, ...] = (), daemons: tuple[str, ...] = ()
) -> Note:
    """Records that `folder` is this process's, and is to go with it; OSError: there is none."""
    made = Note(FileIdentity.of(folder), launch, beginnings, daemons=daemons)
    _book.add(made)
    return made


def forget(noted: Note) -> None:
    """Removes the record of what is cleaned up."""
    _book.remove(noted)


@contextlib.contextmanager
def noted_folder(
    prefix: str, where: Path | None = None, beginnings: tuple[str, ...] = ()
) -> Iterator[Path]:
    """Temporary folder that is removed when the block is left, or by the next cleanup.

    The cleanup also ends processes that have it for temporary files, and removes the files in
    shared memory, with names of these `beginnings`, that they map.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=where))
    noted = note(folder, beginnings=beginnings)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        forget(noted)
