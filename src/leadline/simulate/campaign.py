"""A campaign on a described machine: its cells' times, and the run that states them.

Each cell gets a time that a run can state, or the reason why it has none. What applications compute
takes time, or costs nothing where the machine's file doesn't say.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from leadline import __version__
from leadline.errors import UsageError
from leadline.mapping import METRICS, map_by
from leadline.measure.cells import PlannedCell
from leadline.measure.grids import gains_nothing, grid_of, placement, sends_of, windows_of
from leadline.measure.tracing import DescribedCells
from leadline.patterns.programs.patterns import calls_of, least_ranks
from leadline.record.provenance import Provenance, SimulationFacts
from leadline.record.quantities import LONGEST_S
from leadline.record.run import Cell, Configuration, GridPlacement, Origin, Stated
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.simulate.execution import ended_beside
from leadline.simulate.flow import NoMemoryError, Watcher
from leadline.simulate.machine import Compute, MachineModel, Profile
from leadline.simulate.routes import Fabric, fabric_of
from leadline.simulate.tasks import Tasks, tasks_of
from leadline.simulate.timing import (
    Timed,
    communicating_shares,
    repetitions_of,
    roots_of,
    seconds_of,
)
from leadline.store import Journal
from leadline.topology.allocation import Allocation, first_slots
from leadline.topology.networks import Float64, Int64, Torus
from leadline.units import format_size

FREE = Compute()


def timed(tasks: Tasks, ended: Float64, planned: PlannedCell, compute: Compute) -> Timed:
    """What the cell takes; for an application whose computing costs time also its ranks' shares."""
    cell = planned.cell
    seconds = seconds_of(tasks, ended, cell)
    if planned.problem is None or compute == FREE:
        return Timed(seconds)
    shares = communicating_shares(tasks, ended, cell)
    return Timed(seconds, float(np.mean(shares)), float(np.max(shares)))


def free_computing(
    machines: Iterable[MachineModel], cells: Iterable[PlannedCell]
) -> Iterator[RunWarning]:
    """A warning for each machine where some computing of applications among `cells` is free."""
    labels = list(dict.fromkeys(cell.choice.label for cell in cells if cell.problem))
    free = dict.fromkeys((machine.name, *_free(machine.compute)) for machine in machines)
    for name, operations, transfers in free:
        if labels and (operations or transfers):
            yield warning_of(
                WarningKind.FREE_COMPUTING,
                patterns=labels,
                machine=name,
                operations=operations,
                both=operations and transfers,
                bytes=transfers,
            )


def _free(compute: Compute) -> tuple[bool, bool]:
    """Whether operations cost nothing, and whether bytes read and written do."""
    return math.isinf(compute.flop_per_s), math.isinf(compute.bytes_per_s)


YEAR_S = 365 * 86400.0
_MOST_YEARS = 10**6
"""More are reported as "over"."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A cell for which no time can be stated."""

    label: str
    """E.g. "bcast 1 MiB on 16 ranks"."""
    kind: WarningKind
    values: tuple[tuple[str, object], ...] = ()
    """Values of its warning, by field, beside the cells."""


def outcome(label: str, timed: Callable[[], Timed]) -> Timed | LeftOut:
    """The result of `timed` where a run can state it, else why not.

    MachineError: there is no C compiler.
    """
    try:
        result = timed()
    except (MemoryError, NoMemoryError, UsageError) as error:
        return LeftOut(label, WarningKind.UNSIMULATED, (("error", str(error)),))
    took = result.seconds
    if took == 0:
        return LeftOut(label, WarningKind.NO_COST)
    if not took < LONGEST_S:
        years = took / YEAR_S
        rough = f"{years:,.0f}" if years < _MOST_YEARS else f"over {_MOST_YEARS:,}"
        return LeftOut(f"{label} ({rough} years)", WarningKind.TOO_LONG)
    return result


def warnings_of(left_out: Iterable[LeftOut]) -> Iterator[RunWarning]:
    """A warning for each reason, with all cells that it applies to, each once."""
    labels: dict[tuple[WarningKind, tuple[tuple[str, object], ...]], dict[str, None]] = {}
    for out in left_out:
        labels.setdefault((out.kind, out.values), {})[out.label] = None
    for (kind, values), named in labels.items():
        yield warning_of(kind, cells=tuple(named), **dict(values))


DEFAULT, PAPER = "default", "paper"
"""Mappings: rank r on slot r; the sort of Müller and Resch (1998)."""
MAPPINGS = (DEFAULT, PAPER, *METRICS)
BARRIER = "barrier"
"""The pattern that a hardware barrier carries out."""
_HARDWARE = "hardware"
_SORT = "sort"


@dataclass(frozen=True, slots=True)
class Setup:
    """What is simulated."""

    variant: str
    """Its name in tables."""
    machine: MachineModel
    profile: Profile
    """The library's costs of messages."""
    mapping: str = DEFAULT
    """One of MAPPINGS, or a name in `files`."""
    files: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The slot of each rank, by the name of the file."""
    what_if: str = ""
    """The changes of the machine from its file, as --what-if lists them; "": none."""
    pool: Allocation | None = None
    """Slots whose first ones ranks get, in order; None: those that the machine gives them."""

    def allocate(self, ranks: int) -> Allocation:
        """The slots of `ranks` ranks; UsageError where there are fewer."""
        return self.machine.allocate(ranks) if self.pool is None else first_slots(self.pool, ranks)


@dataclass(frozen=True, slots=True)
class SimulatedRanks:
    """The times of all cells on one number of ranks."""

    configuration: Configuration
    cells: tuple[Cell, ...]
    """Those that have a time."""
    timed: tuple[Timed, ...]
    left_out: tuple[LeftOut, ...]
    """The others."""
    interrupted: bool = False
    """Whether it was interrupted, so that some cells have neither a time nor a reason."""

    @property
    def seconds(self) -> tuple[float, ...]:
        """The times of the cells."""
        return tuple(one.seconds for one in self.timed)


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of one setup."""

    setup: Setup
    ranks: tuple[SimulatedRanks, ...]

    @property
    def interrupted(self) -> bool:
        """Whether it lacks cells because it was interrupted."""
        return any(rank.interrupted for rank in self.ranks)


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where the ranks of one pattern are."""

    slots: Int64
    placement: GridPlacement | None


@dataclass(frozen=True, slots=True)
class PlacedPattern:
    """A pattern with its ranks on their slots."""

    setup: Setup
    planned: PlannedCell
    ranks: int
    fabric: Fabric
    slots: Int64

    def tasks(self, repetitions: int, root: int | None = None) -> Tasks:
        """The tasks of a number of repetitions; from `root`, or from the pattern's own root."""
        profile, choice = self.setup.profile, self.planned.choice
        calls = calls_of(
            choice if root is None else replace(choice, root=root),
            self.ranks,
            self.planned.cell.size_bytes,
            profile.collectives,
            repetitions=repetitions,
        )
        return tasks_of(calls, profile, self.setup.machine.compute, self.fabric, self.slots)


@dataclass(frozen=True, slots=True)
class SimulatedJob:
    """One of several jobs on a machine."""

    name: str
    setup: Setup
    cells: DescribedCells

    def at(self, size_bytes: int) -> Iterator[PlacedPattern]:
        """Its patterns of this size, and those that have none, with their ranks placed."""
        for ranks, cells in self.cells.by_ranks.items():
            for planned in cells:
                if planned.cell.size_bytes == size_bytes or not planned.pattern.granularity:
                    yield placed_pattern(self.setup, planned, ranks)


def placed_pattern(setup: Setup, planned: PlannedCell, ranks: int) -> PlacedPattern:
    """The pattern's ranks as `setup` places them; UsageError where a mapping doesn't fit."""
    fabric = fabric_of(setup.machine, setup.allocate(ranks))
    return PlacedPattern(
        setup, planned, ranks, fabric, _placed(setup, planned, ranks, fabric).slots
    )


def check_placements(jobs: Sequence[SimulatedJob]) -> None:
    """UsageError for a mapping where no job has a pattern with a grid to place by it."""
    word = jobs[0].setup.mapping
    cells = [cell for job in jobs for of_ranks in job.cells.by_ranks.values() for cell in of_ranks]
    if word != DEFAULT and not any(cell.pattern.axes for cell in cells):
        labels = ", ".join(dict.fromkeys(cell.choice.label for cell in cells))
        raise UsageError(
            f"--mapping {word} lays ranks of patterns with a grid, and none of {labels} has one; "
            "leave it out, or name such a pattern too, as pair or halo"
        )


def simulated(
    setup: Setup,
    cells: DescribedCells,
    tell: Callable[[str], None],
    beside: Sequence[SimulatedJob] = (),
) -> Simulation:
    """The time of every cell, or why it has none that a run can state.

    KeyboardInterrupt ends it, with the cells that are done until then.

    Args:
        setup: Machine, library, where ranks are.
        cells: By numbers of ranks.
        tell: Called with each cell before it is simulated, then repeatedly with its progress.
        beside: Jobs on other slots that run at the same time, at the size of the cell.

    Raises:
        UsageError: The machine has fewer slots than ranks, or a mapping doesn't fit.
        MachineError: There is no C compiler.
    """
    of_ranks = list[SimulatedRanks]()
    for each in cells.by_ranks.items():
        of_ranks.append(_on_ranks(setup, *each, tell, beside))
        if of_ranks[-1].interrupted:
            break
    return Simulation(setup, tuple(of_ranks))


def _on_ranks(
    setup: Setup,
    ranks: int,
    cells: Sequence[PlannedCell],
    tell: Callable[[str], None],
    beside: Sequence[SimulatedJob],
) -> SimulatedRanks:
    fabric = fabric_of(setup.machine, setup.allocate(ranks))
    by_label = {cell.choice.label: cell for cell in cells}
    places = {label: _placed(setup, cell, ranks, fabric) for label, cell in by_label.items()}
    done, left_out, interrupted = list[tuple[Cell, Timed]](), list[LeftOut](), False
    for planned in cells:
        slots = places[planned.choice.label].slots
        placed = PlacedPattern(setup, planned, ranks, fabric, slots)
        try:
            result = _outcome(placed, beside, tell)
        except KeyboardInterrupt:
            interrupted = True
            break
        if isinstance(result, LeftOut):
            left_out.append(result)
        else:
            done.append((planned.cell, result))
    return SimulatedRanks(
        configuration=_configuration(setup, ranks, cells, places),
        cells=tuple(cell for cell, _ in done),
        timed=tuple(result for _, result in done),
        left_out=tuple(left_out),
        interrupted=interrupted,
    )


def _outcome(
    placed: PlacedPattern, beside: Sequence[SimulatedJob], tell: Callable[[str], None]
) -> Timed | LeftOut:
    planned, profile = placed.planned, placed.setup.profile
    if planned.choice.name == BARRIER and profile.barrier is not None:
        return Timed(profile.barrier.seconds(placed.ranks))
    if placed.ranks < least_ranks(planned.choice.name):
        alone = (("ranks", placed.ranks),)
        return LeftOut(planned.choice.label, WarningKind.TOO_FEW_RANKS, alone)
    size = f" {format_size(planned.cell.size_bytes)}" * bool(planned.pattern.granularity)
    what = f"{planned.cell.pattern}{size} on {placed.ranks} rank{'s' * (placed.ranks > 1)}"
    tell(what)

    def watch(share: float) -> None:
        tell(f"{what}: {100 * share:.0f} %")

    return outcome(what, partial(_timed, placed, beside, watch))


def _timed(placed: PlacedPattern, beside: Sequence[SimulatedJob], watch: Watcher) -> Timed:
    """The median of the operations from all roots, as where it is measured."""
    cell = placed.planned.cell
    others = [pattern.tasks for job in beside for pattern in job.at(cell.size_bytes)]
    of_roots = []
    for root in roots_of(placed.planned.choice, cell, placed.ranks):
        tasks = placed.tasks(repetitions_of(cell), root)
        ended = ended_beside(tasks, others, "it", watch)
        of_roots.append(timed(tasks, ended, placed.planned, placed.setup.machine.compute))
    if len(of_roots) == 1:
        return of_roots[0]
    return Timed(median(one.seconds for one in of_roots))


def _placed(setup: Setup, planned: PlannedCell, ranks: int, fabric: Fabric) -> _Placed:
    """Rank r on slot r, except where a pattern has a grid and the setup a mapping."""
    if setup.mapping == DEFAULT or not planned.pattern.axes:
        return _Placed(np.arange(ranks, dtype=np.int64), None)
    grid, machine = grid_of(planned.choice, planned.pattern, ranks), fabric.allocation.machine
    files = dict(setup.files)
    if setup.mapping == PAPER:
        is_torus = isinstance(machine.network, Torus)
        permutation = map_by(_SORT, grid, machine, steps=0) if is_torus else None
        if permutation is None:
            raise UsageError(
                f"--mapping {PAPER} sorts a grid over the axes of a torus, which "
                f"{machine.name} is not; give {', '.join(METRICS)} or a file"
            )
        files[PAPER] = tuple(permutation.tolist())
    chosen = placement(planned.choice.label, grid, machine, setup.mapping, files)
    return _Placed(np.array(chosen.slots, dtype=np.int64), chosen)


def _configuration(
    setup: Setup, ranks: int, cells: Sequence[PlannedCell], places: Mapping[str, _Placed]
) -> Configuration:
    own = dict(setup.profile.collectives)
    if setup.profile.barrier is not None:
        own[BARRIER] = _HARDWARE
    return Configuration(
        variant=setup.variant,
        backend=str(Origin.SIMULATED),
        version=setup.profile.name,
        ranks=ranks,
        binding=(),
        algorithms={
            cell.pattern.name: own.get(cell.pattern.name, cell.pattern.algorithm) for cell in cells
        },
        transport=setup.machine.network if setup.pool is None else setup.pool.name,
        placement=tuple(place.placement for place in places.values() if place.placement),
        origin=Origin.SIMULATED,
    )


def write_run(
    directory: str, simulations: Sequence[Simulation], cells: DescribedCells, started: str
) -> None:
    """Writes the results to `directory` as a run with a stated value a cell.

    The run is complete unless it was interrupted.

    Args:
        directory: New or empty.
        simulations: Results on one machine, and on it changed.
        cells: The cells that were simulated, and warnings about those left out before.
        started: Date and time, ISO 8601.

    Raises:
        UsageError: The directory holds something already, or no cell has a time.
        MachineError: The disk is full.
    """
    left_out = tuple(warnings_of(_all_left_out(simulations)))
    if not any(ranks.cells for simulation in simulations for ranks in simulation.ranks):
        why = "; ".join(f"{one.cause} ({one.remedy})" for one in left_out)
        raise UsageError(f"nothing of it can be simulated: {why}")
    planned = [cell for of_ranks in cells.by_ranks.values() for cell in of_ranks]
    provenance = Provenance(
        leadline=__version__,
        started=started,
        windows=windows_of(planned),
        sends=sends_of(cells.by_ranks.items()),
        simulations=tuple(
            SimulationFacts(
                variant=setup.variant,
                machine=setup.machine.name,
                library=setup.profile.name,
                mapping=setup.mapping,
                what_if=setup.what_if,
                machine_file=setup.machine.text,
            )
            for setup in (simulation.setup for simulation in simulations)
        ),
    )
    with Journal.create(directory, provenance.as_json()) as journal:
        for simulation in simulations:
            for rank in filter(lambda rank: rank.cells, simulation.ranks):
                _state(journal, rank, simulation.setup.machine.name)
        for warning in (*cells.warnings, *left_out, *_mapping_warnings(simulations, planned)):
            journal.add_warning(warning)
        for warning in free_computing((one.setup.machine for one in simulations), planned):
            journal.add_warning(warning)
        journal.close(not any(one.interrupted for one in simulations))


def _state(journal: Journal, results: SimulatedRanks, source: str) -> None:
    """Adds cells to the journal; those with shares of communication apart from the others."""
    number = journal.add_configuration(results.configuration)
    places = journal.add_cells(results.cells)
    for computes in (False, True):
        chosen = [
            (place, one)
            for place, one in zip(places, results.timed, strict=True)
            if (one.communication_share is not None) == computes
        ]
        if not chosen:
            continue
        shares: dict[str, Any] = {}
        if computes:
            shares["communication_share"] = tuple(one.communication_share for _, one in chosen)
            shares["communication_most"] = tuple(one.communication_most for _, one in chosen)
        cells, seconds = zip(*((place, one.seconds) for place, one in chosen), strict=True)
        journal.add_stated(Stated(number, source, cells, seconds, **shares))


def _all_left_out(simulations: Sequence[Simulation]) -> Iterator[LeftOut]:
    """Cells left out of each simulation; with its name where not all lack the cell."""
    each = [[out for ranks in s.ranks for out in ranks.left_out] for s in simulations]
    for simulation, left_out in zip(simulations, each, strict=True):
        for one in left_out:
            common = all(one in others for others in each)
            label = one.label if common else f"{simulation.setup.variant}: {one.label}"
            yield replace(one, label=label)


def _mapping_warnings(
    simulations: Sequence[Simulation], planned: Sequence[PlannedCell]
) -> Iterator[RunWarning]:
    """Patterns that a mapping can't place, and mappings no better than ranks in their order."""
    labels = dict.fromkeys(cell.choice.label for cell in planned if not cell.pattern.axes)
    if labels and any(simulation.setup.mapping != DEFAULT for simulation in simulations):
        yield warning_of(WarningKind.NO_GRID, patterns=tuple(labels))
    for simulation in simulations:
        for rank in simulation.ranks:
            yield from gains_nothing({simulation.setup.variant: rank.configuration.placement})
