"""Strict reader of model files, as `leadline fit` writes them: every value is checked."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from leadline.errors import FileError
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import (
    Aggregate,
    Algorithm,
    Break,
    Breakpoint,
    Coefficient,
    HeldOut,
    Misfit,
    Model,
    NotFitted,
    Piece,
    RankSet,
    Residuals,
    RunSpread,
    Scatter,
)
from leadline.record.caveats import DAMAGE, Caveat, restored
from leadline.record.fields import (
    Check,
    FormatError,
    each_of,
    field,
    list_of,
    of_type,
    one_of,
    or_null,
    printable,
    rising,
    shown,
    text,
    whole,
    within,
)
from leadline.record.run import Origin, WhoseTime
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats

VERSION = 1
"""Version of the format of model files."""
KEY = "leadline_model"
"""Key under which a model file has its version."""
FARTHEST_APART = math.log(1e12)
"""Largest variation between runs: intervals of predictions aren't wider."""
MOST_RANKS, MOST_BYTES, MOST_BLOCKS, MOST_THREADS = 2**31, 2**50, 2**20, 2**20
MOST_HANDOVER_NS = 1e9
LARGEST = 1e30
"""Largest absolute value of a coefficient, variance or ratio."""
ROUNDING = 1e-9
_REMEDY = "write one by leadline fit RUN --out MODEL.json"

_Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelFile:
    """Contents of a model file."""

    run: str
    """Name of the run that was fitted, as of then."""
    models: tuple[Model, ...]
    refused: tuple[NotFitted, ...]
    damage: tuple[Caveat, ...] = ()
    """Warnings that parts of that run were missing or damaged when it was fitted."""


def read_models(content: str, file: str) -> ModelFile:
    """Contents of a model file.

    Raises:
        FileError: It is no model file, of a newer version, or damaged.
    """
    record = _parsed(content, file)
    try:
        version: int = field(record, KEY, whole(1, 2**31))
    except FormatError as problem:
        raise FileError(file, None, f"{problem}; {_REMEDY}") from None
    if version > VERSION:
        raise FileError(
            file,
            None,
            f"is of version {version}, and this leadline reads version {VERSION}: update leadline, "
            f"or {_REMEDY} with this one",
        )
    try:
        run = field(field(record, "run", of_type(dict)), "run", text)
        models = field(record, "models", each_of(_model))
        refused = field(record, "refused", each_of(_refused))
        warnings = field(record, "warnings", each_of(_caveat)) if "warnings" in record else ()
    except FormatError as problem:
        raise FileError(file, None, f"{problem}; {_REMEDY}") from None
    # the warnings of a file are those of its models and of the run
    return ModelFile(run, models, refused, tuple(one for one in warnings if one.code in DAMAGE))


def _parsed(content: str, file: str) -> _Fields:
    """JSON object of a model file."""
    if not content.lstrip().startswith("{"):
        raise FileError(file, None, f"isn't a model file; {_REMEDY}")
    try:
        record = json.loads(content)
    except json.JSONDecodeError as error:
        cut = f"is cut short or changed: {error.msg}; {_REMEDY}"
        raise FileError(file, error.lineno, cut) from None
    except (ValueError, RecursionError) as error:
        raise FileError(file, None, f"isn't a model file: {error}; {_REMEDY}") from None
    if KEY not in record:
        raise FileError(file, None, f"isn't a model file: lacks {KEY!r}; {_REMEDY}")
    return dict(record)


# -- values ----------------------------------------------------------------------------------------


_number = within(-LARGEST, LARGEST)
_positive = within(0, LARGEST)
_size = whole(0, MOST_BYTES)
_WHOSE = one_of(WhoseTime)


def _estimate(record: _Fields, blocks: int, name: str = "value") -> Estimate:
    """Estimate in `record`, whose value has the key `name`."""
    value = field(record, name, _number)
    low, high = (field(record, bound, or_null(_number)) for bound in ("low", "high"))
    if low is None and high is None:
        return Estimate(value, n=blocks)
    if low is None or high is None or not low <= value <= high:
        raise FormatError(f"{name}: the interval {low} to {high} doesn't hold {value}")
    return Estimate(value, low, high, CONFIDENCE, blocks)


def _interval(blocks: int) -> Check:
    """Accepts objects of a value and its bounds; without a value there are none."""

    def check(value: Any) -> Estimate:
        record = of_type(dict)(value)
        if record.get("value", math.nan) is None:
            return Estimate(math.nan, n=blocks)
        return _estimate(record, blocks)

    return check


# -- models ----------------------------------------------------------------------------------------


def _refused(value: Any) -> NotFitted:
    record = of_type(dict)(value)
    return NotFitted(*(field(record, name, printable) for name in ("variant", "pattern", "reason")))


def _model(value: Any) -> Model:
    record = of_type(dict)(value)
    blocks: int = field(record, "blocks", whole(0, MOST_BLOCKS))
    ranks: tuple[int, ...] = field(record, "ranks", rising(1, MOST_RANKS))
    sizes: tuple[int, ...] = field(record, "sizes_bytes", rising(0, MOST_BYTES))
    scatter = field(record, "scatter", or_null(_scatter))
    families = _families(record, blocks, scatter is not None)
    number = len(families[0][1])
    breakpoints = field(record, "breakpoints", each_of(lambda one: _breakpoint(one, blocks)))
    if len(breakpoints) != number - 1:
        raise FormatError(f"{len(breakpoints)} breakpoints between {number} pieces")

    def handover_ns(value: Any) -> float | None:
        check = or_null(within(0.0, MOST_HANDOVER_NS))
        latency_ns: float | None = field(of_type(dict)(value), "handover_ns", check)
        return latency_ns

    return Model(
        variant=field(record, "variant", printable),
        pattern=field(record, "pattern", printable),
        buffers=field(record, "buffers", printable),
        cadence=field(record, "cadence", printable),
        threads=field(record, "threads", whole(0, MOST_THREADS)),
        origin=field(record, "origin", one_of(Origin)),
        # files that were written before it was known lack it
        whose_time=field({"whose_time": WhoseTime.UNSTATED, **record}, "whose_time", _WHOSE),
        ranks=ranks,
        sizes_bytes=sizes,
        blocks=blocks,
        form=_form(record, number),
        pieces=families,
        breakpoints=breakpoints,
        residuals=field(record, "residuals", or_null(_residuals(len(ranks), len(sizes)))),
        scatter=scatter,
        held_out=field(record, "held_out", or_null(_held_out)),
        algorithms=field(record, "algorithms", each_of(lambda one: _algorithm(one, blocks))),
        aggregate=field(record, "aggregate", each_of(lambda one: _aggregate(one, blocks))),
        handover_ns=field(record, "domain", handover_ns),
        caveats=field(record, "warnings", each_of(_caveat)),
    )


def _form(record: _Fields, pieces: int) -> ClosedForm:
    return ClosedForm(
        startup=field(record, "startup", one_of(Scaling)),
        per_byte=field(record, "per_byte", or_null(one_of(Scaling))),
        pieces=pieces,
        powers_apart=field(record, "powers_apart", of_type(bool)),
    )


def _families(
    record: _Fields, blocks: int, sampled: bool
) -> tuple[tuple[RankSet, tuple[Piece, ...]], ...]:
    """Pieces by the ranks that they are for; all families have as many, at the same sizes."""
    form = _form(record, 1)

    def bare_piece(value: Any) -> tuple[RankSet, tuple[int, int], Floats]:
        piece = of_type(dict)(value)
        sizes = field(piece, "least_bytes", _size), field(piece, "most_bytes", _size)
        covariance = field(piece, "covariance", _covariance(len(form.terms), sampled))
        return field(piece, "rank_set", one_of(RankSet)), sizes, covariance

    bare = field(record, "pieces", each_of(bare_piece))
    values: list[list[Coefficient]] = [[] for _ in bare]
    for place, coefficient in field(
        record, "coefficients", each_of(lambda one: _coefficient(one, form, len(bare), blocks))
    ):
        values[place].append(coefficient)
    families: dict[RankSet, list[Piece]] = {}
    for (ranks, sizes, covariance), coefficients in zip(bare, values, strict=True):
        if tuple(one.term for one in coefficients) != form.terms:
            raise FormatError(f"pieces: one has not the coefficients of {form.name!r}")
        piece = Piece(sizes[0], sizes[1], tuple(coefficients), covariance)
        families.setdefault(ranks, []).append(piece)
    _check_families(families, form)
    numbers = field(record, "ranks", rising(1, MOST_RANKS))
    if form.powers_apart and len({p.bit_count() == 1 for p in numbers}) == 1:
        raise FormatError(f"ranks: {shown(list(numbers))} are all powers of two, or none is")
    return tuple((ranks, tuple(pieces)) for ranks, pieces in families.items())


def _check_families(families: Mapping[RankSet, Sequence[Piece]], form: ClosedForm) -> None:
    """Refuses pieces whose ranks, sizes or number don't match."""
    apart = {RankSet.POWERS_OF_TWO, RankSet.OTHERS}
    if set(families) != (apart if form.powers_apart else {RankSet.ALL}):
        raise FormatError(f"pieces: they are for {', '.join(families) or 'no ranks'}")
    for pieces in families.values():
        places = [(one.least_bytes, one.most_bytes) for one in pieces]
        follow = all(below[1] < above[0] for below, above in pairwise(places))
        if not follow or any(least > most for least, most in places):
            raise FormatError(f"pieces: their sizes {shown(places)} don't follow each other")
    if len({len(pieces) for pieces in families.values()}) > 1:
        raise FormatError("pieces: powers of two have not as many as other numbers of ranks")


def _covariance(terms: int, sampled: bool) -> Check:
    """Accepts symmetric matrices without negative variances; empty ones if nothing was sampled."""

    def check(value: Any) -> Floats:
        rows = list_of(list_of(_number))(value)
        if not rows and not sampled:
            return np.empty((0, 0))
        if [len(row) for row in rows] != [terms] * terms:
            raise FormatError(f"has not {terms} rows of {terms} numbers")
        matrix = np.array(rows)
        deviations = np.sqrt(np.maximum(np.diag(matrix), 0))
        scale = np.where(deviations > 0, deviations, 1)
        correlations = matrix / np.outer(scale, scale)
        least = np.linalg.eigvalsh(correlations).min()
        if not np.array_equal(matrix, matrix.T) or least < -ROUNDING:
            raise FormatError("is no covariance: not symmetric, or of a negative variance")
        return matrix

    return check


def _coefficient(value: Any, form: ClosedForm, pieces: int, blocks: int) -> tuple[int, Coefficient]:
    """Coefficient, and the index of the piece that it belongs to."""
    record = of_type(dict)(value)
    terms = {term.name: term for term in form.terms}
    name = field(record, "name", text)
    if name not in terms:
        raise FormatError(f"name: {shown(name)} is none of {', '.join(terms)}")
    place: int = field(record, "piece", whole(0, pieces - 1))
    return place, Coefficient(terms[name], _estimate(record, blocks))


def _breakpoint(value: Any, blocks: int) -> Breakpoint:
    record = of_type(dict)(value)
    return Breakpoint(
        bytes=_estimate(record, blocks, "bytes"),
        kind=field(record, "kind", one_of(Break)),
        jump=field(record, "jump", _interval(blocks)),
    )


def _scatter(value: Any) -> Scatter:
    """Scatter with its three misfits, and the variation between runs."""

    def misfit(value: Any) -> Misfit:
        record = of_type(dict)(value)
        return Misfit(*(field(record, name, _positive) for name in ("deviation", "quantile")))

    def apart(value: Any) -> RunSpread:
        record = of_type(dict)(value)
        return RunSpread(
            deviation=field(record, "deviation", within(0, FARTHEST_APART)),
            quantile=field(record, "quantile", _positive),
            runs=field(record, "runs", whole(0, MOST_BLOCKS)),
        )

    record = of_type(dict)(value)
    return Scatter(
        noise=field(record, "noise", _positive),
        between_sizes=field(record, "between_sizes", misfit),
        between_ranks=field(record, "between_ranks", misfit),
        outside=field(record, "outside", misfit),
        runs_apart=field(record, "runs_apart", or_null(apart)),
    )


def _residuals(ranks: int, sizes: int) -> Check:
    """Accepts residuals at so many numbers of ranks and sizes."""

    def check(value: Any) -> Residuals:
        record = of_type(dict)(value)
        rows = field(record, "seconds", list_of(list_of(_number)))
        if [len(row) for row in rows] != [sizes] * ranks:
            raise FormatError(f"seconds: has not {ranks} rows of {sizes} numbers")
        return Residuals(np.array(rows), field(record, "between_ranks", within(0, 1)))

    return check


def _held_out(value: Any) -> HeldOut:
    record = of_type(dict)(value)
    names = ("median_error", "p90_error", "form_error", "baseline_error", "baseline_p90_error")
    return HeldOut(*(field(record, name, _positive) for name in names))


def _algorithm(value: Any, blocks: int) -> Algorithm:
    record = of_type(dict)(value)
    return Algorithm(
        least_bytes=field(record, "least_bytes", _size),
        most_bytes=field(record, "most_bytes", _size),
        name=field(record, "name", or_null(printable)),
        confidence=field(record, "confidence", or_null(within(0, 1))),
        why=field(record, "why", text),
        over_lower_bound=field(record, "over_lower_bound", or_null(_interval(blocks))),
    )


def _aggregate(value: Any, blocks: int) -> Aggregate:
    """Aggregate bandwidth; its estimates have a value in any case."""

    def estimate(value: Any) -> Estimate:
        return _estimate(of_type(dict)(value), blocks)

    record = of_type(dict)(value)
    return Aggregate(
        ranks=field(record, "ranks", whole(1, MOST_RANKS)),
        bytes_per_s=field(record, "bytes_per_s", estimate),
        half_bytes=field(record, "half_bytes", estimate),
    )


def _caveat(value: Any) -> Caveat:
    record = of_type(dict)(value)
    return restored(*(field(record, name, printable) for name in ("code", "cause", "remedy")))
