"""Müller and Resch on the T3E: hops, pairs, rows of neighbours and halos, in order and sorted.

A bandwidth is what one PE sends in a second while all do the same. Pairs and halos are those of the
library that copies no long message, which alone has two PEs as fast as printed; tables 2 and 3 are
those of the one that copies. One file has the hardware of all. Who pairs with whom isn't printed:
neighbours along the first axis of 4x4x4 here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import prod

import numpy as np

from leadline.papers.catalogue import figure_of, paper_of
from leadline.papers.recipe import (
    ONLY_DRAWN,
    DrawnCurve,
    DrawnPoint,
    FigureRecipe,
    MachineRecipe,
    MachineSentenceRecipe,
    PaperRecipes,
    Recipe,
    Relation,
    SentenceRecipe,
    rated,
)
from leadline.papers.simulation import (
    LINE_BYTES,
    CellSpec,
    Machines,
    Seconds,
    in_a_loop,
    least_ratio,
    only,
    rate,
    ratio,
    ratio_of_ratios,
    ratios,
    slope_rate,
)
from leadline.papers.t3e_mapping import KEY
from leadline.papers.t3e_mapping.placements import (
    BY_LOAD,
    DIRECT,
    IN_ORDER,
    LONG_BYTES,
    PAIR_GRIDS,
    SORTED,
    Pairs,
    average_hops,
    beside_parts,
    disturbed,
    divided,
    gain_sorted,
    in_parts,
    least_share,
    pairs_of,
    share_no_slower,
    sorted_over,
)
from leadline.papers.t3e_mapping.printed import REPETITIONS
from leadline.papers.units import Unit
from leadline.simulate.campaign import DEFAULT, PAPER
from leadline.simulate.machine import MachineModel

MACHINE = "cray-t3e-900"
COPYING = MACHINE, "cray-mpi"
ORDERS = {"without": DEFAULT, "reordered": PAPER}
GRIDS = ((2, 2, 2), (3, 3, 3), (4, 4, 1), (4, 4, 4), (8, 4, 1), (8, 4, 2))
UNKNOWN = ((3, 3, 3), (4, 4, 4))
"""Grids whose printed figures with reordering don't follow from its rule."""
EXCHANGES = {
    "table2.open": "cyclic:8x4:open",
    "table2.periodic": "cyclic:8x4",
    "table3.standard": "cyclic:8x4",
    "table3.two-steps": "cyclic_two_step:8x4",
}
CUBES = {"4x4x4": 64, "8x4x4": 128}
"""Halos, and their PEs, of which the inner ones have SENDS neighbours."""
SENDS = 6
PLANES = {"4x4x1": 16, "8x4x1": 32, "8x4x2": 64}
FIRST_AXIS = 16
"""How far ranks are apart that are neighbours along the first axis of 4x4x4."""

FELT, SOLVED = 1.02, 0.1
"""What is felt of a ratio, and of a share is as good as none."""
NOTHING_LOST, NEARLY_ALL = 0.95, 0.9

RULE = (
    "on the first PEs of the numbering that has the cells without reordering, the rule as printed "
    "doesn't give 1.8; which PEs these two grids had isn't printed"
)
FLUID = (
    "shared rates alone can't tell a ring from an open row, whose busiest links carry as much, and "
    "in two steps copies aren't overlapped; constants that have these six don't have the pair of 2"
)
FROM_THE_FIRST = (
    "simulated messages share a link from their first byte, and all pairs begin each at the same "
    "moment: 64 lose some even at 64 B, and half from some 10,000 B on"
)
BUFFERED = "the 2.7 s are expected there, by a rate of 148 MB/s that its own figures don't have"
MAPPED = (
    "which library it was isn't printed: by the one that copies the sorted halo is reached, but "
    "not the pair of two; nothing but shared links holds the simulation's back"
)


# -- hops ------------------------------------------------------------------------------------------


def _hops(dims: tuple[int, ...], order: str) -> Callable[[MachineModel, Seconds], float]:
    """Between neighbours of an open grid, on the first PEs, on average."""

    def average(machine: MachineModel, _: Seconds) -> float:
        slots = machine.allocate(prod(dims)).machine
        mapping = sorted_over(slots, dims) if order == PAPER else np.arange(prod(dims))
        return average_hops(slots, dims, mapping)

    return average


def _hops_of_grids(
    choose: Callable[[list[float]], float], machine: MachineModel, _: Seconds
) -> float:
    """The least or the most hops of all grids with reordering."""
    return choose([_hops(dims, PAPER)(machine, ()) for dims in GRIDS])


# -- pairs, rows of neighbours, halos --------------------------------------------------------------


def _pair(ranks: int) -> CellSpec:
    """Partners FIRST_AXIS apart, where there are so many."""
    pair = in_a_loop(DIRECT, "pair", ranks, LONG_BYTES)
    if ranks <= 2 * FIRST_AXIS:
        return pair
    lower = np.flatnonzero(np.arange(ranks) // FIRST_AXIS % 2 == 0)
    return pair.on(np.concatenate([lower, lower + FIRST_AXIS]).tolist())


def _exchange(table: str, mapping: str) -> CellSpec:
    ranks = figure_of(f"{KEY}.{table}.without").ranks
    return in_a_loop(COPYING, EXCHANGES[table], ranks, LONG_BYTES).placed(mapping)


def _accumulated(seconds: Seconds) -> float:
    return REPETITIONS * only(seconds)


def _halo(grid: str, mapping: str) -> CellSpec:
    ranks = (CUBES | PLANES)[grid]
    return in_a_loop(DIRECT, f"halo:{grid}", ranks, LONG_BYTES).placed(mapping)


def _sent(seconds: Seconds) -> float:
    """B/s of an inner PE."""
    return SENDS * LONG_BYTES / min(seconds)


ALL_HALOS = tuple(_halo(grid, order) for order in ORDERS.values() for grid in (*PLANES, *CUBES))
"""In order, then sorted."""


# -- figures ---------------------------------------------------------------------------------------


ENDS: tuple[tuple[str, Callable[[list[float]], float]], ...] = (("least", min), ("most", max))
SHARE = f"{KEY}.pair.64.share"
LINE = tuple(in_a_loop(DIRECT, "pingpong", 2, size) for size in LINE_BYTES)
ONE = in_a_loop(COPYING, "pingpong", 2, LONG_BYTES)
"""A message of those that rows of neighbours exchange."""

FIGURES: tuple[Recipe | MachineRecipe, ...] = (
    *(
        MachineRecipe(
            figure=f"{KEY}.table1.{'x'.join(map(str, dims))}.{name}",
            machine=MACHINE,
            ours=_hops(dims, order),
            reason=RULE if name == "reordered" and dims in UNKNOWN else "",
        )
        for dims in GRIDS
        for name, order in ORDERS.items()
    ),
    *(
        MachineRecipe(
            figure=f"{KEY}.hops.{name}",
            machine=MACHINE,
            ours=partial(_hops_of_grids, choose),
            reason=RULE if name == "most" else "",
        )
        for name, choose in ENDS
    ),
    Recipe(figure=f"{KEY}.pair.2.bandwidth", cells=(_pair(2),), ours=rate(LONG_BYTES)),
    Recipe(
        figure=SHARE,
        cells=(_pair(2), _pair(figure_of(SHARE).ranks)),
        ours=ratio,
        relation=Relation.MOST,
    ),
    Recipe(figure=f"{KEY}.link.bandwidth", cells=LINE, ours=slope_rate),
    Recipe(figure=f"{KEY}.halo.peak", cells=LINE, ours=lambda t: 2 * slope_rate(t)),
    *(
        Recipe(
            figure=f"{KEY}.{table}.{name}",
            cells=(_exchange(table, mapping),),
            ours=_accumulated,
            reason=FLUID,
        )
        for table in EXCHANGES
        for name, mapping in ORDERS.items()
    ),
    Recipe(figure=f"{KEY}.one-communication", cells=(ONE,), ours=_accumulated, reason=BUFFERED),
    Recipe(
        figure=f"{KEY}.two-cycles",
        cells=(ONE,),
        ours=lambda seconds: 2 * _accumulated(seconds),
        reason=BUFFERED,
    ),
    Recipe(
        figure=f"{KEY}.cycles-used",
        cells=(_exchange("table2.periodic", DEFAULT), ONE),
        ours=ratio,
        relation=Relation.LEAST,
        reason=FLUID,
    ),
    *(
        Recipe(
            figure=f"{KEY}.halo.8x4x4.{name}",
            cells=(_halo("8x4x4", mapping),),
            ours=_sent,
            reason=MAPPED,
        )
        for name, mapping in ORDERS.items()
    ),
    Recipe(
        figure=f"{KEY}.halo.most",
        cells=tuple(_halo(grid, mapping) for grid in CUBES for mapping in ORDERS.values()),
        ours=_sent,
        relation=Relation.MOST,
    ),
    Recipe(
        figure=f"{KEY}.halo.gain.least",
        cells=ALL_HALOS,
        ours=lambda seconds: min(ratios(seconds)) - 1,
        relation=Relation.LEAST,
        gain=True,
        reason="8x4x2 lies as well in order: two of its axes are those of the numbering's groups",
    ),
    Recipe(
        figure=f"{KEY}.halo.gain.most",
        cells=ALL_HALOS,
        ours=lambda seconds: max(ratios(seconds)) - 1,
        relation=Relation.MOST,
        gain=True,
        reason=MAPPED,
    ),
)


# -- sentences -------------------------------------------------------------------------------------


FITTING = [dims for dims in GRIDS if dims not in (*UNKNOWN, (2, 2, 2))]
"""Grids whose layout fits the torus."""

SENTENCES = (
    SentenceRecipe(
        id=f"{KEY}.sentence.cyclic-costs",
        text="a ring takes longer than an open row, in either order",
        cells=tuple(
            _exchange(table, mapping)
            for table in ("table2.periodic", "table2.open")
            for mapping in ORDERS.values()
        ),
        ours=least_ratio,
        least=1.0,
        over=(f"{KEY}.table2.periodic.without", f"{KEY}.table2.open.without"),
        reason=FLUID,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.two-steps-in-order",
        text="in order, two steps take longer than one",
        cells=tuple(_exchange(f"table3.{name}", DEFAULT) for name in ("two-steps", "standard")),
        ours=ratio,
        least=1.0,
        over=(f"{KEY}.table3.two-steps.without", f"{KEY}.table3.standard.without"),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.two-steps-sorted",
        text="sorted, two steps take less time than one",
        cells=tuple(_exchange(f"table3.{name}", PAPER) for name in ("two-steps", "standard")),
        ours=ratio,
        most=1.0,
        over=(f"{KEY}.table3.two-steps.reordered", f"{KEY}.table3.standard.reordered"),
        reason=FLUID,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.sorted-rows",
        text="rows take less time sorted than in order",
        cells=tuple(_exchange(table, order) for order in ORDERS.values() for table in EXCHANGES),
        ours=least_ratio,
        least=1.0,
        over=(f"{KEY}.table2.open.without", f"{KEY}.table2.open.reordered"),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.halo-loses-less",
        text="a halo loses less to contention than pairs do (its share of what it has sorted, over "
        "theirs of what two have)",
        cells=(_halo("8x4x4", PAPER), _pair(2), _halo("8x4x4", DEFAULT), _pair(64)),
        ours=ratio_of_ratios,
        least=1.0,
    ),
)
OF_PLACES = (
    MachineSentenceRecipe(
        id=f"{KEY}.sentence.contention-from",
        text="up to 10,000 B pairs lose nothing to contention (of two PEs' rate the least that 64 "
        "have, from 64 B on)",
        machine=MACHINE,
        ours=least_share,
        least=NOTHING_LOST,
        rests_on=(f"{KEY}.pair.contention-from",),
        reason=FROM_THE_FIRST,
    ),
    MachineSentenceRecipe(
        id=f"{KEY}.sentence.sorted-pairs",
        text="64 pairing PEs are faster sorted than in order, with long messages",
        machine=MACHINE,
        ours=gain_sorted,
        least=FELT,
    ),
    MachineSentenceRecipe(
        id=f"{KEY}.sentence.sorted-pairs-nearly-always",
        text="pairs are better sorted in nearly all cases (share that is no slower: 2 to 128 PEs, "
        "five sizes)",
        machine=MACHINE,
        ours=share_no_slower,
        least=NEARLY_ALL,
    ),
    MachineSentenceRecipe(
        id=f"{KEY}.sentence.one-hop",
        text="where the layout fits, neighbours are one hop apart once sorted (the most of 4x4x1, "
        "8x4x1, 8x4x2)",
        machine=MACHINE,
        ours=lambda machine: max(_hops(dims, PAPER)(machine, ()) for dims in FITTING),
        most=1.0,
        rests_on=tuple(f"{KEY}.table1.{'x'.join(map(str, d))}.reordered" for d in FITTING),
    ),
    # of section 4, which has no figures
    MachineSentenceRecipe(
        id=f"{KEY}.sentence.fragmentation-others",
        text="fragmentation slows jobs that run already (beside one in two parts, over one whole)",
        machine=MACHINE,
        ours=beside_parts,
        least=FELT,
    ),
    MachineSentenceRecipe(
        id=f"{KEY}.sentence.fragmentation-own",
        text="a partition in two parts slows the job on it (8x8x4 in parts, over together)",
        machine=MACHINE,
        ours=in_parts,
        least=FELT,
    ),
    MachineSentenceRecipe(
        id=f"{KEY}.sentence.undisturbed",
        text="PEs of others in a partition spoil its mapping (hops sorted, over undisturbed)",
        machine=MACHINE,
        ours=disturbed,
        least=FELT,
    ),
    MachineSentenceRecipe(
        id=f"{KEY}.sentence.batch-system",
        text="a batch system can avoid it (share of load on others' links that dividing leaves)",
        machine=MACHINE,
        ours=divided,
        most=SOLVED,
    ),
)
"""Sentences which need to know where ranks lie."""


# -- drawings --------------------------------------------------------------------------------------


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
        curves=tuple(
            DrawnCurve(
                way,
                way,
                MACHINE,
                tuple(
                    DrawnPoint(pair.pes, (pair.cell_at(way)(LONG_BYTES),), rate(LONG_BYTES))
                    for pair in pairs
                ),
                ((2, f"{KEY}.pair.2.bandwidth"),) * (way == IN_ORDER),
            )
            for way in (IN_ORDER, SORTED, BY_LOAD)
        ),
        against_pes=True,
        note="Least load: where mapping finds least on the busiest link, by no rule of the "
        "paper's. Of 64 PEs in order the text says less than half of what two have.",
    )
    for number, order in ((6, "without"), (7, "reordered")):
        yield FigureRecipe(
            id=f"{KEY}.figure{number}",
            where=f"Figure {number}",
            title=f"Bandwidth of halos {WAYS[order]} against message size",
            quantity="bandwidth of a PE",
            unit=Unit.MEGABYTES_PER_SECOND,
            curves=tuple(_halo_curve(dims, order) for dims in HALO_GRIDS),
            logarithmic=True,
            note="What is printed are large messages.",
        )


def _pair_figure(number: int, words: str, way: str, pairs: list[Pairs]) -> FigureRecipe:
    return FigureRecipe(
        id=f"{KEY}.figure{number}",
        where=f"Figure {number}",
        title=f"Bandwidth of pairs {words} against message size",
        quantity="bandwidth of a PE",
        unit=Unit.MEGABYTES_PER_SECOND,
        curves=tuple(
            DrawnCurve(
                f"{pair.pes} PEs",
                f"{pair.pes} PEs",
                MACHINE,
                rated(pair.cell_at(way), SIZES),
                ((LONG_BYTES, f"{KEY}.pair.2.bandwidth"),) * (pair.pes == 2),
            )
            for pair in pairs
        ),
        logarithmic=True,
        note="About 200 MB/s on 2 PEs is a maximum, of large messages.",
    )


def _halo_curve(dims: tuple[int, ...], order: str) -> DrawnCurve:
    grid, sends = "x".join(map(str, dims)), sum(min(length - 1, 2) for length in dims)

    def cell_at(size_bytes: int) -> CellSpec:
        return in_a_loop(DIRECT, f"halo:{grid}", prod(dims), size_bytes).placed(ORDERS[order])

    name = f"{prod(dims)} PEs, {grid}"
    printed = ((LONG_BYTES, f"{KEY}.halo.{grid}.{order}"),) * (grid == "8x4x4")
    return DrawnCurve(name, name, MACHINE, rated(cell_at, SIZES, sends), printed)


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=FIGURES,
    sentences=(*SENTENCES, *OF_PLACES),
    lacking={
        f"{KEY}.figure1": "a drawing of where ranks are, without a value",
        **{f"{KEY}.figure{number}": ONLY_DRAWN for number in (4, 5, 6, 7)},
    },
    drawings=figures,
)
