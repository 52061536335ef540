"""Process that stops those of an emulated host for a share of each 100 ms, until it is ended.

python -m leadline.hosts.emulated.pausing KEEPER SHARE
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from types import FrameType

from leadline.hosts.emulated.namespaces import namespaces_of, pids

PERIOD_S = 0.1
BEGUN = "begun"
"""Printed once, when they are stopped for the first time."""


def main(holder: int, share: float) -> None:
    """Stops and continues the host's processes until its holder ends, or by SIGTERM.

    They go on afterwards.
    """

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit

    signal.signal(signal.SIGTERM, end)
    mine, has_begun = namespaces_of(holder), False
    try:
        while mine and namespaces_of(holder) == mine:
            _send(holder, mine, signal.SIGSTOP)
            if not has_begun:
                has_begun = True
                print(BEGUN, flush=True)
            time.sleep(share * PERIOD_S)
            _send(holder, mine, signal.SIGCONT)
            time.sleep((1 - share) * PERIOD_S)
    finally:
        _send(holder, mine, signal.SIGCONT)


def _send(holder: int, namespaces: frozenset[str], number: signal.Signals) -> None:
    for pid in pids():
        if pid != holder and namespaces_of(pid) & namespaces:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
