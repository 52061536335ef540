"""Traces: what patterns do, as the ranks of backend `trace` log it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.errors import LaunchError, UsageError
from leadline.kernels.server import ControlServer
from leadline.measure.cells import PlannedCell
from leadline.measure.launch import Launch, SliceError
from leadline.measure.order import Order
from leadline.measure.plan import Group
from leadline.measure.preparation import prepare
from leadline.measure.prepared import Prepared
from leadline.measure.problems import patience_s
from leadline.measure.residents import Residents
from leadline.measure.starting import stranger_caveats
from leadline.measure.system import OPERATING_SYSTEM
from leadline.record.caveats import Caveat, CaveatKind
from leadline.topology.phases import Trace, parse_calls, trace_of

BACKEND = "trace"
"""The one that logs its calls."""
TOLD = frozenset(
    kind.code
    for kind in (
        CaveatKind.ABSENT,
        CaveatKind.SIZE_DROPPED,
        CaveatKind.SIZE_TOO_LARGE,
        CaveatKind.TOO_FEW_RANKS,
        CaveatKind.ODD_RANKS,
        CaveatKind.GRID_RANKS,
        CaveatKind.NO_NEIGHBOURS,
        CaveatKind.RANKS_NO_POWER,
        CaveatKind.TOO_MANY_RANKS,
        CaveatKind.PROBLEM_TOO_LARGE,
    )
)
"""Of a plan's caveats those that say what is left out; others are about times, of which a trace has
none."""


@dataclass(frozen=True, slots=True)
class TracedCell:
    """What one pattern did at one size, with one number of ranks."""

    pattern: str
    """With its options."""
    size_bytes: int
    ranks: int
    algorithm: str
    """"native", or the fallback's name."""
    repetitions: int
    trace: Trace


@dataclass(frozen=True, slots=True)
class Traces:
    """What was traced, and what is to be known of it."""

    cells: tuple[TracedCell, ...]
    caveats: tuple[Caveat, ...]


def traced(order: Order, repetitions: int) -> Traces:
    """The traces of all that `order` asks for, each of so many repetitions.

    Of the order patterns, sizes, ranks, root and patience count.

    Raises:
        UsageError: Nothing of it can be traced, or an application has no so many repetitions.
        BuildError: The kernel can't be built.
        LaunchError: Ranks don't start, or one ends, hangs or receives a wrong byte.
    """
    prepared = prepare(replace(order, backends=(BACKEND,), blocks=1, bind=False))
    for group in prepared.plan.groups:
        check_repetitions(group.cells, repetitions)
    OPERATING_SYSTEM.sweep()
    cells: list[TracedCell] = []
    with ControlServer.listening() as server:
        for group in prepared.plan.groups:
            cells += _of_group(prepared, server, replace(group, launches=1), repetitions)
    left_out = [one for one in prepared.plan.caveats if one.code in TOLD]
    strangers = stranger_caveats(server.strangers)
    return Traces(tuple(cells), (*left_out, *_silent(cells), *strangers))


def check_repetitions(cells: Sequence[PlannedCell], repetitions: int) -> None:
    """UsageError where an application among `cells` has solved its problem with fewer."""
    for planned in cells:
        if planned.problem and repetitions > (most := planned.problem.repetitions):
            raise UsageError(
                f"{planned.choice.label} is solved by {most} repetitions, not {repetitions}: "
                f"its trace ends there; give --repetitions {most} or fewer"
            )


def _silent(cells: Sequence[TracedCell]) -> list[Caveat]:
    """That some patterns sent nothing."""
    labels = [
        f"{one.pattern} of {one.ranks} rank{'s' * (one.ranks > 1)}"
        for one in cells
        if not one.trace.messages
    ]
    named = ", ".join(dict.fromkeys(labels))
    return [CaveatKind.NO_MESSAGES.because(f"{named}: no message was sent")] if labels else []


def _of_group(
    prepared: Prepared, server: ControlServer, group: Group, repetitions: int
) -> list[TracedCell]:
    """The cells of one number of ranks, by one launch."""
    failed: list[LaunchError] = []
    residents = Residents(
        prepared, server, group, prepared.variants, lambda _, error: failed.append(error),
        itertools.count(), OPERATING_SYSTEM,
    )  # fmt: skip
    with residents:
        if failed:
            raise failed[0]
        (launch,) = residents.launches
        return [_of_cell(prepared.order, launch, planned, repetitions) for planned in group.cells]


def _of_cell(order: Order, launch: Launch, planned: PlannedCell, repetitions: int) -> TracedCell:
    cell = planned.cell
    command = (
        f"{planned.choice.command} size={cell.size_bytes} buffers={cell.buffers} "
        f"cadence={cell.cadence} repetitions={repetitions}"
    )
    what = f"{cell.pattern} of {launch.ranks} ranks at {cell.size_bytes} B"
    longest_s = order.patience_s + patience_s(planned.problem)
    try:
        logs = launch.trace(command, what, longest_s)
    except SliceError as error:
        raise LaunchError(str(error), launch.commands[0].argv, None, "") from error
    return TracedCell(
        cell.pattern,
        cell.size_bytes,
        launch.ranks,
        planned.pattern.algorithm,
        repetitions,
        trace_of([parse_calls(log) for log in logs]),
    )
