"""When to stop sampling: on the width of the intervals, never on what they say."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import replace

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.medians import block_log_ratios, counting
from leadline.compare.overlap import computes
from leadline.compare.verdict import logarithms
from leadline.measure.settling import settled, shortened
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.run import Cell, Configuration, Run
from leadline.record.slices import Slice
from leadline.statistics.intervals import Floats, median, weighted_row_medians

Block = dict[tuple[int, int], tuple[Floats, Floats]]
"""Logarithms of the visits' medians, and what visits count for, by (configuration, cell)."""


def _blocks(run: Run) -> list[Block]:
    """Those of `run`, without what wasn't measured."""
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
    """The one that `slices` are, of a `run` that is otherwise empty."""
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
        """Introduces a configuration."""
        self._configurations[index] = configuration

    def add(self, taken: Slice) -> None:
        """Takes in one slice of the current block."""
        self._slices.append(taken)

    def end_block(self) -> None:
        """Reduces the current block to its medians and forgets its slices."""
        known = tuple(self._configurations[i] for i in sorted(self._configurations))
        taken = [replace(one, block=0) for one in self._slices]
        self._slices.clear()
        run = Run("", False, {}, known, self._cells, batches_of([]))
        self._blocks.append(_block_of(run, taken))
        if self._settled is None:
            short, _ = self._ratios([_block_of(run, list(map(shortened, taken)))])
            whole, _ = self._ratios(self._blocks[-1:])
            self._settled = self._where_settled(short[:, 0], whole[:, 0])

    def recall(self, run: Run) -> None:
        """Takes in the blocks of an interrupted campaign, whose indices are the present ones."""
        self._blocks += _blocks(run)

    def log_ratios(self) -> tuple[Floats, Floats]:
        """Of the visits, and what they count for: as the more disturbed side does.

        Shape (intervals that count, blocks, visits), nan where missing. Of a configuration alone
        the logarithms of its times.
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

    def _where_settled(self, short: Floats, whole: Floats) -> frozenset[int]:
        """By log ratios of a block's visits, shape (intervals that count, visits)."""
        compared = [cell for _, _, cell in self._compared()]
        unsettled = {
            cell
            for cell, own, all_ in zip(compared, short, whole, strict=True)
            if not settled(own, all_)
        }
        return frozenset(compared) - unsettled

    def reached(self) -> bool:
        """Whether every interval is as narrow as asked for.

        The intervals are those of the ratios to the first configuration with as many ranks and
        threads, or of the absolute values where there is only one. More ranks than cores don't
        count, nor cells that compute, of which every launch has its own amount.
        """
        widths = [self._half_width(*key) for key in self._compared()]
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

    def _half_width(self, index: int, baseline: int | None, cell: int) -> float:
        values = [self._logarithm(block, index, baseline, cell) for block in self._blocks]
        return median(np.array(values)).half_width

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
