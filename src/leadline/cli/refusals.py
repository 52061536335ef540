"""What the machine refuses, in one line with its remedy: files, names, limits of a process."""

from __future__ import annotations

import errno
import resource

from leadline.errors import MachineError
from leadline.units import format_size

LEAST_ADDRESS_SPACE_BYTES = 2**30
"""Below half of it the numeric libraries crash as they are loaded, or take files for damaged."""
_REMEDIES = {
    errno.EACCES: "allow it to be read and written, or name another",
    errno.EPERM: "allow it, or name another",
    errno.ENAMETOOLONG: "give a shorter name",
    errno.ELOOP: "its links lead to one another; name another",
    errno.ENOTDIR: "a part of its name is no directory; name another",
    errno.EISDIR: "it is a directory; name a file",
    errno.EROFS: "name one on another disk",
    errno.ENOSPC: "make room, or name one on another disk",
    errno.EDQUOT: "make room, or name one on another disk",
    errno.EFBIG: "allow larger files (ulimit -f)",
    errno.EIO: "the disk fails, or its host is gone",
    errno.ESTALE: "the disk fails, or its host is gone",
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "all processes together have too many open; end some",
    errno.ENOMEM: "free memory, or allow more (ulimit -v)",
    errno.EAGAIN: "allow more processes (ulimit -u)",
}
"""By errno: what is the machine's, or the user's, to change."""


def refusal(error: OSError) -> str | None:
    """One line on what the machine refused, and the remedy; None: it has none for `error`."""
    remedy = _REMEDIES.get(error.errno or 0)
    if remedy is None:
        return None
    where = f"{error.filename}: " if error.filename is not None else ""
    return f"{where}{error.strerror}; {remedy}"


def check_address_space() -> None:
    """MachineError where so little may be allocated that libraries end without a word."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if 0 <= allowed < LEAST_ADDRESS_SPACE_BYTES:
        raise MachineError(
            f"this process may have {format_size(allowed)} of addresses; allow at least "
            f"{format_size(LEAST_ADDRESS_SPACE_BYTES)} (ulimit -v "
            f"{LEAST_ADDRESS_SPACE_BYTES // 1024})"
        )
