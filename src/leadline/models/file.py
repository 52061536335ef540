"""Model files, as `leadline fit` writes them: their keys, written from models and read back.

The keys and their bounds are those of the types below; models and their parts that a file has as
they are come from models/model.py. Reading checks everything that the types can't say: what
belongs together, and that names can be printed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, TypedDict, cast

import numpy as np
from msgspec import Meta

from leadline.errors import FileError
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import (
    Aggregate,
    Algorithm,
    Blocks,
    Bounded,
    Break,
    Breakpoint,
    Bytes,
    Coefficient,
    HeldOut,
    Model,
    NotFitted,
    Piece,
    Ranks,
    RankSet,
    Residuals,
    Scatter,
    Share,
)
from leadline.record.decoding import at, check_printable, decoded
from leadline.record.fields import FormatError, field, shown, whole
from leadline.record.run import Origin, WhoseTime
from leadline.record.slices import FORMER_COLUMNS
from leadline.record.terms import current_label
from leadline.record.warnings import DAMAGE, RunWarning, restored
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats

VERSION = 2
"""Version of the format of model files; 1 had former names of patterns, and of a domain's keys as
of columns."""
KEY = "leadline_model"
"""Key under which a model file has its version."""
ROUNDING = 1e-9
"""How far below 0 an eigenvalue of the correlations may be."""
_REMEDY = "write one by leadline fit RUN --out MODEL.json"

# -- keys ------------------------------------------------------------------------------------------


class Interval(TypedDict):
    """A number with its interval."""

    value: Bounded
    low: Bounded | None
    """Lower bound of the 95 % interval; null: too few blocks for one, or none."""
    high: Bounded | None


class IntervalRow(TypedDict):
    """A number with its interval, or none."""

    value: Bounded | None
    """Null: there is none."""
    low: Bounded | None
    """Lower bound of the 95 % interval; null: too few blocks for one, or none."""
    high: Bounded | None


class CoefficientRow(TypedDict):
    """The factor of one term of one piece."""

    piece: Annotated[int, Meta(ge=0, le=2**20)]
    """Its index in `pieces`."""
    name: str
    """Name of the term: t0 of the start-up, D of the time of a byte, each alone or times p or
    log2 p."""
    value: Bounded
    low: Bounded | None
    """Lower bound of the 95 % interval; null: too few blocks for one, or none."""
    high: Bounded | None
    unit: str


class PieceRow(TypedDict):
    """A range of sizes in which one set of coefficients holds."""

    rank_set: RankSet
    """The numbers of ranks that it is for."""
    least_bytes: Bytes
    """The smallest size fitted."""
    most_bytes: Bytes
    """The largest."""
    covariance: Sequence[Sequence[Bounded]]
    """Covariance of its coefficients, over blocks; empty: there are no intervals."""


class BreakpointRow(TypedDict):
    """Where one piece ends and the next begins; the same for all families."""

    bytes: Bounded
    low: Bounded | None
    """Lower bound of the 95 % interval; null: too few blocks for one, or none."""
    high: Bounded | None
    kind: Break
    jump: IntervalRow
    """Time of the piece above over that of the piece below, there, at the most ranks."""


class AlgorithmRow(TypedDict):
    """Which algorithm a library appears to use in a range of sizes."""

    least_bytes: Bytes
    most_bytes: Bytes
    name: str | None
    """Null: undecided."""
    confidence: Share | None
    """Share of resampled campaigns in which it fits best; null: nothing was resampled."""
    why: str
    over_lower_bound: IntervalRow | None
    """Time over the least that any algorithm takes, at the most ranks and the largest size there;
    null: the time of a message between two ranks isn't known."""


class ResidualsRow(TypedDict):
    """What a form lacks at the points that it was fitted to, which predictions add."""

    seconds: Sequence[Sequence[Bounded]]
    """Part of medians minus form that is no noise, by ranks and size; 0: not measured."""
    between_ranks: Share
    """Share of it that is added at numbers of ranks in between."""


class AggregateRow(TypedDict):
    """What all ranks together deliver at one number of them, in the limit of long messages."""

    ranks: Ranks
    bytes_per_s: Interval
    half_bytes: Interval
    """The size from which on half of it is reached for good; 0: every size does."""


class DomainRow(TypedDict):
    """What was fitted; a prediction outside of it is an extrapolation."""

    least_ranks: Ranks
    most_ranks: Ranks
    least_bytes: Bytes
    most_bytes: Bytes
    core_latency_ns: Annotated[float, Meta(ge=0, le=1e9)] | None
    """A cache line's round trip between the ranks' cores; null: it isn't known. Times are others
    where it takes twice or half as long."""


class ModelRow(TypedDict):
    """The closed form of one variant and pattern."""

    variant: str
    origin: Origin
    """Origin of what it was fitted to."""
    pattern: str
    """With its options."""
    buffers: str
    cadence: str
    threads: Annotated[int, Meta(ge=0, le=2**20)]
    whose_time: WhoseTime
    """How the times of all ranks became one."""
    ranks: Sequence[Ranks]
    """Fitted; one: it holds for this number alone."""
    sizes_bytes: Sequence[Bytes]
    blocks: Blocks
    """Behind a typical point; 0: fitted to stated values, so that nothing has an interval."""
    form: str
    """In words."""
    startup: Scaling
    """How the start-up grows with the number of ranks p."""
    per_byte: Scaling | None
    """How the time of a byte does; null: the time doesn't depend on the size."""
    powers_apart: bool
    """Whether powers of two have coefficients of their own."""
    pieces: Sequence[PieceRow]
    """By family and size."""
    coefficients: Sequence[CoefficientRow]
    """By piece, in the order of the form's terms."""
    breakpoints: Sequence[BreakpointRow]
    """Between successive pieces of a family."""
    algorithm: AlgorithmRow | None
    """At the largest sizes; null: none was looked for."""
    algorithms: Sequence[AlgorithmRow]
    """By size."""
    aggregate: Sequence[AggregateRow]
    """By ranks."""
    residuals: ResidualsRow | None
    """Null: predictions follow the form alone."""
    scatter: Scatter | None
    """Null: there are no intervals."""
    held_out: HeldOut | None
    """Null: too few sizes to leave any out."""
    domain: DomainRow
    warnings: Sequence[RunWarning]
    sentence: str
    """What the model says, and where it doesn't hold."""


# -- writing ---------------------------------------------------------------------------------------


def model_row(model: Model, sentence: str) -> ModelRow:
    """What a model file has of `model`, of which `sentence` says what it says."""
    pieces = [(family, piece) for family, pieces in model.pieces for piece in pieces]
    algorithms: list[AlgorithmRow] = [
        {
            "least_bytes": algorithm.least_bytes,
            "most_bytes": algorithm.most_bytes,
            "name": algorithm.name,
            "confidence": algorithm.confidence,
            "why": algorithm.why,
            "over_lower_bound": None
            if algorithm.over_lower_bound is None
            else _interval_row(algorithm.over_lower_bound),
        }
        for algorithm in model.algorithms
    ]
    return {
        "variant": model.variant,
        "origin": model.origin,
        "pattern": model.pattern,
        "buffers": model.buffers,
        "cadence": model.cadence,
        "threads": model.threads,
        "whose_time": model.whose_time,
        "ranks": model.ranks,
        "sizes_bytes": model.sizes_bytes,
        "blocks": model.blocks,
        "form": model.form.name,
        "startup": model.form.startup,
        "per_byte": model.form.per_byte,
        "powers_apart": model.form.powers_apart,
        "pieces": [
            {
                "rank_set": family,
                "least_bytes": piece.least_bytes,
                "most_bytes": piece.most_bytes,
                "covariance": piece.covariance.tolist(),
            }
            for family, piece in pieces
        ],
        "coefficients": [
            {
                "piece": place,
                "name": coefficient.term.name,
                "value": coefficient.value.value,
                "low": coefficient.value.low,
                "high": coefficient.value.high,
                "unit": coefficient.term.unit,
            }
            for place, (_, piece) in enumerate(pieces)
            for coefficient in piece.coefficients
        ],
        "breakpoints": [
            {
                "bytes": breakpoint.bytes.value,
                "low": breakpoint.bytes.low,
                "high": breakpoint.bytes.high,
                "kind": breakpoint.kind,
                "jump": _interval_row(breakpoint.jump),
            }
            for breakpoint in model.breakpoints
        ],
        "algorithm": algorithms[-1] if algorithms else None,
        "algorithms": algorithms,
        "aggregate": [
            {
                "ranks": aggregate.ranks,
                "bytes_per_s": cast(Interval, _interval_row(aggregate.bytes_per_s)),
                "half_bytes": cast(Interval, _interval_row(aggregate.half_bytes)),
            }
            for aggregate in model.aggregate
        ],
        "residuals": None
        if model.residuals is None
        else {
            "seconds": model.residuals.seconds.tolist(),
            "between_ranks": model.residuals.between_ranks,
        },
        "scatter": model.scatter,
        "held_out": model.held_out,
        "domain": {
            "least_ranks": model.ranks[0],
            "most_ranks": model.ranks[-1],
            "least_bytes": model.sizes_bytes[0],
            "most_bytes": model.sizes_bytes[-1],
            "core_latency_ns": model.core_latency_ns,
        },
        "warnings": model.warnings,
        "sentence": sentence,
    }


def _interval_row(estimate: Estimate) -> IntervalRow:
    return {"value": estimate.known, "low": estimate.low, "high": estimate.high}


# -- reading ---------------------------------------------------------------------------------------


class _Run(TypedDict):
    run: str


class _Content(TypedDict):
    """What is read of a model file."""

    run: _Run
    models: Sequence[ModelRow]
    refused: Sequence[NotFitted]
    warnings: Sequence[RunWarning]


@dataclass(frozen=True, slots=True)
class ModelFile:
    """Contents of a model file."""

    run: str
    """Name of the run that was fitted, as of then."""
    models: tuple[Model, ...]
    refused: tuple[NotFitted, ...]
    damage: tuple[RunWarning, ...] = ()
    """Warnings that parts of that run were missing or damaged when it was fitted."""


def read_models(content: str, file: str) -> ModelFile:
    """Contents of a model file.

    Raises:
        FileError: It is no model file, of a newer version, or damaged.
    """
    record = _parsed(content, file)
    try:
        version: int = field(record, KEY, whole(1, 2**31))
        if version > VERSION:
            raise FileError(
                file,
                None,
                f"is of version {version}, and this leadline reads version {VERSION}: update "
                f"leadline, or {_REMEDY} with this one",
            )
        rows = decoded(_with_what_was_added(record), _Content)
        models, refused = [], []
        for number, row in enumerate(rows["models"]):
            with at("models", number):
                models.append(_model(row))
        for number, fitted in enumerate(rows["refused"]):
            with at("refused", number):
                check_printable(asdict(fitted), "variant", "pattern", "reason")
                refused.append(replace(fitted, pattern=current_label(fitted.pattern)))
        warnings = _warnings(rows["warnings"])
    except FormatError as problem:
        raise FileError(file, None, f"{problem}; {_REMEDY}") from None
    # the warnings of a file are those of its models and of the run
    damage = tuple(warning for warning in warnings if warning.code in DAMAGE)
    return ModelFile(rows["run"]["run"], tuple(models), tuple(refused), damage)


def _with_what_was_added(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A file's object with today's keys.

    Those are renamed that had another name, and added that files lack that were written before
    they were known.
    """
    added = {"warnings": [], **record}
    models = added.get("models")
    if isinstance(models, list):
        added["models"] = [
            {"whose_time": WhoseTime.UNSTATED, **model, **_domain(model)}
            if isinstance(model, dict)
            else model
            for model in models
        ]
    return added


def _domain(model: Mapping[str, Any]) -> Mapping[str, Any]:
    """A model's domain under its key, by today's names; nothing where it is none."""
    domain = model.get("domain")
    if not isinstance(domain, dict):
        return {}
    return {"domain": {FORMER_COLUMNS.get(key, key): value for key, value in domain.items()}}


def _parsed(content: str, file: str) -> dict[str, Any]:
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


def _model(row: ModelRow) -> Model:
    """Model of a row; FormatError where its parts don't belong together."""
    check_printable(row, "variant", "pattern", "buffers", "cadence")
    ranks, sizes = tuple(row["ranks"]), tuple(row["sizes_bytes"])
    for name, numbers in (("ranks", ranks), ("sizes_bytes", sizes)):
        if not numbers or any(before >= after for before, after in pairwise(numbers)):
            raise FormatError(f"{name}: {shown(list(numbers))} doesn't rise")
    families = _families(row)
    number = len(next(iter(families.values())))
    blocks, break_rows = row["blocks"], row["breakpoints"]
    breakpoints = []
    for place, break_row in enumerate(break_rows):
        with at("breakpoints", place):
            breakpoints.append(
                Breakpoint(
                    _estimate({**break_row, "value": break_row["bytes"]}, blocks, "bytes"),
                    break_row["kind"],
                    _interval(break_row["jump"], blocks, "jump"),
                )
            )
    if len(break_rows) != number - 1:
        raise FormatError(f"{len(break_rows)} breakpoints between {number} pieces")
    algorithms, aggregate = [], []
    for place, algorithm in enumerate(row["algorithms"]):
        with at("algorithms", place):
            algorithms.append(_algorithm(algorithm, blocks))
    for place, all_ranks in enumerate(row["aggregate"]):
        with at("aggregate", place):
            aggregate.append(
                Aggregate(
                    all_ranks["ranks"],
                    _interval(all_ranks["bytes_per_s"], blocks, "bytes_per_s"),
                    _interval(all_ranks["half_bytes"], blocks, "half_bytes"),
                )
            )
    return Model(
        variant=row["variant"],
        pattern=current_label(row["pattern"]),
        buffers=row["buffers"],
        cadence=row["cadence"],
        threads=row["threads"],
        origin=row["origin"],
        whose_time=row["whose_time"],
        ranks=ranks,
        sizes_bytes=sizes,
        blocks=blocks,
        form=_form(row, number),
        pieces=tuple((family, tuple(pieces)) for family, pieces in families.items()),
        breakpoints=tuple(breakpoints),
        residuals=_residuals(row["residuals"], len(ranks), len(sizes)),
        scatter=row["scatter"],
        held_out=row["held_out"],
        algorithms=tuple(algorithms),
        aggregate=tuple(aggregate),
        core_latency_ns=row["domain"]["core_latency_ns"],
        warnings=_warnings(row["warnings"]),
    )


def _warnings(warnings: Sequence[RunWarning]) -> tuple[RunWarning, ...]:
    """Warnings, their codes as they are spelled today."""
    for number, warning in enumerate(warnings):
        with at("warnings", number):
            check_printable(asdict(warning), "code", "cause", "remedy")
    return tuple(restored(warning.code, warning.cause, warning.remedy) for warning in warnings)


def _estimate(row: Mapping[str, Any], blocks: int, name: str = "value") -> Estimate:
    """Estimate of a value and its bounds; `name` is the key of the value."""
    value, low, high = row["value"], row["low"], row["high"]
    if low is None and high is None:
        return Estimate(value, n=blocks)
    if low is None or high is None or not low <= value <= high:
        raise FormatError(f"{name}: the interval {low} to {high} doesn't hold {value}")
    return Estimate(value, low, high, CONFIDENCE, blocks)


def _interval(row: Interval | IntervalRow, blocks: int, name: str) -> Estimate:
    """Estimate below the key `name`; without a value it has no bounds."""
    with at(name):
        return Estimate(math.nan, n=blocks) if row["value"] is None else _estimate(row, blocks)


def _algorithm(row: AlgorithmRow, blocks: int) -> Algorithm:
    if row["name"] is not None:
        check_printable(row, "name")
    bound = row["over_lower_bound"]
    over = None if bound is None else _interval(bound, blocks, "over_lower_bound")
    return Algorithm(
        row["least_bytes"], row["most_bytes"], row["name"], row["confidence"], row["why"], over
    )


def _residuals(row: ResidualsRow | None, ranks: int, sizes: int) -> Residuals | None:
    """Residuals at so many numbers of ranks and sizes."""
    if row is None:
        return None
    if [len(seconds) for seconds in row["seconds"]] != [sizes] * ranks:
        raise FormatError(f"residuals: seconds: has not {ranks} rows of {sizes} numbers")
    return Residuals(np.array(row["seconds"]), row["between_ranks"])


def _form(row: ModelRow, pieces: int) -> ClosedForm:
    return ClosedForm(row["startup"], row["per_byte"], pieces, row["powers_apart"])


def _families(row: ModelRow) -> dict[RankSet, list[Piece]]:
    """Pieces by the ranks that they are for; all families have as many, at the same sizes."""
    form, piece_rows = _form(row, 1), row["pieces"]
    terms = {term.name: term for term in form.terms}
    values: list[list[Coefficient]] = [[] for _ in piece_rows]
    for place, coefficient_row in enumerate(row["coefficients"]):
        with at("coefficients", place):
            if coefficient_row["name"] not in terms:
                raise FormatError(
                    f"name: {shown(coefficient_row['name'])} is none of {', '.join(terms)}"
                )
            whose: int = field(coefficient_row, "piece", whole(0, len(piece_rows) - 1))
            estimate = _estimate(coefficient_row, row["blocks"])
            values[whose].append(Coefficient(terms[coefficient_row["name"]], estimate))
    families: dict[RankSet, list[Piece]] = {}
    for place, (piece, coefficients) in enumerate(zip(piece_rows, values, strict=True)):
        with at("pieces", place, "covariance"):
            sampled = row["scatter"] is not None
            covariance = _covariance(piece["covariance"], len(terms), sampled)
        if tuple(coefficient.term for coefficient in coefficients) != form.terms:
            raise FormatError(f"pieces: one has not the coefficients of {form.name!r}")
        sizes = piece["least_bytes"], piece["most_bytes"]
        families.setdefault(piece["rank_set"], []).append(
            Piece(*sizes, tuple(coefficients), covariance)
        )
    _check_families(families, form)
    if form.powers_apart and len({p.bit_count() == 1 for p in row["ranks"]}) == 1:
        raise FormatError(f"ranks: {shown(list(row['ranks']))} are all powers of two, or none is")
    return families


def _check_families(families: Mapping[RankSet, Sequence[Piece]], form: ClosedForm) -> None:
    """Refuses pieces whose ranks, sizes or number don't match."""
    apart = {RankSet.POWERS_OF_TWO, RankSet.OTHERS}
    if set(families) != (apart if form.powers_apart else {RankSet.ALL}):
        raise FormatError(f"pieces: they are for {', '.join(families) or 'no ranks'}")
    for pieces in families.values():
        places = [(piece.least_bytes, piece.most_bytes) for piece in pieces]
        follow = all(below[1] < above[0] for below, above in pairwise(places))
        if not follow or any(least > most for least, most in places):
            raise FormatError(f"pieces: their sizes {shown(places)} don't follow each other")
    if len({len(pieces) for pieces in families.values()}) > 1:
        raise FormatError("pieces: powers of two have not as many as other numbers of ranks")


def _covariance(rows: Sequence[Sequence[float]], terms: int, sampled: bool) -> Floats:
    """Covariance of the coefficients of so many terms; empty if nothing was sampled."""
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
