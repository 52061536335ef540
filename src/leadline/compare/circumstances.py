"""Conditions under which a cell was timed, and whether a cell with more ranks than cores counts.

Where ranks outnumber cores, the scheduler is timed along with the library, unless all ranks wait
for a link between hosts: then the link's counters show that it carried what its rate allows.

Also here: how nearly at once the ranks of several hosts began, where they were to begin together;
and the share of its time for which an application's ranks communicated. A rank that waits for
another that lost its core communicates, too: so these shares rest on the slices on which times
rest, and are medians as these are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.compare.core_latencies import UNSEEN, States, are_apart
from leadline.compare.medians import Visits, counting
from leadline.compare.verdict import Rows
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Cadence, Run
from leadline.record.slices import DISTURBED_SHARE, Int32, StripConditions, Strips, Verified
from leadline.statistics.intervals import Floats, weighted_row_medians

LINK_BOUND_SHARE = 0.70
"""Share of its rate that a link must carry to be the limit."""
NOTABLE_SHARE = 0.25
"""Share of a cell's slices disturbed, or samples late or clock-bound, above which there is a
warning."""
EXCEEDED_SHARE = 1.25
"""Share of its rate above which a link has another rate, or the slice ended before a burst did."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Conditions of one cell under one configuration, over all its slices and recording ranks."""

    oversubscribed: bool = False
    """More ranks, or threads of them, than cores."""
    run_delay_share: float | None = None
    """Share of the time watched for which ranks were ready and had no core; None: not known."""
    slices: int = 0
    """Slices that count, one a visit; 0 where nothing is known of what disturbed them."""
    disturbed: int = 0
    """Slices in which a rank waited for a core for over DISTURBED_SHARE of the time."""
    lost: int = 0
    """Blocks that count nowhere, as each of their visits was disturbed beyond comparison."""
    retaken: int = 0
    """Number of times that a slice was retaken, because of a disturbance or of the state of the
    cores."""
    link: str | None = None
    """Link that was the busiest of a slice most often; None: links weren't watched."""
    link_share: float | None = None
    """Share of its rate that the busiest link of each slice carried; None: not known."""
    unsettled_share: float | None = None
    """Share of the launches with the cell in which it never settled; None: not known."""
    core_latency_ns: float | None = None
    """Core-to-core latency between ranks' cores, a round trip, the median over the slices that
    count; None: not known."""
    outside_share: float = 0.0
    """Share of the visits that don't count as the cores weren't in the run's state."""
    elsewhere: bool = False
    """No slice is in the run's state, so that those in the other state count."""
    states: States = UNSEEN
    """States of the cores in the whole run."""
    clock_residual_ns: float | None = None
    """Residual between hosts' clocks, by their fits, at a visit's end, the median over visits;
    None: ranks read one clock or meet at no deadline, or it isn't known."""
    communication_share: float | None = None
    """Share of the time of an application's repetitions for which its ranks communicated, the mean
    over ranks; None, also for the next: no application, or not known."""
    communication_most: float | None = None
    """The same share of the rank with the largest one."""
    verified: Verified | None = None
    """Quantity checked in an application's runs that was furthest from its expected value; None: no
    application, or not known."""

    @property
    def notably_disturbed(self) -> bool:
        """Whether more than NOTABLE_SHARE of the slices were disturbed.

        Never with more ranks than cores, which disturb each other.
        """
        return not self.oversubscribed and self.disturbed > NOTABLE_SHARE * self.slices

    @property
    def spoilt(self) -> bool:
        """Whether disturbances are to be reported: notably many slices, or lost blocks."""
        return self.notably_disturbed or self.lost > 0

    @property
    def notably_outside(self) -> bool:
        """Whether the cores were notably often in another state, or not in the near one."""
        seen = self.core_latency_ns is not None and self.states.is_far
        return seen or self.elsewhere or self.outside_share > NOTABLE_SHARE

    @property
    def disturbed_share(self) -> float | None:
        """Share of the slices that count that were disturbed; None: not known."""
        known = self.run_delay_share is not None and self.slices > 0
        return self.disturbed / self.slices if known else None

    @property
    def link_bound(self) -> bool:
        """Whether a link is shown to be the limit."""
        return self.link_share is not None and LINK_BOUND_SHARE <= self.link_share <= EXCEEDED_SHARE

    @property
    def crowded(self) -> bool:
        """Whether ranks outnumber cores and no link was the limit: part of no verdict."""
        return self.oversubscribed and not self.link_bound


def together(several: Iterable[Circumstances]) -> Circumstances:
    """Slices of several cells added up as if of one cell; without run delay and links."""
    every = [circumstances for circumstances in several if not circumstances.oversubscribed]
    return Circumstances(
        slices=sum(circumstances.slices for circumstances in every),
        disturbed=sum(circumstances.disturbed for circumstances in every),
        lost=sum(circumstances.lost for circumstances in every),
        retaken=sum(circumstances.retaken for circumstances in every),
    )


def states_apart(sides: tuple[Circumstances, Circumstances]) -> bool:
    """Whether the cores of two sides were in different states; False where that isn't known."""
    first, second = sides
    return are_apart(first.core_latency_ns, second.core_latency_ns)


CircumstancesByCell = tuple[tuple[Circumstances, ...], ...]
"""Conditions by configuration, then by cell."""


def circumstances_of(run: Run, visits: Visits) -> CircumstancesByCell:
    """Conditions of every cell under every configuration of `run`, which has these `visits`."""
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
        np.sum(which, axis=(2, 3))
        for which in (known, visits.waited > DISTURBED_SHARE, visits.retaken)
    )
    slices, disturbed, retaken = (count.tolist() for count in counts)
    lost = np.sum(counted.any(axis=3) & ~visits.weights.any(axis=3), axis=2).tolist()
    left_out, taken = (np.sum(which, axis=(2, 3)) for which in (visits.outside, counted))
    outside = left_out / np.maximum(left_out + taken, 1)
    elsewhere = np.any(visits.elsewhere, axis=(2, 3)).tolist()
    blocks, numbers = visits.core_latency_ns.shape[2:]
    by_cell = visits.core_latency_ns.reshape(*shape, blocks * numbers)
    core_latencies = weighted_row_medians(by_cell, np.ones(by_cell.shape))
    residuals = clock_residuals(run)
    return tuple(
        tuple(
            Circumstances(
                configuration.oversubscribed,
                _known(delays[c, k]),
                slices[c][k],
                disturbed[c][k],
                lost[c][k],
                retaken[c][k],
                links.get((c, k)),
                _known(shares[c, k]),
                _known(unsettled[c, k]),
                _known(core_latencies[c, k]),
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
        for c, configuration in enumerate(run.configurations)
    )


Place = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _run_delay_shares(place: Place, conditions: StripConditions, shape: tuple[int, int]) -> Floats:
    """Share of the time watched for which ranks had no core; nan: not known."""
    known = (conditions.run_delay_ns >= 0) & (conditions.window_ns > 0)
    waited = _summed(place, np.where(known, conditions.run_delay_ns, 0), shape)
    return _ratio(waited, _summed(place, np.where(known, conditions.window_ns, 0), shape))


def _unsettled_shares(
    strips: Strips, conditions: StripConditions, shape: tuple[int, int]
) -> Floats:
    """Share of the launches in which a cell never settled, shape (configurations, cells).

    A launch has settled where any of its warm-ups for the cell did; nan: not known.
    """
    known = conditions.warm_up_converged != UNKNOWN
    where = np.stack([strips.configuration, strips.cell, strips.launch], axis=1)[known]
    launches, which = np.unique(where, axis=0, return_inverse=True)
    settled = np.zeros(len(launches))
    np.maximum.at(settled, which.ravel(), conditions.warm_up_converged[known])
    place = launches[:, 0], launches[:, 1]
    return _ratio(_summed(place, settled == 0, shape), _summed(place, settled >= 0, shape))


def furthest_verified(
    strips: Strips, conditions: StripConditions
) -> dict[tuple[int, int], Verified]:
    """Verified quantity that was furthest from right in any slice, by configuration and cell.

    Only where it is known.
    """
    furthest: dict[tuple[int, int], Verified] = {}
    for row in np.flatnonzero(conditions.verified != ""):
        place = int(strips.configuration[row]), int(strips.cell[row])
        quantity, expected = str(conditions.verified[row]), float(conditions.verified_expected[row])
        verified = Verified(quantity, expected, float(conditions.verified_seen[row]))
        if place not in furthest or verified.relative_error > furthest[place].relative_error:
            furthest[place] = verified
    return furthest


def _link_shares(place: Place, conditions: StripConditions, shape: tuple[int, int]) -> Floats:
    """Share of its rate that the link of each slice carried, shape (configurations, cells).

    nan where the link of any slice, or its rate, isn't known. All ranks of a slice have the slice's
    link, so that summing over them weights every slice alike.
    """
    allowed = conditions.link_bytes_per_s * conditions.link_window_ns / 1e9
    shares = _ratio(_summed(place, conditions.link_bytes, shape), _summed(place, allowed, shape))
    unknown = _summed(place, allowed <= 0, shape) > 0
    return np.where(unknown, np.nan, shares)


def _summed(place: Place, values: npt.NDArray[np.generic], shape: tuple[int, int]) -> Floats:
    """Sum of `values` at each place of `shape`."""
    sums = np.zeros(shape)
    np.add.at(sums, place, values)
    return sums


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Ratio of two arrays; nan where `whole` isn't positive."""
    ratio: Floats = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return ratio


def _links(strips: Strips, conditions: StripConditions) -> dict[tuple[int, int], str]:
    """Link named most often in each cell that has one."""
    watched = np.flatnonzero(conditions.link != "")
    named = Counter(
        zip(
            strips.configuration[watched].tolist(),
            strips.cell[watched].tolist(),
            conditions.link[watched].tolist(),
            strict=True,
        )
    )
    return {(c, k): link for (c, k, link), _ in reversed(named.most_common())}


def clock_residuals(run: Run) -> Floats:
    """Median over visits of the largest residual of a clock, in ns, by (configuration, cell).

    nan where no visit has one: ranks read one clock, or meet at no deadline, or the residuals of
    their clocks' fits weren't recorded.
    """
    medians = np.full((len(run.configurations), len(run.cells)), np.nan)
    # largest of all clocks by (launch, block, visit), of the visits whose end was fitted
    largest: dict[tuple[int, ...], float] = {}
    for fit in run.clock_fits:
        if fit.residual_ns >= 0 and fit.launch >= 0:
            visit = fit.launch, fit.block, fit.visit
            largest[visit] = max(largest.get(visit, 0.0), fit.residual_ns)
    if not largest or run.strips is None:
        return medians
    strips = run.strips
    columns = (strips.configuration, strips.cell, strips.launch, strips.block, strips.visit)
    by_cell: dict[tuple[int, int], list[float]] = {}
    for c, k, *when in np.unique(np.stack(columns, axis=1), axis=0).tolist():
        residual = largest.get(tuple(when), math.nan)
        if run.cells[k].cadence is Cadence.ISOLATED and not math.isnan(residual):
            by_cell.setdefault((c, k), []).append(residual)
    for place, residuals in by_cell.items():
        medians[place] = np.median(residuals)
    return medians


def communication_of(run: Run, visits: Visits) -> tuple[Floats, Floats]:
    """Mean over ranks of their shares of communication, and the largest share.

    Both of shape (configurations, cells), measured or stated; nan: not known.
    """
    shape = len(run.configurations), len(run.cells)
    mean, most = np.full(shape, np.nan), np.full(shape, np.nan)
    if run.strips is not None and run.conditions is not None:
        strips, conditions = run.strips, run.conditions
        used = counted_rows(strips, conditions, visits)
        weights = counting(visits.weights)[_visits_of(strips, used)]
        by_slice = conditions.communication_ns[used] / conditions.repetitions_ns[used]
        # each rank's median over slices
        ranks = int(strips.rank[used].max(initial=0)) + 1
        where = (strips.configuration[used], strips.cell[used], strips.rank[used])
        group = np.ravel_multi_index(where, (*shape, ranks))
        by_rank = _grouped_medians(group, by_slice, weights, shape[0] * shape[1] * ranks)
        by_rank = by_rank.reshape(*shape, ranks)
        number = np.sum(~np.isnan(by_rank), axis=2)
        total = np.sum(np.nan_to_num(by_rank), axis=2)
        largest = np.max(np.nan_to_num(by_rank), axis=2, initial=0)
        mean = np.where(number > 0, total / np.maximum(number, 1), np.nan)
        most = np.where(number > 0, largest, np.nan)
    for table in run.stated:
        stated = table.communication_share, table.communication_most
        for shares, values in zip((mean, most), stated, strict=True):
            if values:
                shares[table.configuration, list(table.cells)] = values
    return mean, most


def counted_rows(strips: Strips, conditions: StripConditions, visits: Visits) -> Rows:
    """Strips with communication times, of the attempts on which times rest."""
    blocks, numbers = visits.seconds.shape[2:]
    known = (conditions.communication_ns != UNKNOWN) & (conditions.repetitions_ns > 0)
    timed = np.flatnonzero(known & (strips.block < blocks) & (strips.visit < numbers))
    rests_on: Rows = timed[strips.attempt[timed] == visits.attempt[_visits_of(strips, timed)]]
    return rests_on


def _visits_of(strips: Strips, rows: Rows) -> tuple[Int32, ...]:
    columns = strips.configuration, strips.cell, strips.block, strips.visit
    return tuple(column[rows] for column in columns)


def _grouped_medians(
    group: npt.NDArray[np.intp], values: Floats, weights: Floats, groups: int
) -> Floats:
    """Weighted median of the `values` of each group; nan for an empty group."""
    order = np.argsort(group, kind="stable")
    number = np.bincount(group, minlength=groups)
    start = np.cumsum(number) - number
    place = group[order], np.arange(len(group)) - start[group[order]]
    rows = np.full((2, groups, number.max(initial=0)), np.nan)
    rows[0][place], rows[1][place] = values[order], weights[order]
    return weighted_row_medians(rows[0], np.nan_to_num(rows[1]))
