"""A slice: what its ranks are told, what they answered, and whether it is taken again.

It is long enough for many batches, so that a disturbance can't spoil it. It is taken again where
ranks waited for a core or their cores were in another state than in most visits, the causes of a
disturbance and never a time, and where none of the batches counts. All attempts are recorded; which
one counts `compare` decides, by the same causes, over the whole run.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from leadline.backends.kinds.kind import USUAL_BYTES_PER_S
from leadline.compare.core_latencies import FAR, seats_of, tells_state
from leadline.compare.samples import run_delay_shares
from leadline.kernels.messages import Hello, Result, Surroundings
from leadline.measure.budget import LARGE_OPERATIONS
from leadline.measure.cells import PlannedSlice, patience_s
from leadline.measure.plan import Plan
from leadline.measure.schedule import BATCH_NS
from leadline.measure.spec import SIMULATED_PATIENCE_S, Request, slice_words
from leadline.record.reduction import FEW_RANKS, joined, reduced, spread_of
from leadline.record.run import Configuration, WhoseTime
from leadline.record.slices import (
    DISTURBED_SHARE,
    LEFT_OUT,
    BatchFlag,
    CommunicationTimes,
    Counts,
    Disturbance,
    LinkUse,
    Slice,
)
from leadline.statistics.intervals import Floats


class CoreStates:
    """The states of the cores in the slices that a campaign has taken so far."""

    def __init__(self) -> None:
        """Begins before the first slice."""
        self._seats: dict[int, Hashable] = {}
        """The cores that a configuration's ranks sit on, by its index."""
        self._least_ns: dict[tuple[Hashable, int], int] = {}
        """The least core-to-core latency so far, by the cores that ranks sit on, and rank."""
        self._near = self._far = 0
        """Visits that have a slice in the near and in the far state."""
        self._lasts = False
        """The other state, as a slice that was taken again was in it too."""

    def know(self, index: int, configuration: Configuration) -> None:
        """Adds a configuration with its index; some show no state."""
        if tells_state(configuration):
            self._seats[index] = seats_of(configuration)

    def is_other(self, taken: Slice) -> bool:
        """Whether its cores weren't in the state that most visits so far have; no if unknown."""
        return self._is_far(taken) is (self._far <= self._near)

    def worth_again(self, taken: Slice) -> bool:
        """Takes it in, and says whether to take it again for its state; not where that lasts.

        Where it shows that what was the least latency so far is that of the far state, all visits
        so far were in that state.
        """
        handed = self._core_latencies_ns(taken)
        if any(ns * FAR <= self._least_ns.get(line, ns) for line, ns in handed.items()):
            self._near, self._far = 0, self._near + self._far
        for line, ns in handed.items():
            self._least_ns[line] = min(ns, self._least_ns.get(line, ns))
        other = self.is_other(taken)
        self._lasts = other and (self._lasts or taken.attempt > 0)
        return other and not self._lasts

    def end_visit(self, attempts: Iterable[Slice]) -> None:
        """Counts a visit, by all that was taken in it; each was taken in before."""
        seen = {self._is_far(taken) for taken in attempts}
        self._near += False in seen
        self._far += True in seen

    def _is_far(self, taken: Slice) -> bool | None:
        """Whether the cores were in the far state; None: it isn't known."""
        handed = self._core_latencies_ns(taken)
        far = any(ns >= FAR * self._least_ns.get(line, ns) for line, ns in handed.items())
        return far if handed else None

    def _core_latencies_ns(self, taken: Slice) -> dict[tuple[Hashable, int], int]:
        """Core-to-core latencies that are known, by the cores that ranks sit on, and rank."""
        seats = self._seats.get(taken.configuration)
        if seats is None or taken.disturbance is None:
            return {}
        ranks = (*taken.ranks.tolist(), *taken.others.tolist())
        handed = zip(ranks, taken.disturbance.core_latency_ns.tolist(), strict=True)
        return {(seats, rank): ns for rank, ns in handed if ns > 0}


MOST_ATTEMPTS = 3
FREE_RETRIES, RETRIES_A_VISIT = 8, 0.5
"""Slices that a campaign may take again: where all are disturbed, a third of them at most.

Those with a wrong number of repetitions, which the next attempt puts right, are not counted.
"""
ENOUGH_BATCHES = 15 + 2
"""Batches of a slice, with those of its warm-up."""


class Retries:
    """How many slices of a campaign may be taken again."""

    def __init__(self, states: CoreStates) -> None:
        """Begins before the first slice; `states` tell which slices are in the other state."""
        self._states = states
        self._visits = self._retries = 0

    def again(self, attempts: Sequence[Slice], crowded: bool, in_time: bool = True) -> bool:
        """Takes in the last of the `attempts` of a visit; whether there is to be another.

        There is until one is undisturbed, in the state and has what counts. Where ranks are
        `crowded`, more than there are cores, they disturb each other: there is one attempt. Where a
        campaign isn't `in_time`, only a wrong number of repetitions makes a second one.
        """
        taken = attempts[-1]
        self._visits += len(attempts) == 1
        other = self._states.worth_again(taken)
        spoiled = other or is_disturbed(taken) or not has_batches_that_count(taken)
        miscounted = bool((taken.flags & int(BatchFlag.MISCOUNTED)).any())
        retries_left = self._retries < FREE_RETRIES + RETRIES_A_VISIT * self._visits
        if crowded or not spoiled or len(attempts) == MOST_ATTEMPTS:
            return False
        if not miscounted and not (in_time and retries_left):
            return False
        self._retries += not miscounted
        return True


def is_disturbed(taken: Slice) -> bool:
    """Whether any rank waited for a core for longer than DISTURBED_SHARE of the slice.

    What the system doesn't say disturbs nobody.
    """
    if taken.disturbance is None:
        return False
    return bool((run_delay_shares(taken.disturbance) > DISTURBED_SHARE).any())


def has_batches_that_count(taken: Slice) -> bool:
    """Whether any batch, on all of its ranks, is part of estimates."""
    return bool((~np.any(taken.flags & int(LEFT_OUT), axis=0)).any())


def step_s(taken: Slice) -> float:
    """Median time from one batch's beginning to the next one's; nan with one batch or none."""
    steps = np.diff(spread_of(taken).lowest_rank_start_ns)
    return float(np.median(steps)) * 1e-9 if steps.size else math.nan


def slice_s(planned_s: float, step_s: float, message_bytes: int) -> float:
    """How long a slice is to last: as planned, or longer for ENOUGH_BATCHES of large messages.

    Up to the time that a plan expects of so many operations of `message_bytes` over a slow library.
    `step_s` is from batch to batch; nan, not known: as planned.
    """
    if math.isnan(step_s):
        return planned_s
    longest_s = ENOUGH_BATCHES * message_bytes / USUAL_BYTES_PER_S
    return max(planned_s, min(ENOUGH_BATCHES * step_s, longest_s))


LEAST_OVERLAP = 0.9
"""Least share of the longest rank's batch: contending operations are two to five times faster
alone."""


def contends(results: Sequence[Result], hellos: Mapping[int, Hello], common: bool) -> bool:
    """Whether batches are to overlap, and one clock can tell whether they do; `hellos` by rank.

    `common`: their clocks have been fitted, and starts are by that of rank 0.
    """
    clocks = {hellos[result.rank].clock for result in results}
    return results[0].contends and (common or len(clocks) == 1)


def overlaps(taken: Slice) -> Floats:
    """The share of each batch, as its longest rank had it, in which all ranks ran; shape (n,).

    Below 0 where one had ended before another began. Ranks must read one clock.
    """
    spread = spread_of(taken)
    together = spread.first_end_ns - spread.last_start_ns
    longest = np.max(taken.end_ns - taken.start_ns, axis=0)
    share: Floats = together / np.maximum(longest, 1)
    return share


def without_company(taken: Slice) -> Slice:
    """`taken`, its batches flagged that overlapped too little."""
    if taken.start_ns.size == 0:
        return taken
    alone: npt.NDArray[np.bool_] = overlaps(taken) < LEAST_OVERLAP
    return replace(taken, flags=taken.flags | np.where(alone, np.int32(BatchFlag.APART), 0))


SLOWEST_BYTES_PER_S = 20e6
"""Rate of a working transport, at least, when the watchdog waits for large messages."""
MAX_BATCHES = 512


def patience_of(request: Request, wanted: PlannedSlice, ranks: int, simulated: bool) -> float:
    """For how many seconds a slice of so many `ranks` may leave the front-end without an answer."""
    if simulated:
        return SIMULATED_PATIENCE_S
    moved = LARGE_OPERATIONS * wanted.planned.message_bytes(ranks) * ranks
    slowest = min(SLOWEST_BYTES_PER_S, request.slowest_link)
    return request.patience_s + moved / slowest + patience_s(wanted.planned.problem)


def simulated_command(request: Request, plan: Plan, wanted: PlannedSlice) -> str:
    """The command for a slice whose ranks and time are simulated."""
    return f"{_what(wanted)} {slice_words(request.per_operation)} cold_bytes={plan.cold_bytes}"


def command(
    request: Request,
    plan: Plan,
    wanted: PlannedSlice,
    ranks: int,
    planned_s: float,
    step_s: float,
    repetitions: int,
) -> str:
    """The command for a slice.

    Args:
        request: What is asked for.
        plan: What came of it.
        wanted: The slice.
        ranks: That the launch has.
        planned_s: How long it is to last.
        step_s: From batch to batch, as seen before; nan: not yet.
        repetitions: Of a batch; 0: the launch is to find out.
    """
    lasting_s = slice_s(planned_s, step_s, wanted.planned.message_bytes(ranks))
    return (
        f"{_what(wanted)} slice_ns={int(lasting_s * 1e9)} "
        f"repetitions={1 if request.per_operation else repetitions} "
        f"batch_ns={BATCH_NS} max_batches={MAX_BATCHES} cold_bytes={plan.cold_bytes}"
        f"{' links=1' * (request.link_bound is not None)}"
    )


def _what(wanted: PlannedSlice) -> str:
    choice, cell = wanted.planned.choice, wanted.planned.cell
    return f"{choice.command} size={cell.size_bytes} buffers={cell.buffers} cadence={cell.cadence}"


def slice_of(
    configuration: int, cell: int, when: tuple[int, int], launch: int, results: Sequence[Result]
) -> Slice:
    """The Slice made of all ranks' results; of ranks that recorded no time what disturbed them.

    Where relays reduced the batches of their hosts' ranks, it is what they come to together. Times
    of communication are known where all ranks report them; what an application checked is that of
    the rank that was furthest from what was expected.
    """
    groups = sorted((r for r in results if r.over), key=lambda r: r.rank)
    over = {rank for group in groups for rank in group.over}
    over |= {r.rank for r in results if len(r.batches)}
    recorded = sorted((r for r in results if r.rank in over), key=lambda r: r.rank)
    others = sorted((r for r in results if r.rank not in over), key=lambda r: r.rank)
    own = [r.batches for r in recorded] if not groups else []
    fewest = min(map(len, own), default=0)
    stacked = np.stack([one[:fewest] for one in own]) if own else np.empty((0, 0, 3))
    solved = [r.solved for r in (*recorded, *others)]
    timed = [one for one in solved if one is not None]
    verified = [one.verified for one in timed if one.verified]
    taken = Slice(
        configuration,
        cell,
        *when,
        repetitions=results[0].repetitions,
        ranks=np.array([r.rank for r in recorded], dtype=np.int32),
        start_ns=stacked[:, :, 0].astype(np.int64),
        end_ns=stacked[:, :, 1].astype(np.int64),
        flags=stacked[:, :, 2].astype(np.int32),
        launch=launch,
        disturbance=_disturbance([r.around for r in (*recorded, *others)]),
        others=np.array([r.rank for r in others], dtype=np.int32),
        warm_up=results[0].warm_up,
        communication=CommunicationTimes(
            np.array([one.communication_ns for one in timed], dtype=np.int64),
            np.array([one.elapsed_ns for one in timed], dtype=np.int64),
        )
        if len(timed) == len(solved)
        else None,
        verified=max(verified, key=lambda one: one.relative_error, default=None),
    )
    return joined(taken, [group.batches for group in groups]) if groups else taken


def _disturbance(around: Sequence[Surroundings]) -> Disturbance:
    def column(values: Iterable[int]) -> Counts:
        return np.array([*values], dtype=np.int64)

    return Disturbance(
        column(surroundings.window_ns for surroundings in around),
        column(surroundings.run_delay_ns for surroundings in around),
        column(surroundings.involuntary_switches for surroundings in around),
        column(surroundings.minor_faults for surroundings in around),
        column(surroundings.core_latency_ns for surroundings in around),
    )


def link_of(
    results: Sequence[Result], hellos: Mapping[int, Hello], bytes_per_s: float | None
) -> LinkUse | None:
    """The busiest link of a slice, `hellos` by rank; None without a rate: links aren't watched."""
    hosts = {rank: hello.host for rank, hello in hellos.items()}
    return None if bytes_per_s is None else busiest_link(results, hosts, bytes_per_s)


def busiest_link(
    results: Sequence[Result], hosts: Mapping[int, str], bytes_per_s: float
) -> LinkUse | None:
    """The link that carried the largest share of what its rate allows; None where none was read.

    Where the one that carried the most bytes has no known rate, no share can be the largest: it is
    that one, without a rate.

    Args:
        results: Of all ranks of the slice, with what the counters of their hosts' interfaces say.
        hosts: The host of each rank, by which links are told apart.
        bytes_per_s: The rate of every link, or OWN_SPEED.
    """
    links = [
        replace(
            carried,
            name=f"{hosts[result.rank]} {carried.name}",
            bytes_per_s=bytes_per_s or carried.bytes_per_s,
        )
        for result in results
        for carried in result.around.links
    ]
    if not links:
        return None

    def share(link: LinkUse) -> float:
        allowed = link.bytes_per_s * link.window_ns
        return link.bytes / allowed if allowed else 0.0

    most = max(links, key=lambda link: link.bytes)
    return max(links, key=share) if most.bytes_per_s else most


def kept_of(taken: Slice, whose_time: WhoseTime, all_ranks: bool) -> Slice:
    """The part of `taken` that is recorded: all batches, or the slowest rank's and their spread."""
    return reduced(taken) if is_reduced(taken.ranks.size, whose_time, all_ranks) else taken


def is_reduced(ranks: int, whose_time: WhoseTime, all_ranks: bool) -> bool:
    """Whether of so many `ranks` that record only the slowest one's batches are kept.

    Those of many, if the time is the slowest one's, unless `all_ranks` are asked for.
    """
    return ranks > FEW_RANKS and whose_time is WhoseTime.SLOWEST and not all_ranks
