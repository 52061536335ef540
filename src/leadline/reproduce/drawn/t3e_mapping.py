"""Müller and Resch's figures 4 to 7: pairs and halos against size, in order and sorted.

Who pairs with whom, and which grids halos had below 128 PEs, isn't printed: neighbours along the
first axis, and grids whose axes are as alike as can be, but for those of table 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from leadline.reproduce.asked import Asked, Machines, in_a_loop
from leadline.reproduce.curves import DrawnCurve, DrawnPoint, FigureRecipe, rated
from leadline.reproduce.pairs import (
    BY_LOAD,
    DIRECT,
    IN_ORDER,
    LONG_BYTES,
    PAIR_GRIDS,
    SORTED,
    Pairs,
    pairs_of,
)
from leadline.reproduce.quantities import rate
from leadline.reproduce.t3e_mapping import KEY, MACHINE, ORDERS
from leadline.studies.units import Unit

HALO_GRIDS = ((2, 2, 2), (4, 4, 1), (8, 4, 1), (4, 4, 4), (8, 4, 4))
SIZES = (256, 1024, 4096, 10_000, 32_768, 131_072, 524_288, LONG_BYTES)
WAYS = dict(zip(("without", "reordered"), (IN_ORDER, SORTED), strict=True))


def figures(machines: Machines) -> Iterator[FigureRecipe]:
    """Figures 4 to 7, and 4 and 5 as one against PEs."""
    machine = machines(MACHINE)
    pairs = [pairs_of(machine, dims) for dims in PAIR_GRIDS]
    yield _pair_figure(4, "in order", IN_ORDER, pairs)
    yield _pair_figure(5, "sorted over the torus", SORTED, pairs)
    yield FigureRecipe(
        id=f"{KEY}.figure4.pes",
        where="Figures 4 and 5, large messages",
        title=f"Bandwidth of pairs, {LONG_BYTES:,} B, against PEs",
        quantity="bandwidth of a PE",
        unit=Unit.MEGABYTES_PER_SECOND,
        curves=tuple(_against_pes(way, pairs) for way in (IN_ORDER, SORTED, BY_LOAD)),
        against_pes=True,
        note="Least load: where mapping finds least on the busiest link, by no rule of the "
        "paper's. Of 64 PEs in order the text says less than half of what two have.",
    )
    for number, order in ((6, "without"), (7, "reordered")):
        yield _halo_figure(number, order)


# -- pairs -----------------------------------------------------------------------------------------


def _pair_figure(number: int, words: str, way: str, pairs: list[Pairs]) -> FigureRecipe:
    return FigureRecipe(
        id=f"{KEY}.figure{number}",
        where=f"Figure {number}",
        title=f"Bandwidth of pairs {words} against message size",
        quantity="bandwidth of a PE",
        unit=Unit.MEGABYTES_PER_SECOND,
        curves=tuple(_against_size(way, one) for one in pairs),
        logarithmic=True,
        note="About 200 MB/s on 2 PEs is a maximum, of large messages.",
    )


def _against_size(way: str, pairs: Pairs) -> DrawnCurve:
    name, points = f"{pairs.pes} PEs", rated(pairs.asked(way), SIZES)
    printed = ((LONG_BYTES, f"{KEY}.pair.2.bandwidth"),) * (pairs.pes == 2)
    return DrawnCurve(name, name, MACHINE, points, printed)


def _against_pes(way: str, pairs: list[Pairs]) -> DrawnCurve:
    points = tuple(
        DrawnPoint(one.pes, (one.asked(way)(LONG_BYTES),), rate(LONG_BYTES)) for one in pairs
    )
    printed = ((2, f"{KEY}.pair.2.bandwidth"),) * (way == IN_ORDER)
    return DrawnCurve(way, way, MACHINE, points, printed)


# -- halos -----------------------------------------------------------------------------------------


def _halo_figure(number: int, order: str) -> FigureRecipe:
    return FigureRecipe(
        id=f"{KEY}.figure{number}",
        where=f"Figure {number}",
        title=f"Bandwidth of halos {WAYS[order]} against message size",
        quantity="bandwidth of a PE",
        unit=Unit.MEGABYTES_PER_SECOND,
        curves=tuple(_halo(dims, order) for dims in HALO_GRIDS),
        logarithmic=True,
        note="What is printed are large messages.",
    )


def _halo(dims: tuple[int, ...], order: str) -> DrawnCurve:
    grid, sends = "x".join(map(str, dims)), sum(min(length - 1, 2) for length in dims)

    def asked(size_bytes: int) -> Asked:
        return in_a_loop(DIRECT, f"halo:{grid}", prod(dims), size_bytes).laid(ORDERS[order])

    name = f"{prod(dims)} PEs, {grid}"
    printed = ((LONG_BYTES, f"{KEY}.halo.{grid}.{order}"),) * (grid == "8x4x4")
    return DrawnCurve(name, name, MACHINE, rated(asked, SIZES, sends), printed)
