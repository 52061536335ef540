"""What a program takes on p ranks: its computation divided, its calls as models predict them.

T(p) = W (s + (1 - s) / p) + steps * sum of count * T_call(m, p): W seconds of work on one rank, a
share s of which no rank but one can do (Amdahl 1967); more ranks compute less and communicate more.
What a call takes at each number of ranks, the models of one variant say. Bounds of calls add up:
what a model is wrong by it is wrong by in every call, so that nothing averages out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.origins import labelled
from leadline.errors import UsageError
from leadline.models.calls import Calls, ProgramCall
from leadline.models.forms import Numbers
from leadline.models.model import Model, NotFitted
from leadline.models.points import some
from leadline.models.prediction import predict
from leadline.record.caveats import Caveat
from leadline.record.foreign.names import unknown_pattern
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.units import format_size


@dataclass(frozen=True, slots=True)
class CallTimes:
    """What one call takes of the whole program, at each number of ranks."""

    call: ProgramCall
    seconds: tuple[Estimate, ...]
    extrapolated: tuple[bool, ...]
    floored: tuple[bool, ...]
    """Whether its form falls below the shortest time of its piece, which stands in its place."""
    left_over: tuple[bool, ...]
    """Whether its groups don't divide the ranks, so that some are in none."""
    under_a_byte: tuple[bool, ...]
    """Whether dividing its size leaves less than a byte, which counts as one."""
    fitted_ranks: tuple[int, ...]
    """That its models were fitted to."""
    fitted_bytes: tuple[int, ...]
    models: tuple[Model, ...]
    """By which it was reckoned."""
    caveats: tuple[Caveat, ...]
    """Of these models."""


class UnservedError(UsageError):
    """No model of a variant speaks of a call."""

    def __init__(self, *refused: NotFitted) -> None:
        """One at least, of whose patterns and reasons each pair is said once."""
        self.refused = refused
        alike: dict[tuple[str, str], list[str]] = {}
        for one in refused:
            alike.setdefault((one.pattern, one.reason), []).append(one.variant)
        super().__init__(
            "; ".join(
                f"{pattern} of {', '.join(variants)}: {reason}"
                for (pattern, reason), variants in alike.items()
            )
        )


def call_times(
    models: Sequence[Model | NotFitted], call: ProgramCall, steps: int, ranks: Numbers
) -> CallTimes:
    """In all of so many steps, at each of `ranks`.

    Args:
        models: Of one variant, one at least.
        call: Of groups no larger than the fewest ranks.
        steps: Of the program.
        ranks: Rising.

    Raises:
        UnservedError: There is no model of the pattern, or several that differ in more than the
            ranks, or those that there are hold for other ranks, or for another size, alone.
    """
    numbers = ranks.astype(np.float64)
    together = ranks if call.ranks is None else np.full_like(ranks, call.ranks)
    serving, sizes = _serving(models, call.pattern, together), call.size.on(numbers)
    _refuse_other_sizes([model for model, _ in serving], sizes)
    found = [(Estimate(math.nan), False, False)] * ranks.size
    for model, rows in serving:
        prediction = predict(model, together[rows], sizes[rows])
        flags = prediction.extrapolated.tolist(), prediction.floored.tolist()
        points = zip(prediction.estimates(model.blocks), *flags, strict=True)
        for i, point in zip(rows.tolist(), points, strict=True):
            found[i] = point
    seconds, extrapolated, floored = zip(*found, strict=True)
    return CallTimes(
        call=call,
        seconds=tuple(one.scaled(steps * call.count) for one in seconds),
        extrapolated=extrapolated,
        floored=floored,
        left_over=tuple((ranks % together != 0).tolist()),
        under_a_byte=tuple((call.size.shares(numbers) < sizes.clip(max=1)).tolist()),
        fitted_ranks=tuple(sorted({p for model, _ in serving for p in model.ranks})),
        fitted_bytes=tuple(sorted({m for model, _ in serving for m in model.sizes_bytes})),
        models=tuple(model for model, _ in serving),
        caveats=tuple(dict.fromkeys(caveat for model, _ in serving for caveat in model.caveats)),
    )


def _serving(
    models: Sequence[Model | NotFitted], pattern: str, ranks: Numbers
) -> list[tuple[Model, Numbers]]:
    """Models of a pattern, each with the indices of those of `ranks` that it is taken for."""
    known = _of_pattern(models, pattern)
    growing = [one for one in known if len(one.ranks) > 1]
    if not growing:
        _refuse_other_ranks(known, ranks)
    chosen = [(one, np.arange(ranks.size)) for one in growing] or [
        (one, np.flatnonzero(ranks == one.ranks[0])) for one in known
    ]
    if sum(rows.size for _, rows in chosen) > ranks.size:
        raise _unserved(
            known[0],
            "there are several models, which differ in buffers, cadence or threads; fit a run that "
            "has it in one way",
        )
    return [(one, rows) for one, rows in chosen if rows.size]


def _of_pattern(models: Sequence[Model | NotFitted], pattern: str) -> list[Model]:
    """Those of a pattern; UnservedError where there is none, with the reason."""
    found = [one for one in models if isinstance(one, Model) and one.pattern == pattern]
    if found:
        return found
    for one in models:
        if one.pattern == pattern and isinstance(one, NotFitted):
            raise UnservedError(one)
    names = sorted({one.pattern for one in models if isinstance(one, Model)})
    others = f"but of {', '.join(names)}" if names else "nor of anything else"
    raise UnservedError(NotFitted(models[0].variant, pattern, f"there is no model of it, {others}"))


def _unserved(model: Model, reason: str) -> UnservedError:
    return UnservedError(NotFitted(model.variant, model.pattern, reason))


def _refuse_other_ranks(known: Sequence[Model], ranks: Numbers) -> None:
    """UnservedError for numbers of ranks that models of single ones say nothing of."""
    fitted = sorted({one.ranks[0] for one in known})
    others = sorted({*ranks.tolist()} - {*fitted})
    if others:
        pattern, words = known[0].pattern, some([f"{p:,}" for p in fitted])
        unknown = some([f"{p:,}" for p in others])
        alone = "alone" if len(fitted) == 1 else "each by itself"
        alike = " --cadence streaming" * (len({one.cadence for one in known}) > 1)
        raise _unserved(
            known[0],
            f"fitted to {words} ranks {alone}, which says nothing of {unknown}; measure it on "
            f"three numbers of ranks or more, in one way (leadline run --patterns {pattern} "
            f"--ranks 2,3,4,8{alike}), or if so few take part in a call, write ranks = "
            f"{fitted[0]} there",
        )


def _refuse_other_sizes(serving: Sequence[Model], sizes: Floats) -> None:
    """UnservedError for sizes that models of a single one say nothing of."""
    for model in serving:
        (fitted, *more), others = model.sizes_bytes, np.unique(sizes).astype(np.int64).tolist()
        unknown = [format_size(one) for one in others if one != fitted]
        if more or not unknown:
            continue
        remedy = "measure more sizes (leadline run --sizes)" if fitted else "write size = 0"
        raise _unserved(
            model,
            f"fitted to {format_size(fitted)} alone, which says nothing of {some(unknown)}; "
            f"{remedy}",
        )


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
