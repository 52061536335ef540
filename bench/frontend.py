"""The front-end's own time: `leadline --help`, and `compare` of two runs of 10^6 batches each.

Goal: help under 0.3 s, compare under 3 s.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from leadline.record.run import Buffers, Cadence, Cell, Configuration, WhoseTime
from leadline.record.slices import Slice
from leadline.store import Journal, finish

BLOCKS, VISITS, BATCHES, SIZES = 8, 4, 652, 24
HELP_LIMIT_S, COMPARE_LIMIT_S = 0.3, 3.0


def measure(trials: int = 5) -> dict[str, object]:
    """Median wall times in seconds over `trials`."""
    with tempfile.TemporaryDirectory() as scratch:
        runs = [
            str(_run_of_a_million(Path(scratch) / name, seed)) for seed, name in enumerate("ab")
        ]
        help_s = statistics.median(_seconds("--help") for _ in range(trials))
        compare_s = statistics.median(_seconds("compare", *runs) for _ in range(trials))
    return {
        "help_s": help_s,
        "compare_s": compare_s,
        "batches_each": 2 * SIZES * BLOCKS * VISITS * BATCHES,
        "limits_s": [HELP_LIMIT_S, COMPARE_LIMIT_S],
        "reached": help_s < HELP_LIMIT_S and compare_s < COMPARE_LIMIT_S,
    }


def _seconds(*words: str) -> float:
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "leadline", *words], stdout=subprocess.DEVNULL, check=False
    )
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"leadline {words[0]} ended with {done.returncode}")
    return time.perf_counter() - begin


def _run_of_a_million(directory: Path, seed: int) -> Path:
    """A finished run of two configurations whose batches are random but plausible."""
    rng = np.random.default_rng(seed)
    cells = [
        Cell("pingpong", 8 << i, Buffers.ECHO, Cadence.STREAMING, 2, WhoseTime.ROOT)
        for i in range(SIZES)
    ]
    with Journal.create(directory, {}) as journal:
        journal.add_cells(cells)
        for name in ("first", "second"):
            index = journal.add_configuration(Configuration(name, name, "1", 2, (0, 1)))
            for block, visit, cell in np.ndindex(BLOCKS, VISITS, SIZES):
                journal.add_slice(_slice(rng, index, cell, block, visit))
        journal.close(True)
    finish(directory)
    return directory


def _slice(rng: np.random.Generator, index: int, cell: int, block: int, visit: int) -> Slice:
    elapsed = rng.normal(50_000, 1_000, (1, BATCHES)).astype(np.int64)
    start = np.cumsum(elapsed, axis=1)
    return Slice(
        index, cell, block, visit, 100, np.zeros(1, np.int32), start, start + elapsed,
        np.zeros((1, BATCHES), np.int32),
    )  # fmt: skip
