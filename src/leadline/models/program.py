"""What a program takes on p ranks: its computation divided, its calls as models predict them.

T(p) = W (s + (1 - s) / p) + steps * sum of count * T_call(m, p): W seconds of work on one rank, a
share s of which no rank but one can do (Amdahl 1967); more ranks compute less and communicate more.
Bounds of calls add up: what a model is wrong by it is wrong by in every call, so that nothing
averages out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.origins import labelled
from leadline.errors import UsageError
from leadline.models.call_times import CallTimes, UnservedError, call_times
from leadline.models.calls import Calls
from leadline.models.model import Model, NotFitted
from leadline.record.caveats import Caveat
from leadline.record.foreign.names import unknown_pattern
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE


@dataclass(frozen=True, slots=True)
class OnRanks:
    """A program on one number of ranks; seconds of the whole program."""

    ranks: int
    compute_s: float
    communicate_s: Estimate
    seconds: Estimate
    speed_up: Estimate
    """Over one rank, which computes alone; nan: there is no work."""
    efficiency: Estimate
    """That, a rank."""
    extrapolated: bool
    """A call lies outside of what its model was fitted to."""
    floored: bool
    """A call's form falls below the shortest time of its piece, which stands in its place."""

    @property
    def half_communicates(self) -> bool:
        """Whether communication takes half of the time, or more."""
        return 0 < self.communicate_s.value >= self.compute_s


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A number of ranks that something happens at, and between which it may."""

    ranks: int | None
    """None: at none of those asked for."""
    low: int | None
    """None: at none, or there are no intervals."""
    high: int | None


@dataclass(frozen=True, slots=True)
class TradeOff:
    """A program over one variant, at several numbers of ranks."""

    variant: str | None
    """None: there are no calls, so that it is the same over each."""
    origin: Origin | None
    """Of what the models were fitted to; None: there are no calls."""
    work_s: float
    serial_share: float
    steps: int
    rows: tuple[OnRanks, ...]
    """By ranks, rising."""
    calls: tuple[CallTimes, ...]
    best: TurningPoint
    """The least time; `low` and `high`: the fewest and the most ranks that may take as little."""
    near: tuple[int, ...]
    """All numbers of ranks that may take as little; empty: there are no intervals."""
    half: TurningPoint
    """The fewest ranks on which communication takes half of the time, or more."""

    @property
    def least(self) -> OnRanks:
        """What it takes on the best number of ranks."""
        return next(row for row in self.rows if row.ranks == self.best.ranks)

    @property
    def label(self) -> str | None:
        """The variant, marked with its origin where it wasn't measured."""
        return self.variant and self.origin and labelled(self.variant, self.origin)

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Of all calls' models, each once."""
        return tuple(dict.fromkeys(caveat for one in self.calls for caveat in one.caveats))


@dataclass(frozen=True, slots=True)
class Programs:
    """A program over each variant."""

    found: tuple[TradeOff, ...]
    """One at least; one without calls."""
    left_out: tuple[NotFitted, ...] = ()
    """Of variants over which it can't be reckoned the first call that lacks a model, and why."""
    damage: tuple[Caveat, ...] = ()
    """What of the run that was fitted wasn't whole."""

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """The damage, and of all that was found, each once."""
        of_models = (caveat for one in self.found for caveat in one.caveats)
        return tuple(dict.fromkeys((*self.damage, *of_models)))

    @property
    def models(self) -> tuple[Model, ...]:
        """By which calls were reckoned, each once."""
        calls = (call for one in self.found for call in one.calls)
        return tuple({id(model): model for call in calls for model in call.models}.values())

    @property
    def rivals(self) -> tuple[TradeOff, ...]:
        """Those over variants that were measured: others come in between for show."""
        return tuple(one for one in self.found if one.origin is Origin.MEASURED)

    @property
    def fastest(self) -> TradeOff | None:
        """The rival whose best number of ranks surely takes less than any other's do on any."""
        first, *others = sorted(self.rivals, key=lambda one: one.least.seconds.value)
        lows = [row.seconds.low for one in others for row in one.rows]
        high = first.least.seconds.high
        surely = high is not None and all(low is not None and high < low for low in lows)
        return first if surely else None


def programs(
    variants: Sequence[Sequence[Model | NotFitted]],
    work_s: float,
    serial_share: float,
    calls: Calls,
    ranks: Sequence[int],
) -> Programs:
    """What a program takes over each variant that has models of all its calls.

    `variants`: of each what was fitted and what wasn't, one at least; the others are those of
    `trade_off`. UsageError: a number that can't be, a call of what no variant has, or all variants
    are left out.
    """
    _check(work_s, serial_share, calls, ranks)
    _check_patterns(calls, {one.pattern for models in variants for one in models})
    found: list[TradeOff] = []
    left_out: list[NotFitted] = []
    for models in variants if calls.calls else variants[:1]:
        try:
            found.append(trade_off(models, work_s, serial_share, calls, ranks))
        except UnservedError as error:
            left_out += error.refused
    if not found:
        raise UnservedError(*left_out)
    return Programs(tuple(found), tuple(left_out))


def _check_patterns(calls: Calls, known: set[str]) -> None:
    for one in calls.calls:
        if one.pattern not in known:
            raise unknown_pattern(one.pattern, known)


def trade_off(
    models: Sequence[Model | NotFitted],
    work_s: float,
    serial_share: float,
    calls: Calls,
    ranks: Sequence[int],
) -> TradeOff:
    """What a program takes on each of `ranks`.

    Args:
        models: Of one variant, one at least.
        work_s: What one rank would compute for, all steps together.
        serial_share: Of that, which isn't divided; 0 .. 1.
        calls: None is a program that doesn't communicate.
        ranks: Two at least each, in any order.

    Raises:
        UsageError: A number that can't be.
        UnservedError: A call that no model of the variant speaks of.
    """
    _check(work_s, serial_share, calls, ranks)
    numbers = np.unique(np.asarray(ranks, dtype=np.int64))
    times = tuple(call_times(models, one, calls.steps, numbers) for one in calls.calls)
    compute = work_s * (serial_share + (1 - serial_share) / numbers)
    rows = tuple(
        _on_ranks(p, compute_s, work_s, times, i)
        for i, (p, compute_s) in enumerate(zip(numbers.tolist(), compute.tolist(), strict=True))
    )
    best = _best(rows)
    near = _near(rows, best)
    return TradeOff(
        variant=models[0].variant if times else None,
        origin=_origin(models) if times else None,
        work_s=work_s,
        serial_share=serial_share,
        steps=calls.steps,
        rows=rows,
        calls=times,
        best=TurningPoint(best.ranks, min(near, default=None), max(near, default=None)),
        near=near,
        half=_half(rows),
    )


def _check(work_s: float, serial_share: float, calls: Calls, ranks: Sequence[int]) -> None:
    if not (math.isfinite(work_s) and work_s >= 0):
        raise UsageError(f"work {work_s:g} s is no time; give the seconds that one rank computes")
    if not 0 <= serial_share <= 1:
        raise UsageError(f"serial share {serial_share:g} is not between 0 and 1; give e.g. 0.02")
    if not ranks or min(ranks) < 2:
        seen = f"{min(ranks)} is" if ranks else "none are"
        raise UsageError(f"ranks: {seen} asked for; give numbers from 2 on: one needs no messages")
    for one in calls.calls:
        if one.ranks is not None and one.ranks > min(ranks):
            raise UsageError(
                f"{one.pattern} is called by groups of {one.ranks} ranks and the program has "
                f"{min(ranks)}; ask for {one.ranks} ranks or more"
            )


def _origin(models: Sequence[Model | NotFitted]) -> Origin:
    return next((one.origin for one in models if isinstance(one, Model)), Origin.MEASURED)


# -- what follows from them ------------------------------------------------------------------------


def _on_ranks(
    ranks: int, compute_s: float, work_s: float, calls: Sequence[CallTimes], i: int
) -> OnRanks:
    """The i-th number of ranks of the calls."""
    communicate = _sum([one.seconds[i] for one in calls])
    seconds = _later(communicate, compute_s)
    speed_up = seconds.inverse().scaled(work_s) if work_s > 0 else Estimate(math.nan)
    return OnRanks(
        ranks=ranks,
        compute_s=compute_s,
        communicate_s=communicate,
        seconds=seconds,
        speed_up=speed_up,
        efficiency=speed_up.scaled(1 / ranks),
        extrapolated=any(one.extrapolated[i] for one in calls),
        floored=any(one.floored[i] for one in calls),
    )


def _sum(found: Sequence[Estimate]) -> Estimate:
    """Values and bounds added up; of nothing it is nought, exactly."""
    value, n = math.fsum(one.value for one in found), min((one.n for one in found), default=0)
    bounds = [one.bounds for one in found if one.bounds is not None]
    if len(bounds) < len(found):
        return Estimate(value, n=n)
    low, high = math.fsum(one[0] for one in bounds), math.fsum(one[1] for one in bounds)
    return Estimate(value, low, high, CONFIDENCE, n)


def _later(found: Estimate, seconds: float) -> Estimate:
    """The same time after so many exact seconds more."""
    low, high = (None if one is None else one + seconds for one in (found.low, found.high))
    return replace(found, value=found.value + seconds, low=low, high=high)


def _best(rows: Sequence[OnRanks]) -> OnRanks:
    """The least time, of equals on the fewest ranks."""
    return min(rows, key=lambda row: row.seconds.value)


def _near(rows: Sequence[OnRanks], best: OnRanks) -> tuple[int, ...]:
    """On which ranks the interval begins no later than that of the best ends."""
    most = best.seconds.high
    if most is None:
        return ()
    return tuple(row.ranks for row in rows if row.seconds.low is None or row.seconds.low <= most)


def _half(rows: Sequence[OnRanks]) -> TurningPoint:
    """The fewest ranks on which communication takes as long as computation, or longer."""

    def first(time: Callable[[Estimate], float | None]) -> int | None:
        times = [(row, time(row.communicate_s)) for row in rows]
        return next((row.ranks for row, s in times if s and s >= row.compute_s), None)

    return TurningPoint(first(lambda s: s.value), first(lambda s: s.high), first(lambda s: s.low))
