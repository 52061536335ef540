"""Closed forms in words: what they say, what they were fitted to, and where they don't hold.

Also the conditions that all models of a run share, and why others couldn't be fitted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from leadline.models.coefficients import (
    byte_rate,
    falls_with_ranks,
    falls_with_size,
    least_sum,
    without_rounding,
)
from leadline.models.forms import Scaling, Term
from leadline.models.model import (
    Algorithm,
    Breakpoint,
    Model,
    NotFitted,
    Piece,
)
from leadline.report.text.catalogue import FormWords, PlaceWords
from leadline.report.text.phrases import FINEST, estimated, listed, plural, rough_size, share
from leadline.report.text.ratios import in_words
from leadline.units import (
    format_bandwidth,
    format_rough_size,
    format_size,
    format_time,
    significant,
)

MOST_LISTED = 8
"""Numbers of ranks that are listed one by one; of more the ends."""
TENFOLD = 9.0
"""Relative error of a time that is ten times as long as it should be, or a tenth of it."""


def model_sentences(model: Model) -> list[str]:
    """The form, how far it goes, its errors, algorithms and limits, a sentence each."""
    sentences = [
        form_sentence(model),
        _domain_sentence(model),
        *_unphysical(model),
        _held_out_sentence(model),
    ]
    if not model.has_intervals:
        sentences.append(
            FormWords.NO_INTERVAL(blocks=model.blocks)
            if model.blocks
            else FormWords.NO_INTERVAL_OF(origin=model.origin)
        )
    return [*sentences, *_algorithm_sentences(model), *_limit_sentences(model)]


def form_sentence(model: Model) -> str:
    """The form, piece by piece.

    E.g. "mpich's bcast on 2 ranks takes 1.20 us + 0.310 ns a byte (3.23 GB/s) up to 8 KiB; a
    protocol switch between 8 KiB and 16 KiB; 3.40 us + 0.120 ns a byte (8.33 GB/s) from 16 KiB
    on.".
    """
    where = f"{model.ranks[0]:,}" if len(model.ranks) == 1 else "p"
    families = [
        FormWords[family.name](pieces=_pieces(model, pieces)) for family, pieces in model.pieces
    ]
    return FormWords.FORM(
        variant=model.variant,
        pattern=model.pattern,
        ranks=where,
        one=model.ranks == (1,),
        families="; ".join(families),
    )


def _pieces(model: Model, pieces: Sequence[Piece]) -> str:
    """Expressions with the sizes that they hold for, and what lies between them.

    A break lies between two measured sizes; where its interval reaches further it is given too.
    """
    words: list[str] = []
    for number, piece in enumerate(pieces):
        least, most = piece.least_bytes, piece.most_bytes
        if number:
            breakpoint, below = model.breakpoints[number - 1], pieces[number - 1].most_bytes
            low, high = breakpoint.bytes.bounds or (below, least)
            interval = ""
            if low < below or high > least:
                interval = FormWords.BY_INTERVAL(
                    low=format_rough_size(low), high=format_rough_size(high)
                )
            a_break = FormWords[breakpoint.kind.name]
            words.append(a_break(below=below, above=least, by_interval=interval))
        if len(pieces) == 1:
            sizes = ""
        elif number == 0:
            sizes = PlaceWords.UP_TO(last=most)
        elif number == len(pieces) - 1:
            sizes = PlaceWords.FROM_ON(first=least)
        else:
            sizes = PlaceWords.FROM_TO(first=least, last=most)
        words.append(f"{expression(piece, model.ranks)}{sizes}")
    return "; ".join(words)


def breakpoint_words(breakpoint: Breakpoint) -> str:
    """E.g. "protocol switch at 11 KiB (8 KiB to 16 KiB)"."""
    return f"{breakpoint.kind} at {rough_size(breakpoint.bytes)}"


def expression(piece: Piece, ranks: Sequence[int]) -> str:
    """E.g. "0.400 us + 1.10 us log2 p + (0.0200 ns + 0.300 ns log2 p) a byte"."""
    shown = without_rounding(piece, ranks[-1]).coefficients
    startup = [
        (coefficient.term, coefficient.value.value)
        for coefficient in shown
        if not coefficient.term.per_byte
    ]
    per_byte = [
        (coefficient.term, coefficient.value.value)
        for coefficient in shown
        if coefficient.term.per_byte
    ]
    text = _sum(startup, format_time)
    if len(per_byte) > 1:
        return FormWords.PER_BYTE_SUM(startup=text, per_byte=_sum(per_byte, byte_time))
    for term, seconds in per_byte:
        sign, rate = "-" if seconds < 0 else "+", byte_rate(piece, ranks[0])
        text = FormWords.PER_BYTE(
            startup=text,
            sign=sign,
            time=byte_time(abs(seconds)),
            factor=_factor(term),
            rate=format_bandwidth(rate.value) if rate else None,
        )
    return text


def _sum(parts: Sequence[tuple[Term, float]], words: Callable[[float], str]) -> str:
    """Terms with their signs between them, without those that are zero; the first if all are."""
    text = ""
    for term, value in [part for part in parts if part[1]] or parts[:1]:
        sign = (" - " if value < 0 else " + ") if text else ""
        text += f"{sign}{words(abs(value) if text else value)}{_factor(term)}"
    return text


def _factor(term: Term) -> str:
    """E.g. " log2 p"."""
    return "" if term.scaling is Scaling.CONSTANT else f" {term.scaling}"


def byte_time(seconds: float) -> str:
    """The time of one byte, e.g. "0.310 ns"."""
    nanoseconds = seconds * 1e9
    return f"{significant(nanoseconds)} ns" if abs(nanoseconds) < 999.5 else format_time(seconds)


# -- where it holds --------------------------------------------------------------------------------


def _domain_sentence(model: Model) -> str:
    """What a model was fitted to, what it says nothing of, and where it extrapolates."""
    ranks, sizes = model.ranks, model.sizes_bytes
    fitted = [ranks_words(ranks)]
    fitted += [sizes_words(sizes)] * (sizes != (0,))
    fitted += [plural(model.blocks, "block")] * (model.blocks > 0)
    silent = [
        *[FormWords.OTHER_RANKS()] * (len(ranks) == 1),
        *[FormWords.NO_POWERS()] * model.of_powers_alone,
        *[FormWords.OTHER_SIZES()] * (len(sizes) == 1 and sizes != (0,)),
    ]
    beyond = [*["ranks"] * (len(ranks) > 1), *["sizes"] * (len(sizes) > 1)]
    limits = ((FormWords.SILENT, silent), (FormWords.BEYOND, beyond))
    outside = ", and ".join(limit(what=listed(what)) for limit, what in limits if what)
    return FormWords.DOMAIN(fitted=fitted, limits=outside)


def _unphysical(model: Model) -> Iterator[str]:
    """What negative coefficients mean, and times that fall with sizes or ranks."""
    pieces = [piece for _, each in model.pieces for piece in each]
    rounded = [without_rounding(piece, model.ranks[-1]) for piece in pieces]
    negative = [piece for piece in rounded if least_sum(piece, model.ranks, per_byte=False) < 0]
    if negative:
        yield FormWords.NEGATIVE_STARTUP(ranges=listed(map(_range, negative)))
    elif any(
        coefficient.value.value < 0
        and coefficient.term.scaling is Scaling.CONSTANT
        and sum(other.term.per_byte is coefficient.term.per_byte for other in piece.coefficients)
        > 1
        for piece in rounded
        for coefficient in piece.coefficients
    ):
        yield FormWords.NEGATIVE_CONSTANT()
    for falls, words in (
        (falls_with_size, FormWords.FALLS_WITH_SIZE),
        (falls_with_ranks, FormWords.FALLS_WITH_RANKS),
    ):
        found = [piece for piece in pieces if falls(piece, model.ranks)]
        if found:
            yield words(where=listed(map(_range, found)) if len(pieces) > 1 else None)


def _range(piece: Algorithm | Piece) -> str:
    least, most = piece.least_bytes, piece.most_bytes
    if least == most:
        return FormWords.RANGE_AT(least=least)
    return FormWords.RANGE(least=least, most=most)


def ranks_words(ranks: Sequence[int]) -> str:
    """E.g. "2 ranks", "2, 4 and 8 ranks", "2 to 64 ranks (31 numbers of them)"."""
    if len(ranks) <= MOST_LISTED:
        numbers = listed(f"{rank:,}" for rank in ranks)
        return FormWords.RANKS(numbers=numbers, one=tuple(ranks) == (1,))
    return FormWords.MANY_RANKS(first=ranks[0], last=ranks[-1], number=len(ranks))


def sizes_words(sizes: Sequence[int]) -> str:
    """E.g. "0 B to 1 MiB (9 sizes)", "8 B"."""
    if len(sizes) == 1:
        return format_size(sizes[0])
    return FormWords.SIZES(first=sizes[0], last=sizes[-1], number=len(sizes))


# -- how good it is --------------------------------------------------------------------------------


def _held_out_sentence(model: Model) -> str:
    """Errors where sizes or numbers of ranks were left out, beside those of a constant.

    A form is better than a constant if it is in the median and in nine of ten.
    """
    held_out = model.held_out
    if held_out is None:
        return FormWords.NOT_HELD_OUT()
    sizes, ranks = len(model.sizes_bytes) > 1, len(model.ranks) > 1
    left_out = [*["sizes"] * sizes, *["numbers of ranks"] * ranks]
    predicted = model.residuals is not None
    constant = _errors(held_out.baseline_error, held_out.baseline_p90_error)
    typical, most = max(held_out.baseline_error, FINEST), max(held_out.baseline_p90_error, FINEST)
    if model.form.size == 1:
        beside = FormWords.NO_BETTER()
    elif held_out.median_error < typical and held_out.p90_error <= most:
        beside = FormWords.CONSTANT(errors=constant)
    else:
        beside = FormWords.CONSTANT_BETTER(errors=constant)
    return FormWords.HELD_OUT(
        left_out=listed(left_out),
        predicted=predicted,
        errors=_errors(held_out.median_error, held_out.p90_error),
        form_alone=off(held_out.form_error) if predicted else None,
        beside=beside,
    )


def _errors(median: float, p90: float) -> str:
    """The median error, and what nine of ten don't exceed; of a large one what the tenth does."""
    if p90 >= TENFOLD:
        return FormWords.ERRORS_TENFOLD(median=off(median), most=off(p90))
    return FormWords.ERRORS(median=off(median), most=off(max(p90, FINEST)))


def off(error: float) -> str:
    """A relative error, e.g. "2 %", "a factor of 2.5"; no finer, and no larger, than is of use."""
    if error < FINEST:
        return FormWords.OFF_UNDER(share=share(FINEST))
    if error < 1:
        return share(error)
    if error >= TENFOLD:
        return FormWords.OFF_TENFOLD()
    return FormWords.OFF_FACTOR(factor=significant(1 + error, 2))


def _algorithm_sentences(model: Model) -> Iterator[str]:
    """Which algorithm it appears to use where; what is known for one reason in one sentence."""
    alike: dict[tuple[str | None, float | None, str], list[Algorithm]] = {}
    for algorithm in model.algorithms:
        alike.setdefault((algorithm.name, algorithm.confidence, algorithm.why), []).append(
            algorithm
        )
    for (name, confidence, why), algorithms in alike.items():
        where = (
            None if len(algorithms) == len(model.algorithms) else listed(map(_range, algorithms))
        )
        if name is None:
            yield FormWords.NO_ALGORITHM(where=where, why=why)
        else:
            sure = None if confidence is None else share(confidence)
            yield FormWords.ALGORITHM(name=name, where=where, sure=sure, why=why)


def _limit_sentences(model: Model) -> Iterator[str]:
    """How far it is from the least that any algorithm takes at the largest sizes, and its rate."""
    for algorithm in model.algorithms[-1:]:
        times = algorithm.over_lower_bound
        if times is not None:
            most = times.value if times.high is None else times.high
            yield FormWords.LOWER_BOUND(
                ranks=plural(model.ranks[-1], "rank"),
                bytes=algorithm.most_bytes,
                times=str(in_words(times)),
                cheaper=most < 1,
            )
    # where others have one
    basis = FormWords.WITHOUT_INTERVAL() if model.has_intervals else ""
    for aggregate in model.aggregate[-1:]:
        rate = estimated(aggregate.bytes_per_s, format_bandwidth, basis)
        reached = FormWords.HALF_EVERYWHERE()
        if aggregate.half_bytes.high or aggregate.half_bytes.value:
            half = estimated(aggregate.half_bytes, format_rough_size, basis)
            reached = FormWords.HALF(size=half)
        yield FormWords.AGGREGATE(ranks=plural(aggregate.ranks, "rank"), rate=rate, reached=reached)


# -- several models --------------------------------------------------------------------------------


def condition_notes(models: Sequence[Model], run: str) -> Iterator[str]:
    """Conditions that all models share: the state of the cores, and how far runs lie apart.

    Core-to-core latency is left out where it isn't known or not the same for all that were
    measured, the distance between runs where those models that have intervals differ in it.

    Args:
        models: All of one report.
        run: The run that they were fitted to, as a command line names it.
    """
    latencies = {model.core_latency_ns for model in models if model.core_latency_ns is not None}
    if len(latencies) == 1:
        yield FormWords.CORES(core_latency=significant(latencies.pop()), run=run)
    known = {model.scatter.runs_apart for model in models if model.scatter is not None}
    if len(known) != 1:
        return
    apart = known.pop()
    if apart is None:
        yield FormWords.SAME_HOUR()
        return
    deviation = share(math.expm1(apart.deviation))
    yield FormWords.RUNS_APART(share=deviation, runs=apart.runs)


def refused_notes(refused: Sequence[NotFitted]) -> tuple[str, ...]:
    """Each reason for having no model once, with the variants and patterns that it holds for.

    Variants that lack the same patterns stand together, e.g. "shm and mpich, barrier; impi, scan:
    needs at least 3 numbers of ranks".
    """
    by_reason: dict[str, dict[str, list[str]]] = {}
    for fitted in refused:
        by_reason.setdefault(fitted.reason, {}).setdefault(fitted.variant, []).append(
            fitted.pattern
        )
    notes: list[str] = []
    for reason, patterns in by_reason.items():
        variants: dict[tuple[str, ...], list[str]] = {}
        for variant, each in patterns.items():
            variants.setdefault(tuple(dict.fromkeys(each)), []).append(variant)
        whose = "; ".join(f"{listed(who)}, {listed(what)}" for what, who in variants.items())
        notes.append(f"{whose}: {reason}")
    return tuple(notes)
