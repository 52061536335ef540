"""What this process has started and not cleared up yet, written down for whoever comes after it.

A front-end that is killed leaves its folders, and what libraries keep in shared memory: nobody else
knows whose these are. So each process that starts ranks keeps a file in the user's state folder
with what is its own, all at once at every change; it is gone when nothing is left. A guard reads it
when the process has ended; where there is none, the next of this user's front-ends does.

The guard is a shell that reads what the front-end last wrote down where; the other end of its pipe
is the front-end's alone, so that it reads the end of it when that has ended, however that came. If
something is written down then, it becomes what clears up (sweep.py), else it ends. Until then it
sleeps, in a session of its own: no key and no closed terminal reaches it.
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
"""For the shell to end behind a front-end that left nothing: longer nobody waits."""


class Guard:
    """That of this process, which is started when there is something to guard."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._shell: Process | None = None

    @property
    def is_there(self) -> bool:
        """Whether it waits for this process's end."""
        return self._shell is not None and self._shell.poll() is None

    def tell(self, record: Path | None) -> None:
        """What this process started is in the file `record` now; None: nothing is left of it.

        Where it can't be started, or told, whoever comes after clears up.
        """
        with contextlib.suppress(OSError):
            if not self.is_there and record is not None:
                self._shell = _started()
            if self._shell is not None and self._shell.stdin is not None:
                self._shell.stdin.write(f"{record or ''}\n".encode())

    def leave(self) -> None:
        """Lets it see the end; it is waited for where it has nothing to do."""
        if self._shell is not None:
            let_go(self._shell, LEAVE_S)


def _started() -> Process:
    package = Path(leadline.__file__).resolve().parent.parent
    path = os.pathsep.join(filter(None, (str(package), os.environ.get("PYTHONPATH", ""))))
    shell = outliving(("sh", "-c", SCRIPT, "sh", *SWEEPER), {"PYTHONPATH": path})
    if shell.stdin is not None:
        os.set_blocking(shell.stdin.fileno(), False)  # who stopped it stops nobody else
    return shell


FORMAT = 1
UNFINISHED = ".new"
"""What a record's name ends in while it is being written."""
LAUNCH = "LEADLINE_LAUNCH"
"""The environment variable by which all processes of a launch know its name, which is random."""


@dataclass(slots=True)
class Note:
    """A folder, and what was started with it. Made by `note`; `forget` ends it."""

    folder: FileIdentity
    launch: str = ""
    """The name of the launch; empty: none."""
    beginnings: tuple[str, ...] = ()
    """Of the names of the files that its library makes in shared memory."""
    processes: list[ProcessIdentity] = field(default_factory=list)
    """What started its ranks."""
    segments: list[FileIdentity] = field(default_factory=list)
    """What its ranks map in shared memory."""
    daemons: tuple[str, ...] = ()
    """What its library calls programs of which each launch has its own."""

    @property
    def is_left(self) -> bool:
        """Whether anything of it is still there."""
        files = any(segment.is_my(stat.S_IFREG) for segment in self.segments)
        return files or self.folder.is_my(stat.S_IFDIR)

    def know_processes(self, pids: Iterable[int]) -> None:
        """Writes down that processes `pids` belong to it."""
        found = [one for pid in pids if (one := ProcessIdentity.of(pid))]
        if found:
            with _book.lock:
                self.processes += found
                _book.write()

    def know_segments(self, ranks: Iterable[int]) -> None:
        """Writes down what those of the processes `ranks` that have the launch's name map by now.

        Numbers of ranks on other hosts may be anybody's here.
        """
        mine = [pid for pid in ranks if self.beginnings and has(pid, LAUNCH, self.launch)]
        found = {one for pid in mine for one in segments_of(pid, self.beginnings)}
        with _book.lock:
            if found - set(self.segments):
                self.segments = sorted(found | set(self.segments), key=lambda one: one.path)
                _book.write()


@dataclass(frozen=True, slots=True)
class Owner:
    """Who wrote a record down, and where: numbers of processes mean nothing elsewhere."""

    process: ProcessIdentity
    boot: str
    host: str
    namespace: str
    """Those of process numbers and times, e.g. "pid:[4026531836] time:[4026531834]"."""

    @classmethod
    def this(cls) -> Owner:
        """This process."""
        mine = ProcessIdentity.of(os.getpid()) or ProcessIdentity(os.getpid(), 0)
        return cls(mine, *here())


def here() -> tuple[str, str, str]:
    """This boot of the machine, the host, and the namespaces that processes are known in.

    Times of their start are those of a time namespace. Empty is what can't be read.
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
    """The notes of this process, and the file that has them."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """Several threads may start what they probe with."""
        self._notes: list[Note] = []
        self._path: Path | None = None
        self._pid = 0
        self.guard = Guard()

    def add(self, note: Note) -> None:
        with self.lock:
            if self._pid != os.getpid():  # of a process that this one was forked from
                self._notes, self._path, self._pid = [], None, os.getpid()
                self.guard = Guard()
            self._notes.append(note)
            self.write()

    def remove(self, note: Note) -> None:
        with self.lock:
            self._notes = [one for one in self._notes if one is not note]
            self.write()

    def write(self) -> None:
        """A record that can't be written costs whoever comes after, not this campaign."""
        if self._pid != os.getpid():
            return
        with self.lock, contextlib.suppress(OSError):
            if self._notes:
                self._replace()
            elif self._path is not None:
                self._path.unlink(missing_ok=True)
                self._path = None
                self.guard.tell(None)

    def _replace(self) -> None:
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
        """This process is about to end: its guard sees what is left."""
        if self._pid == os.getpid():
            self.guard.leave()


_book = _Book()
atexit.register(_book.leave)


def records() -> Path:
    """The folder of the records, a file a process."""
    return state_directory() / "started"


def is_guarded() -> bool:
    """Whether somebody clears up after this process as soon as it is killed."""
    return _book.guard.is_there


def note(
    folder: Path, launch: str = "", beginnings: tuple[str, ...] = (), daemons: tuple[str, ...] = ()
) -> Note:
    """Writes down that `folder` is this process's, and is to go with it; OSError: there is none."""
    made = Note(FileIdentity.of(folder), launch, beginnings, daemons=daemons)
    _book.add(made)
    return made


def forget(noted: Note) -> None:
    """Strikes out what is cleared up."""
    _book.remove(noted)


@contextlib.contextmanager
def noted_folder(
    prefix: str, where: Path | None = None, beginnings: tuple[str, ...] = ()
) -> Iterator[Path]:
    """A temporary folder that is removed when the block is left, or by whoever comes after.

    That ends also who has it for temporary files, and removes what files in shared memory, whose
    names begin so, these have.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=where))
    noted = note(folder, beginnings=beginnings)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        forget(noted)
