"""In which state the ranks' cores were: how long two of them hand a cache line to and fro.

Virtual cores are laid on others now and then, and libraries take twice as long for it, some more
than others: a median over both states is neither's. So a run's times are of one state, the one that
more of its visits have; slices of the other are kept and part of no estimate. States are told by
our own hand-overs beside the slices, never by what was measured.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from leadline.compare.operations import Operations, extents, largest_of_ranks, slice_of
from leadline.record.run import Configuration, Run
from leadline.record.slices import Counts, Int32
from leadline.statistics.intervals import Floats

FAR = 3.0
"""Times the least hand-over between two cores: from here on they are in the other state.

Measured on two virtual cores of an AMD EPYC: 50 to 145 ns a round trip near, 300 to 480 far.
"""
STRAY_SHARE = 0.02
"""Of the hand-overs between two cores, that may be shorter than what is taken for the least."""
APART = 2.0
"""Times another's: two medians that differ by it are of different states."""

Where = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class State:
    """One of the two that the cores were in."""

    visits: int = 0
    """That have a slice in it."""
    handover_ns: float | None = None
    """A round trip, the median over its slices; None: there are none."""


@dataclass(frozen=True, slots=True)
class States:
    """Of a whole run."""

    near: State = State()
    far: State = State()

    @property
    def is_far(self) -> bool:
        """Whether the run's state, whose times count, is the far one; of equals it is the near."""
        return self.far.visits > self.near.visits

    @property
    def counted(self) -> State:
        """The run's."""
        return self.far if self.is_far else self.near

    @property
    def other(self) -> State:
        """Whose slices are left out."""
        return self.near if self.is_far else self.far


UNSEEN = States()
"""Of a run that doesn't say."""


@dataclass(frozen=True, slots=True)
class Handovers:
    """Of groups of samples, each of one slice; arrays of shape (groups,)."""

    ns: Floats
    """A round trip, of the slowest pair of ranks; nan: not known."""
    elsewhere: Where
    """Known to be in the other state than the run's; what isn't known is in the run's."""
    outside: Where
    """In no estimate: in the other state, and the cell has slices in the run's."""
    states: States


def distances(handover_ns: Counts, line: npt.NDArray[np.intp]) -> Floats:
    """How many times the least of its `line` each hand-over took; nan: not known.

    Shapes (n,); a line is two cores. The least is the lower 2 % quantile, so that single ones
    which are too short decide nothing.
    """
    known = np.flatnonzero(handover_ns > 0)
    order = known[np.lexsort((handover_ns[known], line[known]))]
    lines, first, number = np.unique(line[order], return_index=True, return_counts=True)
    least = handover_ns[order[first + (STRAY_SHARE * (number - 1)).astype(np.intp)]]
    found = np.full(handover_ns.shape, np.nan)
    found[known] = handover_ns[known] / least[np.searchsorted(lines, line[known])]
    return found


def are_apart(first_ns: float | None, second_ns: float | None) -> bool:
    """Whether two medians are of different states; not where either isn't known."""
    if first_ns is None or second_ns is None:
        return False
    return max(first_ns, second_ns) >= APART * min(first_ns, second_ns)


def typical(several_ns: Iterable[float | None]) -> float | None:
    """The median of those that are known; None: none is."""
    known = [one for one in several_ns if one is not None]
    return median(known) if known else None


def handovers_of(run: Run, groups: Operations, counts: Where) -> Handovers:
    """Those of `run`; `counts` says which of `groups` have a sample that is part of estimates."""
    ns, distance = _by_group(run, groups)
    states = _states(ns, distance, slice_of(groups)[:-1])
    elsewhere = ~np.isnan(distance) & ((distance >= FAR) != states.is_far)
    cells = groups.configuration, groups.cell
    lacking = np.ones(extents(cells), np.bool_)
    lacking[tuple(column[counts & ~elsewhere] for column in cells)] = False
    return Handovers(ns, elsewhere, elsewhere & ~lacking[cells], states)


def _by_group(run: Run, groups: Operations) -> tuple[Floats, Floats]:
    """The largest hand-over of each group's ranks, and the largest distance; nan: not known."""
    unknown = np.full(groups.numbers.size, np.nan)
    if run.strips is None or run.conditions is None:
        return unknown, unknown
    telling = np.array([tells_state(one) for one in run.configurations], np.bool_)
    handover_ns = np.where(telling[run.strips.configuration], run.conditions.handover_ns, 0)
    if not (handover_ns > 0).any():
        return unknown, unknown
    seats = _seats(run.configurations)[run.strips.configuration]
    line = seats * (int(run.strips.rank.max()) + 1) + run.strips.rank
    values = np.maximum(handover_ns, 0), np.nan_to_num(distances(handover_ns, line))
    largest = (largest_of_ranks(run.strips, one, groups) for one in values)
    ns, distance = (np.where(one > 0, one, np.nan) for one in largest)
    return ns, distance


def tells_state(configuration: Configuration) -> bool:
    """Whether the hand-overs of its ranks say what its messages meet.

    Ranks that outnumber cores hand nothing over without waiting for one. Between ranks that have a
    host each messages go by the network, even where the hosts are emulated and share their cores.
    """
    alone = 0 < configuration.ranks <= len(configuration.hosts)
    return not configuration.oversubscribed and not alone


def seats_of(configuration: Configuration) -> Hashable:
    """The cores that its ranks sit on, equal where they are the same."""
    return configuration.hosts, configuration.binding, configuration.ranks


def _seats(configurations: Sequence[Configuration]) -> npt.NDArray[np.intp]:
    """A number for each configuration, the same where ranks sit on the same cores."""
    numbers: dict[Hashable, int] = {}
    where = map(seats_of, configurations)
    return np.array([numbers.setdefault(one, len(numbers)) for one in where], np.intp)


def _states(ns: Floats, distance: Floats, visit: tuple[Int32, ...]) -> States:
    """`visit` says which one each group is of; one that was taken again may have been in both."""

    def state(those: Where) -> State:
        if not those.any():
            return State()
        visits = int(np.count_nonzero(np.bincount(number[those])))
        return State(visits, float(np.median(ns[those])))

    number = np.ravel_multi_index(visit, extents(visit))
    return States(near=state(distance < FAR), far=state(distance >= FAR))
