"""A machine of known costs, runs that it states, and what is calibrated from these."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.simulate.calibration import Calibration, calibrated
from leadline.store import load

OWN = """
[[profiles.mpi.collective.bcast]]
least_bytes = 0
send_overhead_s = 0.2e-6
receive_overhead_s = 0.2e-6
gap_s_per_byte = 1e-9

[[profiles.mpi.collective.bcast]]
least_bytes = 3000
send_overhead_s = 5e-6
receive_overhead_s = 5e-6
gap_s_per_byte = 3e-9
"""
NODE = f"""\
name = "node"
summary = "a node whose broadcasts are faster than its messages"
network = "nodes:1x16"
allocation = "first"
cores_per_node = 1
ties = "one way"

[links]
bytes_per_s = 1e9
latency_s = 0

[nic]
latency_s = 0
in_bytes_per_s = 1e9
out_bytes_per_s = 1e9

[profiles.mpi]
summary = "some library"

[profiles.mpi.collectives]
bcast = "linear"
gather = "binomial"

[[profiles.mpi.standard]]
least_bytes = 0
send_overhead_s = 2e-6
receive_overhead_s = 2e-6
gap_s_per_byte = 1e-8
{OWN}
[sources]
network = "a test"
allocation = "a test"
cores_per_node = "a test"
ties = "a test"
links = "a test"
nic = "a test"
profiles = "a test"
"""
SIZES = "8,64,512,1KiB,1536,2KiB,4KiB,8KiB,16KiB,32KiB,64KiB,128KiB,512KiB"


def simulated(directory: Path, text: str, ranks: str, patterns: str) -> Path:
    """A run of times that are known exactly, on the machine of `text`."""
    directory.mkdir(exist_ok=True)
    file, run = directory / "node.toml", directory / "run"
    file.write_text(text)
    told = ["--machine", str(file), "--ranks", ranks, "--patterns", patterns, "--sizes", SIZES]
    assert main(["simulate", *told, "--out", str(run)]) == 0
    return run


def found(run: Path, algorithms: str | None = None) -> Calibration:
    """Calibrated; where told so, all that the run knows of each pattern is `algorithms`."""
    read = load(str(run))
    if algorithms is not None:
        others = [
            replace(one, algorithms=dict.fromkeys(one.algorithms, algorithms))
            for one in read.configurations
        ]
        read = replace(read, configurations=tuple(others))
    return calibrated(Analysis(read), "again", "a test")
