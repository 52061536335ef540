"""The page of a run: its size, what writing it takes, and the time to first plot.

Goals for a run of 10^5 batches: under 3 MB; under 3 s from navigation to the first plot, opened
from disk in Chromium. For the run of the widest suite: `leadline report` in 8 s and 4 GiB, 2.5 MB,
first plot within 1.2 s.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from harness.browser import Browser

from bench.spent import spent
from leadline.record.run import Buffers, Cadence, Cell, Configuration, WhoseTime
from leadline.record.slices import Slice
from leadline.store import Journal, finish

VARIANTS, PATTERNS, SIZES, BLOCKS, BATCHES = 4, 13, 12, 8, 21
FIRST_PLOT = "performance.getEntriesByName('first plot')[0]?.startTime ?? null"
TRIALS = 5


@dataclass(frozen=True, slots=True)
class Figures:
    """What one page costs, or may cost."""

    page_bytes: int
    first_plot_s: float
    report_s: float = float("inf")
    """The whole of `leadline report`, start-up included."""
    peak_bytes: float = float("inf")

    def within(self, goals: Figures) -> bool:
        """Whether no figure is beyond its goal."""
        pairs = zip(asdict(self).values(), asdict(goals).values(), strict=True)
        return all(figure <= goal for figure, goal in pairs)


GOALS = {
    "small": Figures(3_000_000, 3.0),
    "widest": Figures(2_500_000, 1.2, 8.0, 4 * 2**30),
}


def measure() -> dict[str, object]:
    """The figures of both runs, and whether each is within its goals."""
    writers: dict[str, Callable[[Path], object]] = {"small": _write_small, "widest": _write_widest}
    found = {name: _figures(write) for name, write in writers.items()}
    return {
        **{name: asdict(figures) for name, figures in found.items()},
        "limits": {name: asdict(goals) for name, goals in GOALS.items()},
        "reached": all(figures.within(GOALS[name]) for name, figures in found.items()),
    }


def _figures(write: Callable[[Path], object]) -> Figures:
    """Of the run that `write` puts into a directory."""
    with tempfile.TemporaryDirectory() as scratch:
        run, page = Path(scratch) / "run", Path(scratch) / "page.html"
        write(run)
        report_s, peak_bytes = spent(["report", str(run), "--out", str(page)])
        return Figures(
            page.stat().st_size,
            statistics.median(_first_plot_s(page) for _ in range(TRIALS)),
            report_s,
            peak_bytes,
        )


def _first_plot_s(page: Path) -> float:
    """In a browser of its own, so that nothing is cached."""
    with Browser() as browser:
        browser.open(page)
        until = time.monotonic() + 30
        while (found := browser.evaluate(FIRST_PLOT)) is None:
            if time.monotonic() > until:
                raise RuntimeError("no plot within 30 s")
    return float(found) / 1000


def _write_widest(directory: Path) -> None:
    """In a process of its own: a child's peak of memory is at least what its parent has."""
    command = [sys.executable, "-m", "bench.widest", str(directory)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def _write_small(directory: Path) -> None:
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


def _slice(rng: np.random.Generator, index: int, cell: int, block: int) -> Slice:
    level = 20_000 * (2 + index) * 1.5 ** (cell % SIZES)
    elapsed = (level * rng.lognormal(0, 0.05, (1, BATCHES))).astype(np.int64)
    start = np.cumsum(elapsed, axis=1)
    flags = np.zeros((1, BATCHES), np.int32)
    return Slice(index, cell, block, 0, 20, np.zeros(1, np.int32), start, start + elapsed, flags)
