"""Figures of the papers beside what the machine files that come along simulate.

Goals, on the Cray T3E (Mueller and Resch, PE mapping and the contention problem on the T3E, 1998):
two PEs that exchange have 200 MB/s within 5 %, to which the bus of a node was fitted; with the same
constants 64 PEs have less than half of that unordered, by which one way for each message was
chosen, and, predicted: mapped, within 2 % of it; a halo on 8x4x4 unordered 124 MB/s within 10 %.
Other figures have no goal; "fitted" ones are among those that the file's values were chosen to
reach. All figures of all papers are in validation/reproduce.py; here are also the ways to place
ranks that this paper doesn't print.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from bench.mapping import TABLE_1
from harness.mapping_cases import grid
from harness.simulated_cells import halves, seconds

from leadline.mapping import evaluate, map_by, map_ranks
from leadline.papers.catalogue import figure_of
from leadline.papers.t3e_mapping.printed import EXCHANGED_BYTES
from leadline.simulate.machine import Crowd
from leadline.simulate.machine_files import machine_named
from leadline.simulate.routes import fabric_of
from leadline.topology.communication import Graph
from leadline.topology.networks import Int64

T3E = machine_named("cray-t3e-900")
LIBRARY = "cray-mpi-direct"
"""Cray's library with MPI_BUFFER_MAX set: two PEs that exchange are as fast as the paper says."""
COPYING = "cray-mpi"
"""The same as it comes; tables 2 and 3 are of it."""
LONG_BYTES, CYCLIC_TIMES = EXCHANGED_BYTES, 100
"""Tables 2 and 3 have it a hundred times."""
CUBE = (4, 4, 4)
FIRST_AXIS = 16
"""How far ranks are apart that are neighbours along the first axis of CUBE."""
HALO_SENDS = 6
"""Messages that an inner PE sends in a halo exchange on three axes."""
LIMITS = {"pair of 2": 0.05, "halo unordered": 0.10}
BY_LOAD = "mapped by load"
MOST_UNORDERED, LIMIT_MAPPED = 0.5, 0.02
CYCLIC = {
    "cyclic:8x4": "table2.periodic",
    "cyclic:8x4:open": "table2.open",
    "cyclic_two_step:8x4": "table3.two-steps",
}
"""Pattern -> what its figures' ids have in common."""
ORDERS = {"default": "without", "paper": "reordered"}
"""Mapping -> how ids end."""
HOPS = replace(T3E, links=replace(T3E.links, latency_s=1.0), nic=replace(T3E.nic, latency_s=0.0))
"""Latencies on it are hops."""
REFITTED = replace(
    T3E,
    links=replace(T3E.links, bytes_per_s=184e6),
    nic=replace(T3E.nic, bus_bytes_per_s=297e6, crowd=Crowd(2, 0.8)),
)
"""Three constants for the six figures of CYCLIC; two PEs would have 148 MB/s on it, not 200."""
FITTED, PREDICTED = "fitted", "predicted"


def measure() -> dict[str, Any]:
    """Every figure, and whether all goals are reached."""
    parts = {
        "t3e_pair": pair_rows(),
        "t3e_halo": halo_rows(),
        "t3e_hops": [_hops_row(dims) for dims in TABLE_1],
        "t3e_cyclic": cyclic_rows(),
    }
    reached = all(row.get("reached", True) for rows in parts.values() for row in rows)
    return {**parts, "reached": reached}


def printed(figure: str) -> float:
    """In SI units, of the id without the paper's."""
    return figure_of(f"t3e-mapping.{figure}").si


# -- pairs -----------------------------------------------------------------------------------------


def pair_rows() -> list[dict[str, object]]:
    """Two PEs, then 64 whose partners are so far apart, unordered and mapped."""
    two = pair_rate(2, np.arange(2))
    rows = [_beside("2 PEs", printed("pair.2.bandwidth"), two, FITTED, LIMITS["pair of 2"])]
    for apart in (1, 2, 4, 8, FIRST_AXIS, 32):
        share = pair_rate(64, halves(64, apart)) / two
        reached = share < MOST_UNORDERED if apart == FIRST_AXIS else None
        kind = PREDICTED if reached is None else FITTED
        rows.append(_pair_row(f"64 PEs, {apart} apart", share, two, kind, reached))
    for name, slots in _mapped_slots().items():
        share = pair_rate(64, slots[halves(64, FIRST_AXIS)]) / two
        reached = abs(share - 1) <= LIMIT_MAPPED if name == BY_LOAD else None
        rows.append(
            _pair_row(f"64 PEs, {FIRST_AXIS} apart, {name}", share, two, PREDICTED, reached)
        )
    return rows


def _pair_row(
    figure: str, share: float, two: float, kind: str, reached: bool | None
) -> dict[str, object]:
    """`share`: of the rate of two PEs, `two`; reached None: there is no goal."""
    row: dict[str, object] = {"figure": figure, "mb_per_s": share * two / 1e6, "of_2": share}
    row["kind"] = kind
    return row if reached is None else row | {"reached": reached}


def pair_rate(ranks: int, slots: Int64) -> float:
    """B/s that each PE sends to its partner, with ranks on these slots."""
    return LONG_BYTES / seconds(T3E, LIBRARY, "pair", ranks, LONG_BYTES, slots.tolist())


def _mapped_slots() -> dict[str, Int64]:
    """Of the ranks of CUBE: by the paper's sort, and where the busiest link has least."""
    machine = T3E.allocate(math.prod(CUBE)).machine
    by_sort = map_by("sort", grid(*CUBE), machine, steps=0)
    assert by_sort is not None
    rank = np.arange(math.prod(CUBE))
    partner = np.where(rank // FIRST_AXIS % 2 == 0, rank + FIRST_AXIS, rank - FIRST_AXIS)
    pairs = Graph(np.arange(len(rank) + 1), partner, np.ones(len(rank)))
    return {
        "the paper's sort": by_sort,
        BY_LOAD: map_ranks(pairs, machine, metric="load").permutation,
    }


# -- grids -----------------------------------------------------------------------------------------


def halo_rows() -> list[dict[str, object]]:
    """8x4x4 unordered and mapped, over each of Cray's libraries."""
    rows = []
    for library in (LIBRARY, COPYING):
        for mapping in ("default", "paper", "load"):
            took_s = seconds(T3E, library, "halo:8x4x4", 128, LONG_BYTES, mapping)
            judged = (
                LIMITS["halo unordered"] if (library, mapping) == (LIBRARY, "default") else None
            )
            rate = HALO_SENDS * LONG_BYTES / took_s
            there = printed(f"halo.8x4x4.{ORDERS.get(mapping, 'reordered')}")
            rows.append(_beside(f"{library}, {mapping}", there, rate, PREDICTED, judged))
    return rows


def _hops_row(dims: tuple[int, int, int]) -> dict[str, object]:
    """Table 1 without reordering: hops of simulated routes, and as `leadline map` counts them."""
    ranks = math.prod(dims)
    allocation = HOPS.allocate(ranks)
    place = np.arange(ranks).reshape(dims)
    ends = [
        (place.take(range(length - 1), axis).ravel(), place.take(range(1, length), axis).ravel())
        for axis, length in enumerate(dims)
    ]
    lower, upper = (np.concatenate(side) for side in zip(*ends, strict=True))
    routes = fabric_of(HOPS, allocation).route(np.append(lower, upper), np.append(upper, lower))
    hops = float(routes.latency_s.mean())
    counted = evaluate(grid(*dims), allocation.machine, np.arange(ranks)).average_hops
    name = "x".join(map(str, dims))
    there = printed(f"table1.{name}.without")
    return {
        "grid": name,
        "in_paper": there,
        "simulated": hops,
        "map_counts": counted,
        "reached": math.isclose(hops, counted) and round(hops, 1) == there,
    }


def cyclic_rows() -> list[dict[str, object]]:
    """Tables 2 and 3 with the file's constants, and with three that these tables were fitted to."""
    rows = []
    for kind, machine, library in ((PREDICTED, T3E, COPYING), (FITTED, REFITTED, LIBRARY)):
        for pattern, table in CYCLIC.items():
            for mapping, order in ORDERS.items():
                printed_s = printed(f"{table}.{order}")
                took_s = CYCLIC_TIMES * seconds(machine, library, pattern, 32, LONG_BYTES, mapping)
                rows.append({
                    "pattern": f"{pattern}, {mapping}",
                    "in_paper_s": printed_s,
                    "simulated_s": took_s,
                    "off": took_s / printed_s - 1,
                    "kind": kind,
                })  # fmt: skip
    return rows


def _beside(
    figure: str, there: float, rate: float, kind: str, most: float | None
) -> dict[str, object]:
    """Rates in B/s; `most`: how far off it may be, None: there is no goal."""
    off = rate / there - 1
    row: dict[str, object] = {
        "figure": figure,
        "in_paper_mb_per_s": there / 1e6,
        "mb_per_s": rate / 1e6,
    }
    row |= {"off": off, "kind": kind}
    return row if most is None else row | {"limit": most, "reached": abs(off) <= most}
