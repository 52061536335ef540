"""The program: `python -m leadline`, and what the command `leadline` starts.

Until everything is imported nothing can be lost: Ctrl-C then ends it at once, with one line.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
SAID = b"leadline: interrupted\n"


def program() -> int:
    """Runs the command that the process's words ask for; its exit status, whatever happens."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as a shell's & has it
        signal.signal(signal.SIGINT, _end_at_once)
    from leadline.cli.last_resort import guarded

    try:
        return guarded()
    finally:  # nobody is left who would answer for an exception
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        _forget_interrupts()


def _end_at_once(number: int, frame: FrameType | None) -> None:
    """Not by an exception: half an import would make another one of it, or swallow it."""
    try:
        os.write(2, SAID)
    finally:
        os._exit(INTERRUPTED)


def _forget_interrupts() -> None:
    """Has the exit status count.

    Of a KeyboardInterrupt that passed an exec of text, such as dataclasses make their methods by,
    Python remembers until the next that nobody dealt with it, and ends `python -m` by SIGINT.
    """
    exec("")


if __name__ == "__main__":
    sys.exit(program())
