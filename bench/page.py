"""The page of a run of 10^5 batches: its size, what writing it takes, and the time to first plot.

Goals: under 3 MB; under 3 s from navigation to the first plot, opened from disk in Chromium.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.browser import Browser
from leadline.record.run import Buffers, Cadence, Cell, Configuration, Slice, WhoseTime
from leadline.store import Journal, finish

VARIANTS, PATTERNS, SIZES, BLOCKS, BATCHES = 4, 13, 12, 8, 21
LIMIT_BYTES, LIMIT_S = 3_000_000, 3.0
FIRST_PLOT = "performance.getEntriesByName('first plot')[0]?.startTime ?? null"


def measure(trials: int = 5) -> dict[str, object]:
    """Bytes of the page, seconds of `leadline report`, and the median time to first plot."""
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch) / "page.html"
        run = _run(Path(scratch) / "run")
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "leadline", "report", run, "--out", page],
            stderr=subprocess.DEVNULL,
            check=True,
        )
        report_s = time.perf_counter() - begin
        size_bytes = page.stat().st_size
        first_plot_s = statistics.median(_first_plot_s(page) for _ in range(trials))
    return {
        "batches": VARIANTS * PATTERNS * SIZES * BLOCKS * BATCHES,
        "page_bytes": size_bytes,
        "report_s": report_s,
        "first_plot_s": first_plot_s,
        "limits": [LIMIT_BYTES, LIMIT_S],
        "reached": size_bytes < LIMIT_BYTES and first_plot_s < LIMIT_S,
    }


def _first_plot_s(page: Path) -> float:
    """In a browser of its own, so that nothing is cached."""
    with Browser() as browser:
        browser.open(page)
        until = time.monotonic() + 30
        while (found := browser.evaluate(FIRST_PLOT)) is None:
            if time.monotonic() > until:
                raise RuntimeError("no plot within 30 s")
    return float(found) / 1000


def _run(directory: Path) -> Path:
    """A finished run whose batches are random but plausible."""
    rng = np.random.default_rng(1)
    cells = [
        Cell(f"pattern{k}", 8 << i, Buffers.ECHO, Cadence.STREAMING, 1, WhoseTime.ROOT)
        for k, i in np.ndindex(PATTERNS, SIZES)
    ]
    with Journal.create(directory, {}) as journal:
        journal.add_cells(cells)
        for variant in range(VARIANTS):
            name = f"library{variant}"
            index = journal.add_configuration(Configuration(name, name, "1", 2, (0, 1)))
            for block, cell in np.ndindex(BLOCKS, len(cells)):
                journal.add_slice(_slice(rng, index, cell, block))
        journal.close(True)
    finish(directory)
    return directory


def _slice(rng: np.random.Generator, index: int, cell: int, block: int) -> Slice:
    level = 20_000 * (2 + index) * 1.5 ** (cell % SIZES)
    elapsed = (level * rng.lognormal(0, 0.05, (1, BATCHES))).astype(np.int64)
    start = np.cumsum(elapsed, axis=1)
    flags = np.zeros((1, BATCHES), np.int32)
    return Slice(index, cell, block, 0, 20, np.zeros(1, np.int32), start, start + elapsed, flags)
