"""What ends a command as Ctrl-C does, so that what it has is kept and what it started ends."""

from __future__ import annotations

import errno
import os
import signal
import termios
from types import FrameType
from typing import NoReturn

_WRITTEN_TO = (1, 2)
"""Standard output and error."""
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
    for descriptor in filter(_is_gone, _WRITTEN_TO):
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    _interrupt(number, frame)


def _is_gone(descriptor: int) -> bool:
    """Whether it was a terminal that has closed: what is written to it would fail."""
    try:
        termios.tcgetattr(descriptor)
    except termios.error as error:
        return bool(error.args[0] == errno.EIO)
    return False
