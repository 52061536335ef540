"""Repeatability: ten campaigns against ten pairs of IMB-MPI1 PingPong, equal wall time.

Goal, quiet and with a CPU hog beside it: the spread of the tool's library ratio over ten campaigns
is a fifth or less of the spread of the ratio of IMB's two results; its absolute values spread no
more than IMB's. Spread: standard deviation of the logarithm. Campaigns and IMB take turns; IMB runs
over MPICH too, whose standard ABI its binary accepts.
"""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from bench.imb import imb_for
from bench.live import measure as run_campaign
from bench.live import mpi_backends, variant_of
from leadline.backends.backend import Backend
from leadline.compare.verdict import logarithms
from leadline.statistics.intervals import median

REPEATS, BLOCKS, SIZE = 10, 8, 8
LIMIT = 0.2
HOG = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"


def measure() -> dict[str, object]:
    """Spreads of ratio and absolute values, quiet and with a hog."""
    backends = mpi_backends()
    first, second = backends["impi"], backends["mpich"]
    quiet = _spreads(first, second)
    with _hog():
        hogged = _spreads(first, second)
    reached = all(
        s["tool_ratio"] <= LIMIT * s["imb_ratio"] and s["tool_absolute"] <= s["imb_absolute"]
        for s in (quiet, hogged)
    )
    return {"quiet": quiet, "with a hog": hogged, "limit": LIMIT, "reached": reached}


@contextmanager
def _hog() -> Iterator[None]:
    """A process that burns the second allowed core."""
    core = sorted(os.sched_getaffinity(0))[1]
    process = subprocess.Popen([sys.executable, "-c", HOG, str(core)])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _spreads(first: Backend, second: Backend) -> dict[str, float]:
    tool: list[tuple[float, float]] = []
    imb: list[tuple[float, float]] = []
    variants = [variant_of(first, "first"), variant_of(second, "second")]
    for repeat in range(REPEATS):
        begin = time.monotonic()
        medians = run_campaign(
            variants, ["pingpong"], [SIZE], budget_s=8.0, blocks=BLOCKS, seed=repeat
        )
        took = time.monotonic() - begin
        ratio = medians.ratio("second", "first", 0).value
        blocks = np.nanmedian(medians.by_variant["first"][0], axis=1)
        centre = math.exp(median(logarithms(blocks)).value)
        tool.append((ratio, centre))
        imb.append((imb_for(first, SIZE, took / 2), imb_for(second, SIZE, took / 2)))
    return {
        "tool_ratio": _spread([ratio for ratio, _ in tool]),
        "imb_ratio": _spread([b / a for a, b in imb]),
        "tool_absolute": _spread([centre for _, centre in tool]),
        "imb_absolute": _spread([a for a, _ in imb]),
    }


def _spread(values: list[float]) -> float:
    return statistics.stdev(math.log(value) for value in values)
