"""What a command of the tool takes: seconds, and the most memory that it holds.

A small process starts it (python -m bench.spent ARGUMENTS), since the system counts the memory of
whoever starts a command as the command's.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence


def spent(arguments: Sequence[str]) -> tuple[float, int]:
    """Seconds and most resident bytes of `leadline ARGUMENTS`; RuntimeError where it fails."""
    command = [sys.executable, "-m", "bench.spent", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"leadline {' '.join(arguments)} failed: {done.stderr[-300:]}")
    took_s, peak_bytes = json.loads(done.stdout)
    return took_s, peak_bytes


def _run(arguments: Sequence[str]) -> int:
    """Prints both, and returns the command's exit status."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "leadline", *arguments]
    status = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    took_s = time.perf_counter() - begin
    print(json.dumps([took_s, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024]))
    return status


if __name__ == "__main__":
    sys.exit(_run(sys.argv[1:]))
