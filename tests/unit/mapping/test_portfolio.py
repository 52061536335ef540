"""All methods together: never worse than one of them alone."""

from __future__ import annotations

import numpy as np
import pytest
from harness.mapping_cases import random_machine, random_pattern
from tests.support.portfolio import better_alone, on

from leadline.mapping import METRICS, map_ranks
from leadline.mapping.library import library
from leadline.topology.job import ranks_of

RANDOM_CASES = 60
STEPS = 5000
SHAPES = (
    ("10x10x16", "tree:5x5x64"),
    ("20x20x20", "tree:5x5x5x64"),
    ("40x40x30", "tree:10x10x10x48"),
    ("24x22x16", "nodes:132x64"),
    ("16x16x16", "torus:32x16x8"),
    ("60x50", "torus:30x10x10"),
    ("15x15x15", "torus:16x16x15"),
    ("12x12x12", "mesh:16x12x16"),
)
"""Grids and machines on which many methods know something; the last two leave slots free."""


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("grid", "machine"), SHAPES)
def test_no_method_alone_is_better_than_all_together(grid: str, machine: str, metric: str) -> None:
    assert better_alone(*on(grid, machine), metric) == {}


@pytest.mark.parametrize("seed", range(RANDOM_CASES))
def test_no_method_alone_is_better_on_whatever_comes(seed: int) -> None:
    random = np.random.default_rng(seed)
    pattern = random_pattern(random)
    machine = random_machine(random, ranks_of(pattern))
    assert better_alone(pattern, machine, tuple(METRICS)[seed % len(METRICS)], STEPS) == {}


def test_time_that_a_mapping_took_has_no_compiler_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded_at_readings: list[int] = []

    def reading() -> float:
        loaded_at_readings.append(library.cache_info().currsize)
        return 0.0

    library.cache_clear()
    monkeypatch.setattr("leadline.mapping.time.perf_counter", reading)
    map_ranks(*on("4x4", "nodes:4x4"), steps=0)
    assert loaded_at_readings == [1, 1]
