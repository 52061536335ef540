"""Errors that a user can act on; every one says what, where, the value seen and the remedy."""

from __future__ import annotations

import contextlib
import difflib
import errno
import re
from collections.abc import Iterable, Iterator, Sequence

NEAR = 0.5
"""Of two names, by their matching characters: "mpi" is near "mpich", "nonsense" isn't "openmpi"."""
SLIP = 0.85
"""Likewise, where others have names of their own: "bsh" is a slip for "bash", "tcsh" isn't one for
"zsh"."""
LINES = "\n"
CELLS = "\n\t"
"""What data may have between quotation marks."""
_PERHAPS = re.compile(r"[^ -~]")
"""Nearly no character: the rest is looked at one by one."""
_REMEDIES = {
    errno.EACCES: "allow its use (permissions), or name another",
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


def printable(text: str, kept: str = LINES) -> str:
    """`text` with what can't be printed as Python escapes it, ESC by its number.

    That is control characters but those `kept`, which a terminal would obey, what turns the
    direction of writing, and bytes that no encoding has.
    """
    if text.isprintable():  # nearly always
        return text

    def shown(match: re.Match[str]) -> str:
        one = match[0]
        return one if one in kept or one.isprintable() else one.encode("unicode_escape").decode()

    return _PERHAPS.sub(shown, text)


class LeadlineError(Exception):
    """Root of all errors that reach the user as one message, without a traceback."""

    exit_status = 1

    def __str__(self) -> str:
        """The message; what it quotes of a file, a compiler or a library steers no terminal."""
        return printable(super().__str__(), CELLS)


class UsageError(LeadlineError):
    """The command line asks for something that doesn't exist or can't be."""

    exit_status = 2


class BudgetError(UsageError):
    """A budget without room for anything."""

    def __init__(self, message: str, least_s: float) -> None:
        """`least_s` seconds would do."""
        super().__init__(message)
        self.least_s = least_s


class MachineError(LeadlineError):
    """The machine lacks something: a compiler, memory, disk, a package index."""


class FileError(LeadlineError):
    """A file can't be read: names it and, where there is one, the line."""

    exit_status = 2

    def __init__(self, file: str, line: int | None, problem: str) -> None:
        """Keeps `file` and the 1-based `line` (None: the file as a whole) beside the message."""
        self.file, self.line = file, line
        super().__init__(f"{file}{f':{line}' if line is not None else ''}: {problem}")


class RecordError(FileError):
    """A stored run, or what is to become one, isn't as its format says."""


class BuildError(LeadlineError):
    """A kernel didn't compile: the command and the first lines of what the compiler said."""

    def __init__(self, argv: Sequence[str], output: str) -> None:
        """Keeps the compiler's `argv` and `output`."""
        self.argv, self.output = tuple(argv), output
        first = "\n".join(output.splitlines()[:5]) or "(no output)"
        super().__init__(f"building a kernel failed: {' '.join(argv)}\n{first}")


class LaunchError(LeadlineError):
    """A launch didn't come up or ended early: what was started and how it ended."""

    code = "launch"
    """Of the failure that it is."""

    def __init__(
        self, problem: str, argv: Sequence[str], status: int | None, stderr_tail: str
    ) -> None:
        """Keeps `argv`, the exit `status` (None: still running) and the end of stderr."""
        self.argv, self.status, self.stderr_tail = tuple(argv), status, stderr_tail
        tail = f"\n{stderr_tail}" if stderr_tail else ""
        super().__init__(f"{problem} ({' '.join(argv)}){tail}")


def refusal(error: OSError) -> str | None:
    """One line on what the machine refused, and the remedy; None: it has none for `error`."""
    remedy = _REMEDIES.get(error.errno or 0)
    if remedy is None:
        return None
    where = f"{error.filename}: " if error.filename is not None else ""
    return f"{where}{error.strerror}; {remedy}"


@contextlib.contextmanager
def naming(words: str) -> Iterator[None]:
    """A UsageError that is raised inside says first what it is of: `words`."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{words}: {error}") from None


def unknown_name(
    what: str,
    seen: str,
    valid: Iterable[str],
    otherwise: str = "",
    in_order: bool = False,
    cutoff: float = NEAR,
) -> UsageError:
    """A UsageError for the unknown name `seen`, with the nearest valid one.

    Where none is near, with all of them, or with what `otherwise` says. `in_order`: the names have
    an order of their own, as sizes from small to large. Near is what matches by `cutoff` at least.
    """
    names = list(map(str, valid)) if in_order else sorted(map(str, valid))
    near = [name for name in names if name.casefold() == seen.casefold()]
    near = near or difflib.get_close_matches(seen, names, n=1, cutoff=cutoff)
    every = otherwise or f"choose from: {', '.join(names)}"
    hint = f"did you mean {near[0]!r}?" if near else every
    return UsageError(f"unknown {what} {seen!r}; {hint}")
