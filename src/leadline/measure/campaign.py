"""A campaign: blocks of launches alive together, their cells alternated in random order.

Where a block must end before all of its cells are measured, those that it has no time for differ
from block to block. A cell is measured under all of its variants or under none, so that ratios stay
paired by visit.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeVar

from leadline.errors import LaunchError
from leadline.hosts.cleanup.sweep import Swept
from leadline.hosts.this_host import Load
from leadline.kernels.server import ControlServer
from leadline.measure.budget import Allotment
from leadline.measure.cells import PlannedCell, PlannedSlice
from leadline.measure.clocks import CommonClocks, Silent
from leadline.measure.diagnostics import HostDownError, Losses, Outage, joined
from leadline.measure.launch import Launch, SliceError
from leadline.measure.plan import Group, crowded_shares_s
from leadline.measure.pool import LaunchPool, hosts_of, launch_warnings, unauthenticated_warnings
from leadline.measure.prepared import Prepared
from leadline.measure.schedule import (
    SHORT_SLICE_S,
    BlockTimes,
    NextBlock,
    Pace,
    Precision,
    Repetitions,
    Shortfall,
)
from leadline.measure.slices import (
    CoreStates,
    Retries,
    command,
    is_reduced,
    kept_of,
    link_of,
    patience_of,
    simulated_command,
    slice_of,
    step_s,
    without_company,
)
from leadline.measure.spec import Variant, carriers
from leadline.measure.system import System
from leadline.measure.transports import Transports
from leadline.record.run import HOST_DOWN, Cadence, Cell, Failure, Run
from leadline.record.slices import Slice
from leadline.store import Journal

T = TypeVar("T")
_Pair = tuple[int, int]
"""(configuration, cell)."""


class Observer(Protocol):
    """Receives the events of a campaign."""

    def swept(self, swept: Swept) -> None:
        """What killed front-ends left behind was removed before the first block."""

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """All launches of `block` with `ranks` ranks are about to start."""

    def launched(self, variant: str, command: Sequence[str]) -> None:
        """The ranks of `variant` were started by `command`; called for every launch."""

    def expected(self, left_s: float) -> None:
        """The blocks from the next one on take about so long."""

    def replanned(self, allotment: Allotment) -> None:
        """The rest of the campaign is divided otherwise, by what the blocks so far showed."""

    def falls_short(self, shortfall: Shortfall, load: Load) -> None:
        """At its pace the campaign ends with fewer blocks than it needs, or late, under `load`."""

    def slice_done(self, variant: str, cell: Cell) -> None:
        """One more slice was recorded."""

    def failed(self, failure: Failure) -> None:
        """A cell or a launch failed; the campaign goes on."""

    def close(self) -> None:
        """The campaign is over."""


class Unwatched:
    """An observer that ignores all events; a base for those that watch only some."""

    def swept(self, swept: Swept) -> None:
        """Nothing."""

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """Nothing."""

    def launched(self, variant: str, command: Sequence[str]) -> None:
        """Nothing."""

    def expected(self, left_s: float) -> None:
        """Nothing."""

    def replanned(self, allotment: Allotment) -> None:
        """Nothing."""

    def falls_short(self, shortfall: Shortfall, load: Load) -> None:
        """Nothing."""

    def slice_done(self, variant: str, cell: Cell) -> None:
        """Nothing."""

    def failed(self, failure: Failure) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class Deadline:
    """When one block must end, by a clock in seconds, and what the block missed for it."""

    def __init__(self, now_s: float, upcoming: NextBlock, groups: Sequence[Group]) -> None:
        """For a block that begins now, and takes the `groups` one after the other."""
        self._end_s = now_s + upcoming.end_s
        lasting_s = 0.0 if upcoming.hurried else max(upcoming.usual_s, upcoming.most_s)
        self._unhurried_until_s = now_s + lasting_s if upcoming.is_bound else math.inf
        self._groups = groups
        self.missed_s = 0.0
        """What its first visits would have taken longer, had they had time for all cells."""

    def of_party(self, now_s: float, group: Group, parties_left: int) -> float:
        """When the visits of `group` must end, whose last `parties_left` begin one now.

        Groups and parties that follow get as much time for a slice.
        """
        keys = [one.key for one in self._groups]
        later = self._groups[keys.index(group.key) + 1 :]
        slices = group.slices_per_visit
        share = slices / (slices + sum(one.slices_per_visit for one in later))
        return now_s + (self._end_s - now_s) * share / parties_left

    def has_time(self, now_s: float) -> bool:
        """Whether what was disturbed may be taken again."""
        return now_s < self._unhurried_until_s

    def visit_s(self, took_s: float, share: float, first: bool) -> float | None:
        """What a visit that took so long for a `share` of its cells takes; None: that isn't known.

        What the first visit would have taken longer for all of its cells is added to `missed_s`.
        """
        if first and share < 1:
            whole_s = took_s / share if share else None
            self.missed_s += max((whole_s or took_s) - took_s, 1e-9)
            return whole_s
        return took_s if share == 1 else None


class Turns:
    """The random order of a campaign's cells and variants, in which no cell is left behind."""

    def __init__(self, seed: int) -> None:
        """The same order for the same `seed`."""
        self._random = random.Random(seed)
        self._blocks: dict[_Pair, set[int]] = {}

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """`items` in random order."""
        return self._random.sample(items, len(items))

    def ordered(self, cells: Sequence[T], pairs_of: Callable[[T], Iterable[_Pair]]) -> list[T]:
        """`cells` by the number of blocks that have their pairs, fewest first; ties at random."""

        def blocks(cell: T) -> int:
            return min((len(self._blocks.get(pair, ())) for pair in pairs_of(cell)), default=0)

        return sorted(self.shuffled(cells), key=blocks)

    def took(self, pairs: Iterable[_Pair], block: int) -> None:
        """Takes in that these `pairs` were measured in `block`."""
        for pair in pairs:
            self._blocks.setdefault(pair, set()).add(block)


MOST_FAILED_STARTS = 2
"""Times that a configuration fails to start; then it isn't started again in later blocks."""


class Campaign:
    """Runs the blocks of a plan and journals every slice."""

    def __init__(
        self,
        prepared: Prepared,
        journal: Journal,
        observer: Observer,
        cells: Mapping[Cell, int],
        configurations: Mapping[tuple[str, tuple[int, int]], int],
        system: System,
    ) -> None:
        """Use `begun`; `cells` and `configurations` (of a variant in a group) are journalled."""
        self.system = system
        self.prepared, self.journal, self.observer = prepared, journal, observer
        self.cells, self.configurations = cells, configurations
        self._states = CoreStates()
        self.precision = Precision(prepared.request.precision, tuple(cells))
        for key, configuration in prepared.configurations().items():
            self.precision.know(configurations[key], configuration)
            self._states.know(configurations[key], configuration)
        self._simulated = frozenset(v.name for v in prepared.variants if v.simulated_on)
        self._clocks = CommonClocks(
            journal.add_clock_fit, prepared.request.patience_s, system.clock
        )
        self._transports = Transports(prepared, journal, configurations, system)
        self._repetitions = Repetitions()
        self._steps_s: dict[tuple[int, int], float] = {}
        """From batch to batch, by (configuration, cell)."""
        self._retries = Retries(self._states)
        self.given_up: set[tuple[int, int]] = set()
        """(configuration, cell) that failed once: not tried again."""
        self._failed_starts = Counter[int]()
        """By configuration."""
        self.pace = Pace(prepared.plan, prepared.request.budget_s, prepared.request.budget_kept)
        self._turns = Turns(prepared.request.seed)
        self._left_s: dict[tuple[int, int], float] = {}
        """What is left of the budget, by group, for those with more threads than cores."""
        hosts = prepared.hosts_of_configurations()
        self.losses = Losses({configurations[key]: names for key, names in hosts.items()})
        """Configurations that can't be measured any more, for hosts that went down."""
        self._launch_numbers = itertools.count(journal.next_launch)

    @classmethod
    def begun(
        cls, prepared: Prepared, journal: Journal, observer: Observer, system: System
    ) -> Campaign:
        """A campaign on `system` whose cells and configurations are in the journal."""
        cells = list(dict.fromkeys(p.cell for group in prepared.plan.groups for p in group.cells))
        numbers = dict(zip(cells, journal.add_cells(cells), strict=True))
        configurations = {
            key: journal.add_configuration(configuration)
            for key, configuration in prepared.configurations().items()
        }
        return cls(prepared, journal, observer, numbers, configurations, system)

    def run(self, budget_s: float, first_block: int, whole_blocks: int = 0) -> int:
        """Measures blocks, numbered from `first_block`; returns how many had time for all cells.

        Unless their number is fixed, there are as many as `budget_s` has room for, six at least
        with the `whole_blocks` before, unless the budget is kept; fewer, but ample for the tests
        over all cells, where every interval is as narrow as asked for.
        """
        self.observer.swept(self.system.sweep())
        server = ControlServer.listening(
            self.prepared.request.hosts.across_network, self.system.clock
        )
        try:
            with server:
                return self._blocks(server, budget_s, first_block, whole_blocks)
        finally:  # the last are counted as it closes
            for warning in unauthenticated_warnings(server.refused):
                self.journal.add_warning(warning)

    def _blocks(
        self, server: ControlServer, budget_s: float, first_block: int, whole_blocks: int
    ) -> int:
        begin, plan = self._now_s(), self.prepared.plan
        counted = self.prepared.request.blocks is not None
        self._left_s = crowded_shares_s(plan.groups, counted, budget_s)
        for done in itertools.count():
            whole = whole_blocks + done
            upcoming = self.pace.next(budget_s - (self._now_s() - begin), whole)
            if upcoming.shortfall:
                self.observer.falls_short(upcoming.shortfall, self.system.load())
            if not (upcoming.allotment.blocks and self.can_measure):
                break
            if not counted and whole >= plan.limits.ample and self.precision.reached():
                break
            if upcoming.revised:
                self.observer.replanned(upcoming.allotment)
            self.observer.expected(upcoming.expected_s)
            if not self._block(server, first_block + done, upcoming):
                break
        return done

    def _now_s(self) -> float:
        return self.system.clock.monotonic()

    @property
    def can_measure(self) -> bool:
        """Whether any variant starts and has a cell that hasn't failed."""
        return any(map(self._able, self.prepared.plan.groups))

    def recall(self, run: Run) -> None:
        """Takes over what an interrupted campaign knew: failures, and blocks for its precision."""
        lasting = [failure for failure in run.failures if failure.code != HOST_DOWN]
        self.given_up |= {(f.configuration, f.cell) for f in lasting if f.cell is not None}
        self.precision.recall(run)
        self.pace.spread(*self.precision.log_ratios())

    def _block(self, server: ControlServer, block: int, upcoming: NextBlock) -> bool:
        """Whether `block` had time for all of its cells."""
        begin, visits_s = self._now_s(), []
        deadline = Deadline(begin, upcoming, self.prepared.plan.groups)
        for group in self.prepared.plan.groups:
            in_time = block == 0 or self._left_s.get(group.key, math.inf) > 0
            if in_time and self._able(group):
                visits_s += self._group(server, group, block, upcoming, deadline)
        took_s = self._now_s() - begin + deadline.missed_s
        self.precision.end_block()
        self._transports.end_block(block)
        self.pace.took(BlockTimes(took_s, upcoming.allotment.launches, tuple(visits_s)))
        self.pace.spread(*self.precision.log_ratios())
        self.pace.shortened(self.prepared.plan.saved_s(self._slice_s))
        return not deadline.missed_s

    def _slice_s(self, cell: Cell) -> float:
        """How long a slice lasts: as planned, or shorter where that was seen to say the same."""
        planned_s = self.prepared.plan.slice_s
        settled = self.cells[cell] in self.precision.settled
        return min(planned_s, SHORT_SLICE_S) if settled else planned_s

    def _group(
        self,
        server: ControlServer,
        group: Group,
        block: int,
        upcoming: NextBlock,
        deadline: Deadline,
    ) -> list[tuple[float, ...]]:
        """Measures one group in `block`, party by party: variants that are alive at the same time.

        Returns what each visit of each party took, in seconds.
        """
        begin, allotment = self._now_s(), upcoming.allotment
        group = replace(group, launches=min(group.launches, allotment.launches))
        self.observer.block_begins(block, block + allotment.blocks, group.ranks)
        parties, crowded = self._parties(group), group.key in self._left_s
        total = sum(planned.slices_per_visit for planned in self.prepared.plan.groups)
        share_s = upcoming.usual_s if crowded else upcoming.most_s
        share_s *= group.slices_per_visit / total / max(sum(map(len, parties)), 1)
        visits_s = []
        for number, party in enumerate(parties):
            with LaunchPool(
                self.prepared, server, group, party, self._launch_numbers, self.system
            ) as launch_pool:
                self._not_started(launch_pool.failed, group, block)
                self._check_launches(launch_pool, block)
                limit = (now := self._now_s()) + share_s * len(party) - launch_pool.startup_s
                cut = deadline.of_party(now, group, len(parties) - number)
                most = allotment.visits, limit, cut
                visits_s.append(self._visits(launch_pool, block, most, deadline))
        if crowded:
            self._left_s[group.key] -= self._now_s() - begin
        return visits_s

    def _not_started(self, failed: Mapping[str, LaunchError], group: Group, block: int) -> None:
        """Notes the variants of `group` that have a launch that `failed` to come up."""
        for variant, error in failed.items():
            if isinstance(error, HostDownError):
                self._lose(error.outages, block, str(error))
                continue
            configuration = self.configurations[variant, group.key]
            self._failed_starts[configuration] += 1
            self.note(Failure(configuration, None, block, error.code, str(error)))

    def _parties(self, group: Group) -> list[list[Variant]]:
        """The able variants that are alive at the same time."""
        able = self._able(group)
        if self.prepared.plan.together:
            return [able]
        found = carriers(able)
        return [
            [variant for variant in able if found[variant.name] == carrier]
            for carrier in self._turns.shuffled(list(dict.fromkeys(found.values())))
        ]

    def _able(self, group: Group) -> list[Variant]:
        """The variants that have something left to measure, without those that never start."""
        return [
            variant
            for variant in self.prepared.variants_of(group)
            if self._failed_starts[self.configurations[variant.name, group.key]]
            < MOST_FAILED_STARTS
            and any(self._is_left(planned, variant.name, group) for planned in group.cells)
        ]

    def _is_left(self, planned: PlannedCell, variant: str, group: Group) -> bool:
        key = self.configurations[variant, group.key], self.cells[planned.cell]
        lost = key in self.given_up or key[0] in self.losses
        return variant in planned.variants and not lost

    def _check_launches(self, launch_pool: LaunchPool, block: int) -> None:
        """Records what launches that are up turned out to be, and fits their clocks if needed."""
        for launch in launch_pool.launches:
            self.observer.launched(launch.label, launch.launcher)
            for host in hosts_of(launch, self.prepared.sites):
                self.journal.add_host(host)
        self._transports.check(launch_pool.launches, block)
        if block == 0:
            warnings = [launch_warnings(launch, self.prepared) for launch in launch_pool.launches]
            for warning in dict.fromkeys(itertools.chain(*warnings)):
                self.journal.add_warning(warning)
        if any(planned.cell.cadence is Cadence.ISOLATED for planned in launch_pool.group.cells):
            self._miss(launch_pool, block, self._clocks.meet(launch_pool.launches, block))

    def _miss(self, launch_pool: LaunchPool, block: int, silent: Silent) -> None:
        """Notes the launches that didn't answer when clocks were fitted."""
        for launch, error in silent:
            key = self.configurations[launch.label, launch_pool.group.key], None
            self._failed(launch_pool, launch, error, Failure(*key, block, error.code, str(error)))

    def _visits(
        self,
        launch_pool: LaunchPool,
        block: int,
        most: tuple[int, float, float],
        deadline: Deadline,
    ) -> tuple[float, ...]:
        """One visit, and more while they are allowed; what each took, in seconds.

        `most` has their number, the time by which further ones must be expected to end, and the
        time after which no cell begins any more, also in the first visit. Without a launch that is
        up there are none.
        """
        visits, limit, cut = most
        if not launch_pool.launches:  # what takes no time would promise any number of visits
            return ()
        took_s: list[float] = []
        for visit in range(visits):
            begin = self._now_s()
            if took_s and begin + took_s[-1] > limit:
                break
            share = self._visit(launch_pool, (block, visit), cut, deadline)
            whole_s = deadline.visit_s(self._now_s() - begin, share, first=not visit)
            if whole_s is not None:
                took_s.append(whole_s)
            if share < 1:
                break
        return tuple(took_s)

    def _visit(
        self, launch_pool: LaunchPool, which: tuple[int, int], cut: float, deadline: Deadline
    ) -> float:
        """One slice of every cell under every variant; the share of cells begun before `cut`.

        In random order, cells with fewest blocks first; one begins in the first block in any case.
        A simulated operation takes the same time in every visit: it has one a block.
        """
        (block, visit), group = which, launch_pool.group
        again = self._simulated if visit else frozenset()
        begun = 0
        for planned in self._turns.ordered(group.cells, partial(self._pairs, launch_pool)):
            if self._now_s() > cut and (begun or block):
                break
            for variant in self._turns.shuffled(planned.variants):
                configuration = self.configurations[variant, group.key]
                if self._is_left(planned, variant, group) and variant not in again:
                    wanted = PlannedSlice(planned, variant, configuration, block, visit)
                    self._measure(launch_pool, wanted, deadline)
            begun += 1
            self._turns.took(self._pairs(launch_pool, planned), block)
        self._miss(launch_pool, block, self._clocks.end_visit(block, visit))
        return begun / len(group.cells)

    def _pairs(self, launch_pool: LaunchPool, planned: PlannedCell) -> list[tuple[int, int]]:
        """A cell with the configurations that measure it and are alive."""
        key, cell = launch_pool.group.key, self.cells[planned.cell]
        alive = [variant for variant in planned.variants if variant in launch_pool.variants]
        return [(self.configurations[variant, key], cell) for variant in alive]

    def _measure(self, launch_pool: LaunchPool, wanted: PlannedSlice, deadline: Deadline) -> None:
        """Takes one slice, again where it is disturbed and there is time, and learns from it."""
        if (launch := launch_pool.launch_of(wanted.variant, wanted.visit)) is None:
            return
        crowded, in_time = launch_pool.group.oversubscribed, deadline.has_time(self._now_s())
        attempts: list[Slice] = []
        while (taken := self._slice(launch_pool, launch, wanted, len(attempts))) is not None:
            attempts.append(taken)
            if not self._retries.again(attempts, crowded, in_time):
                break
        self._states.end_visit(attempts)
        for taken in itertools.filterfalse(self._states.is_other, attempts):
            self.precision.add(taken)
        if attempts:
            self._steps_s[wanted.configuration, attempts[-1].cell] = step = step_s(attempts[-1])
            self._transports.took(attempts[-1], step)
            self.observer.slice_done(wanted.variant, wanted.planned.cell)

    def _slice(
        self, launch_pool: LaunchPool, launch: Launch, wanted: PlannedSlice, attempt: int
    ) -> Slice | None:
        """Takes and journals one slice; None: it failed, which is noted.

        Its batches are flagged where they have a badly wrong number of repetitions. That of crowded
        ranks, which wait for each other's cores, can't be wrong: the same operation takes them
        microseconds or a scheduler's tick. Nor can that of applications, which is 1.
        """
        request, plan, cell = self.prepared.request, self.prepared.plan, wanted.planned.cell
        key = wanted.configuration, self.cells[cell]
        simulated = wanted.variant in self._simulated
        if simulated:
            words = simulated_command(request, plan, wanted)
        else:
            slice_s, batch_step_s = self._slice_s(cell), self._steps_s.get(key, math.nan)
            repetitions = self._repetitions.of(*key)
            words = command(request, plan, wanted, launch.ranks, slice_s, batch_step_s, repetitions)
        takes_part = wanted.planned.pattern.participants or launch.ranks
        patience_s = patience_of(request, wanted, launch.ranks, simulated)
        whose_time, all_ranks = cell.whose_time, request.all_ranks
        reduce = is_reduced(min(takes_part, launch.ranks), whose_time, all_ranks)
        try:
            self._clocks.begin_slice(launch, wanted)
            placement = launch_pool.place(launch, wanted.variant, cell.pattern, patience_s)
            results = launch.measure(
                f"{words} placement={placement}", str(wanted), takes_part, patience_s, reduce
            )
        except SliceError as error:
            if not error.outages:
                self.given_up.add(key)
            failure = Failure(*key, wanted.block, error.code, str(error))
            self._failed(launch_pool, launch, error, failure)
            return None
        taken = slice_of(*key, (wanted.block, wanted.visit), launch.number, results)
        taken = kept_of(taken, whose_time, all_ranks)
        link = link_of(results, launch.hellos, request.link_bound)
        taken = replace(taken, link=link, attempt=attempt)
        if self._clocks.contend(results, launch, wanted):
            taken = without_company(taken)
        isolated = cell.cadence is Cadence.ISOLATED
        one_repetition = isolated or request.per_operation or wanted.planned.problem is not None
        if not simulated and not one_repetition:
            judged = self._repetitions.judged(taken)
            taken = taken if launch_pool.group.oversubscribed else judged
        self.journal.add_slice(taken)
        return taken

    def _failed(
        self, launch_pool: LaunchPool, launch: Launch, error: SliceError, failure: Failure
    ) -> None:
        """Notes what became of `launch`, and starts another if that helps."""
        if error.fatal:
            self._clocks.forget(launch)
        if error.outages:
            self._lose(error.outages, failure.block, str(error))
            launch_pool.drop(launch)
            return
        self.note(failure)
        if error.fatal:
            failed = launch_pool.replace(launch)
            self._not_started(failed, launch_pool.group, failure.block)
            self._transports.check(launch_pool.launches, failure.block)

    def _lose(self, outages: Sequence[Outage], block: int, what: str) -> None:
        """Gives up what can't be measured for `outages`, as `what` showed."""
        for configuration, outage in self.losses.take(outages).items():
            text = what if outage.reason in what else joined([outage])
            self.note(Failure(configuration, None, block, outage.code, text))

    def note(self, failure: Failure) -> None:
        """Journals a failure and tells the observer."""
        self.journal.add_failure(failure)
        self.observer.failed(failure)
