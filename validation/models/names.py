"""Algorithms of collectives over links drawn at random: how often they are named wrong.

Every algorithm that is known, over links that may slow down with the ranks, on mixed numbers of
ranks and on powers of two, at all sizes, short or long ones alone, in quiet and in rough noise; and
algorithms that aren't known. Goal: of each row, at most 5 of 100 are named wrong, and where links
are steady, noise is quiet and numbers are mixed, half at least are named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
from harness.algorithm_campaigns import (
    MIXED,
    PATTERNS,
    POWERS,
    SIZES,
    Library,
    Noise,
    decided,
    known,
    observed,
)

from leadline.models.algorithms import Cost, CostForm
from validation.rates import Goal, Row
from validation.truth import figures_of

SELDOM: Goal = (0.0, 0.05)
HALF: Goal = (0.5, 1.0)
TURNS, TURNS_UNKNOWN = 10, 20
"""With links of its own each."""
NOISES = {"quiet": Noise(), "rough": Noise(launch=0.1, cell=0.05, placement=0.03)}
RANKS = {"mixed": MIXED, "powers": POWERS}
STEADY = "steady"
LINKS: Mapping[str, Mapping[str, Callable[[int], float]]] = {
    STEADY: {},
    "both slow down with log p": {"slower": lambda ranks: 1 + math.log2(ranks) / 10},
    "both slow down with p": {"slower": lambda ranks: 1 + ranks / 20},
    "bytes slow down": {"bytes_slower": lambda ranks: 1 + math.log2(ranks) / 4},
    "bytes slow down between nodes": {"bytes_slower": lambda ranks: 4 if ranks > 16 else 1},
    "messages slow down between nodes": {"messages_slower": lambda ranks: 3 if ranks > 16 else 1},
}
"""How what messages and bytes cost changes with the ranks."""


def on_a_mesh(ranks: int) -> Cost:
    side = 2 * (math.sqrt(ranks) - 1)
    return Cost(side, side, side)


def blocks_on_a_mesh(ranks: int) -> Cost:
    return Cost(2 * (math.sqrt(ranks) - 1), ranks - 1)


def exchange_on_a_cube(ranks: int) -> Cost:
    side = ranks ** (1 / 3)
    return Cost(3 * (side - 1), 3 * (side - 1) * side**2)


def split_binary(ranks: int) -> Cost:
    rounds = math.log2(ranks)
    return Cost(rounds + 1, (rounds + 1) / 2)


def pipelined_trees(ranks: int) -> Cost:
    return Cost(4 * math.log2(ranks), 2, 1)


def linear_then_tree(ranks: int) -> Cost:
    steps = ranks - 1 + math.log2(ranks)
    return Cost(steps, steps, ranks - 1)


UNKNOWN: Mapping[str, tuple[CostForm, ...]] = {
    "bcast": (on_a_mesh, split_binary, pipelined_trees),
    "reduce": (on_a_mesh, pipelined_trees),
    "allreduce": (on_a_mesh, pipelined_trees, linear_then_tree),
    "allgather": (blocks_on_a_mesh,),
    "alltoall": (exchange_on_a_cube,),
    "gather": (blocks_on_a_mesh,),
    "scatter": (blocks_on_a_mesh,),
    "scan": (on_a_mesh,),
}
"""Algorithms that aren't in the table."""


def named(
    pattern: str, form: CostForm, ranks: Sequence[int], noise: Noise, rng: np.random.Generator,
    links: Mapping[str, Callable[[int], float]],
) -> str | None:  # fmt: skip
    """What a library is taken for whose links are drawn at random."""
    alpha, beta = 10 ** rng.uniform((-6.3, -10.3), (-5, -9))
    gamma, latency = beta * rng.uniform(), max(0.0, rng.uniform(-2, 3))
    library = Library(form, alpha, beta, gamma, latency, **links)
    sizes = (SIZES, SIZES[:4], SIZES[3:])[rng.integers(3)]
    seed = int(rng.integers(2**31))
    return decided(observed(pattern, library, ranks, sizes, noise, seed)).name


def _of_known(noise: str, links: str, ranks: str) -> list[Row]:
    """How often names are wrong, and where all is easy how often they are right."""
    rng = np.random.default_rng(1)
    forms = [(one, *form) for one in PATTERNS for form in known(one, RANKS[ranks]).items()]
    found = [
        (name, named(pattern, form, RANKS[ranks], NOISES[noise], rng, LINKS[links]))
        for pattern, name, form in forms * TURNS
    ]
    what = f"{links}, {noise}, {ranks}"
    wrong = sum(given not in (name, None) for name, given in found) / len(found)
    rows = [Row(f"{what}: wrong", wrong, SELDOM, len(found))]
    if (noise, links, ranks) == ("quiet", STEADY, "mixed"):
        right = sum(given == name for name, given in found) / len(found)
        rows.append(Row(f"{what}: right", right, HALF, len(found)))
    return rows


def _of_unknown(noise: str, ranks: str) -> Row:
    """How often an algorithm that isn't known has the name of one that is."""
    rng = np.random.default_rng(2)
    forms = [(pattern, form) for pattern, forms in UNKNOWN.items() for form in forms]
    wrong = [
        named(pattern, form, RANKS[ranks], NOISES[noise], rng, LINKS[STEADY]) is not None
        for pattern, form in forms * TURNS_UNKNOWN
    ]
    return Row(f"unknown, {noise}, {ranks}: wrong", sum(wrong) / len(wrong), SELDOM, len(wrong))


def measure() -> dict[str, object]:
    """Every share beside its goal."""
    rows = [row for case in product(NOISES, LINKS, RANKS) for row in _of_known(*case)]
    rows += [_of_unknown(*case) for case in product(NOISES, RANKS)]
    return {
        "rows": [figures_of(row) for row in rows],
        "reached": all(row.reached for row in rows),
    }
