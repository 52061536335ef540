"""What a command of the tool takes: seconds, and the most memory that it holds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence


def spent(arguments: Sequence[str]) -> tuple[float, int]:
    """Seconds and most resident bytes of `leadline ARGUMENTS`; RuntimeError where it fails."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "leadline", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return time.perf_counter() - begin, usage.ru_maxrss * 1024
