"""What one call of a program takes at each number of ranks, by the models of one variant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leadline.errors import UsageError
from leadline.models.calls import ProgramCall
from leadline.models.forms import Numbers
from leadline.models.model import Model, NotFitted
from leadline.models.naming import some
from leadline.models.prediction import predict
from leadline.record.caveats import Caveat
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats
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
