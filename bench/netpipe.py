"""NetPIPE over PVM (Debian's netpipe-pvm), which asks for direct routes, on cores 0 and 1."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.kinds import launcher_for
from leadline.backends.launchers import JobStep
from leadline.backends.preparation import prepare

ROW = re.compile(r"^\s*(\d+)\s+[\d.]+\s+([\d.]+)\s*$", re.MULTILINE)
SETTLE_S = 0.5
"""What the receiver takes to enrol, generously: NetPIPE doesn't wait for it."""


def netpipe_us(backend: Backend, size_bytes: int) -> float | None:
    """The half round trip of `size_bytes` in microseconds; None where NetPIPE isn't installed."""
    if shutil.which("NPpvm") is None:
        return None
    with tempfile.TemporaryDirectory(prefix="leadline-") as folder:
        step = prepare(backend, JobStep("NPpvm", (), 2, {}, (), folder=folder))
        daemon, *_ = launcher_for(backend).commands(step)
        environment = os.environ | dict(daemon.environment)
        with subprocess.Popen(daemon.argv, env=environment, stdout=subprocess.DEVNULL) as pvmd:
            try:
                time.sleep(SETTLE_S)
                return _measured(environment, Path(folder) / "out", size_bytes)
            finally:
                pvmd.terminate()


def _measured(environment: Mapping[str, str], out: Path, size_bytes: int) -> float:
    """Both ends are told the same; the one that is told a host begins."""
    size = str(size_bytes)
    ends = ["NPpvm", "-l", size, "-u", size, "-p", "0", "-o", str(out)]
    with subprocess.Popen(
        ["timeout", "-k", "1", "60", "taskset", "-c", "1", *ends],
        env=environment,
        stdout=subprocess.DEVNULL,
    ):
        time.sleep(SETTLE_S)
        done = subprocess.run(
            ["timeout", "-k", "1", "60", "taskset", "-c", "0", *ends, "-h", "localhost"],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    times = {int(size): float(seconds) * 1e6 for size, seconds in ROW.findall(out.read_text())}
    if size_bytes not in times:
        raise RuntimeError(f"NPpvm said: {done.stdout[-300:]}{done.stderr[-300:]}")
    return times[size_bytes]
