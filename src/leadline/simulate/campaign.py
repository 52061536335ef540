"""A campaign on a described machine: its cells' times, and the run that states them.

Cells come to times that a run can state, or to why there is none. What applications compute there
takes its time, or costs nothing where a machine's file doesn't say.
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
from leadline.measure.grids import grid_of, sends_of, windows_of
from leadline.measure.placing import gains_nothing, placement
from leadline.measure.tracing import DescribedCells
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.provenance import Provenance, SimulationFacts
from leadline.record.run import LONGEST_S, Cell, Configuration, GridPlacement, Origin, Stated
from leadline.simulate.execution import ended_beside
from leadline.simulate.flow import NoMemoryError, Watcher
from leadline.simulate.machine import Compute, MachineModel, Profile
from leadline.simulate.programs.patterns import calls_of, least_ranks
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
    """What the cell takes; of an application that computes at some cost its ranks' shares, too."""
    cell: Cell = planned.cell
    seconds = seconds_of(tasks, ended, cell)
    if planned.problem is None or compute == FREE:
        return Timed(seconds)
    shares = communicating_shares(tasks, ended, cell)
    return Timed(seconds, float(np.mean(shares)), float(np.max(shares)))


def free_computing(
    machines: Iterable[MachineModel], cells: Iterable[PlannedCell]
) -> Iterator[Caveat]:
    """What of the computing of applications among `cells` costs nothing on each machine."""
    labels = ", ".join(dict.fromkeys(one.choice.label for one in cells if one.problem))
    for name, free in dict.fromkeys((one.name, _free(one.compute)) for one in machines):
        if labels and free:
            yield CaveatKind.FREE_COMPUTING.because(f"{labels} on {name}: {free} cost nothing")


def _free(compute: Compute) -> str:
    """What of computing; "": nothing."""
    rates = {"operations": compute.flop_per_s, "bytes read and written": compute.bytes_per_s}
    return " and ".join(what for what, rate in rates.items() if math.isinf(rate))


YEAR_S = 365 * 86400.0
_MOST_YEARS = 10**6
"""More are said as "over"."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A cell that no time can be stated of."""

    label: str
    """E.g. "bcast 1 MiB on 16 ranks"."""
    kind: CaveatKind
    why: str


def outcome(label: str, timed: Callable[[], Timed]) -> Timed | LeftOut:
    """What `timed` gives where a run can state it, else why not.

    MachineError: there is no C compiler.
    """
    try:
        found = timed()
    except (MemoryError, NoMemoryError, UsageError) as error:
        return LeftOut(label, CaveatKind.UNSIMULATED, str(error))
    took = found.seconds
    if took == 0:
        return LeftOut(label, CaveatKind.NO_COST, "nothing of it costs time there")
    if not took < LONGEST_S:
        years = _years(took / YEAR_S)
        return LeftOut(f"{label} ({years})", CaveatKind.TOO_LONG, "longer than a run can state")
    return found


def _years(years: float) -> str:
    return f"over {_MOST_YEARS:,} years" if not years < _MOST_YEARS else f"{years:,.0f} years"


def caveats_of(left_out: Iterable[LeftOut]) -> Iterator[Caveat]:
    """A caveat for each reason, with all cells that it is the reason for, each once."""
    labels: dict[tuple[CaveatKind, str], dict[str, None]] = {}
    for one in left_out:
        labels.setdefault((one.kind, one.why), {})[one.label] = None
    for (kind, why), named in labels.items():
        yield kind.because(f"{', '.join(named)}: {why}")


DEFAULT, PAPER = "default", "paper"
"""Mappings: rank r on slot r; by the sort of Müller and Resch (1998)."""
MAPPINGS = (DEFAULT, PAPER, *METRICS)
BARRIER = "barrier"
"""The pattern that a hardware barrier carries out."""
_HARDWARE = "hardware"
_SORT = "sort"


@dataclass(frozen=True, slots=True)
class Setup:
    """What is simulated."""

    variant: str
    """The name that tables show."""
    machine: MachineModel
    profile: Profile
    """Whose costs messages have."""
    mapping: str = DEFAULT
    """One of MAPPINGS, or a name in `files`."""
    files: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Slots by the name of their file."""
    what_if: str = ""
    """How the machine differs from its file; "": in nothing."""
    pool: Allocation | None = None
    """Slots whose first ones ranks get, in order; None: those that the machine gives them."""

    def allocate(self, ranks: int) -> Allocation:
        """The slots of so many ranks; UsageError where there are fewer."""
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
    """Somebody ended it: some cells are neither here nor there."""

    @property
    def seconds(self) -> tuple[float, ...]:
        """What the cells take."""
        return tuple(one.seconds for one in self.timed)


@dataclass(frozen=True, slots=True)
class Simulation:
    """What one setup comes to."""

    setup: Setup
    ranks: tuple[SimulatedRanks, ...]

    @property
    def interrupted(self) -> bool:
        """Whether it lacks cells because somebody ended it."""
        return any(one.interrupted for one in self.ranks)


@dataclass(frozen=True, slots=True)
class _Laid:
    """Where the ranks of one pattern are."""

    slots: Int64
    placement: GridPlacement | None


@dataclass(frozen=True, slots=True)
class Cast:
    """A pattern with its ranks on their slots."""

    setup: Setup
    planned: PlannedCell
    ranks: int
    fabric: Fabric
    slots: Int64

    def tasks(self, repetitions: int, root: int | None = None) -> Tasks:
        """Those of so many repetitions, from another root than the pattern's where it is told."""
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

    def at(self, size_bytes: int) -> Iterator[Cast]:
        """Its patterns of this size, and those that have none, with their ranks laid."""
        for ranks, cells in self.cells.by_ranks.items():
            for planned in cells:
                if planned.cell.size_bytes == size_bytes or not planned.pattern.granularity:
                    yield cast_of(self.setup, planned, ranks)


def cast_of(setup: Setup, planned: PlannedCell, ranks: int) -> Cast:
    """The pattern's ranks as `setup` lays them; UsageError where a mapping doesn't fit."""
    fabric = fabric_of(setup.machine, setup.allocate(ranks))
    return Cast(setup, planned, ranks, fabric, _laid(setup, planned, ranks, fabric).slots)


def check_laid(jobs: Sequence[SimulatedJob]) -> None:
    """UsageError for a mapping where no job has a pattern to lay by it."""
    word = jobs[0].setup.mapping
    cells = [one for job in jobs for of_ranks in job.cells.by_ranks.values() for one in of_ranks]
    if word != DEFAULT and not any(one.pattern.axes for one in cells):
        labels = ", ".join(dict.fromkeys(one.choice.label for one in cells))
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
    """What every cell takes, and which have no time that a run can state.

    KeyboardInterrupt ends it, with what there is until then.

    Args:
        setup: Machine, library, where ranks are.
        cells: By numbers of ranks.
        tell: Told of each cell before it is simulated, and then again and again how far it is.
        beside: Jobs on other slots that go on meanwhile, at the size of the cell.

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
    allocation = setup.allocate(ranks)
    fabric = fabric_of(setup.machine, allocation)
    laid = {one.choice.label: one for one in cells}
    places = {label: _laid(setup, one, ranks, fabric) for label, one in laid.items()}
    done, left_out, interrupted = list[tuple[Cell, Timed]](), list[LeftOut](), False
    for planned in cells:
        cast = Cast(setup, planned, ranks, fabric, places[planned.choice.label].slots)
        try:
            found = _outcome(cast, beside, tell)
        except KeyboardInterrupt:
            interrupted = True
            break
        if isinstance(found, LeftOut):
            left_out.append(found)
        else:
            done.append((planned.cell, found))
    return SimulatedRanks(
        configuration=_configuration(setup, ranks, cells, places),
        cells=tuple(cell for cell, _ in done),
        timed=tuple(found for _, found in done),
        left_out=tuple(left_out),
        interrupted=interrupted,
    )


def _outcome(
    cast: Cast, beside: Sequence[SimulatedJob], tell: Callable[[str], None]
) -> Timed | LeftOut:
    planned, profile = cast.planned, cast.setup.profile
    if planned.choice.name == BARRIER and profile.barrier is not None:
        return Timed(profile.barrier.seconds(cast.ranks))
    if cast.ranks < least_ranks(planned.choice.name):
        why = f"nothing to send with {cast.ranks} rank"
        return LeftOut(planned.choice.label, CaveatKind.TOO_FEW_RANKS, why)
    size = f" {format_size(planned.cell.size_bytes)}" * bool(planned.pattern.granularity)
    what = f"{planned.cell.pattern}{size} on {cast.ranks} rank{'s' * (cast.ranks > 1)}"
    tell(what)
    return outcome(what, partial(_timed, cast, beside, partial(_tell_share, tell, what)))


def _tell_share(tell: Callable[[str], None], what: str, share: float) -> None:
    tell(f"{what}: {100 * share:.0f} %")


def _timed(cast: Cast, beside: Sequence[SimulatedJob], watch: Watcher) -> Timed:
    """The median of the operations from all roots, as where it is measured."""
    cell = cast.planned.cell
    others = [one.tasks for job in beside for one in job.at(cell.size_bytes)]
    of_roots = []
    for root in roots_of(cast.planned.choice, cell, cast.ranks):
        tasks = cast.tasks(repetitions_of(cell), root)
        ended = ended_beside(tasks, others, "it", watch)
        of_roots.append(timed(tasks, ended, cast.planned, cast.setup.machine.compute))
    if len(of_roots) == 1:
        return of_roots[0]
    return Timed(median(one.seconds for one in of_roots))


def _laid(setup: Setup, planned: PlannedCell, ranks: int, fabric: Fabric) -> _Laid:
    """Rank r on slot r, but where a pattern has a grid and the setup a mapping."""
    if setup.mapping == DEFAULT or not planned.pattern.axes:
        return _Laid(np.arange(ranks, dtype=np.int64), None)
    grid, machine = grid_of(planned.choice, planned.pattern, ranks), fabric.allocation.machine
    files = dict(setup.files)
    if setup.mapping == PAPER:
        sort = isinstance(machine.network, Torus)
        found = map_by(_SORT, grid, machine, steps=0) if sort else None
        if found is None:
            raise UsageError(
                f"--mapping {PAPER} sorts a grid over the axes of a torus, which "
                f"{machine.name} is not; give {', '.join(METRICS)} or a file"
            )
        files[PAPER] = tuple(found.tolist())
    laid = placement(planned.choice.label, grid, machine, setup.mapping, files)
    return _Laid(np.array(laid.slots, dtype=np.int64), laid)


def _configuration(
    setup: Setup, ranks: int, cells: Sequence[PlannedCell], places: Mapping[str, _Laid]
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
            one.pattern.name: own.get(one.pattern.name, one.pattern.algorithm) for one in cells
        },
        transport=setup.machine.network if setup.pool is None else setup.pool.name,
        placement=tuple(one.placement for one in places.values() if one.placement),
        origin=Origin.SIMULATED,
    )


def write_run(
    directory: str, found: Sequence[Simulation], cells: DescribedCells, started: str
) -> None:
    """Writes what was simulated to `directory` as a run, a stated value a cell.

    It is complete unless somebody ended it.

    Args:
        directory: New or empty.
        found: On one machine, and on it changed.
        cells: That were simulated, and what is left out.
        started: Date and time, ISO 8601.

    Raises:
        UsageError: The directory holds something already, or no cell has a time.
        MachineError: The disk is full.
    """
    left_out = tuple(caveats_of(_all_left_out(found)))
    if not any(one.cells for simulation in found for one in simulation.ranks):
        why = "; ".join(f"{one.cause} ({one.remedy})" for one in left_out)
        raise UsageError(f"nothing of it can be simulated: {why}")
    facts = tuple(map(_facts, found))
    planned = [one for of_ranks in cells.by_ranks.values() for one in of_ranks]
    free = free_computing((one.setup.machine for one in found), planned)
    provenance = Provenance(
        leadline=__version__,
        started=started,
        windows=windows_of(planned),
        sends=sends_of(cells.by_ranks.items()),
        simulations=facts,
    )
    with Journal.create(directory, provenance.as_json()) as journal:
        for simulation in found:
            for one in filter(lambda one: one.cells, simulation.ranks):
                _state(journal, one, simulation.setup.machine.name)
        for caveat in (*cells.caveats, *left_out, *_unlaid(found, cells), *_unmoved(found), *free):
            journal.add_warning(caveat)
        journal.close(not any(one.interrupted for one in found))


def _facts(simulation: Simulation) -> SimulationFacts:
    setup = simulation.setup
    return SimulationFacts(
        variant=setup.variant,
        machine=setup.machine.name,
        library=setup.profile.name,
        mapping=setup.mapping,
        what_if=setup.what_if,
        machine_file=setup.machine.text,
    )


def _state(journal: Journal, found: SimulatedRanks, source: str) -> None:
    number = journal.add_configuration(found.configuration)
    places = journal.add_cells(found.cells)
    for computes in (False, True):
        told = [
            (place, one)
            for place, one in zip(places, found.timed, strict=True)
            if (one.communication_share is not None) == computes
        ]
        if told:
            journal.add_stated(_stated(number, source, *zip(*told, strict=True)))


def _stated(number: int, source: str, cells: tuple[int, ...], timed: tuple[Timed, ...]) -> Stated:
    """Cells that all have shares of communication, or none has."""
    columns = ("communication_share", "communication_most")
    shares: dict[str, Any] = {name: tuple(getattr(one, name) for one in timed) for name in columns}
    known = timed[0].communication_share is not None
    seconds = tuple(one.seconds for one in timed)
    return Stated(number, source, cells, seconds, **(shares if known else {}))


def _all_left_out(found: Sequence[Simulation]) -> Iterator[LeftOut]:
    """Of each simulation; whose it is, where not all lack it."""
    each = [[one for ranks in s.ranks for one in ranks.left_out] for s in found]
    for simulation, left_out in zip(found, each, strict=True):
        for one in left_out:
            common = all(one in others for others in each)
            label = one.label if common else f"{simulation.setup.variant}: {one.label}"
            yield replace(one, label=label)


def _unlaid(found: Sequence[Simulation], cells: DescribedCells) -> Iterator[Caveat]:
    """That a mapping does nothing to some patterns."""
    planned = [one for of_ranks in cells.by_ranks.values() for one in of_ranks]
    labels = dict.fromkeys(one.choice.label for one in planned if not one.pattern.axes)
    if labels and any(simulation.setup.mapping != DEFAULT for simulation in found):
        who = f"{', '.join(labels)} {'have' if len(labels) > 1 else 'has'}"
        yield CaveatKind.NO_GRID.because(f"{who} no grid to lay: ranks in their order")


def _unmoved(found: Sequence[Simulation]) -> Iterator[Caveat]:
    """That some mappings are no better than ranks in their order."""
    for simulation in found:
        for one in simulation.ranks:
            yield from gains_nothing({simulation.setup.variant: one.configuration.placement})
