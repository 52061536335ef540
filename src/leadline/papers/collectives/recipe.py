"""Hwang, Wang and Wang on the SP2, the T3D and the Paragon: what their abstract says.

The aggregated bandwidth is all bytes of a total exchange over its time as messages grow; all
operations move 64 KiB a message, over 64 nodes.
"""

from __future__ import annotations

from collections.abc import Iterator

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
    Asked,
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


def _asked(name: str, operation: str, size_bytes: int) -> Asked:
    return alone((MACHINES[name], LIBRARY), operation, BARRIER_NODES, size_bytes)


def _barrier(name: str) -> Asked:
    return _asked(name, BARRIER, 0)


def _all_long() -> tuple[Asked, ...]:
    size = int(figure_of(RANGE[0]).bytes)
    return tuple(_asked(name, operation, size) for name in MACHINES for operation in OPERATIONS)


def _aggregated(seconds: Seconds) -> float:
    """B/s of all together, by the slope of the time over the size."""
    return BARRIER_NODES * (BARRIER_NODES - 1) * slope_rate(seconds)


def _least_lead(seconds: Seconds) -> float:
    """How much longer the faster of the others takes than the first."""
    return min(seconds[1:]) / seconds[0]


def _recipes() -> Iterator[Recipe]:
    yield Recipe(figure=f"{KEY}.barrier.t3d.time", asked=(_barrier("t3d"),), ours=only)
    yield Recipe(
        figure=f"{KEY}.barrier.others.ratio",
        asked=tuple(map(_barrier, MACHINES)),
        ours=_least_lead,
        relation=Relation.LEAST,
    )
    for figure, ours in zip(RANGE, (min, max), strict=True):
        yield Recipe(figure=figure, asked=_all_long(), ours=ours, reason=UNKNOWN)
    for name in MACHINES:
        yield Recipe(
            figure=f"{KEY}.total-exchange.{name}.64",
            asked=tuple(_asked(name, "total_exchange", size) for size in LINE_BYTES),
            ours=_aggregated,
        )


# -- sentences -------------------------------------------------------------------------------------


def _share_led(seconds: Seconds) -> float:
    """The share of operations in which those asked for last take no longer than the others."""
    led = [one >= 1 for one in ratios(seconds)]
    return sum(led) / len(led)


def _lead_in_rate(seconds: Seconds) -> float:
    """The first machine's aggregated bandwidth over the higher of the others'."""
    pairs = zip(seconds[::2], seconds[1::2], strict=True)
    first, *others = (_aggregated(pair) for pair in pairs)
    return first / max(others)


def _share_best(seconds: Seconds) -> float:
    """The share of operations in which the first machine is the fastest."""
    columns: list[tuple[float, ...]] = list(zip(*_by_machine(seconds), strict=True))
    best = [min(times) == times[0] for times in columns]
    return sum(best) / len(best)


def _growing(seconds: Seconds) -> float:
    """The share of operations whose start-up is logarithmic or linear in the nodes."""
    grow = [
        one.startup in (Scaling.LOGARITHMIC, Scaling.LINEAR)
        for one in forms_from(seconds)
        if one.operation != BARRIER
    ]
    return sum(grow) / len(grow)


def _by_machine(seconds: Seconds) -> list[Seconds]:
    number = len(OPERATIONS)
    return [seconds[i : i + number] for i in range(0, len(seconds), number)]


def _sentences() -> Iterator[SentenceRecipe]:
    long = _all_long()
    paragon, sp2 = (tuple(x for x in long if x.machine == MACHINES[n]) for n in ("paragon", "sp2"))
    short = ("total_exchange", "scatter", "gather")
    yield SentenceRecipe(
        id=f"{KEY}.sentence.t3d-best",
        text="the T3D is the fastest in almost all operations (share of six, at 64 KiB)",
        asked=long,
        ours=_share_best,
        least=ALMOST_ALL,
        reason=COMPUTES,
    )
    for name, which, ours in (("least", "fastest", min), ("most", "slowest", max)):
        yield SentenceRecipe(
            id=f"{KEY}.sentence.range-{name}",
            text=f"with 64 KiB over 64 nodes the {which} collective lies in the printed range",
            asked=long,
            ours=ours,
            within=RANGE,
        )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.paragon-long",
        text="with long messages the Paragon outperforms the SP2 in almost all (share of six)",
        asked=(*sp2, *paragon),
        ours=_share_led,
        least=ALMOST_ALL,
        rests_on=tuple(f"{KEY}.total-exchange.{name}.64" for name in ("paragon", "sp2")),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.t3d-delivers-most",
        text="of the three the T3D delivers the most in a total exchange on 64 nodes",
        asked=tuple(
            _asked(name, "total_exchange", size) for name in MACHINES for size in LINE_BYTES
        ),
        ours=_lead_in_rate,
        least=1.0,
        over=(f"{KEY}.total-exchange.t3d.64", f"{KEY}.total-exchange.paragon.64"),
        rests_on=(f"{KEY}.total-exchange.sp2.64",),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.sp2-short",
        text="with short ones the SP2 outperforms the Paragon in barrier, total exchange, scatter "
        "and gather",
        asked=(
            *(_asked("paragon", operation, SHORT_BYTES) for operation in short),
            _barrier("paragon"),
            *(_asked("sp2", operation, SHORT_BYTES) for operation in short),
            _barrier("sp2"),
        ),
        ours=least_ratio,
        least=1.0,
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.startup",
        text="start-up latencies grow linearly or logarithmically on all three (share of 18 forms)",
        asked=ASKED,
        ours=_growing,
        least=1.0,
    )


# -- drawings --------------------------------------------------------------------------------------


SYSTEMS = {"t3d": T3D, "paragon": PARAGON, "sp2": SP2}
NODES = (2, 4, 8, 16, 32, BARRIER_NODES)
LONG_BYTES = int(figure_of(f"{KEY}.range.64.least").bytes)


def figures(_: Machines) -> Iterator[FigureRecipe]:
    """R_inf of the total exchange, barriers, and each machine's operations at 64 KiB."""
    yield FigureRecipe(
        id=f"{KEY}.total-exchange",
        where="Abstract, aggregated bandwidth",
        title="The total exchange's aggregated bandwidth against PEs",
        quantity="R_inf",
        unit=Unit.GIGABYTES_PER_SECOND,
        curves=tuple(map(_aggregated_curve, SYSTEMS)),
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
        curves=tuple(map(_barrier_curve, SYSTEMS)),
        logarithmic=True,
        against_pes=True,
        note="On how many nodes the T3D took 3 us isn't printed; the others took 30 times as long "
        "at least.",
    )
    yield from map(_operations, SYSTEMS)


def _asked_on(system: str, operation: str, nodes: int, size_bytes: int) -> Asked:
    return alone((MACHINES[system], LIBRARY), operation, nodes, size_bytes)


def _aggregated_curve(system: str) -> DrawnCurve:
    points = tuple(map(_limit, [system] * len(NODES), NODES))
    printed = ((BARRIER_NODES, f"{KEY}.total-exchange.{system}.{BARRIER_NODES}"),)
    return DrawnCurve(SYSTEMS[system], system, MACHINES[system], points, printed)


def _limit(system: str, nodes: int) -> DrawnPoint:
    """By the slope of the time over the size."""
    messages = nodes * (nodes - 1)

    def rate(seconds: Seconds) -> float:
        return messages * slope_rate(seconds)

    asked = tuple(_asked_on(system, "total_exchange", nodes, size) for size in LINE_BYTES)
    return DrawnPoint(nodes, asked, rate)


def _barrier_curve(system: str) -> DrawnCurve:
    points = timed(lambda nodes: _asked_on(system, "barrier", nodes, 0), NODES)
    printed = ((BARRIER_NODES, f"{KEY}.barrier.t3d.time"),) * (system == "t3d")
    return DrawnCurve(SYSTEMS[system], system, MACHINES[system], points, printed)


def _operations(system: str) -> FigureRecipe:
    range_of_all = DrawnCurve(
        "all three machines' range",
        "range",
        MACHINES[system],
        (),
        tuple((BARRIER_NODES, f"{KEY}.range.64.{end}") for end in ("least", "most")),
    )
    return FigureRecipe(
        id=f"{KEY}.operations.{system}",
        where="Abstract, 64 KBytes over 64 nodes",
        title=f"{SYSTEMS[system]}: operations with {LONG_BYTES:,} B a message against PEs",
        quantity="time",
        unit=Unit.MILLISECONDS,
        curves=(*(_operation(system, name) for name in OPERATIONS), range_of_all),
        logarithmic=True,
        against_pes=True,
        note="The range is that of all operations on all three machines: whose it is isn't "
        "printed.",
    )


def _operation(system: str, operation: str) -> DrawnCurve:
    points = timed(lambda nodes: _asked_on(system, operation, nodes, LONG_BYTES), NODES)
    return DrawnCurve(operation.replace("_", " "), operation, MACHINES[system], points)


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=tuple(_recipes()),
    sentences=tuple(_sentences()),
    lacking={f"{KEY}.closed-forms": "their coefficients are in the paper, not in its abstract"},
    drawings=figures,
    forms=forms_in,
)
