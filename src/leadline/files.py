"""Where this tool keeps its files, and how it reads those that users name."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from leadline.errors import MachineError, UsageError

FileState = tuple[int, ...]
"""What tells a file from one that is put in its place."""
MOST_BYTES = 2**28
"""Of a file that a user names: further than that none is read that doesn't end."""


# -- what is the user's: the XDG base directory specification --------------------------------------


def home() -> Path:
    """This user's, by $HOME or the system's list of users; MachineError where neither has one."""
    try:
        return Path.home()
    except RuntimeError:
        raise MachineError(
            f"user {os.getuid()} has no home directory; set HOME to a directory of yours"
        ) from None


def _directory(variable: str, default: str) -> Path:
    """The specification wants relative values ignored."""
    root = Path(os.environ.get(variable, ""))
    return (root if root.is_absolute() else home() / default) / "leadline"


def cache_directory() -> Path:
    """What can be made again: kernels, and what compiler wrappers answered."""
    return _directory("XDG_CACHE_HOME", ".cache")


def config_directory() -> Path:
    """What the user wrote: config.toml."""
    return _directory("XDG_CONFIG_HOME", ".config")


def data_directory() -> Path:
    """What the user asked for: the libraries that `leadline get` installed."""
    return _directory("XDG_DATA_HOME", ".local/share")


def state_directory() -> Path:
    """What is to outlive a command, and nobody misses: reports on faults, what was started."""
    return _directory("XDG_STATE_HOME", ".local/state")


# -- what users name -------------------------------------------------------------------------------


def read_bytes(path: str | Path, most_bytes: int = MOST_BYTES) -> bytes:
    """All that is in it; OSError where it can't be read, or doesn't end, as /dev/zero."""
    with Path(path).open("rb") as file:
        found = file.read(most_bytes + 1)
    if len(found) > most_bytes:
        raise OSError(errno.EFBIG, f"has more than {most_bytes // 2**20} MiB; give another file")
    return found


def real(path: str | Path) -> Path:
    """Where `path` leads, its links followed; a link to itself, unlike by Path.resolve, to itself.

    Python 3.11 raises a RuntimeError for such a link; opening it says what it is.
    """
    return Path(os.path.realpath(path))


def open_plain(path: str | Path) -> BinaryIO:
    """The plain file `path`, to be read; OSError for what else is there, a pipe or a device.

    Opening a pipe would wait for its writer, reading a device may never end.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OSError(errno.EINVAL, "is no file but a pipe or a device", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_plain(path: str | Path) -> bytes:
    """All that is in the plain file `path`; OSError as `open_plain` has it."""
    with open_plain(path) as file:
        return file.read()


def read_text(path: str | Path, most_bytes: int = MOST_BYTES) -> str:
    """Its text; UsageError where it can't be read, is too long or no text in UTF-8."""
    try:
        return read_bytes(path, most_bytes).decode()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not a text file") from None


# -- what is remembered of files -------------------------------------------------------------------


def file_state(path: Path) -> FileState:
    """What tells a file from one that is put in its place: device, inode, size and time.

    Empty for one that can't be found.
    """
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
