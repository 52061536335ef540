"""Hwang, Wang and Wang on the SP2, the T3D and the Paragon: what their abstract says.

The aggregated bandwidth is all bytes of a total exchange over its time as messages grow; all
operations move 64 KiB a message, over 64 nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from leadline.models.forms import Scaling
from leadline.papers.catalogue import figure_of, paper_of
from leadline.papers.collectives import KEY, PARAGON, SP2, T3D
from leadline.papers.collectives.closed_forms import (
    ASKED,
    BARRIER,
    LIBRARY,
    OPERATIONS,
    forms_from,
    forms_in,
)
from leadline.papers.recipe import (
    DrawnCurve,
    DrawnPoint,
    FigureRecipe,
    PaperRecipes,
    Recipe,
    Relation,
    SentenceRecipe,
    timed,
)
from leadline.papers.simulation import (
    LINE_BYTES,
    CellSpec,
    Machines,
    Seconds,
    alone,
    least_ratio,
    only,
    ratios,
    slope_rate,
)
from leadline.papers.units import Unit

MACHINES = {"t3d": "cray-t3d", "paragon": "intel-paragon", "sp2": "ibm-sp2"}
"""By their names in ids."""
SHORT_BYTES = 16
RANGE = f"{KEY}.range.64.least", f"{KEY}.range.64.most"
BARRIER_NODES = figure_of(RANGE[0]).ranks
"""On how many a barrier was isn't printed."""
ALMOST_ALL = 0.83
"""Five of six operations."""
UNKNOWN = "which machine and which operation it was isn't printed, nor the algorithms"
COMPUTES = (
    "of the three files the T3D's alone has rates of computing, so that sums in reduce and scan "
    "take time on it alone: without them it is the fastest in all six"
)


def _spec(name: str, operation: str, size_bytes: int, nodes: int = BARRIER_NODES) -> CellSpec:
    return alone((MACHINES[name], LIBRARY), operation, nodes, size_bytes)


def _barrier(name: str) -> CellSpec:
    return _spec(name, BARRIER, 0)


LONG_BYTES = int(figure_of(RANGE[0]).bytes)
LONG_BY_MACHINE = {
    name: tuple(_spec(name, operation, LONG_BYTES) for operation in OPERATIONS) for name in MACHINES
}
"""Each machine's operations with the abstract's long message."""
ALL_LONG = tuple(spec for of_machine in LONG_BY_MACHINE.values() for spec in of_machine)


def _aggregated(nodes: int) -> Callable[[Seconds], float]:
    """B/s of all nodes together, by the slope of the time over the size."""
    return lambda seconds: nodes * (nodes - 1) * slope_rate(seconds)


def _exchanges(name: str, nodes: int = BARRIER_NODES) -> tuple[CellSpec, ...]:
    """Total exchanges, of which an aggregated bandwidth is made."""
    return tuple(_spec(name, "alltoall", size, nodes) for size in LINE_BYTES)


FIGURES = (
    Recipe(figure=f"{KEY}.barrier.t3d.time", cells=(_barrier("t3d"),), ours=only),
    Recipe(
        figure=f"{KEY}.barrier.others.ratio",
        cells=tuple(map(_barrier, MACHINES)),
        # how much longer the faster of the others takes than the first
        ours=lambda seconds: min(seconds[1:]) / seconds[0],
        relation=Relation.LEAST,
    ),
    Recipe(figure=RANGE[0], cells=ALL_LONG, ours=min, reason=UNKNOWN),
    Recipe(figure=RANGE[1], cells=ALL_LONG, ours=max, reason=UNKNOWN),
    *(
        Recipe(
            figure=f"{KEY}.total-exchange.{name}.64",
            cells=_exchanges(name),
            ours=_aggregated(BARRIER_NODES),
        )
        for name in MACHINES
    ),
)


# -- sentences -------------------------------------------------------------------------------------


def _share(of: Sequence[bool]) -> float:
    return sum(of) / len(of)


def _lead_in_rate(seconds: Seconds) -> float:
    """The first machine's aggregated bandwidth over the higher of the others'."""
    pairs = zip(seconds[::2], seconds[1::2], strict=True)
    first, *others = map(_aggregated(BARRIER_NODES), pairs)
    return first / max(others)


def _share_best(seconds: Seconds) -> float:
    """The share of operations in which the first machine is the fastest."""
    number = len(OPERATIONS)
    by_machine = [seconds[i : i + number] for i in range(0, len(seconds), number)]
    return _share([min(times) == times[0] for times in zip(*by_machine, strict=True)])


def _growing(seconds: Seconds) -> float:
    """The share of operations whose start-up is logarithmic or linear in the nodes."""
    forms = [form for form in forms_from(seconds) if form.operation != BARRIER]
    return _share([form.startup in (Scaling.LOGARITHMIC, Scaling.LINEAR) for form in forms])


SHORT = ("alltoall", "scatter", "gather")
"""Besides the barrier those in which the SP2 leads short messages."""

SENTENCES = (
    SentenceRecipe(
        id=f"{KEY}.sentence.t3d-best",
        text="the T3D is the fastest in almost all operations (share of six, at 64 KiB)",
        cells=ALL_LONG,
        ours=_share_best,
        least=ALMOST_ALL,
        reason=COMPUTES,
    ),
    *(
        SentenceRecipe(
            id=f"{KEY}.sentence.range-{name}",
            text=f"with 64 KiB over 64 nodes the {which} collective lies in the printed range",
            cells=ALL_LONG,
            ours=ours,
            within=RANGE,
        )
        for name, which, ours in (("least", "fastest", min), ("most", "slowest", max))
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.paragon-long",
        text="with long messages the Paragon outperforms the SP2 in almost all (share of six)",
        cells=(*LONG_BY_MACHINE["sp2"], *LONG_BY_MACHINE["paragon"]),
        # in which those asked for last take no longer than the others
        ours=lambda seconds: _share([ratio >= 1 for ratio in ratios(seconds)]),
        least=ALMOST_ALL,
        rests_on=tuple(f"{KEY}.total-exchange.{name}.64" for name in ("paragon", "sp2")),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.t3d-delivers-most",
        text="of the three the T3D delivers the most in a total exchange on 64 nodes",
        cells=tuple(spec for name in MACHINES for spec in _exchanges(name)),
        ours=_lead_in_rate,
        least=1.0,
        over=(f"{KEY}.total-exchange.t3d.64", f"{KEY}.total-exchange.paragon.64"),
        rests_on=(f"{KEY}.total-exchange.sp2.64",),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.sp2-short",
        text="with short ones the SP2 outperforms the Paragon in barrier, total exchange, scatter "
        "and gather",
        cells=(
            *(_spec("paragon", operation, SHORT_BYTES) for operation in SHORT),
            _barrier("paragon"),
            *(_spec("sp2", operation, SHORT_BYTES) for operation in SHORT),
            _barrier("sp2"),
        ),
        ours=least_ratio,
        least=1.0,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.startup",
        text="start-up latencies grow linearly or logarithmically on all three (share of 18 forms)",
        cells=ASKED,
        ours=_growing,
        least=1.0,
    ),
)


# -- drawings --------------------------------------------------------------------------------------


SYSTEMS = {"t3d": T3D, "paragon": PARAGON, "sp2": SP2}
NODES = (2, 4, 8, 16, 32, BARRIER_NODES)


def figures(_: Machines) -> Iterator[FigureRecipe]:
    """R_inf of the total exchange, barriers, and each machine's operations at 64 KiB."""
    yield FigureRecipe(
        id=f"{KEY}.total-exchange",
        where="Abstract, aggregated bandwidth",
        title="The total exchange's aggregated bandwidth against PEs",
        quantity="R_inf",
        unit=Unit.GIGABYTES_PER_SECOND,
        curves=tuple(
            DrawnCurve(
                name,
                system,
                MACHINES[system],
                tuple(DrawnPoint(n, _exchanges(system, n), _aggregated(n)) for n in NODES),
                ((BARRIER_NODES, f"{KEY}.total-exchange.{system}.{BARRIER_NODES}"),),
            )
            for system, name in SYSTEMS.items()
        ),
        logarithmic=True,
        against_pes=True,
        note="All bytes of all messages over the time, as messages grow.",
    )
    yield FigureRecipe(
        id=f"{KEY}.barrier",
        where="Abstract, barriers",
        title="Barriers against PEs",
        quantity="time",
        unit=Unit.MICROSECONDS,
        curves=tuple(
            DrawnCurve(
                name,
                system,
                MACHINES[system],
                timed(partial(_spec, system, BARRIER, 0), NODES),
                ((BARRIER_NODES, f"{KEY}.barrier.t3d.time"),) * (system == "t3d"),
            )
            for system, name in SYSTEMS.items()
        ),
        logarithmic=True,
        against_pes=True,
        note="On how many nodes the T3D took 3 us isn't printed; the others took 30 times as long "
        "at least.",
    )
    for system, name in SYSTEMS.items():
        of_operations = (
            DrawnCurve(
                operation.replace("_", " "),
                operation,
                MACHINES[system],
                timed(partial(_spec, system, operation, LONG_BYTES), NODES),
            )
            for operation in OPERATIONS
        )
        ends = tuple((BARRIER_NODES, end) for end in RANGE)
        range_of_all = DrawnCurve("all three machines' range", "range", MACHINES[system], (), ends)
        yield FigureRecipe(
            id=f"{KEY}.operations.{system}",
            where="Abstract, 64 KBytes over 64 nodes",
            title=f"{name}: operations with {LONG_BYTES:,} B a message against PEs",
            quantity="time",
            unit=Unit.MILLISECONDS,
            curves=(*of_operations, range_of_all),
            logarithmic=True,
            against_pes=True,
            note="The range is that of all operations on all three machines: whose it is isn't "
            "printed.",
        )


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=FIGURES,
    sentences=SENTENCES,
    lacking={f"{KEY}.closed-forms": "their coefficients are in the paper, not in its abstract"},
    drawings=figures,
    forms=forms_in,
)
