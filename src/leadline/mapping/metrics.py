"""How good a permutation is, by all measures."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import byref
from dataclasses import dataclass
from typing import Any

from leadline.mapping.library import MetricsStruct, call
from leadline.native.structures import int64s
from leadline.topology.networks import Int64

METRICS: Mapping[str, str] = {
    "hops": "average_hops",
    "load": "max_link_load",
    "internode": "internode_edges",
    "hop-bytes": "hop_bytes",
}
"""What each makes small, a field of Metrics; in the order of mapping.h's enum."""

ROUNDING = 2e-9
"""Values and bounds that differ by a smaller part are equal; mapping.h's MAP_ROUNDING."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """How good a permutation is, by all measures; mapping.h defines each."""

    average_hops: float
    """Over pairs of ranks that exchange anything."""
    max_hops: int
    """Over the same."""
    max_link_load: float
    """Largest sum of weights over one directed link."""
    hop_bytes: float
    """Sum of weight times hops."""
    internode_edges: float
    """Sum of weights between different nodes, both directions."""
    max_node_edges: float
    """The largest part of that sum that leaves one node."""


def reaches(value: float, bound: float) -> bool:
    """Whether a value is as low as a bound, but for rounding."""
    return value <= bound * (1 + ROUNDING)


def measure(made: Any, permutation: Int64) -> Metrics:
    """All metrics of `permutation`, shape (ranks,), of a problem; UsageError if it isn't one."""
    metrics = MetricsStruct()
    call("map_evaluate", made, int64s(permutation), byref(metrics))
    values = {field[0]: getattr(metrics, field[0]) for field in metrics._fields_}
    values["max_hops"] = int(values["max_hops"])
    return Metrics(**values)
