"""Standard input, output and error as they are found: closed ones, a full one, poor encodings."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import select
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_OUTPUT, _DIAGNOSTICS = 1, 2
LOST = {
    errno.ENOSPC: "No space left on device",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than it may be",
    errno.EIO: "Input/output error",
    errno.EBADF: "it is closed",
}
"""What keeps output from being written, by errno."""


FAILING = ("strict", "surrogateescape")
"""What streams do by themselves, the second in the C locale, where text isn't in their encoding."""


class OutputError(OSError):
    """Standard output didn't take what was written: that of no other file, pipe or socket."""


class Waiting(io.FileIO):
    """A stream that waits where it takes nothing now: who shares it may have it non-blocking."""

    def write(self, text: ReadableBuffer) -> int:
        """Writes what it can, at least one byte; OSError."""
        while (written := super().write(text)) is None:
            select.select((), (self,), ())
        return written


class Output(Waiting):
    """Standard output: its errors are told from all others."""

    def write(self, text: ReadableBuffer) -> int:
        """Writes what it can; OutputError."""
        try:
            return super().write(text)
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from error


class Diagnostics(Waiting):
    """Standard error: what it doesn't take is lost, for nobody is left who could be told."""

    def write(self, text: ReadableBuffer) -> int:
        """Writes what it can; says that it was all."""
        try:
            return super().write(text)
        except OSError:
            return memoryview(text).nbytes


def prepare_streams() -> None:
    """Makes all three usable, so that nobody else's file or socket becomes one of them.

    Standard error never fails from here on; what is written to a standard output that is closed
    fails as on a full disk. A question mark stands for what an encoding lacks, as ASCII lacks a
    micro sign.
    """
    for descriptor in (0, _OUTPUT, _DIAGNOSTICS):
        _open_if_closed(descriptor)
    if sys.stdout is sys.__stdout__:  # None, both, where it was closed
        sys.stdout = _output(sys.stdout)
    if sys.stderr is sys.__stderr__:  # else somebody reads it from within this process
        encoding = getattr(sys.stderr, "encoding", "utf-8")
        sink = io.BufferedWriter(Diagnostics(_DIAGNOSTICS, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(
            sink, encoding=encoding, errors="replace", line_buffering=True
        )
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in FAILING:
        sys.stdout.reconfigure(errors="replace")


def _output(found: TextIO | None) -> TextIO:
    """Standard output that writes as `found` does, with errors of its own."""
    sink = io.BufferedWriter(Output(_OUTPUT, "w", closefd=False))
    if not isinstance(found, io.TextIOWrapper):
        return io.TextIOWrapper(sink, encoding="utf-8")
    at_once = found.line_buffering or found.write_through
    return io.TextIOWrapper(sink, found.encoding, found.errors, line_buffering=at_once)


def _open_if_closed(descriptor: int) -> None:
    """Output is opened for reading: to write there fails, as it did."""
    try:
        os.fstat(descriptor)
    except OSError:
        how = os.O_WRONLY if descriptor == _DIAGNOSTICS else os.O_RDONLY
        os.open(os.devnull, how)  # the lowest number that is free: this one


@contextlib.contextmanager
def flushed_output() -> Iterator[None]:
    """Writes what is left at the end, while what goes wrong can still be said; OutputError.

    What went wrong before goes first: then output that can't be written is dropped.
    """
    try:
        yield
    except BaseException as error:
        if isinstance(error, SystemExit) and not error.code:  # --help, --version
            sys.stdout.flush()
        _flush_or_drop()
        raise
    sys.stdout.flush()


def _flush_or_drop() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        drop_output()


def drop_output() -> None:
    """Writes nowhere what is left, so that the interpreter's end doesn't complain anew."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
