"""A campaign: blocks of launches alive together, their cells alternated in random order."""

from __future__ import annotations

import itertools
import math
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from leadline.errors import LaunchError
from leadline.kernels.server import ControlServer
from leadline.measure.budget import LARGE_OPERATIONS
from leadline.measure.cells import PlannedCell, PlannedSlice
from leadline.measure.clocks import CommonClocks, Silent
from leadline.measure.contention import without_company
from leadline.measure.core_states import CoreStates
from leadline.measure.disturbed import Retries, slice_s, step_s
from leadline.measure.gathering import is_reduced, kept_of, slice_of
from leadline.measure.launch import Launch, SliceError
from leadline.measure.links import link_of
from leadline.measure.observer import Observer
from leadline.measure.outages import HostDownError, Losses, Outage, joined
from leadline.measure.pace import BlockTimes, NextBlock, Pace
from leadline.measure.plan import Group, crowded_shares_s
from leadline.measure.prepared import Prepared
from leadline.measure.problems import patience_s
from leadline.measure.repetitions import BATCH_NS, Repetitions
from leadline.measure.residents import Residents, hosts_of, launch_caveats, sweep_scratch
from leadline.measure.settling import SHORT_SLICE_S
from leadline.measure.simulated import PATIENCE_S, slice_words
from leadline.measure.starting import stranger_caveats
from leadline.measure.stopping import Precision
from leadline.measure.transports import Transports
from leadline.measure.variants import Variant, carriers
from leadline.record.run import HOST_DOWN, Cadence, Cell, Failure, Run
from leadline.record.slices import Slice
from leadline.store import Journal

SLOWEST_BYTES_PER_S = 20e6
"""What a working transport moves at the very least, when the watchdog waits for large messages."""
MOST_FAILED_STARTS = 2
"""Of one configuration; then it isn't started again in later blocks."""
MAX_BATCHES = 512

T = TypeVar("T")


class Campaign:
    """Runs the blocks of a plan and journals every slice."""

    def __init__(
        self,
        prepared: Prepared,
        journal: Journal,
        observer: Observer,
        cells: Mapping[Cell, int],
        configurations: Mapping[tuple[str, tuple[int, int]], int],
    ) -> None:
        """Use `begun`; `cells` and `configurations` (of a variant in a group) are journalled."""
        self.prepared, self.journal, self.observer = prepared, journal, observer
        self.cells, self.configurations = cells, configurations
        self._states = CoreStates()
        self.precision = Precision(prepared.order.precision, tuple(cells))
        for key, configuration in prepared.configurations().items():
            self.precision.know(configurations[key], configuration)
            self._states.know(configurations[key], configuration)
        self._simulated = frozenset(v.name for v in prepared.variants if v.simulated_on)
        self._clocks = CommonClocks(journal.add_clock_fit, prepared.order.patience_s)
        self._transports = Transports(prepared, journal, configurations)
        self._repetitions = Repetitions()
        self._steps_s: dict[tuple[int, int], float] = {}
        """From batch to batch, by (configuration, cell)."""
        self._retries = Retries(self._states)
        self.given_up: set[tuple[int, int]] = set()
        """(configuration, cell) that failed once: not tried again."""
        self._failed_starts = Counter[int]()
        """By configuration."""
        self.pace = Pace(prepared.plan)
        self._left_s: dict[tuple[int, int], float] = {}
        """What is left of the budget for each group with more threads than there are cores."""
        hosts = prepared.hosts_of_configurations()
        self.losses = Losses({configurations[key]: names for key, names in hosts.items()})
        """By hosts that went down."""
        self._launch_numbers = itertools.count(journal.next_launch)
        self._random = random.Random(prepared.order.seed)

    @classmethod
    def begun(cls, prepared: Prepared, journal: Journal, observer: Observer) -> Campaign:
        """A campaign whose cells and configurations are in the journal."""
        planned = [planned.cell for group in prepared.plan.groups for planned in group.cells]
        cells = list(dict.fromkeys(planned))
        numbers = dict(zip(cells, journal.add_cells(cells), strict=True))
        configurations = {
            key: journal.add_configuration(configuration)
            for key, configuration in prepared.configurations().items()
        }
        return cls(prepared, journal, observer, numbers, configurations)

    def run(self, budget_s: float, first_block: int, whole_blocks: int = 0) -> int:
        """Measures blocks, numbered from `first_block`; returns how many were completed.

        Unless their number is fixed, there are as many as `budget_s` has room for, six at least
        with the `whole_blocks` before; fewer, but ample for the tests over all cells, where every
        interval is as narrow as asked for.
        """
        self.observer.swept(sweep_scratch())
        server = ControlServer.listening(self.prepared.order.hosts.across_network)
        try:
            with server:
                return self._blocks(server, budget_s, first_block, whole_blocks)
        finally:  # the last are counted as it closes
            for caveat in stranger_caveats(server.strangers):
                self.journal.add_warning(caveat)

    def _blocks(
        self, server: ControlServer, budget_s: float, first_block: int, whole_blocks: int
    ) -> int:
        begin = time.monotonic()
        counted = self.prepared.order.blocks is not None
        self._left_s = crowded_shares_s(self.prepared.plan.groups, counted, budget_s)
        for done in itertools.count():
            left_s = budget_s - (time.monotonic() - begin)
            upcoming = self.pace.next(left_s, whole_blocks + done)
            if not (upcoming.allotment.blocks and self.can_measure):
                break
            if self._suffices(whole_blocks + done):
                break
            if upcoming.revised:
                self.observer.planned_anew(upcoming.allotment)
            self._block(server, first_block + done, upcoming)
        return done

    @property
    def can_measure(self) -> bool:
        """Whether any variant starts and has a cell that hasn't failed."""
        return any(map(self._able, self.prepared.plan.groups))

    def _suffices(self, whole_blocks: int) -> bool:
        """Whether the campaign may end before its time."""
        enough = whole_blocks >= self.prepared.plan.limits.ample
        return self.prepared.order.blocks is None and enough and self.precision.reached()

    def recall(self, run: Run) -> None:
        """Takes over what an interrupted campaign already knows."""
        lasting = [failure for failure in run.failures if failure.code != HOST_DOWN]
        self.given_up |= {(f.configuration, f.cell) for f in lasting if f.cell is not None}
        self.precision.recall(run)
        self.pace.spread(*self.precision.log_ratios())

    def _block(self, server: ControlServer, block: int, upcoming: NextBlock) -> None:
        begin, visits_s = time.monotonic(), []
        for group in self.prepared.plan.groups:
            in_time = block == 0 or self._left_s.get(group.key, math.inf) > 0
            if in_time and self._able(group):
                visits_s += self._group(server, group, block, upcoming)
        took_s = time.monotonic() - begin
        self.precision.end_block()
        self.pace.took(BlockTimes(took_s, upcoming.allotment.launches, tuple(visits_s)))
        self.pace.spread(*self.precision.log_ratios())
        self.pace.shortened(self._saved_s())

    def _slice_s(self, cell: Cell) -> float:
        """As planned, or shorter where shorter slices were seen to say the same."""
        planned_s = self.prepared.plan.slice_s
        settled = self.cells[cell] in self.precision.settled
        return min(planned_s, SHORT_SLICE_S) if settled else planned_s

    def _saved_s(self) -> float:
        """What a visit to all cells takes less than one of the first block, by shorter slices."""
        return sum(
            len(planned.variants) * (self.prepared.plan.slice_s - self._slice_s(planned.cell))
            for group in self.prepared.plan.groups
            for planned in group.cells
        )

    def _group(
        self, server: ControlServer, group: Group, block: int, upcoming: NextBlock
    ) -> list[tuple[float, ...]]:
        """What `block` does with one number of ranks; what each visit of each party took."""
        begin, allotment = time.monotonic(), upcoming.allotment
        group = replace(group, launches=min(group.launches, allotment.launches))
        self.observer.block_begins(block, block + allotment.blocks, group.ranks)
        parties, crowded = self._parties(group), group.key in self._left_s
        total = sum(planned.slices_per_visit for planned in self.prepared.plan.groups)
        share_s = upcoming.usual_s if crowded else upcoming.most_s
        share_s *= group.slices_per_visit / total / max(sum(map(len, parties)), 1)
        visits_s = []
        for party in parties:
            with self._residents(server, group, party, block) as residents:
                self._check_launches(residents, block)
                limit_s = share_s * len(party) - residents.startup_s
                visits_s.append(self._visits(residents, group, block, (allotment.visits, limit_s)))
        if crowded:
            self._left_s[group.key] -= time.monotonic() - begin
        return visits_s

    def _parties(self, group: Group) -> list[list[Variant]]:
        """The able variants that are alive at the same time."""
        able = self._able(group)
        if self.prepared.plan.together:
            return [able]
        found = carriers(able)
        return [
            [variant for variant in able if found[variant.name] == carrier]
            for carrier in self._shuffled(list(dict.fromkeys(found.values())))
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

    def _residents(
        self, server: ControlServer, group: Group, party: Sequence[Variant], block: int
    ) -> Residents:
        def failed(name: str, error: LaunchError) -> None:
            if isinstance(error, HostDownError):
                self._lose(error.outages, block, str(error))
                return
            configuration = self.configurations[name, group.key]
            self._failed_starts[configuration] += 1
            self.note(Failure(configuration, None, block, error.code, str(error)))

        return Residents(self.prepared, server, group, party, failed, self._launch_numbers)

    def _check_launches(self, residents: Residents, block: int) -> None:
        for launch in residents.launches:
            for host in hosts_of(launch, self.prepared.sites):
                self.journal.add_host(host)
        self._transports.check(residents.launches, block)
        if block == 0:
            caveats = [launch_caveats(launch, self.prepared) for launch in residents.launches]
            for caveat in dict.fromkeys(itertools.chain(*caveats)):
                self.journal.add_warning(caveat)
        if any(planned.cell.cadence is Cadence.ISOLATED for planned in residents.group.cells):
            self._miss(residents, block, self._clocks.meet(residents.launches, block))

    def _miss(self, residents: Residents, block: int, silent: Silent) -> None:
        for launch, error in silent:
            key = self.configurations[launch.label, residents.group.key], None
            self._failed(residents, launch, error, Failure(*key, block, error.code, str(error)))

    def _visits(
        self, residents: Residents, group: Group, block: int, most: tuple[int, float]
    ) -> tuple[float, ...]:
        """As many visits as are allowed, in number and seconds, but one; what each took."""
        begin, (visits, limit_s) = time.monotonic(), most
        took_s: list[float] = []
        for visit in range(visits):
            visit_begin = time.monotonic()
            if took_s and visit_begin + took_s[-1] > begin + limit_s:
                break
            self._visit(residents, group, block, visit)
            took_s.append(time.monotonic() - visit_begin)
        return tuple(took_s)

    def _visit(self, residents: Residents, group: Group, block: int, visit: int) -> None:
        """One slice of every cell under every variant, cells and variants in random order.

        A simulated operation takes the same time in every visit: it has one a block.
        """
        again = self._simulated if visit else frozenset()
        for planned in self._shuffled(group.cells):
            for variant in self._shuffled(planned.variants):
                configuration = self.configurations[variant, group.key]
                if self._is_left(planned, variant, group) and variant not in again:
                    self._measure(
                        residents, PlannedSlice(planned, variant, configuration, block, visit)
                    )
        self._miss(residents, block, self._clocks.end_visit(block, visit))

    def _shuffled(self, items: Sequence[T]) -> list[T]:
        return self._random.sample(items, len(items))

    def _measure(self, residents: Residents, wanted: PlannedSlice) -> None:
        launch = residents.launch_of(wanted.variant, wanted.visit)
        if launch is None:
            return

        def take(attempt: int) -> Slice | None:
            return self._slice(residents, launch, wanted, attempt)

        attempts = list(self._retries.attempts(take, residents.group.oversubscribed))
        self._states.end_visit(attempts)
        for taken in itertools.filterfalse(self._states.is_other, attempts):
            self.precision.add(taken)
        if attempts:
            self._steps_s[wanted.configuration, attempts[-1].cell] = step_s(attempts[-1])
            self.observer.slice_done(wanted.variant, wanted.planned.cell)

    def _slice(
        self, residents: Residents, launch: Launch, wanted: PlannedSlice, attempt: int
    ) -> Slice | None:
        """Takes and journals one slice; None: it failed, which is noted."""
        key = wanted.configuration, self.cells[wanted.planned.cell]
        command = self._command(wanted, key, launch.ranks)
        takes_part = wanted.planned.pattern.participants or launch.ranks
        patience_s = self._patience_s(wanted, launch)
        whose_time, all_ranks = wanted.planned.cell.whose_time, self.prepared.order.all_ranks
        reduce = is_reduced(min(takes_part, launch.ranks), whose_time, all_ranks)
        try:
            self._clocks.begin_slice(launch, wanted)
            laid = residents.place(launch, wanted.variant, wanted.planned.cell.pattern, patience_s)
            results = launch.measure(
                f"{command} placement={laid}", str(wanted), takes_part, patience_s, reduce
            )
        except SliceError as error:
            if not error.outages:
                self.given_up.add(key)
            failure = Failure(*key, wanted.block, error.code, str(error))
            self._failed(residents, launch, error, failure)
            return None
        taken = slice_of(*key, (wanted.block, wanted.visit), launch.number, results)
        taken = kept_of(taken, whose_time, all_ranks)
        link = link_of(results, launch.hellos, self.prepared.order.link_bound)
        taken = replace(taken, link=link, attempt=attempt)
        if self._clocks.contend(results, launch, wanted):
            taken = without_company(taken)
        if wanted.variant not in self._simulated:
            taken = self._judged(taken, wanted, residents.group.oversubscribed)
        self.journal.add_slice(taken)
        return taken

    def _failed(
        self, residents: Residents, launch: Launch, error: SliceError, failure: Failure
    ) -> None:
        """Notes what became of `launch`, and starts another if that helps."""
        if error.fatal:
            self._clocks.forget(launch)
        if error.outages:
            self._lose(error.outages, failure.block, str(error))
            residents.drop(launch)
            return
        self.note(failure)
        if error.fatal:
            residents.replace(launch)

    def _judged(self, taken: Slice, wanted: PlannedSlice, crowded: bool) -> Slice:
        """`taken`, flagged where its batches have a badly wrong number of repetitions.

        Of `crowded` ranks, which wait for each other's cores, the same operation takes microseconds
        or a scheduler's tick: their number can't be wrong. Nor can applications', which is 1.
        """
        planned = wanted.planned
        alone = planned.cell.cadence is Cadence.ISOLATED or planned.problem is not None
        if alone or self.prepared.order.per_operation:
            return taken
        judged = self._repetitions.judged(taken)
        return taken if crowded else judged

    def _patience_s(self, wanted: PlannedSlice, launch: Launch) -> float:
        if wanted.variant in self._simulated:
            return PATIENCE_S
        moved = LARGE_OPERATIONS * wanted.planned.message_bytes(launch.ranks) * launch.ranks
        slowest = min(SLOWEST_BYTES_PER_S, self.prepared.order.slowest_link)
        computing_s = patience_s(wanted.planned.problem)
        return self.prepared.order.patience_s + moved / slowest + computing_s

    def _lose(self, outages: Sequence[Outage], block: int, what: str) -> None:
        """Gives up what can't be measured for `outages`, as `what` showed."""
        for configuration, outage in self.losses.take(outages).items():
            text = what if outage.reason in what else joined([outage])
            self.note(Failure(configuration, None, block, outage.code, text))

    def note(self, failure: Failure) -> None:
        """Journals a failure and tells the observer."""
        self.journal.add_failure(failure)
        self.observer.failed(failure)

    def _command(self, wanted: PlannedSlice, key: tuple[int, int], ranks: int) -> str:
        planned, plan = wanted.planned, self.prepared.plan
        cell, choice = planned.cell, planned.choice
        what = (
            f"{choice.command} size={cell.size_bytes} buffers={cell.buffers} cadence={cell.cadence}"
        )
        if wanted.variant in self._simulated:
            how = slice_words(self.prepared.order.per_operation)
            return f"{what} {how} cold_bytes={plan.cold_bytes}"
        step_s, repetitions = self._steps_s.get(key, math.nan), self._repetitions.of(*key)
        lasting_s = slice_s(self._slice_s(cell), step_s, planned.message_bytes(ranks))
        links = " links=1" * (self.prepared.order.link_bound is not None)
        return (
            f"{what} slice_ns={int(lasting_s * 1e9)} "
            f"repetitions={1 if self.prepared.order.per_operation else repetitions} "
            f"batch_ns={BATCH_NS} max_batches={MAX_BATCHES} cold_bytes={plan.cold_bytes}{links}"
        )
