"""What a campaign does next, as it goes on: how often, how long, and until when.

How many repetitions make a batch, a launch finds out in its warm-up; what all launches measured
then says better. Where slices of 2 ms say what longer ones do, by the longer ones of a first block,
they stay short. Sampling stops on the width of the intervals, never on what they say.

The plan expects. The first block says what a start-up and a visit take, and where shorter slices
do; three blocks say how much visits spread and how much blocks do, and twice as many say it better.
None of that tells which side is faster.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.medians import block_log_ratios, counting
from leadline.compare.overlap import computes
from leadline.compare.verdict import logarithms
from leadline.measure.budget import (
    FEWEST_LAUNCHES,
    FEWEST_VISITS,
    USUAL_VISITS,
    Allotment,
    BlockCosts,
    BlockLimits,
    affordable,
    allotted,
    block_share,
    mean_costs,
    optimal_visits,
)
from leadline.measure.plan import Plan
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.reduction import spread_of
from leadline.record.run import Cell, Configuration, Run
from leadline.record.slices import LEFT_OUT, BatchFlag, Slice
from leadline.statistics.intervals import Floats, median, weighted_row_medians

BATCH_NS = 50_000
"""Well below the scheduler's tick, so that a preemption spoils one batch and not the cell."""
BADLY_WRONG = 4.0
"""In a batch so many times shorter than that, readings of the clock (60 ns) weigh 0.5 %."""


class Repetitions:
    """How long a repetition of each cell takes, and how many of them make a batch."""

    def __init__(self) -> None:
        """Begins knowing nothing."""
        self._best_ns: dict[tuple[int, int], float] = {}

    def of(self, configuration: int, cell: int) -> int:
        """Repetitions of the next batches; 0: the launch is to find out."""
        best_ns = self._best_ns.get((configuration, cell))
        return max(1, round(BATCH_NS / best_ns)) if best_ns else 0

    def judged(self, taken: Slice) -> Slice:
        """`taken`, all its batches flagged where their number of repetitions was badly wrong.

        It is by the best batch so far, also of `taken`: disturbance lengthens a batch, and says
        nothing of the number.
        """
        key = taken.configuration, taken.cell
        found_ns = pace_ns(taken)
        if found_ns is None:
            return taken
        best_ns = self._best_ns[key] = min(found_ns, self._best_ns.get(key, found_ns))
        length = best_ns * taken.repetitions / BATCH_NS
        too_many = taken.repetitions > 1 and length > BADLY_WRONG
        if not too_many and length * BADLY_WRONG >= 1:
            return taken
        return replace(taken, flags=taken.flags | np.int32(BatchFlag.MISCOUNTED))


def pace_ns(taken: Slice) -> float | None:
    """Time of a repetition on the slowest rank in the quickest batch that counts; None: no such."""
    counts = ~np.any(taken.flags & int(LEFT_OUT), axis=0)
    if not counts.any():
        return None
    slowest = np.max(taken.end_ns - taken.start_ns, axis=0)
    return max(float(np.min(slowest[counts])), 1.0) / taken.repetitions


SHORT_SLICE_S = 0.002
FEWEST_BATCHES = 15
"""Batches of a slice, at least: the median of fewer depends on single ones."""


def shortened(slice_: Slice) -> Slice:
    """What `slice_` would be if it had ended SHORT_SLICE_S after its first timed batch began.

    Without any batch where that leaves fewer than FEWEST_BATCHES of them.
    """
    flags = np.bitwise_or.reduce(slice_.flags, axis=0)
    begin_ns = spread_of(slice_).first_start_ns
    timed = (flags & int(BatchFlag.WARM_UP)) == 0
    end_ns = begin_ns[timed].min(initial=begin_ns.max(initial=0)) + 1e9 * SHORT_SLICE_S
    kept = timed & (begin_ns < end_ns)
    if np.sum(kept & ((flags & int(BatchFlag.LATE)) == 0)) < FEWEST_BATCHES:
        kept[:] = False
    return replace(
        slice_,
        start_ns=slice_.start_ns[:, kept],
        end_ns=slice_.end_ns[:, kept],
        flags=slice_.flags[:, kept],
        slowest=None,  # medians don't ask who it was
        spread=None,
    )


def settled(short: Floats, whole: Floats) -> bool:
    """Whether log ratios of shortened visits say what those of whole ones do, shape (visits,).

    Half of them differ by at most half of what half of the whole ones lie off their median: about a
    quarter of a visit's variance. Not where any is nan or missing, or with fewer than two visits.
    """
    if (
        len(whole) < 2
        or short.shape != whole.shape
        or np.isnan(short).any()
        or np.isnan(whole).any()
    ):
        return False
    spread = np.median(np.abs(whole - np.median(whole)))
    return bool(np.median(np.abs(short - whole)) <= spread / 2)


Block = dict[tuple[int, int], tuple[Floats, Floats]]
"""Logarithms of the visits' medians, and what visits count for, by (configuration, cell)."""


def _blocks(run: Run) -> list[Block]:
    """The blocks of `run`, without what wasn't measured."""
    visits = Analysis(run).visits
    logs = logarithms(visits.seconds)
    return [
        {
            key: (logs[(*key, block)], visits.weights[(*key, block)])
            for key in np.ndindex(logs.shape[:2])
            if not np.isnan(logs[(*key, block)]).all()
        }
        for block in range(logs.shape[2])
    ]


def _block_of(run: Run, slices: Sequence[Slice]) -> Block:
    """The block that `slices` make, of a `run` that is otherwise empty."""
    found = replace(
        run,
        batches=batches_of(slices),
        strips=strips_of(slices),
        conditions=conditions_of(slices),
    )
    return next(iter(_blocks(found)), {})


class Precision:
    """Collects the block medians of a campaign and says whether they suffice."""

    def __init__(self, target: float, cells: Sequence[Cell]) -> None:
        """`target` is the relative half width asked for, e.g. 0.02."""
        self._target, self._cells = target, tuple(cells)
        self._configurations: dict[int, Configuration] = {}
        self._slices: list[Slice] = []
        self._blocks: list[Block] = []
        self._settled: frozenset[int] | None = None

    def know(self, index: int, configuration: Configuration) -> None:
        """Adds a configuration with its index."""
        self._configurations[index] = configuration

    def add(self, taken: Slice) -> None:
        """Takes in one slice of the current block."""
        self._slices.append(taken)

    def end_block(self) -> None:
        """Reduces the current block to its medians and forgets its slices.

        The first block says in which cells shorter slices would say the same.
        """
        known = tuple(self._configurations[i] for i in sorted(self._configurations))
        taken = [replace(slice_, block=0) for slice_ in self._slices]
        self._slices.clear()
        run = Run("", False, {}, known, self._cells, batches_of([]))
        self._blocks.append(_block_of(run, taken))
        if self._settled is None:
            short, _ = self._ratios([_block_of(run, list(map(shortened, taken)))])
            whole, _ = self._ratios(self._blocks[-1:])
            compared = [cell for _, _, cell in self._compared()]
            unsettled = {
                cell
                for cell, short_logs, whole_logs in zip(
                    compared, short[:, 0], whole[:, 0], strict=True
                )
                if not settled(short_logs, whole_logs)
            }
            self._settled = frozenset(compared) - unsettled

    def recall(self, run: Run) -> None:
        """Takes in the blocks of an interrupted campaign, whose indices are the present ones."""
        self._blocks += _blocks(run)

    def log_ratios(self) -> tuple[Floats, Floats]:
        """Log ratios of the visits, and their weights: those of the more disturbed side.

        Shape (intervals that count, blocks, visits), nan where missing. Where a configuration has
        none to be compared with, the logarithms of its times.
        """
        return self._ratios(self._blocks)

    def _ratios(self, blocks: Sequence[Block]) -> tuple[Floats, Floats]:
        compared = self._compared()
        visits = max((len(one) for block in blocks for one, _ in block.values()), default=0)
        found = np.full((len(compared), len(blocks), visits), np.nan)
        weights = np.zeros(found.shape)
        for row, (index, baseline, cell) in enumerate(compared):
            for column, block in enumerate(blocks):
                own = block.get((index, cell))
                other = own if baseline is None else block.get((baseline, cell))
                if own and other:
                    against = 0.0 if baseline is None else other[0]
                    here = row, column, slice(len(own[0]))
                    found[here] = own[0] - against
                    weights[here] = np.minimum(counting(own[1]), counting(other[1]))
        return found, weights

    @property
    def settled(self) -> Set[int]:
        """The cells in which shorter slices say what those of the first block do."""
        return self._settled or frozenset()

    def reached(self) -> bool:
        """Whether every interval is as narrow as asked for.

        The intervals are those of the ratios to the first configuration with as many ranks and
        threads, or of the absolute values where there is only one. More ranks than cores don't
        count, nor cells that compute, of which every launch has its own amount.
        """
        widths = [
            median(np.array([self._logarithm(block, *key) for block in self._blocks])).half_width
            for key in self._compared()
        ]
        return bool(widths) and max(widths) <= math.log1p(self._target)

    def _compared(self) -> list[tuple[int, int | None, int]]:
        """(configuration, its baseline or None, cell) for every interval that counts."""
        meeting: dict[tuple[int, int], list[int]] = {}
        for index, configuration in sorted(self._configurations.items()):
            if not configuration.oversubscribed:
                meeting.setdefault(configuration.key, []).append(index)
        pairs: list[tuple[int, int | None]] = []
        for first, *others in meeting.values():
            pairs += [(other, first) for other in others] or [(first, None)]
        seen = {key for block in self._blocks for key in block}
        return [
            (index, baseline, cell)
            for index, baseline in pairs
            for cell in range(len(self._cells))
            if not computes(self._cells[cell])
            and (index, cell) in seen
            and (baseline is None or (baseline, cell) in seen)
        ]

    @staticmethod
    def _logarithm(block: Block, index: int, baseline: int | None, cell: int) -> float:
        """One block's value, as `compare` takes it: of its visits, or of their ratios."""
        if (index, cell) not in block:
            return math.nan
        logs, weights = block[index, cell]
        if baseline is None:
            return float(weighted_row_medians(logs, counting(weights)))
        if (baseline, cell) not in block:
            return math.nan
        others, counts = block[baseline, cell]
        return float(block_log_ratios(others, logs, np.stack([counts, weights])))


BLOCKS_FOR_SPREAD = 3
"""Fewer say too little of the spread between blocks."""
OVER_BUDGET = 0.1
"""The share of a budget that is kept by which the fewest blocks may exceed it."""


@dataclass(frozen=True, slots=True)
class BlockTimes:
    """How long a block took, in seconds."""

    whole_s: float
    launches: int
    """Launches of each variant, alive together."""
    visits_s: tuple[tuple[float, ...], ...]
    """Time of each visit, for each set of launches that were alive together."""

    def costs(self, known: BlockCosts) -> BlockCosts:
        """What its start-up and a visit cost, given what was `known` before; some were visited.

        A launch's first visit warms it up, which counts as start-up: later visits say what one
        takes. Where there are none, no more is taken for one than is known.
        """
        parties = [party for party in self.visits_s if party]
        later = [party[self.launches :] for party in parties]
        visit_s = sum(fmean(some or party) for some, party in zip(later, parties, strict=True))
        if not all(later):
            visit_s = min(visit_s, known.visit_s)
        visits = fmean(map(len, parties))
        startup_s = self.whole_s - visits * visit_s - (self.launches - 1) * known.launch_s
        return BlockCosts(max(startup_s, 0.0), known.launch_s, visit_s)


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A campaign that, at its pace, ends with fewer blocks than it needs, or late.

    Or with as many as it needs, where something else was reported before.
    """

    budget_s: float
    blocks: int
    """Whole blocks that it ends with, counted from its beginning."""
    in_part: bool
    """Whether some of its cells get one more."""
    fewest: int
    """With fewer there are no intervals."""
    needed: int
    """Blocks for a clear difference to show among so many tests."""
    enough_s: float
    """What the fewest blocks would take from its beginning; where it has those: the needed ones."""
    kept: bool
    """Whether it ends with its budget; else it goes on to the fewest blocks."""


@dataclass(frozen=True, slots=True)
class NextBlock:
    """What the next block does, and how long it may take."""

    allotment: Allotment
    """How the rest is divided, this block included; without blocks: the campaign is over."""
    usual_s: float
    """Its share of the time where all the blocks that there is time for take the same."""
    most_s: float
    """Its share of the time where no more than the blocks needed follow."""
    revised: bool
    """Whether the blocks so far showed something since the last one was asked for."""
    end_s: float = math.inf
    """Time after which the campaign begins no cell any more."""
    hurried: bool = False
    """Whether it ends before the fewest blocks are whole, so that nothing is taken again."""
    expected_s: float = 0.0
    """About how long this block and those after it take."""
    shortfall: Shortfall | None = None
    """None: there is none, or no other one than was reported before."""

    @property
    def is_bound(self) -> bool:
        """Whether the campaign's time ends it before its fewest blocks are whole."""
        return math.isfinite(self.end_s)


class Pace:
    """Says before each block what it does, from what those before it took and showed."""

    def __init__(self, plan: Plan, budget_s: float = 0.0, kept: bool = False) -> None:
        """Before the first block, or the first after an interruption.

        Args:
            plan: What is measured.
            budget_s: Of the whole campaign.
            kept: Whether it ends by then, but for OVER_BUDGET; else after the fewest blocks.
        """
        self._limits, self._expected = plan.limits, plan.costs
        self._counted = plan.limits.fewest == plan.limits.most
        self._budget_s, self._kept = budget_s, kept and not self._counted
        self._told = _sufficiency(plan.allotment.blocks, plan.limits)
        self._fell_short = False
        """Whether a shortfall was reported."""
        self._measured: list[BlockCosts] = []
        self._visits, self._launches = USUAL_VISITS, plan.allotment.launches
        self._saved_s = 0.0
        self._outside_s: float | None = None
        """How long the last block took beside its visits, first ones too; None: there was none."""
        self._revised = False

    def next(self, left_s: float, done: int) -> NextBlock:
        """What the next block does, with `left_s` of the time left and `done` blocks whole."""
        limits = self._limits.after(done)
        wanted = Allotment(limits.needed, self._visits, self._launches)
        allotment = allotted(left_s, limits, self.costs, wanted)
        fewest_s = limits.fewest * self.costs.block_s(allotment.visits, allotment.launches)
        over_s = OVER_BUDGET * self._budget_s
        late = not self._counted and fewest_s > left_s + over_s
        hurried, revised = self._kept and late, self._revised
        whole, in_part = allotment.blocks, False
        if late:
            outside_s = self.costs.block_s(0, allotment.launches)
            if self._outside_s is not None:
                outside_s = min(outside_s, self._outside_s)
            block_s = self.costs.block_s(allotment.visits, allotment.launches)
            whole, in_part = affordable(left_s, block_s, outside_s)
        if hurried:
            allotment = replace(allotment, blocks=max(whole + in_part, not done))
        self._revised = False
        blocks = max(allotment.blocks, 1)
        expected_s = allotment.blocks * self.costs.block_s(allotment.visits, allotment.launches)
        if hurried:  # its time ends it
            expected_s = min(expected_s, max(left_s, 0.0))
        return NextBlock(
            allotment,
            usual_s=left_s / blocks,
            most_s=left_s / (blocks if hurried else max(limits.needed, 1)),
            revised=revised,
            end_s=left_s + over_s * (not hurried) if self._kept else math.inf,
            hurried=hurried,
            expected_s=expected_s,
            shortfall=self._shortfall(left_s, done, whole, in_part),
        )

    def _shortfall(self, left_s: float, done: int, whole: int, in_part: bool) -> Shortfall | None:
        """The shortfall of so many `whole` blocks after those `done`, reported once a kind.

        Where one was reported that turns out to be none, or a lesser one, that is reported as well;
        not of a campaign that goes on beyond its budget. Blocks are taken to be cut as far as
        `allotted` cuts them for the fewest blocks, or for those needed.
        """
        limits, blocks = self._limits, done + whole
        suffices = _sufficiency(blocks, limits)
        taken_back = self._fell_short and self._kept
        if suffices == self._told or (suffices > self._told and not taken_back):
            return None
        self._told, self._fell_short = suffices, True
        if blocks < limits.fewest:
            wanted, each_s = limits.fewest, self.costs.block_s(1, 1)
        else:
            wanted, each_s = limits.needed, self.costs.block_s(FEWEST_VISITS, FEWEST_LAUNCHES)
        return Shortfall(
            budget_s=self._budget_s,
            blocks=blocks,
            in_part=in_part,
            fewest=limits.fewest,
            needed=limits.needed,
            enough_s=self._budget_s - left_s + (wanted - done) * each_s,
            kept=self._kept,
        )

    @property
    def costs(self) -> BlockCosts:
        """Costs of a block: the mean of those measured, without the first if there are others."""
        if len(self._measured) > 1:
            return mean_costs(self._measured[1:])
        if not self._measured:
            return self._expected
        (first,) = self._measured
        return replace(first, visit_s=max(first.visit_s - self._saved_s, first.visit_s / 2))

    def took(self, times: BlockTimes) -> None:
        """Takes in what a block took; one in which nothing was visited says nothing."""
        if any(times.visits_s):
            self._revised |= not self._measured
            self._measured.append(times.costs(self.costs))
            self._outside_s = max(0.0, times.whole_s - sum(map(sum, times.visits_s)))

    def shortened(self, saved_s: float) -> None:
        """Takes in by how much visits are shorter from the second block on than in the first."""
        self._saved_s = saved_s

    def spread(self, log_ratios: Floats, weights: Floats) -> None:
        """Takes in the visits' log ratios of all blocks, shape (rows, blocks, visits).

        `weights` are what they count for. Three blocks say how many visits are best, and again each
        time that there are twice as many.
        """
        times, rest = divmod(log_ratios.shape[1], BLOCKS_FOR_SPREAD)
        is_due = rest == 0 and times.bit_count() == 1  # 3, 6, 12, ... blocks
        share = block_share(log_ratios, weights) if is_due else None
        if share is not None:
            startup_s = self.costs.block_s(0, self._launches)
            self._visits = optimal_visits(startup_s, self.costs.visit_s, share)
            self._revised = True


def _sufficiency(blocks: int, limits: BlockLimits) -> int:
    """2: as many as are needed, 1: intervals without that, 0: not even these."""
    return (blocks >= limits.fewest) + (blocks >= limits.needed)
