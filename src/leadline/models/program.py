"""Time of a program on p ranks: its computation divided, its calls as models predict them.

T(p) = W (s + (1 - s) / p) + steps * sum of count * T_call(m, p): W seconds of work on one rank, a
serial share s of it (Amdahl 1967); more ranks compute less and communicate more. The models of one
variant give the time of a call at each number of ranks. Bounds of calls add up: a model has the
same error in every call, so that nothing averages out.
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
from leadline.models.reasons import Refusal
from leadline.patterns.names import unknown_pattern
from leadline.record.run import Origin
from leadline.record.warnings import RunWarning
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.units import format_size


@dataclass(frozen=True, slots=True)
class CallTimes:
    """Time that one call takes in the whole program, at each number of ranks."""

    call: ProgramCall
    seconds: tuple[Estimate, ...]
    extrapolated: tuple[bool, ...]
    floored: tuple[bool, ...]
    """Whether its form falls below the shortest time of its piece, which is used instead."""
    left_over: tuple[bool, ...]
    """Whether its groups don't divide the ranks, so that some ranks are in none."""
    under_a_byte: tuple[bool, ...]
    """Whether dividing its size leaves less than a byte, which counts as one."""
    fitted_ranks: tuple[int, ...]
    """Numbers of ranks that its models were fitted to."""
    fitted_bytes: tuple[int, ...]
    models: tuple[Model, ...]
    """Models that it was computed by."""
    warnings: tuple[RunWarning, ...]
    """Warnings of these models."""


class UnservedError(UsageError):
    """No model of a variant covers a call."""

    def __init__(self, *refused: NotFitted) -> None:
        """Takes one refusal at least; each pair of pattern and reason is reported once."""
        self.refused = refused
        alike: dict[tuple[str, str], list[str]] = {}
        for fitted in refused:
            alike.setdefault((fitted.pattern, fitted.reason), []).append(fitted.variant)
        super().__init__(
            "; ".join(
                f"{pattern} of {', '.join(variants)}: {reason}"
                for (pattern, reason), variants in alike.items()
            )
        )


def call_times(
    models: Sequence[Model | NotFitted], call: ProgramCall, steps: int, ranks: Numbers
) -> CallTimes:
    """Times of a call in all of `steps` steps, at each of `ranks`.

    Args:
        models: Models of one variant, one at least.
        call: Its groups are no larger than the fewest ranks.
        steps: Number of steps of the program.
        ranks: Numbers of ranks, rising.

    Raises:
        UnservedError: There is no model of the pattern, or several that differ in more than the
            ranks, or those that there are hold for other ranks, or for another size, alone.
    """
    numbers = ranks.astype(np.float64)
    together = ranks if call.ranks is None else np.full_like(ranks, call.ranks)
    serving, sizes = _serving(models, call.pattern, together), call.size.on(numbers)
    _refuse_other_sizes([model for model, _ in serving], sizes)
    points = [(Estimate(math.nan), False, False)] * ranks.size
    for model, rows in serving:
        prediction = predict(model, together[rows], sizes[rows])
        flags = prediction.extrapolated.tolist(), prediction.floored.tolist()
        predicted = zip(prediction.estimates(model.blocks), *flags, strict=True)
        for i, point in zip(rows.tolist(), predicted, strict=True):
            points[i] = point
    seconds, extrapolated, floored = zip(*points, strict=True)
    return CallTimes(
        call=call,
        seconds=tuple(estimate.scaled(steps * call.count) for estimate in seconds),
        extrapolated=extrapolated,
        floored=floored,
        left_over=tuple((ranks % together != 0).tolist()),
        under_a_byte=tuple((call.size.shares(numbers) < sizes.clip(max=1)).tolist()),
        fitted_ranks=tuple(sorted({p for model, _ in serving for p in model.ranks})),
        fitted_bytes=tuple(sorted({m for model, _ in serving for m in model.sizes_bytes})),
        models=tuple(model for model, _ in serving),
        warnings=tuple(
            dict.fromkeys(warning for model, _ in serving for warning in model.warnings)
        ),
    )


def _serving(
    models: Sequence[Model | NotFitted], pattern: str, ranks: Numbers
) -> list[tuple[Model, Numbers]]:
    """Models of a pattern, each with the indices of those of `ranks` that it serves."""
    known = [model for model in models if isinstance(model, Model) and model.pattern == pattern]
    if not known:
        refused = [
            model for model in models if isinstance(model, NotFitted) and model.pattern == pattern
        ]
        names = sorted({model.pattern for model in models if isinstance(model, Model)})
        reason = Refusal.NO_MODEL(others=", ".join(names))
        raise UnservedError(*refused[:1] or (NotFitted(models[0].variant, pattern, reason),))
    growing = [model for model in known if len(model.ranks) > 1]
    if growing:
        serving = [(model, np.arange(ranks.size)) for model in growing]
    else:
        _refuse_other_ranks(known, ranks)
        serving = [(model, np.flatnonzero(ranks == model.ranks[0])) for model in known]
    if sum(rows.size for _, rows in serving) > ranks.size:
        raise _unserved(
            known[0],
            Refusal.SEVERAL_MODELS(),
        )
    return [(model, rows) for model, rows in serving if rows.size]


def _unserved(model: Model, reason: str) -> UnservedError:
    return UnservedError(NotFitted(model.variant, model.pattern, reason))


def _refuse_other_ranks(known: Sequence[Model], ranks: Numbers) -> None:
    """Raises UnservedError for numbers of ranks that models of single ones don't cover."""
    fitted = sorted({model.ranks[0] for model in known})
    others = sorted({*ranks.tolist()} - {*fitted})
    if others:
        raise _unserved(
            known[0],
            Refusal.OTHER_RANKS_OF_CALL(
                fitted=some([f"{p:,}" for p in fitted]),
                one=len(fitted) == 1,
                others=some([f"{p:,}" for p in others]),
                pattern=known[0].pattern,
                streaming=len({model.cadence for model in known}) > 1,
                least=fitted[0],
            ),
        )


def _refuse_other_sizes(serving: Sequence[Model], sizes: Floats) -> None:
    """Raises UnservedError for sizes that models of a single one don't cover."""
    for model in serving:
        (fitted, *more), others = model.sizes_bytes, np.unique(sizes).astype(np.int64).tolist()
        unknown = [format_size(m) for m in others if m != fitted]
        if more or not unknown:
            continue
        reason = Refusal.OTHER_SIZES_OF_CALL if fitted else Refusal.SIZES_OF_CALL_WITHOUT
        raise _unserved(model, reason(fitted=fitted, others=some(unknown)))


@dataclass(frozen=True, slots=True)
class OnRanks:
    """Program on one number of ranks; times are of the whole program."""

    ranks: int
    compute_s: float
    communicate_s: Estimate
    seconds: Estimate
    speed_up: Estimate
    """Speed-up over one rank, which computes alone; nan: there is no work."""
    efficiency: Estimate
    """Speed-up per rank."""
    extrapolated: bool
    """Whether a call lies outside of what its model was fitted to."""
    floored: bool
    """Whether a call's form falls below the shortest time of its piece, which is used instead."""

    @property
    def half_communicates(self) -> bool:
        """Whether communication takes half of the time, or more."""
        return 0 < self.communicate_s.value >= self.compute_s


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Number of ranks at which something happens, with the range in which it may."""

    ranks: int | None
    """Number of ranks; None: none of those asked for."""
    low: int | None
    """Least such number; None: none, or there are no intervals."""
    high: int | None


@dataclass(frozen=True, slots=True)
class TradeOff:
    """Program over one variant, at several numbers of ranks."""

    variant: str | None
    """Variant; None: there are no calls, so that it is the same over each."""
    origin: Origin | None
    """Origin of what the models were fitted to; None: there are no calls."""
    work_s: float
    serial_share: float
    steps: int
    rows: tuple[OnRanks, ...]
    """Times by ranks, rising."""
    calls: tuple[CallTimes, ...]
    best: TurningPoint
    """Ranks of the least time; `low`, `high`: the fewest and most ranks that may take as little."""
    near: tuple[int, ...]
    """All numbers of ranks that may take as little; empty: there are no intervals."""
    half: TurningPoint
    """The fewest ranks on which communication takes half of the time, or more."""

    @property
    def least(self) -> OnRanks:
        """Times on the best number of ranks."""
        return next(row for row in self.rows if row.ranks == self.best.ranks)

    @property
    def label(self) -> str | None:
        """Variant, marked with its origin where it wasn't measured."""
        return self.variant and self.origin and labelled(self.variant, self.origin)

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """Warnings of all calls' models, each once."""
        return tuple(dict.fromkeys(warning for call in self.calls for warning in call.warnings))


@dataclass(frozen=True, slots=True)
class Programs:
    """Program over each variant."""

    found: tuple[TradeOff, ...]
    """Results by variant, one at least; one without calls."""
    left_out: tuple[NotFitted, ...] = ()
    """First call that lacks a model, and why, for variants over which no time can be computed."""
    damage: tuple[RunWarning, ...] = ()
    """Warnings that parts of the fitted run were missing or damaged."""

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """The damage, and the warnings of all results, each once."""
        of_models = (warning for trade_off in self.found for warning in trade_off.warnings)
        return tuple(dict.fromkeys((*self.damage, *of_models)))

    @property
    def models(self) -> tuple[Model, ...]:
        """Models that calls were computed by, each once."""
        calls = (call for trade_off in self.found for call in trade_off.calls)
        return tuple({id(model): model for call in calls for model in call.models}.values())

    @property
    def rivals(self) -> tuple[TradeOff, ...]:
        """Results over variants that were measured; others are shown, not compared."""
        return tuple(trade_off for trade_off in self.found if trade_off.origin is Origin.MEASURED)

    @property
    def fastest(self) -> TradeOff | None:
        """Rival whose best number of ranks surely beats any other's on any; None: there is none."""
        first, *others = sorted(self.rivals, key=lambda rival: rival.least.seconds.value)
        lows = [row.seconds.low for other in others for row in other.rows]
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
    """Times of a program over each variant that has models of all its calls.

    Args:
        variants: For each variant what was fitted and what wasn't, one at least.
        work_s: As for `trade_off`.
        serial_share: As for `trade_off`.
        calls: As for `trade_off`.
        ranks: As for `trade_off`.

    Raises:
        UsageError: An invalid number, a call of a pattern that no variant has, or all variants are
            left out.
    """
    _check(work_s, serial_share, calls, ranks)
    patterns = {fitted.pattern for models in variants for fitted in models}
    for call in calls.calls:
        if call.pattern not in patterns:
            raise unknown_pattern(call.pattern, patterns)
    trade_offs: list[TradeOff] = []
    left_out: list[NotFitted] = []
    for models in variants if calls.calls else variants[:1]:
        try:
            trade_offs.append(trade_off(models, work_s, serial_share, calls, ranks))
        except UnservedError as error:
            left_out += error.refused
    if not trade_offs:
        raise UnservedError(*left_out)
    return Programs(tuple(trade_offs), tuple(left_out))


def trade_off(
    models: Sequence[Model | NotFitted],
    work_s: float,
    serial_share: float,
    calls: Calls,
    ranks: Sequence[int],
) -> TradeOff:
    """Times of a program on each of `ranks`.

    Args:
        models: Models of one variant, one at least.
        work_s: Computing time of one rank, all steps together.
        serial_share: Share of that which isn't divided; 0 .. 1.
        calls: Calls of the program; none: it doesn't communicate.
        ranks: Numbers of ranks, two at least each, in any order.

    Raises:
        UsageError: An invalid number.
        UnservedError: A call that no model of the variant covers.
    """
    _check(work_s, serial_share, calls, ranks)
    numbers = np.unique(np.asarray(ranks, dtype=np.int64))
    times = tuple(call_times(models, call, calls.steps, numbers) for call in calls.calls)
    compute = work_s * (serial_share + (1 - serial_share) / numbers)
    rows = tuple(
        _on_ranks(p, compute_s, work_s, times, i)
        for i, (p, compute_s) in enumerate(zip(numbers.tolist(), compute.tolist(), strict=True))
    )
    best = min(rows, key=lambda row: row.seconds.value)  # of equal times on the fewest ranks
    # ranks on which the interval begins no later than that of the best ends
    near: tuple[int, ...] = ()
    most = best.seconds.high
    if most is not None:
        lows = [(row.ranks, row.seconds.low) for row in rows]
        near = tuple(p for p, low in lows if low is None or low <= most)
    fitted = [model.origin for model in models if isinstance(model, Model)]
    return TradeOff(
        variant=models[0].variant if times else None,
        origin=(fitted[0] if fitted else Origin.MEASURED) if times else None,
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
    """Raises UsageError for invalid numbers."""
    if not (math.isfinite(work_s) and work_s >= 0):
        raise UsageError(f"work {work_s:g} s is no time; give the seconds that one rank computes")
    if not 0 <= serial_share <= 1:
        raise UsageError(f"serial share {serial_share:g} is not between 0 and 1; give e.g. 0.02")
    if not ranks or min(ranks) < 2:
        seen = f"{min(ranks)} is" if ranks else "none are"
        raise UsageError(f"ranks: {seen} asked for; give numbers from 2 on: one needs no messages")
    for call in calls.calls:
        if call.ranks is not None and call.ranks > min(ranks):
            raise UsageError(
                f"{call.pattern} is called by groups of {call.ranks} ranks and the program has "
                f"{min(ranks)}; ask for {call.ranks} ranks or more"
            )


def _on_ranks(
    ranks: int, compute_s: float, work_s: float, calls: Sequence[CallTimes], i: int
) -> OnRanks:
    """Times on `ranks`, the number of ranks of index `i` in those of the calls."""
    # values and bounds of calls add up; without calls the sum is exactly zero
    each = [call.seconds[i] for call in calls]
    value, n = (
        math.fsum(estimate.value for estimate in each),
        min((estimate.n for estimate in each), default=0),
    )
    bounds = [estimate.bounds for estimate in each if estimate.bounds is not None]
    communicate = Estimate(value, n=n)
    if len(bounds) == len(each):
        low, high = math.fsum(low for low, _ in bounds), math.fsum(high for _, high in bounds)
        communicate = Estimate(value, low, high, CONFIDENCE, n)
    seconds = replace(
        communicate,
        value=communicate.value + compute_s,
        low=None if communicate.low is None else communicate.low + compute_s,
        high=None if communicate.high is None else communicate.high + compute_s,
    )
    speed_up = seconds.inverse().scaled(work_s) if work_s > 0 else Estimate(math.nan)
    return OnRanks(
        ranks=ranks,
        compute_s=compute_s,
        communicate_s=communicate,
        seconds=seconds,
        speed_up=speed_up,
        efficiency=speed_up.scaled(1 / ranks),
        extrapolated=any(call.extrapolated[i] for call in calls),
        floored=any(call.floored[i] for call in calls),
    )


def _half(rows: Sequence[OnRanks]) -> TurningPoint:
    """Fewest ranks on which communication takes as long as computation, or longer."""

    def first(time: Callable[[Estimate], float | None]) -> int | None:
        times = [(row, time(row.communicate_s)) for row in rows]
        return next((row.ranks for row, s in times if s and s >= row.compute_s), None)

    return TurningPoint(first(lambda s: s.value), first(lambda s: s.high), first(lambda s: s.low))
