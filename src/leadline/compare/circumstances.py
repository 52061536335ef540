"""What went on while a cell was timed, and whether ranks above the core count may judge it.

Where ranks outnumber cores, the scheduler is timed along with the library, unless a link between
hosts is what they all wait for: then its counters show that it carried what its rate allows.

Here also: how nearly at once the ranks of several hosts began, where they were to begin together;
and for which share of its time an application's ranks communicated. Where a rank waits for another
that lost its core it communicates, too: shares rest on the slices on which times rest, and are
medians as these are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.compare.handovers import UNSEEN, States, Where, are_apart
from leadline.compare.medians import Visits, counting
from leadline.compare.verdict import Rows
from leadline.record.run import Cadence, Run
from leadline.record.slices import (
    DISTURBED_SHARE,
    UNKNOWN,
    Int32,
    StripConditions,
    Strips,
    Verified,
)
from leadline.statistics.intervals import Floats, weighted_row_medians

LINK_BOUND_SHARE = 0.70
"""Of what its rate allows: a link that carried less wasn't the limit."""
NOTABLE_SHARE = 0.25
"""Of a cell's slices disturbed, or samples late or clock-bound: beyond it there is a warning."""
EXCEEDED_SHARE = 1.25
"""A link that carried more has another rate, or the slice was over before a burst was."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Of one cell under one configuration, over all its slices and the ranks that recorded."""

    oversubscribed: bool = False
    """More ranks, or threads of them, than cores."""
    run_delay_share: float | None = None
    """Share of the time watched for which ranks were ready and had no core; None: not known."""
    slices: int = 0
    """That count, one a visit; 0 where nothing is known of what disturbed them."""
    disturbed: int = 0
    """Of these, in which a rank waited for a core for over DISTURBED_SHARE of the time."""
    lost: int = 0
    """Blocks that count nowhere, as each of their visits was disturbed beyond comparison."""
    retaken: int = 0
    """How often a slice was taken again for what disturbed it, or for the state of the cores."""
    link: str | None = None
    """That was the busiest of a slice most often; None: links weren't watched."""
    link_share: float | None = None
    """What the busiest link of each slice carried, of what its rate allows; None: not known."""
    unsettled_share: float | None = None
    """Of the launches that met the cell, those that never settled for it; None: not known."""
    handover_ns: float | None = None
    """A cache line's round trip between ranks' cores, the median over the slices that count; None:
    not known."""
    outside_share: float = 0.0
    """Of the visits, those that don't count as the cores were in the other state than the run's."""
    elsewhere: bool = False
    """No slice is in the run's state, so that those in the other count."""
    states: States = UNSEEN
    """Of the cores in the whole run."""
    clock_residual_ns: float | None = None
    """How far hosts' clocks, by their fits, were apart at a visit's end, the median over visits;
    None: ranks read one clock or meet at no deadline, or it isn't known."""
    communication_share: float | None = None
    """Of the time of an application's repetitions, for which its ranks communicated, the mean over
    ranks; None, as the next: it is none, or it isn't known."""
    communication_most: float | None = None
    """The same of the rank that has most."""
    verified: Verified | None = None
    """Of what was checked in an application's solutions the furthest from what was expected; None:
    it is none, or it isn't known."""

    @property
    def notably_disturbed(self) -> bool:
        """More than NOTABLE_SHARE of the slices; ranks above the cores disturb each other."""
        return not self.oversubscribed and self.disturbed > NOTABLE_SHARE * self.slices

    @property
    def spoilt(self) -> bool:
        """Whether what disturbed its slices is to be told: notably many, or blocks were lost."""
        return self.notably_disturbed or self.lost > 0

    @property
    def notably_outside(self) -> bool:
        """The cores' state was notably another, or not the one in which they are near."""
        seen = self.handover_ns is not None and self.states.is_far
        return seen or self.elsewhere or self.outside_share > NOTABLE_SHARE

    @property
    def disturbed_share(self) -> float | None:
        """Of the slices that count; None: not known."""
        known = self.run_delay_share is not None and self.slices > 0
        return self.disturbed / self.slices if known else None

    @property
    def link_bound(self) -> bool:
        """Whether a link is shown to be the limit."""
        return self.link_share is not None and LINK_BOUND_SHARE <= self.link_share <= EXCEEDED_SHARE

    @property
    def crowded(self) -> bool:
        """More ranks than cores, and no link that was the limit: part of no verdict."""
        return self.oversubscribed and not self.link_bound


def together(several: Iterable[Circumstances]) -> Circumstances:
    """The slices of several cells as if they were one's; of run delay and links nothing."""
    every = [one for one in several if not one.oversubscribed]
    return Circumstances(
        slices=sum(one.slices for one in every),
        disturbed=sum(one.disturbed for one in every),
        lost=sum(one.lost for one in every),
        retaken=sum(one.retaken for one in every),
    )


def states_apart(sides: tuple[Circumstances, Circumstances]) -> bool:
    """Whether the cores of the two were in different states; not where that isn't known."""
    first, second = sides
    return are_apart(first.handover_ns, second.handover_ns)


CircumstancesByCell = tuple[tuple[Circumstances, ...], ...]
"""By configuration, then by cell."""


def circumstances_of(run: Run, visits: Visits) -> CircumstancesByCell:
    """Those of every cell under every configuration of `run`, whose visits these are."""
    shape = len(run.configurations), len(run.cells)
    delays = shares = unsettled = np.full(shape, np.nan)
    communication, communication_most = communication_of(run, visits)
    links: dict[tuple[int, int], str] = {}
    verified: dict[tuple[int, int], Verified] = {}
    if run.strips is not None and run.conditions is not None:
        place = run.strips.configuration, run.strips.cell
        delays = _run_delay_shares(place, run.conditions, shape)
        shares = _link_shares(place, run.conditions, shape)
        links = _links(run.strips, run.conditions)
        unsettled = _unsettled_shares(run.strips, run.conditions, shape)
        verified = furthest_verified(run.strips, run.conditions)
    counted = visits.waited >= 0
    known = counted & ~np.isnan(delays)[:, :, None, None]
    counts = (
        np.sum(found, axis=(2, 3))
        for found in (known, visits.waited > DISTURBED_SHARE, visits.retaken)
    )
    slices, disturbed, retaken = (found.tolist() for found in counts)
    lost = np.sum(counted.any(axis=3) & ~visits.weights.any(axis=3), axis=2).tolist()
    outside = _shares_of(visits.outside, counted)
    elsewhere = np.any(visits.elsewhere, axis=(2, 3)).tolist()
    handovers = _handovers(visits)
    residuals = clock_residuals(run)
    return tuple(
        tuple(
            Circumstances(
                one.oversubscribed,
                _known(delays[c, k]),
                slices[c][k],
                disturbed[c][k],
                lost[c][k],
                retaken[c][k],
                links.get((c, k)),
                _known(shares[c, k]),
                _known(unsettled[c, k]),
                _known(handovers[c, k]),
                float(outside[c, k]),
                elsewhere[c][k],
                visits.states,
                _known(residuals[c, k]),
                _known(communication[c, k]),
                _known(communication_most[c, k]),
                verified.get((c, k)),
            )
            for k in range(len(run.cells))
        )
        for c, one in enumerate(run.configurations)
    )


Place = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]


def _handovers(visits: Visits) -> Floats:
    """The median of each cell's, of those known; nan: none is."""
    configurations, cells, blocks, numbers = visits.handover_ns.shape
    rows = visits.handover_ns.reshape(configurations, cells, blocks * numbers)
    return weighted_row_medians(rows, np.ones(rows.shape))


def _shares_of(some: Where, others: Where) -> Floats:
    """How many of both, by cell, `some` are; 0 where there are none."""
    first, second = (np.sum(one, axis=(2, 3)) for one in (some, others))
    return np.asarray(first / np.maximum(first + second, 1))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _run_delay_shares(place: Place, found: StripConditions, shape: tuple[int, int]) -> Floats:
    said = (found.run_delay_ns >= 0) & (found.window_ns > 0)
    waited = _summed(place, np.where(said, found.run_delay_ns, 0), shape)
    return _ratio(waited, _summed(place, np.where(said, found.window_ns, 0), shape))


def _unsettled_shares(strips: Strips, found: StripConditions, shape: tuple[int, int]) -> Floats:
    """A launch has settled where any of its warm-ups for the cell did."""
    known = found.warm_up_converged != UNKNOWN
    where = np.stack([strips.configuration, strips.cell, strips.launch], axis=1)[known]
    launches, which = np.unique(where, axis=0, return_inverse=True)
    settled = np.zeros(len(launches))
    np.maximum.at(settled, which.ravel(), found.warm_up_converged[known])
    place = launches[:, 0], launches[:, 1]
    return _ratio(_summed(place, settled == 0, shape), _summed(place, settled >= 0, shape))


def furthest_verified(strips: Strips, found: StripConditions) -> dict[tuple[int, int], Verified]:
    """By configuration and cell what was furthest from right in any slice; only where known."""
    furthest: dict[tuple[int, int], Verified] = {}
    for row in np.flatnonzero(found.verified != ""):
        place = int(strips.configuration[row]), int(strips.cell[row])
        quantity, expected = str(found.verified[row]), float(found.verified_expected[row])
        one = Verified(quantity, expected, float(found.verified_seen[row]))
        if place not in furthest or one.relative_error > furthest[place].relative_error:
            furthest[place] = one
    return furthest


def _link_shares(place: Place, found: StripConditions, shape: tuple[int, int]) -> Floats:
    """Not known where the link of any slice, or its rate, isn't.

    All ranks of a slice have the slice's link, so that summing over them weights every slice alike.
    """
    allowed = found.link_bytes_per_s * found.link_window_ns / 1e9
    shares = _ratio(_summed(place, found.link_bytes, shape), _summed(place, allowed, shape))
    unknown = _summed(place, allowed <= 0, shape) > 0
    return np.where(unknown, np.nan, shares)


def _summed(place: Place, values: npt.NDArray[np.generic], shape: tuple[int, int]) -> Floats:
    sums = np.zeros(shape)
    np.add.at(sums, place, values)
    return sums


def _ratio(part: Floats, whole: Floats) -> Floats:
    ratio: Floats = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return ratio


def _links(strips: Strips, found: StripConditions) -> dict[tuple[int, int], str]:
    """The link named most often in each cell that has one."""
    watched = np.flatnonzero(found.link != "")
    named = Counter(
        zip(
            strips.configuration[watched].tolist(),
            strips.cell[watched].tolist(),
            found.link[watched].tolist(),
            strict=True,
        )
    )
    return {(c, k): link for (c, k, link), _ in reversed(named.most_common())}


def clock_residuals(run: Run) -> Floats:
    """By (configuration, cell) the median over visits of the largest residual of a clock, in ns.

    nan where no visit has one: ranks read one clock, or meet at no deadline, or nobody said how far
    the fits of their clocks were off.
    """
    found = np.full((len(run.configurations), len(run.cells)), np.nan)
    residuals = _by_visit(run)
    if not residuals or run.strips is None:
        return found
    strips = run.strips
    columns = (strips.configuration, strips.cell, strips.launch, strips.block, strips.visit)
    of_cells: dict[tuple[int, int], list[float]] = {}
    for c, k, *when in np.unique(np.stack(columns, axis=1), axis=0).tolist():
        residual = residuals.get(tuple(when), math.nan)
        if run.cells[k].cadence is Cadence.ISOLATED and not math.isnan(residual):
            of_cells.setdefault((c, k), []).append(residual)
    for place, values in of_cells.items():
        found[place] = np.median(values)
    return found


def _by_visit(run: Run) -> dict[tuple[int, ...], float]:
    """The largest of all clocks by (launch, block, visit), of the visits whose end was fitted."""
    largest: dict[tuple[int, ...], float] = {}
    for fit in run.clock_fits:
        if fit.residual_ns >= 0 and fit.launch >= 0:
            key = fit.launch, fit.block, fit.visit
            largest[key] = max(largest.get(key, 0.0), fit.residual_ns)
    return largest


def communication_of(run: Run, visits: Visits) -> tuple[Floats, Floats]:
    """Of each cell under each configuration the mean over its ranks' shares, and the largest.

    Measured or stated; nan: not known.
    """
    shape = len(run.configurations), len(run.cells)
    found = np.full(shape, np.nan), np.full(shape, np.nan)
    if run.strips is not None and run.conditions is not None:
        found = _over_ranks(_by_rank(run.strips, run.conditions, visits))
    for table in run.stated:
        stated = table.communication_share, table.communication_most
        for shares, values in zip(found, stated, strict=True):
            if values:
                shares[table.configuration, list(table.cells)] = values
    return found


def counted_rows(strips: Strips, found: StripConditions, visits: Visits) -> Rows:
    """The strips that tell what was spent, of the attempts on which times rest."""
    blocks, numbers = visits.seconds.shape[2:]
    known = (found.communication_ns != UNKNOWN) & (found.repetitions_ns > 0)
    timed = np.flatnonzero(known & (strips.block < blocks) & (strips.visit < numbers))
    rests_on: Rows = timed[strips.attempt[timed] == visits.attempt[_visits_of(strips, timed)]]
    return rests_on


def _visits_of(strips: Strips, rows: Rows) -> tuple[Int32, ...]:
    columns = strips.configuration, strips.cell, strips.block, strips.visit
    return tuple(column[rows] for column in columns)


def _over_ranks(shares: Floats) -> tuple[Floats, Floats]:
    known = ~np.isnan(shares)
    ranks = np.sum(known, axis=2)
    mean = np.sum(np.nan_to_num(shares), axis=2) / np.maximum(ranks, 1)
    most = np.max(np.nan_to_num(shares), axis=2, initial=0)
    return np.where(ranks > 0, mean, np.nan), np.where(ranks > 0, most, np.nan)


def _by_rank(strips: Strips, found: StripConditions, visits: Visits) -> Floats:
    """Each rank's median over slices, shape (configurations, cells, ranks); nan: not known."""
    shape = visits.seconds.shape[:2]
    used = counted_rows(strips, found, visits)
    weights = counting(visits.weights)[_visits_of(strips, used)]
    shares = found.communication_ns[used] / found.repetitions_ns[used]
    ranks = int(strips.rank[used].max(initial=0)) + 1
    where = (strips.configuration[used], strips.cell[used], strips.rank[used])
    group = np.ravel_multi_index(where, (*shape, ranks))
    medians = _grouped_medians(group, shares, weights, shape[0] * shape[1] * ranks)
    return medians.reshape(*shape, ranks)


def _grouped_medians(
    group: npt.NDArray[np.intp], values: Floats, weights: Floats, groups: int
) -> Floats:
    """The weighted median of the `values` of each group; nan for one that has none."""
    order = np.argsort(group, kind="stable")
    number = np.bincount(group, minlength=groups)
    start = np.cumsum(number) - number
    place = group[order], np.arange(len(group)) - start[group[order]]
    rows = np.full((2, groups, number.max(initial=0)), np.nan)
    rows[0][place], rows[1][place] = values[order], weights[order]
    return weighted_row_medians(rows[0], np.nan_to_num(rows[1]))
