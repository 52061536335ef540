"""Traces: what patterns do, as the ranks of backend `trace` log it.

Also the cells of a request that nobody measures: as that backend describes them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.errors import LaunchError, UsageError
from leadline.kernels.server import ControlServer
from leadline.measure.cells import PlannedCell, Resources, patience_s, planned_cells, unsuited
from leadline.measure.launch import SliceError
from leadline.measure.plan import Group
from leadline.measure.pool import LaunchPool, unauthenticated_warnings
from leadline.measure.preparation import UNKNOWN_MEMORY_BYTES, built_variants, prepare
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Request
from leadline.measure.system import OPERATING_SYSTEM
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.topology.phases import Trace, parse_calls, trace_of

BACKEND = "trace"
"""The backend that logs its calls."""
TOLD = frozenset(
    kind.code
    for kind in (
        WarningKind.ABSENT,
        WarningKind.SIZE_DROPPED,
        WarningKind.SIZE_TOO_LARGE,
        WarningKind.TOO_FEW_RANKS,
        WarningKind.ODD_RANKS,
        WarningKind.GRID_RANKS,
        WarningKind.NO_NEIGHBOURS,
        WarningKind.RANKS_NO_POWER,
        WarningKind.TOO_MANY_RANKS,
        WarningKind.PROBLEM_TOO_LARGE,
    )
)
"""Codes of the warnings in a plan that report what is left out; others are about times, of which a
trace has none."""


@dataclass(frozen=True, slots=True)
class TracedCell:
    """What one pattern did at one size, with one number of ranks."""

    pattern: str
    """Name of the pattern, with its options."""
    size_bytes: int
    ranks: int
    algorithm: str
    """"native", or the fallback's name."""
    repetitions: int
    trace: Trace


@dataclass(frozen=True, slots=True)
class Traces:
    """Traces, and the warnings about them."""

    cells: tuple[TracedCell, ...]
    warnings: tuple[RunWarning, ...]


def traced(request: Request, repetitions: int) -> Traces:
    """The traces of all that `request` asks for, each of so many repetitions.

    Of the request patterns, sizes, ranks, root and patience count.

    Raises:
        UsageError: Nothing of it can be traced, or an application has no so many repetitions.
        BuildError: The kernel can't be built.
        LaunchError: Ranks don't start, or one ends, hangs or receives a wrong byte.
    """
    prepared = prepare(replace(request, backends=(BACKEND,), blocks=1, bind=False))
    for group in prepared.plan.groups:
        check_repetitions(group.cells, repetitions)
    OPERATING_SYSTEM.sweep()
    cells: list[TracedCell] = []
    with ControlServer.listening() as server:
        for group in prepared.plan.groups:
            cells += _of_group(prepared, server, replace(group, launches=1), repetitions)
    left_out = [warning for warning in prepared.plan.warnings if warning.code in TOLD]
    refused = unauthenticated_warnings(server.refused)
    silent = [
        f"{cell.pattern} of {cell.ranks} rank{'s' * (cell.ranks > 1)}"
        for cell in cells
        if not cell.trace.messages
    ]
    if silent:
        left_out.append(warning_of(WarningKind.NO_MESSAGES, cells=tuple(dict.fromkeys(silent))))
    return Traces(tuple(cells), (*left_out, *refused))


def check_repetitions(cells: Sequence[PlannedCell], repetitions: int) -> None:
    """UsageError where an application among `cells` has solved its problem with fewer."""
    for planned in cells:
        if planned.problem and repetitions > (most := planned.problem.repetitions):
            raise UsageError(
                f"{planned.choice.label} is solved by {most} repetitions, not {repetitions}: "
                f"its trace ends there; give --repetitions {most} or fewer"
            )


def _of_group(
    prepared: Prepared, server: ControlServer, group: Group, repetitions: int
) -> list[TracedCell]:
    """The cells of one number of ranks, by one launch; LaunchError where it fails."""
    launch_pool = LaunchPool(
        prepared, server, group, prepared.variants, itertools.count(), OPERATING_SYSTEM
    )
    with launch_pool:
        for error in launch_pool.failed.values():
            raise error
        (launch,) = launch_pool.launches
        cells = []
        for planned in group.cells:
            cell = planned.cell
            command = (
                f"{planned.choice.command} size={cell.size_bytes} buffers={cell.buffers} "
                f"cadence={cell.cadence} repetitions={repetitions}"
            )
            what = f"{cell.pattern} of {launch.ranks} ranks at {cell.size_bytes} B"
            longest_s = prepared.request.patience_s + patience_s(planned.problem)
            try:
                logs = launch.trace(command, what, longest_s)
            except SliceError as error:
                raise LaunchError(str(error), launch.commands[0].argv, None, "") from error
            cells.append(
                TracedCell(
                    cell.pattern,
                    cell.size_bytes,
                    launch.ranks,
                    planned.pattern.algorithm,
                    repetitions,
                    trace_of([parse_calls(log) for log in logs]),
                )
            )
        return cells


SIMULATION = "messages alone"
"""Name of the simulation in warnings of patterns that make no sense there, as one-sided ones."""


@dataclass(frozen=True, slots=True)
class DescribedCells:
    """The cells of a request where only patterns, sizes and ranks count."""

    by_ranks: Mapping[int, tuple[PlannedCell, ...]]
    """Cells that so many ranks can carry out, by number of ranks."""
    warnings: tuple[RunWarning, ...]
    """Warnings of what is left out."""


def described_cells(request: Request) -> DescribedCells:
    """The cells of `request`, whatever they take.

    Raises:
        UsageError: There is no such pattern or option, or nothing is left.
        BuildError: The kernel that describes them can't be built.
        MachineError: There is no C compiler.
    """
    request = replace(request, backends=(BACKEND,), variants=())
    _, (variant,), _ = built_variants(request, None)
    resources = Resources({SIMULATION: variant.capability}, 0.0, (), UNKNOWN_MEMORY_BYTES, None)
    cells, warnings = planned_cells(request, resources, "simulate")
    suited = {
        ranks: tuple(cell for cell in cells if cell.unsuited(ranks) is None)
        for ranks in request.ranks
    }
    left_out = [warning for ranks in request.ranks for warning in unsuited(cells, ranks)]
    if not any(suited.values()):
        why = "; ".join(f"{warning.cause} ({warning.remedy})" for warning in left_out)
        raise UsageError(f"nothing of it can be carried out: {why}")
    return DescribedCells(
        {ranks: found for ranks, found in suited.items() if found}, (*warnings, *left_out)
    )


def joined_cells(several: Sequence[DescribedCells]) -> DescribedCells:
    """The cells of all, for the facts of one run; each warning of what is left out occurs once."""
    by_ranks: dict[int, tuple[PlannedCell, ...]] = {}
    for one in several:
        for ranks, cells in one.by_ranks.items():
            by_ranks[ranks] = (*by_ranks.get(ranks, ()), *cells)
    warnings = dict.fromkeys(warning for one in several for warning in one.warnings)
    return DescribedCells(by_ranks, tuple(warnings))
