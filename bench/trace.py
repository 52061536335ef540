"""Tracing: the whole command for each pattern with 64 ranks, start-up included.

An application solves its smallest class, with fewer ranks where so many can't share it. Goal: at
most 5 s for any pattern.
"""

from __future__ import annotations

import subprocess
import sys
import time

from bench.live import local_backend
from leadline.kernels.build import build_kernel, describe
from leadline.patterns.pattern import Pattern

RANKS, LIMIT_S = 64, 5.0
SIZE = 960
"""A multiple of what every pattern's elements take."""


def measure() -> dict[str, object]:
    """What each pattern takes in seconds, the slowest first."""
    kernel = build_kernel(local_backend("trace"))
    patterns = describe(kernel).patterns
    found = {
        name: _seconds(name, one) for name, one in patterns.items() if one.algorithm != "absent"
    }
    slowest_first = sorted(found, key=lambda name: -found[name])
    return {
        "ranks": RANKS,
        "rows": [{"pattern": name, "seconds": found[name]} for name in slowest_first],
        "limit_s": LIMIT_S,
        "reached": found[slowest_first[0]] <= LIMIT_S,
    }


def _ranks(pattern: Pattern) -> int:
    if pattern.application is None:
        return RANKS
    return min(RANKS, next(iter(pattern.application.problems.values())).most_ranks)


def words_for(name: str, pattern: Pattern) -> list[str]:
    """Of `leadline trace`, of this pattern: a size only where it has sizes."""
    words = ["--patterns", name, "--ranks", str(_ranks(pattern)), "--json"]
    if pattern.granularity and pattern.application is None:
        words += ["--sizes", str(SIZE)]
    return words


def _seconds(name: str, pattern: Pattern) -> float:
    command = [sys.executable, "-m", "leadline", "trace", *words_for(name, pattern)]
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin
