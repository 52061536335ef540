"""The grid that is mapped is the one on which the kernel exchanges."""

from __future__ import annotations

import os
import subprocess
from collections import Counter

import numpy as np
import pytest
from harness.contracts import contract
from harness.kernels import local_backend, variant

from leadline.hosts.placement import Hosts
from leadline.mapping import evaluate
from leadline.measure.grids import grid_of, machine_of
from leadline.patterns.pattern import PatternChoice, parse_choice
from leadline.topology.communication import Graph

TWO = Hosts(("a", "b"))


def sent(choice: PatternChoice, ranks: int) -> Graph:
    """What the kernel's ranks send to whom in one repetition, as it says itself."""
    program = contract("grid", local_backend("null"), "logged")
    environment = os.environ | {"LEADLINE_RANKS": str(ranks)}
    words = [str(program), f"{choice.command} size=8", ""]
    parts = subprocess.check_output(words, env=environment, text=True).split("rank ")[1:]
    edges = Counter(
        (rank, int(line.split()[1]))
        for rank, part in enumerate(parts)
        for line in part.splitlines()
        if line.startswith("send")
    )
    ordered = sorted(edges)
    counts = np.bincount([source for source, _ in ordered], minlength=ranks)
    return Graph(
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        neighbours=np.array([target for _, target in ordered], dtype=np.int64),
        weights=np.array([edges[edge] for edge in ordered], dtype=np.float64),
    )


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("halo", 8), ("halo", 12), ("halo", 30), ("halo:4x4", 16), ("halo:4x4:periodic", 16),
        ("halo:2x3:periodic:corners", 6), ("halo:3x2x2:corners:at_once", 12), ("cyclic", 12),
        ("cyclic:open", 8), ("cyclic:2x6:all", 12), ("cyclic:4x3:all:open", 12),
        ("cyclic_two_step", 12), ("cyclic_two_step:2x4", 8), ("pair", 8),
    ],
)  # fmt: skip
def test_grid_has_the_messages_that_the_kernel_sends(text: str, ranks: int) -> None:
    patterns = variant("null").capability.patterns
    choice = parse_choice(text, patterns)
    grid, graph = grid_of(choice, patterns[choice.name], ranks), sent(choice, ranks)
    machine, random = machine_of(TWO, ranks), np.random.default_rng(1)
    for _ in range(20):
        slots = random.permutation(ranks).astype(np.int64)
        by_grid, by_graph = (evaluate(each, machine, slots) for each in (grid, graph))
        assert by_grid.internode_edges == by_graph.internode_edges
