"""Spread of runs on one machine where nothing was changed: stated, or estimated from other runs.

Two runs differ by more than their blocks do: memory is laid out again, the machine has another
day. One pair of runs can't tell that from a change. Other runs in the same directory, of the same
configuration on the same machine, can: their deviations from each other's mean enter the interval
and the test of the pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.core_latencies import are_apart
from leadline.compare.sides import Side
from leadline.compare.verdict import Rows
from leadline.compare.warnings import machine_differences
from leadline.record.run import Cell, Run
from leadline.record.warnings import Remedy, RunWarning, WarningKind, warning_of
from leadline.statistics.intervals import Floats
from leadline.statistics.two_samples import Spread

FEWEST_FREEDOM = 3
"""Degrees of freedom (runs less groups of runs) below which their spread decides nothing."""

SpreadOf = Callable[[Rows], Spread]
"""Spread in some of the cells that are compared."""


@dataclass(frozen=True, slots=True)
class InRun:
    """One side and the run that it is of."""

    analysis: Analysis
    side: Side


@dataclass(frozen=True, slots=True)
class Apart:
    """How far runs lie apart in the cells of one comparison."""

    of: SpreadOf
    span: str
    """The spread as per cent, e.g. "1.2 to 2.3"."""
    runs: int
    """Other runs that it was estimated from; 0: it was stated."""


def unpaired(apart: tuple[str, int] | None, changed: bool = True) -> RunWarning:
    """Warning for two runs that lie apart by a span, and by how many runs; None: it isn't known.

    Unless a library `changed`, there is nothing that one run could measure beside the other.
    """
    if apart is None:
        warning, remedy = warning_of(WarningKind.UNPAIRED), Remedy.ONLY_KNOWN_APART()
    else:
        span, runs = apart
        warning, remedy = warning_of(WarningKind.UNPAIRED, span=span, runs=runs), Remedy.PAIRED()
    return warning if changed else replace(warning, remedy=remedy)


@dataclass(frozen=True, slots=True)
class RunsApart:
    """What is known of the spread before two runs are compared."""

    stated: float | None = None
    """Standard deviation of a run's level, as a share of it; None: estimated from `beside`."""
    beside: tuple[Analysis, ...] = ()
    """Other runs in the same folder; the comparable ones among them count."""

    @property
    def deviation(self) -> float | None:
        """Standard deviation of the logarithm of a run's level, as stated; None: it isn't."""
        return None if self.stated is None else math.log1p(self.stated)

    def between(self, first: InRun, second: InRun, cells: Sequence[Cell]) -> Apart | None:
        """How far runs of these two sides lie apart in `cells`; None: not known."""
        deviation = self.deviation
        if deviation is not None:
            span = _span(np.expm1(np.array([deviation])))
            return Apart(lambda rows: Spread.stated(deviation, rows.size), span, 0)
        if _alike(first, second):
            # both are alike but for the day: runs up to the earlier one, and from the later one
            # on, as what was changed in between, if anything, must not count as spread
            days = sorted(run.analysis.run.provenance.started or "" for run in (first, second))
            groups = [
                list(self._like(first, cells, lambda day: day <= days[0])),
                list(self._like(second, cells, lambda day: day >= days[1] and day != days[0])),
            ]
        else:
            groups = [list(self._like(run, cells, lambda _: True)) for run in (first, second)]
        whole = recorded(groups)
        if whole is None:
            return None

        def of(rows: Rows) -> Spread:
            return Spread.recorded([[logs[rows] for logs in group] for group in groups])

        sizes = np.expm1(whole.sizes[:-1])
        number = sum(len(group) for group in groups if len(group) > 1)
        return Apart(of, _span(sizes), number)

    def _like(
        self, run: InRun, cells: Sequence[Cell], taken: Callable[[str], bool]
    ) -> Iterator[Floats]:
        """Logarithms of block medians of the runs like `run` on days that are `taken`.

        Shape (cells, blocks) each.
        """
        for other in self.beside:
            day = other.run.provenance.started
            if day is None or not taken(day) or not set(cells) <= set(other.run.cells):
                continue
            for side in other.sides_in(cells):
                if _alike(run, InRun(other, side)) and not np.isnan(side.centres).any():
                    yield side.logs


def recorded(groups: Sequence[Sequence[Floats]]) -> Spread | None:
    """Spread of runs in groups within which nothing differs; None: too few to tell.

    Each run has logarithms of block medians, shape (cells, blocks), of the same cells.
    """
    freedom = sum(len(group) - 1 for group in groups if group)
    return None if freedom < FEWEST_FREEDOM else Spread.recorded(groups)


def same_machine(first: Run, second: Run) -> bool:
    """Whether no difference between the machines of two runs is known, their names included."""
    hosts = {run.machine.shown("host") for run in (first, second)}
    return len(hosts) == 1 and not list(machine_differences(first, second))


def comparable(
    first: Run,
    second: Run,
    first_core_latency_ns: float | None,
    second_core_latency_ns: float | None,
) -> bool:
    """Whether no difference between two runs' machines, or the states of their cores, is known.

    The state of the cores follows from the core-to-core latency in either run.
    """
    return same_machine(first, second) and not are_apart(
        first_core_latency_ns, second_core_latency_ns
    )


def _alike(run: InRun, other: InRun) -> bool:
    """Whether nothing that is recorded of the two differs, the state of their cores included.

    What their campaigns chose by themselves may differ.
    """
    runs = run.analysis.run, other.analysis.run
    configurations = [side.analysis.run.as_asked(side.side.configuration) for side in (run, other)]
    core_latencies_ns = run.side.core_latency_ns, other.side.core_latency_ns
    return configurations[0] == configurations[1] and comparable(*runs, *core_latencies_ns)


def _span(shares: Floats) -> str:
    """Range of `shares` as per cent, e.g. "1.2 to 2.3"."""
    ends = list(dict.fromkeys(f"{100 * share:.2g}" for share in (shares.min(), shares.max())))
    return " to ".join(ends)
