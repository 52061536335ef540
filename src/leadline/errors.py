"""Errors that a user can act on; every one says what, where, the value seen and the remedy."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Iterable, Iterator, Sequence

NEAR = 0.5
"""Of two names, by their matching characters: "mpi" is near "mpich", "nonsense" isn't "openmpi"."""


class LeadlineError(Exception):
    """Root of all errors that reach the user as one message, without a traceback."""

    exit_status = 1


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


@contextlib.contextmanager
def naming(words: str) -> Iterator[None]:
    """A UsageError that is raised inside says first what it is of: `words`."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{words}: {error}") from None


def unknown_name(what: str, seen: str, valid: Iterable[str]) -> UsageError:
    """A UsageError for the unknown name `seen`, with the nearest valid one."""
    names = sorted(map(str, valid))
    near = difflib.get_close_matches(seen, names, n=1, cutoff=NEAR)
    hint = f"did you mean {near[0]!r}?" if near else f"choose from: {', '.join(names)}"
    return UsageError(f"unknown {what} {seen!r}; {hint}")
