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

from leadline.compare.origins import Labelled
from leadline.errors import UsageError, unknown_name
from leadline.models.calls import Calls, ProgramCall
from leadline.models.forms import Numbers
from leadline.models.model import Model, NotFitted
from leadline.models.prediction import predict
from leadline.record.caveats import Caveat
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


@dataclass(frozen=True, slots=True)
class CallTimes:
    """What one call takes of the whole program, at each number of ranks."""

    call: ProgramCall
    seconds: tuple[Estimate, ...]
    extrapolated: tuple[bool, ...]
    fitted_ranks: tuple[int, ...]
    """That its models were fitted to."""
    fitted_bytes: tuple[int, ...]
    caveats: tuple[Caveat, ...]
    """Of these models."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A number of ranks that something happens at, and between which it may."""

    ranks: int | None
    """None: at none of those asked for."""
    low: int | None
    """None: at none, or there are no intervals."""
    high: int | None


@dataclass(frozen=True, slots=True)
class TradeOff(Labelled):
    """A program over one variant, at several numbers of ranks."""

    variant: str
    origin: Origin
    """Of what the models were fitted to."""
    work_s: float
    serial_share: float
    steps: int
    rows: tuple[OnRanks, ...]
    """By ranks, rising."""
    calls: tuple[CallTimes, ...]
    best: TurningPoint
    """The least time; `low` and `high`: the fewest and the most ranks that may take as little."""
    half: TurningPoint
    """The fewest ranks on which communication takes half of the time, or more."""

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Of all calls' models, each once."""
        return tuple(dict.fromkeys(caveat for one in self.calls for caveat in one.caveats))


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
        UsageError: A number that can't be, a call without a model for it, or with one that holds
            for other numbers of ranks alone.
    """
    _check(work_s, serial_share, ranks)
    numbers = np.unique(np.asarray(ranks, dtype=np.int64))
    times = tuple(_call_times(models, one, calls.steps, numbers) for one in calls.calls)
    compute = work_s * (serial_share + (1 - serial_share) / numbers)
    rows = tuple(
        _on_ranks(p, compute_s, work_s, [(one.seconds[i], one.extrapolated[i]) for one in times])
        for i, (p, compute_s) in enumerate(zip(numbers.tolist(), compute.tolist(), strict=True))
    )
    return TradeOff(
        variant=models[0].variant,
        origin=_origin(models),
        work_s=work_s,
        serial_share=serial_share,
        steps=calls.steps,
        rows=rows,
        calls=times,
        best=_best(rows),
        half=_half(rows),
    )


def _check(work_s: float, serial_share: float, ranks: Sequence[int]) -> None:
    if not (math.isfinite(work_s) and work_s >= 0):
        raise UsageError(f"work {work_s:g} s is no time; give the seconds that one rank computes")
    if not 0 <= serial_share <= 1:
        raise UsageError(f"serial share {serial_share:g} is not between 0 and 1; give e.g. 0.02")
    if not ranks or min(ranks) < 2:
        seen = f"{min(ranks)} is" if ranks else "none are"
        raise UsageError(f"ranks: {seen} asked for; give numbers from 2 on: one needs no messages")


def _origin(models: Sequence[Model | NotFitted]) -> Origin:
    return next((one.origin for one in models if isinstance(one, Model)), Origin.MEASURED)


# -- calls -----------------------------------------------------------------------------------------


def _call_times(
    models: Sequence[Model | NotFitted], call: ProgramCall, steps: int, ranks: Numbers
) -> CallTimes:
    together = ranks if call.ranks is None else _groups(call, call.ranks, ranks)
    serving = _serving(models, call.pattern, together)
    sizes = call.size.on(ranks.astype(np.float64))
    found = [(Estimate(math.nan), False)] * ranks.size
    for model, rows in serving:
        prediction = predict(model, together[rows], sizes[rows])
        times, outside = prediction.estimates(model.blocks), prediction.extrapolated.tolist()
        for i, time, far in zip(rows.tolist(), times, outside, strict=True):
            found[i] = time, far
    return CallTimes(
        call=call,
        seconds=tuple(one.scaled(steps * call.count) for one, _ in found),
        extrapolated=tuple(outside for _, outside in found),
        fitted_ranks=tuple(sorted({p for model, _ in serving for p in model.ranks})),
        fitted_bytes=tuple(sorted({m for model, _ in serving for m in model.sizes_bytes})),
        caveats=tuple(dict.fromkeys(caveat for model, _ in serving for caveat in model.caveats)),
    )


def _groups(call: ProgramCall, group: int, ranks: Numbers) -> Numbers:
    if ranks[0] < group:
        raise UsageError(
            f"{call.pattern} is called by groups of {group} ranks and the program has {ranks[0]}; "
            f"ask for {group} ranks or more"
        )
    return np.full_like(ranks, group)


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
        raise UsageError(
            f"{known[0].label} has several models of {pattern}, which differ in buffers, cadence "
            "or threads; fit a run that has it in one way"
        )
    return [(one, rows) for one, rows in chosen if rows.size]


def _of_pattern(models: Sequence[Model | NotFitted], pattern: str) -> list[Model]:
    """Those of a pattern; UsageError where there is none, with the reason."""
    variant = models[0].variant
    found = [one for one in models if isinstance(one, Model) and one.pattern == pattern]
    if found:
        return found
    for one in models:
        if one.pattern == pattern and isinstance(one, NotFitted):
            raise UsageError(f"{variant} has no model of {pattern}: {one.reason}")
    names = {one.pattern for one in models if isinstance(one, Model)}
    if not names:
        raise UsageError(f"{variant} has no model of {pattern}, nor of anything else")
    raise unknown_name(f"pattern among {variant}'s models", pattern, names)


def _refuse_other_ranks(known: Sequence[Model], ranks: Numbers) -> None:
    """UsageError for numbers of ranks that models of single ones say nothing of."""
    fitted = sorted({one.ranks[0] for one in known})
    others = sorted({*ranks.tolist()} - {*fitted})
    if others:
        pattern, words = known[0].pattern, ", ".join(f"{p:,}" for p in fitted)
        alone = "alone" if len(fitted) == 1 else "each by itself"
        alike = " --cadence streaming" * (len({one.cadence for one in known}) > 1)
        raise UsageError(
            f"{known[0].label}'s {pattern} was fitted to {words} ranks {alone}, which says nothing "
            f"of {others[0]:,}; measure it on three numbers of ranks or more, in one way (leadline "
            f"run --patterns {pattern} --ranks 2,3,4,8{alike}), or if so few take part in a call, "
            f"write ranks = {fitted[0]} there"
        )


# -- what follows from them ------------------------------------------------------------------------


def _on_ranks(
    ranks: int, compute_s: float, work_s: float, calls: Sequence[tuple[Estimate, bool]]
) -> OnRanks:
    communicate = _sum([seconds for seconds, _ in calls])
    seconds = _later(communicate, compute_s)
    speed_up = seconds.inverse().scaled(work_s) if work_s > 0 else Estimate(math.nan)
    return OnRanks(
        ranks=ranks,
        compute_s=compute_s,
        communicate_s=communicate,
        seconds=seconds,
        speed_up=speed_up,
        efficiency=speed_up.scaled(1 / ranks),
        extrapolated=any(outside for _, outside in calls),
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


def _best(rows: Sequence[OnRanks]) -> TurningPoint:
    """The least time, of equals on the fewest ranks."""
    best = min(rows, key=lambda row: row.seconds.value)
    bounds = [row.seconds.bounds for row in rows]
    if best.seconds.bounds is None:
        return TurningPoint(best.ranks, None, None)
    most = best.seconds.bounds[1]
    near = [
        row.ranks for row, one in zip(rows, bounds, strict=True) if one is None or one[0] <= most
    ]
    return TurningPoint(best.ranks, near[0], near[-1])


def _half(rows: Sequence[OnRanks]) -> TurningPoint:
    """The fewest ranks on which communication takes as long as computation."""

    def first(time: Callable[[Estimate], float | None]) -> int | None:
        times = [(row, time(row.communicate_s)) for row in rows]
        return next((row.ranks for row, s in times if s and s >= row.compute_s), None)

    return TurningPoint(first(lambda s: s.value), first(lambda s: s.high), first(lambda s: s.low))
