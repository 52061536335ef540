"""Writing that survives a kill, with a clear message when the disk doesn't take it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from leadline.errors import MachineError, UsageError

_UNLOCKABLE = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)


def refused(path: Path, reason: str) -> MachineError:
    """MachineError that `path` can't be written, and why."""
    return MachineError(
        f"{path}: can't write: {reason}; what was recorded before is kept. Free or choose another "
        "disk; `leadline run --resume DIR` goes on with an interrupted run"
    )


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system refuses inside (full disk, no permission) into a MachineError."""
    try:
        yield
    except OSError as error:
        raise refused(path, error.strerror or str(error)) from None


def append(descriptor: int, text: bytes, path: Path) -> None:
    """Add `text` to the end of the open file `path` and sync it; all of it or, failing, nothing.

    Raises:
        MachineError: the disk is full, over quota or broken.
    """
    with writing(path):
        before = os.fstat(descriptor).st_size
        try:
            rest = memoryview(text)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        except BaseException:  # Ctrl-C too: a line on the disk would be numbered twice
            with contextlib.suppress(OSError):  # a reader copes with half a line, too
                os.ftruncate(descriptor, before)
            raise


def sync(path: Path) -> None:
    """Make sure that the file or directory `path` is on the disk, not only in memory."""
    with writing(path):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep campaigns from writing to the file `path` meanwhile.

    Raises:
        UsageError: one is writing to it.
    """
    with writing(path):
        descriptor = os.open(path, os.O_RDWR)
    try:
        lock(descriptor, path)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path`, which it replaces, synced, if nothing fails.

    What lies there, a link that leads elsewhere or what a kill left, is removed first.
    """
    temporary = path.with_name(f".{path.name}.new")
    with writing(path):
        temporary.unlink(missing_ok=True)
    try:
        yield temporary
        sync(temporary)
        with writing(path):
            temporary.replace(path)
        sync(path.parent)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def lock(descriptor: int, path: Path) -> bool:
    """Lock an open file until it is closed; False where the file system has no locks.

    Raises:
        UsageError: another campaign holds it.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            f"{path} is being written by another campaign; wait for its end or give another --out"
        ) from None
    except OSError as error:
        if error.errno in _UNLOCKABLE:
            return False
        raise refused(path, error.strerror or str(error)) from None
    return True
