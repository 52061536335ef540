"""What ranks of backend `trace` can do, and what they were seen to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from harness.kernels import kernel

from leadline.kernels.build import describe
from leadline.measure.tracing import TracedCell
from leadline.patterns.pattern import Pattern
from leadline.topology.phases import Call


@cache
def traceable() -> Mapping[str, Pattern]:
    """All patterns that can be traced, by name."""
    found = describe(kernel("trace")).patterns
    return {name: one for name, one in found.items() if one.algorithm != "absent"}


def logged(cell: TracedCell) -> list[list[Call]]:
    """The calls of each rank, their phases untold."""
    return [[replace(call, depth=0) for call in calls] for calls in cell.trace.calls]
