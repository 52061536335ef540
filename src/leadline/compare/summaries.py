"""What a run measured, in absolute numbers: one row for each cell under each configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from leadline.compare.circumstances import (
    EXCEEDED_SHARE,
    LINK_BOUND_SHARE,
    NOTABLE_SHARE,
    Circumstances,
    CircumstancesByCell,
)
from leadline.compare.clock_warnings import USUAL_READING_NS, clock_bound, clocks_apart
from leadline.compare.handovers import FAR
from leadline.compare.medians import BlockMedians
from leadline.compare.origins import REPEATED, Labelled, not_measured
from leadline.compare.samples import Samples, operation_times
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Cell, Configuration, Origin, Run
from leadline.record.slices import DISTURBED_SHARE
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, bootstrap_quantile
from leadline.statistics.permutation import fewest_blocks

OVERSUBSCRIBED = CaveatKind.OVERSUBSCRIBED.because(
    "more ranks or threads than cores: the scheduler was measured along with the library"
)

LINK_BOUND = CaveatKind.LINK_BOUND.because(
    "more ranks or threads than cores, but a link carried at least "
    f"{100 * LINK_BOUND_SHARE:.0f} % of what its rate allows"
)


@dataclass(frozen=True, slots=True)
class Summary(OnCurve, Labelled):
    """One cell under one configuration; times are per operation or message."""

    curve: CurveKey
    variant: str
    backend: str
    version: str
    size_bytes: int
    time: Estimate
    """In seconds; without an interval where the value was stated once."""
    blocks: int
    """0: the value was stated, once."""
    samples: int
    repetitions: int
    """Of the operation in each batch; 0: there are no batches."""
    algorithm: str
    transport: str
    """What carried the messages between ranks of one host; "unknown" where nothing said so."""
    warnings: tuple[Caveat, ...]
    circumstances: Circumstances
    origin: Origin = Origin.MEASURED
    stated: tuple[float, float] | None = None
    """The interval that came with a stated value, in seconds; no blocks stand behind it."""
    p90: Estimate | None = None
    """In seconds; None: not asked for, or a sample is more than one operation."""
    p99: Estimate | None = None

    @property
    def stated_low_s(self) -> float | None:
        """None: no interval came with the value."""
        return self.stated and self.stated[0]

    @property
    def stated_high_s(self) -> float | None:
        """None: no interval came with the value."""
        return self.stated and self.stated[1]

    @property
    def median_s(self) -> float:
        """The middle over blocks."""
        return self.time.value

    @property
    def low_s(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.time.low

    @property
    def high_s(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.time.high

    @property
    def run_delay_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.run_delay_share

    @property
    def disturbed_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.disturbed_share

    @property
    def handover_ns(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.handover_ns

    @property
    def clock_residual_ns(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.clock_residual_ns

    @property
    def link(self) -> str | None:
        """As Circumstances has it."""
        return self.circumstances.link

    @property
    def link_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.link_share

    @property
    def communication_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.communication_share

    @property
    def communication_most(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.communication_most

    @property
    def verified(self) -> str | None:
        """As Verified.quantity of its Circumstances, like the next two; None: there is nothing."""
        found = self.circumstances.verified
        return None if found is None else found.quantity

    @property
    def verified_expected(self) -> float | None:
        """As Verified has it."""
        found = self.circumstances.verified
        return None if found is None else found.expected

    @property
    def verified_seen(self) -> float | None:
        """As Verified has it."""
        found = self.circumstances.verified
        return None if found is None else found.seen

    @property
    def key(self) -> tuple[int, int]:
        """That of its configuration."""
        return self.curve.ranks, self.curve.threads


@dataclass(frozen=True, slots=True)
class _Counts:
    """What one cell's time rests on, under one configuration."""

    filled: int
    """Blocks with a time; each stated value fills one."""
    blocks: int
    """Likewise, but none for a single stated value."""
    samples: int
    late: int
    apart: int
    clock_bound: int
    repetitions: int
    """In each batch."""
    seconds: float | None
    """The one stated value; None: it was measured, or stated in several blocks."""
    stated: tuple[float, float] | None
    """The interval that came with the value, in seconds."""


def summarise(
    run: Run,
    medians: BlockMedians,
    log_times: Sequence[Sequence[Estimate]],
    around: CircumstancesByCell,
) -> tuple[Summary, ...]:
    """The rows of a run, by configuration and cell; what wasn't measured has no row.

    `log_times` are medians over the logarithms of block medians.
    """
    numbers: list[list[list[Any]]] = [
        *_numbers(medians),
        _by_cell(run, run.repetitions, 0),
        _by_cell(run, _stated_seconds(run), None),
        _by_cell(run, stated_bounds(run), None),
    ]
    reading_s = 1e-9 * (run.machine.clock_read_at_most_ns or USUAL_READING_NS)
    by_cell = [list(map(_Counts, *rows)) for rows in zip(*numbers, strict=True)]
    return tuple(
        _summary(configuration, cell, log_times[c][k].exp(), by_cell[c][k], around[c][k], reading_s)
        for c, configuration in enumerate(run.configurations)
        for k, cell in enumerate(run.cells)
        if by_cell[c][k].filled
    )


def _stated_seconds(run: Run) -> Mapping[tuple[int, int], float]:
    """Values that stand alone in their cell."""
    found: dict[tuple[int, int], list[float]] = {}
    for table in run.stated:
        for cell, seconds in zip(table.cells, table.seconds, strict=True):
            found.setdefault((table.configuration, cell), []).append(seconds)
    return {place: values[0] for place, values in found.items() if len(values) == 1}


def stated_bounds(run: Run) -> Mapping[tuple[int, int], tuple[float, float]]:
    """The intervals that came with values, in seconds, by (configuration, cell)."""
    return {
        (table.configuration, cell): (low, high)
        for table in run.stated
        for cell, low, high in zip(table.cells, table.low, table.high, strict=False)
    }


def _numbers(medians: BlockMedians) -> Iterator[list[list[int]]]:
    """The fields of _Counts, each a list over configurations of lists over cells."""
    filled = np.asarray(medians.seconds > 0)
    repeated = filled.sum(axis=2, keepdims=True) > 1
    measured = filled & ((medians.samples > 0) | repeated)
    flagged = (medians.late, medians.apart, medians.clock_bound)
    for array in (filled, measured, medians.samples, *flagged):
        yield np.sum(array, axis=2).tolist()


def _by_cell(run: Run, known: Mapping[tuple[int, int], object], other: object) -> list[list[Any]]:
    """The values `known`, and `other` elsewhere, by configuration and cell."""
    return [
        [known.get((c, k), other) for k in range(len(run.cells))]
        for c in range(len(run.configurations))
    ]


def _summary(
    configuration: Configuration,
    cell: Cell,
    time: Estimate,
    counts: _Counts,
    around: Circumstances,
    reading_s: float,
) -> Summary:
    is_simulated = configuration.origin is Origin.SIMULATED
    repetition_s = time.value * cell.messages_per_repetition
    bound = counts.clock_bound > NOTABLE_SHARE * counts.samples
    return Summary(
        curve=CurveKey.of(cell, configuration),
        variant=configuration.variant,
        backend=configuration.backend,
        version=configuration.version,
        size_bytes=cell.size_bytes,
        time=time if counts.seconds is None else Estimate(counts.seconds),
        blocks=counts.blocks if time.bounds or not is_simulated else 0,
        samples=counts.samples,
        repetitions=counts.repetitions,
        algorithm=algorithm(configuration, cell),
        transport=configuration.transport,
        warnings=(
            *_warnings(configuration, counts, around, time.bounds is not None),
            *clock_bound(configuration, bound, repetition_s * counts.repetitions, reading_s),
            *clocks_apart(around, repetition_s),
        ),
        circumstances=around,
        origin=configuration.origin,
        stated=counts.stated,
    )


def with_tails(
    rows: Sequence[Summary], run: Run, samples: Samples, medians: BlockMedians, seed: int
) -> tuple[Summary, ...]:
    """`rows`, all those of `run`, with p90 and p99 where each sample is one operation.

    By a bootstrap that `seed` makes repeatable.
    """
    wheres = np.argwhere(np.any(medians.seconds > 0, axis=2)).tolist()
    single = np.all(medians.single, axis=2).tolist()
    return tuple(
        _tailed(row, operation_times(samples, c, k), seed) if row.samples and single[c][k] else row
        for row, (c, k) in zip(rows, wheres, strict=True)
    )


def _tailed(row: Summary, times: Sequence[Floats], seed: int) -> Summary:
    p90, p99 = (bootstrap_quantile(times, quantile, seed) for quantile in (0.90, 0.99))
    return replace(row, p90=p90, p99=p99)


def algorithm(configuration: Configuration, cell: Cell) -> str:
    """Which algorithm the configuration used for the cell's pattern: "native", "binomial" ..."""
    return configuration.algorithms.get(cell.pattern.partition(":")[0], "unknown")


def _crowd(around: Circumstances) -> Iterator[Caveat]:
    """What is to be said of more ranks than cores, and of the link that may excuse them."""
    if not around.oversubscribed:
        return
    yield OVERSUBSCRIBED if around.crowded else LINK_BOUND
    if around.link is not None and around.link_share is None:
        yield CaveatKind.LINK_RATE.because(f"{around.link} doesn't say what it allows")
    elif around.link_share is not None and around.link_share > EXCEEDED_SHARE:
        yield CaveatKind.LINK_RATE.because(
            f"{around.link} carried {100 * around.link_share:.0f} % of what its rate allows: the "
            "rate isn't the link's, or a burst was measured"
        )


def _warnings(
    configuration: Configuration, counts: _Counts, around: Circumstances, finite: bool
) -> Iterator[Caveat]:
    yield from _crowd(around)
    said = not_measured(configuration.origin, repeated=counts.seconds is None)
    if said is not None:
        yield said
    if not finite and said in (None, REPEATED):
        yield _too_few(counts.filled, around.lost)
    if around.spoilt:
        yield disturbed(around)
    if around.notably_outside:
        yield handed_over(around)
    taken = counts.samples + counts.late + counts.apart
    if counts.late > NOTABLE_SHARE * taken:
        cause = f"{counts.late} of {taken} operations had a rank that started late"
        yield CaveatKind.LATE_STARTS.because(cause)
    if counts.apart > NOTABLE_SHARE * taken:
        cause = f"in {counts.apart} of {taken} batches ranks that were to contend ran apart"
        yield CaveatKind.APART.because(cause)
    if around.unsettled_share is not None and around.unsettled_share > NOTABLE_SHARE:
        yield CaveatKind.UNSETTLED.because(
            f"in {100 * around.unsettled_share:.0f} % of the launches that met the cell, times "
            "still changed or pages were still new when warming up had to end"
        )


def disturbed(around: Circumstances, whose: str = "") -> Caveat:
    """The warning that slices waited for cores, and how many."""
    times = {1: "once", 2: "twice"}.get(around.retaken, f"{around.retaken:,} times")
    again = f", though slices were taken again {times}" * (around.retaken > 0)
    lost = {0: "", 1: "; the median of one block doesn't count"}.get(
        around.lost, f"; the medians of {around.lost:,} blocks don't count"
    )
    return CaveatKind.DISTURBED.because(
        f"{whose}ranks waited for a core for over {100 * DISTURBED_SHARE:.0f} % of the time in "
        f"{around.disturbed} of {around.slices} slices{again}{lost}"
    )


def handed_over(around: Circumstances, whose: str = "") -> Caveat:
    """The warning that the cores were in two states, and which of them the times are of."""
    counted, other = around.states.counted, around.states.other
    handed = "ranks' cores handed a cache line to and fro in"
    if other.handover_ns is None:  # of several pairs, each of which was near, one always was far
        return CaveatKind.HANDOVER.because(
            f"{whose}in each of {counted.visits:,} visits some {handed} "
            f"{counted.handover_ns:.0f} ns, at least {FAR:.0f} times what they took at best"
        )
    which = "which don't count"
    if around.elsewhere:
        which = f"which count here, as this cell has none of the {counted.visits:,}"
    return CaveatKind.HANDOVER.because(
        f"{whose}in {counted.visits:,} of the run's visits {handed} "
        f"{counted.handover_ns:.0f} ns, in {other.visits:,} in {other.handover_ns:.0f} ns, {which}"
    )


def _too_few(blocks: int, lost: int) -> Caveat:
    """The warning that `blocks` are too few for an interval, or that so many were `lost`."""
    needed = fewest_blocks(1)
    if blocks + lost < needed:
        return few_blocks(blocks)
    return CaveatKind.FEW_CLEAN_BLOCKS.because(
        f"of {blocks + lost} blocks {blocks} count, as ranks waited for a core in the others; an "
        f"interval of 95 % takes {needed}"
    )


def few_blocks(blocks: int, needed: int | None = None) -> Caveat:
    """The warning that `blocks` are too few for a 95 % interval; with `needed` a test works, too.

    None: nothing is tested.
    """
    return CaveatKind.FEW_BLOCKS.because(
        f"{blocks} block{'s' * (blocks != 1)} can't support a 95 % interval",
        blocks=needed or fewest_blocks(1),
    )
