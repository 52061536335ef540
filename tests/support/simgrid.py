"""The tool's kernel under SimGrid, on a switch whose times are easily computed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from harness.patience import PATIENCE_S

from leadline.backends.discovery.smpi import find_smpi
from leadline.backends.launchers import JobStep
from leadline.backends.launchers.mpiexec import Smpirun
from leadline.kernels.build import build_kernel
from leadline.kernels.messages import Message, read_records

RATE = 1e8
"""Of each link, bytes/s."""
LATENCY_S = 1e-5
"""Of each of the two links between two hosts."""
ENVELOPE_BYTES = 16
"""That SMPI sends with each message."""
_SWITCH = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="switch" prefix="h" suffix="" radical="0-{last}" speed="1Gf" bw="{rate:.0f}Bps"
           lat="{latency}s"/>
</platform>
"""
_PURE = (
    "smpi/simulate-computation:0", "smpi/wtime:0", "smpi/lat-factor:0:1", "smpi/bw-factor:0:1",
    "network/weight-S:0", "network/TCP-gamma:1e15", "network/crosstraffic:0",
)  # fmt: skip
SLICE = "repetitions=4 slice_ns=0 max_batches=3 warm_up_ns=0"


def words_for(ranks: int, folder: Path) -> tuple[str, ...]:
    """What smpirun is told of a switch with a host a rank."""
    platform, hosts = folder / "switch.xml", folder / "hosts"
    platform.write_text(_SWITCH.format(last=ranks - 1, rate=RATE, latency=LATENCY_S))
    hosts.write_text("".join(f"h{rank}\n" for rank in range(ranks)))
    options = [f"--cfg={one}" for one in _PURE]
    return ("-platform", str(platform), "-hostfile", str(hosts), *options)


def simulate(lines: tuple[str, ...], ranks: int, folder: Path) -> list[list[Message]]:
    """What each rank of the kernel said, obeying a script of `lines`."""
    backend = find_smpi()
    assert backend.usable, backend.reason
    script = folder / "script"
    script.write_text("\n".join([*(f"{SLICE} {line}" for line in lines), "end\n"]))
    words = ("--script", str(script), "--records", str(folder / "records"))
    step = JobStep(str(build_kernel(backend)), words, ranks, {}, words_for(ranks, folder))
    (command,) = Smpirun(backend).commands(step)
    around = os.environ | dict(command.environment)
    subprocess.run(command.argv, env=around, timeout=PATIENCE_S, check=True, capture_output=True)
    return [read_records(folder / f"records.{rank}") for rank in range(ranks)]
