"""Runs with more ranks than cores, made up: what each library's busiest link carried is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from harness.blocks import cell, configuration
from harness.synthetic import one_slice

from leadline.kernels.messages import Result, Surroundings
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Run
from leadline.record.slices import Disturbance, LinkUse, Slice

SECOND = 10**9
HOSTS = {0: "h1", 1: "h2"}
"""Of two ranks."""
RATE = 1.25e6
SIZES = (8, 1024, 65536)
Times = Mapping[str, Sequence[float]]
"""Microseconds by variant and size."""
Shares = Mapping[str, Sequence[float | None]]
"""Of what the link's rate allows, by variant and size; None: no link was watched."""


def crowded_run(times: Times, shares: Shares | None = None, **other: object) -> Run:
    """Four ranks on two cores, eight blocks; every rank waits for a core a quarter of the time."""
    usual: dict[str, object] = {"ranks": 4, "oversubscribed": True}
    slices = list(slices_of(times, shares or {}))
    return Run(
        "runs/crowded",
        True,
        {},
        tuple(configuration(variant, **(usual | other)) for variant in times),
        tuple(cell(size, "stream") for size in SIZES),
        batches_of(slices),
        strips=strips_of(slices),
        conditions=conditions_of(slices),
    )


def slices_of(times: Times, shares: Shares) -> Iterator[Slice]:
    rng = np.random.default_rng(3)
    for block in range(8):
        for c, (variant, row) in enumerate(times.items()):
            for k, microseconds in enumerate(row):
                elapsed_ns = int(microseconds * 1e4 * (1 + rng.normal(0, 1e-3)))
                taken = one_slice((c, k, block, 0), [[elapsed_ns] * 5] * 2)
                carried = shares[variant][k] if shares else None
                yield replace(taken, disturbance=waiting(0.25), link=link_use(carried))


def waiting(share: float) -> Disturbance:
    """Of two ranks over ten milliseconds."""
    window = np.full(2, 10_000_000)
    waited = (window * share).astype(np.int64)
    unknown = np.full(2, UNKNOWN)
    return Disturbance(window, waited, np.array([3, 4]), np.array([0, 0]), unknown)


def link_use(share: float | None, name: str = "h1 eth0 tx", rate: float = RATE) -> LinkUse | None:
    """A link that carried `share` of RATE for a second."""
    return None if share is None else LinkUse(name, round(share * RATE), SECOND, rate)


def said(rank: int, *links: tuple[str, int, float], batches: int = 1) -> Result:
    """What a rank says of links: (name, bytes in a second, own bytes a second)."""
    uses = tuple(LinkUse(name, sent, SECOND, own) for name, sent, own in links)
    around = Surroundings(SECOND, 10 * (rank + 1), rank, 3, 90 + rank, uses)
    return Result(7, rank, 1, np.zeros((batches, 3), dtype=np.int64), around)
