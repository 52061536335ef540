"""How all methods of mapping together do beside each of them alone."""

from __future__ import annotations

import math

from harness.mapping_cases import measured

from leadline.mapping import METHODS, evaluate, map_by, map_ranks
from leadline.topology.allocation import first_slots
from leadline.topology.communication import Communication, Graph
from leadline.topology.networks import Machine
from leadline.topology.words import parse_grid, synthetic_machine


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
