"""All methods together: never worse than one of them alone."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from harness.mapping_cases import measured, random_machine, random_pattern

from leadline.mapping import METHODS, METRICS, evaluate, map_by, map_ranks
from leadline.mapping.build import SOURCES
from leadline.mapping.library import library
from leadline.native.libraries import shared_library
from leadline.topology.allocation import first_slots
from leadline.topology.communication import Communication, Graph
from leadline.topology.job import ranks_of
from leadline.topology.networks import Machine
from leadline.topology.words.grid import parse_grid
from leadline.topology.words.synthetic import synthetic_machine

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
OWN_ALLOTMENT = "contest->work = contest->allotment;"


def better_alone(
    pattern: Communication, machine: Machine, metric: str, steps: int = 0
) -> dict[str, float]:
    """How much less the methods have that beat all together: none, if all is well.

    Scotch is asked together with the others for graphs only.
    """
    together = measured(map_ranks(pattern, machine, metric=metric, steps=steps).after, metric)
    found = {}
    for method in METHODS:
        if method == "scotch" and not isinstance(pattern, Graph):
            continue
        alone = map_by(method, pattern, machine, metric=metric, steps=steps)
        if alone is not None:
            value = measured(evaluate(pattern, machine, alone), metric)
            found[method] = together - value
    return {method: lead for method, lead in found.items() if lead > 1e-9 * together}


def on(grid: str, machine: str) -> tuple[Communication, Machine]:
    pattern = parse_grid(grid)
    return pattern, first_slots(synthetic_machine(machine), math.prod(pattern.dims)).machine


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


@pytest.fixture
def one_allotment_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A library whose methods use up what those after them would need."""
    sources = shutil.copytree(SOURCES, tmp_path / "mapping")
    contest = sources / "search" / "contest.c"
    text = contest.read_text()
    assert text.count(OWN_ALLOTMENT) == 1
    contest.write_text(text.replace(OWN_ALLOTMENT, f"if (contest->winner < 0) {OWN_ALLOTMENT}"))
    home = sys.modules[library.__module__]
    monkeypatch.setattr(home, "mapping_library", lambda: shared_library(sources))
    library.cache_clear()
    yield
    library.cache_clear()


@pytest.mark.usefixtures("one_allotment_for_all")
def test_methods_that_come_too_late_are_noticed() -> None:
    assert better_alone(*on("20x20x20", "tree:5x5x5x64"), "load")


def test_time_that_a_mapping_took_has_no_compiler_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded_at_readings: list[int] = []

    def reading() -> float:
        loaded_at_readings.append(library.cache_info().currsize)
        return 0.0

    library.cache_clear()
    monkeypatch.setattr("leadline.mapping.time.perf_counter", reading)
    map_ranks(*on("4x4", "nodes:4x4"), steps=0)
    assert loaded_at_readings == [1, 1]
