"""State of the ranks' cores, by their core-to-core latency: the round trip of a cache line.

Virtual cores are laid on others now and then, and libraries then take twice as long, some more
than others: a median over both states is neither's. So a run's times are of one state, the one
that more of its visits are in; slices of the other state are kept and are part of no estimate.
States follow from our own core-to-core latencies beside the slices, never from what was measured.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from leadline.compare.operations import Operations, extents, largest_of_ranks, slice_of
from leadline.record.run import Configuration, Run
from leadline.record.slices import Counts
from leadline.statistics.intervals import Floats

FAR = 3.0
"""Multiple of the least latency between two cores from which on they are in the far state.

Measured on two virtual cores of an AMD EPYC: 50 to 145 ns a round trip near, 300 to 480 far.
"""
STRAY_SHARE = 0.02
"""Share of the latencies between two cores that may be below what is taken for the least."""
APART = 2.0
"""Ratio from which on two medians are of different states."""

Where = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class State:
    """One of the two states that the cores were in."""

    visits: int = 0
    """Number of visits with a slice in this state."""
    core_latency_ns: float | None = None
    """Core-to-core latency, a round trip, the median over the state's slices; None: there are
    none."""


@dataclass(frozen=True, slots=True)
class States:
    """States of the cores in a whole run."""

    near: State = State()
    far: State = State()

    @property
    def is_far(self) -> bool:
        """Whether the run's state, whose times count, is the far one; near if both are equal."""
        return self.far.visits > self.near.visits

    @property
    def counted(self) -> State:
        """The run's state, whose slices count."""
        return self.far if self.is_far else self.near

    @property
    def other(self) -> State:
        """State whose slices are left out."""
        return self.near if self.is_far else self.far


UNSEEN = States()
"""States of a run without core-to-core latencies."""


@dataclass(frozen=True, slots=True)
class CoreLatencies:
    """Core-to-core latencies of groups of samples, each of one slice; arrays of shape (groups,)."""

    ns: Floats
    """Round trip in ns of the slowest pair of ranks; nan: not known."""
    elsewhere: Where
    """Known to be in the other state than the run's; what isn't known counts as in the run's."""
    outside: Where
    """In no estimate: in the other state, and the cell has slices in the run's state."""
    states: States


def distances(core_latency_ns: Counts, line: npt.NDArray[np.intp]) -> Floats:
    """Ratio of each core-to-core latency to the least of its `line`; nan: not known.

    Shapes (n,); a line is two cores. The least is the lower 2 % quantile, so that single latencies
    which are too short decide nothing.
    """
    known = np.flatnonzero(core_latency_ns > 0)
    order = known[np.lexsort((core_latency_ns[known], line[known]))]
    lines, first, number = np.unique(line[order], return_index=True, return_counts=True)
    least = core_latency_ns[order[first + (STRAY_SHARE * (number - 1)).astype(np.intp)]]
    ratios = np.full(core_latency_ns.shape, np.nan)
    ratios[known] = core_latency_ns[known] / least[np.searchsorted(lines, line[known])]
    return ratios


def are_apart(first_ns: float | None, second_ns: float | None) -> bool:
    """Whether two medians are of different states; False where either isn't known."""
    if first_ns is None or second_ns is None:
        return False
    return max(first_ns, second_ns) >= APART * min(first_ns, second_ns)


def typical(several_ns: Iterable[float | None]) -> float | None:
    """Median of the known values; None: none is known."""
    known = [value for value in several_ns if value is not None]
    return median(known) if known else None


def core_latencies_of(run: Run, groups: Operations, counts: Where) -> CoreLatencies:
    """Core-to-core latencies of `groups` of a run.

    `counts` marks the groups with a sample that is part of estimates.
    """
    ns, distance = _by_group(run, groups)
    # a visit that was retaken may have been in both states
    visit = slice_of(groups)[:-1]
    number = np.ravel_multi_index(visit, extents(visit))

    def state(which: Where) -> State:
        if not which.any():
            return State()
        visits = int(np.count_nonzero(np.bincount(number[which])))
        return State(visits, float(np.median(ns[which])))

    states = States(near=state(distance < FAR), far=state(distance >= FAR))
    elsewhere = ~np.isnan(distance) & ((distance >= FAR) != states.is_far)
    cells = groups.configuration, groups.cell
    lacking = np.ones(extents(cells), np.bool_)
    lacking[tuple(column[counts & ~elsewhere] for column in cells)] = False
    return CoreLatencies(ns, elsewhere, elsewhere & ~lacking[cells], states)


def _by_group(run: Run, groups: Operations) -> tuple[Floats, Floats]:
    """Largest latency, and largest distance, among each group's ranks; nan: not known."""
    unknown = np.full(groups.numbers.size, np.nan)
    if run.strips is None or run.conditions is None:
        return unknown, unknown
    telling = np.array(
        [tells_state(configuration) for configuration in run.configurations], np.bool_
    )
    core_latency_ns = np.where(telling[run.strips.configuration], run.conditions.core_latency_ns, 0)
    if not (core_latency_ns > 0).any():
        return unknown, unknown
    # a number for each configuration, the same where ranks sit on the same cores
    numbers: dict[Hashable, int] = {}
    places = map(seats_of, run.configurations)
    seats = np.array([numbers.setdefault(place, len(numbers)) for place in places], np.intp)
    lines = seats[run.strips.configuration] * (int(run.strips.rank.max()) + 1) + run.strips.rank
    values = np.maximum(core_latency_ns, 0), np.nan_to_num(distances(core_latency_ns, lines))
    largest = (largest_of_ranks(run.strips, value, groups) for value in values)
    ns, distance = (np.where(by_group > 0, by_group, np.nan) for by_group in largest)
    return ns, distance


def tells_state(configuration: Configuration) -> bool:
    """Whether the core-to-core latency of its ranks shows the state that its messages meet.

    Ranks that outnumber cores can't pass a line on without waiting for a core. Between ranks on a
    host each messages go by the network, even where the hosts are emulated and share their cores.
    """
    alone = 0 < configuration.ranks <= len(configuration.hosts)
    return not configuration.oversubscribed and not alone


def seats_of(configuration: Configuration) -> Hashable:
    """Cores that the ranks of `configuration` sit on, equal where they are the same."""
    return configuration.hosts, configuration.binding, configuration.ranks
