"""The process that a command runs in: what it must be allowed, what ends it, its standard streams.

What ends a command does so as Ctrl-C does, so that what it has is kept and what it started ends.
Standard input, output and error are as they are found: closed ones, a full one, poor encodings.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import resource
import select
import signal
import sys
import termios
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from leadline.errors import MachineError
from leadline.units import format_size

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

LEAST_ADDRESS_SPACE_BYTES = 2**31
"""Below 1.4 GiB a thread of DuckDB or OpenBLAS may get no memory of its own and end the process;
below half a GiB they crash as they are loaded, or take files for damaged."""


def check_address_space() -> None:
    """MachineError where so little may be allocated that libraries end without a word."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if 0 <= allowed < LEAST_ADDRESS_SPACE_BYTES:
        raise MachineError(
            f"this process may have {format_size(allowed)} of addresses; allow at least "
            f"{format_size(LEAST_ADDRESS_SPACE_BYTES)} (ulimit -v "
            f"{LEAST_ADDRESS_SPACE_BYTES // 1024})"
        )


_OUTPUT, _DIAGNOSTICS = 1, 2
"""Descriptors of standard output and standard error."""
_CAME: list[int] = []
"""The signals that interrupted this process."""


def end_as_by_ctrl_c() -> None:
    """Has SIGTERM, a batch system's limit, and SIGHUP, a terminal that closes, interrupt.

    Those that this process was started to ignore stay ignored, as nohup wants it.
    """
    endings = {signal.SIGTERM: _interrupt, signal.SIGHUP: _hung_up}
    for number, handler in endings.items():
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, handler)


def heed_ctrl_c() -> None:
    """Has SIGINT interrupt, unless this process was started to ignore it, as a shell's & has it."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _interrupt)


def was_interrupted() -> bool:
    """Whether one of these signals came, whatever became of the KeyboardInterrupt that it was."""
    return bool(_CAME)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    _CAME.append(number)
    raise KeyboardInterrupt


def _hung_up(number: int, frame: FrameType | None) -> NoReturn:
    """Interrupts once: both shell and kernel say that a terminal closes, and ending takes time."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    for descriptor in (_OUTPUT, _DIAGNOSTICS):
        try:
            termios.tcgetattr(descriptor)
        except termios.error as error:
            if error.args[0] == errno.EIO:  # a terminal that has closed: writing to it would fail
                os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    _interrupt(number, frame)


LOST = {
    errno.ENOSPC: "No space left on device",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than it may be",
    errno.EIO: "Input/output error",
    errno.EBADF: "it is closed",
}
"""Why output can't be written, by errno."""
FAILING = ("strict", "surrogateescape")
"""What streams do by themselves, the second in the C locale, where text isn't in their encoding."""


class OutputError(OSError):
    """Standard output didn't take what was written: that of no other file, pipe or socket."""


class Waiting(io.FileIO):
    """A stream that waits where it takes nothing now, as when others set it non-blocking."""

    def write(self, text: ReadableBuffer) -> int:
        """Writes what it can, at least one byte; OSError."""
        while (written := super().write(text)) is None:
            select.select((), (self,), ())
        return written


class Output(Waiting):
    """Standard output: its errors are distinguished from all others."""

    def write(self, text: ReadableBuffer) -> int:
        """Writes what it can; OutputError."""
        try:
            return super().write(text)
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from error


class Diagnostics(Waiting):
    """Standard error: what it doesn't take is lost, as there is nowhere left to report it."""

    def write(self, text: ReadableBuffer) -> int:
        """Writes what it can; returns as if it were all."""
        try:
            return super().write(text)
        except OSError:
            return memoryview(text).nbytes


def prepare_streams() -> None:
    """Opens closed standard streams, so that no other file or socket becomes one of them.

    Standard error never fails from here on; what is written to a standard output that is closed
    fails as on a full disk. A question mark stands for what an encoding lacks, as ASCII lacks a
    micro sign.
    """
    for descriptor in (0, _OUTPUT, _DIAGNOSTICS):
        try:
            os.fstat(descriptor)
        except OSError:  # it is closed
            # standard output is opened for reading, so that writing to it still fails
            how = os.O_WRONLY if descriptor == _DIAGNOSTICS else os.O_RDONLY
            os.open(os.devnull, how)  # the lowest number that is free: this one
    if sys.stdout is sys.__stdout__:  # None, both, where it was closed
        found = sys.stdout
        output = io.BufferedWriter(Output(_OUTPUT, "w", closefd=False))
        if isinstance(found, io.TextIOWrapper):
            at_once = found.line_buffering or found.write_through
            sys.stdout = io.TextIOWrapper(
                output, found.encoding, found.errors, line_buffering=at_once
            )
        else:
            sys.stdout = io.TextIOWrapper(output, encoding="utf-8")
    if sys.stderr is sys.__stderr__:  # else somebody reads it from within this process
        encoding = getattr(sys.stderr, "encoding", "utf-8")
        sink = io.BufferedWriter(Diagnostics(_DIAGNOSTICS, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(
            sink, encoding=encoding, errors="replace", line_buffering=True
        )
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in FAILING:
        sys.stdout.reconfigure(errors="replace")


@contextlib.contextmanager
def flushed_output() -> Iterator[None]:
    """A context: writes what is left at its end, while errors can still be reported; OutputError.

    An error inside goes first: then output that can't be written is dropped.
    """
    try:
        yield
    except BaseException as error:
        if isinstance(error, SystemExit) and not error.code:  # --help, --version
            sys.stdout.flush()
        try:
            sys.stdout.flush()
        except OSError:
            drop_output()
        raise
    sys.stdout.flush()


def drop_output() -> None:
    """Discards what is left, so that the interpreter doesn't complain again as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
