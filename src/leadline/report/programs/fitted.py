"""Closed forms for programs: the model file, which `leadline predict` reads, and rows of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from leadline.models.forms import Scaling
from leadline.models.model import (
    Algorithm,
    Break,
    Breakpoint,
    Model,
    NotFitted,
    Piece,
    RankSet,
    Residuals,
    Scatter,
)
from leadline.models.reading import VERSION
from leadline.record.caveats import Caveat
from leadline.record.run import Origin, Run, WhoseTime
from leadline.report.programs.rows import comments, row_of
from leadline.report.records import Records, records_of
from leadline.report.text.closed_forms import model_sentences
from leadline.report.text.conditions import condition_notes
from leadline.report.text.fitted import Fitted
from leadline.report.text.refused import refused_notes
from leadline.statistics.estimate import Estimate


class FittedRun(TypedDict):
    """What was fitted, and where it was measured."""

    run: str
    """Its directory."""
    leadline: str | None
    """The version that measured it; null, here as below: it doesn't say."""
    started: str | None
    host: str | None
    processor: str | None
    versions: Mapping[str, str]
    """Of each variant's library."""


class CoefficientRow(TypedDict):
    """The factor of one term of one piece."""

    piece: int
    """Its index in `pieces`."""
    name: str
    """Of the term: t0 of the start-up, D of the time of a byte, each alone or times p or log2 p."""
    value: float
    low: float | None
    """Of the 95 % interval; null: too few blocks for one, or none."""
    high: float | None
    unit: str


class PieceRow(TypedDict):
    """A range of sizes in which one set of coefficients holds."""

    rank_set: RankSet
    """The numbers of ranks that it is for."""
    least_bytes: int
    """The smallest size fitted."""
    most_bytes: int
    """The largest."""
    covariance: Sequence[Sequence[float]]
    """Of its coefficients, over blocks; empty: there are no intervals."""


class IntervalRow(TypedDict):
    """A number with its interval."""

    value: float | None
    """Null: there is none."""
    low: float | None
    """Of the 95 % interval; null: too few blocks for one, or none."""
    high: float | None


class BreakpointRow(TypedDict):
    """Where one piece ends and the next begins; of all families the same."""

    bytes: float
    low: float | None
    """Of the 95 % interval; null: too few blocks for one, or none."""
    high: float | None
    kind: Break
    jump: IntervalRow
    """Time of the piece above over that of the piece below, there, at the most ranks."""


class AlgorithmRow(TypedDict):
    """Which algorithm a library appears to use in a range of sizes."""

    least_bytes: int
    most_bytes: int
    name: str | None
    """Null: undecided."""
    confidence: float | None
    """Share of resampled campaigns in which it fits best; null: nothing was resampled."""
    why: str
    over_lower_bound: IntervalRow | None
    """Time over the least that any algorithm takes, at the most ranks and the largest size there;
    null: what a message takes between two ranks isn't known."""


class MisfitRow(TypedDict):
    """How far truth lies from predictions beyond noise, by what was held out."""

    deviation: float
    """Standard deviation, in natural logarithms."""
    quantile: float
    """Of Student's t, for 95 %."""


class ApartRow(TypedDict):
    """How far runs of a machine lie apart, beyond what their blocks show."""

    deviation: float
    """Standard deviation of a run's level, in natural logarithms."""
    quantile: float
    """Of Student's t, for 95 %."""
    runs: int
    """That show it; 0: it was stated."""


class ScatterRow(TypedDict):
    """How far a new campaign's median lies from what is predicted."""

    noise: float
    """Standard error of a campaign's median in one cell, in natural logarithms."""
    between_sizes: MisfitRow
    """At the numbers of ranks fitted, and sizes from the least to the most."""
    between_ranks: MisfitRow
    """At numbers of ranks in between: no less than between sizes."""
    outside: MisfitRow
    """Of the form alone."""
    runs_apart: ApartRow | None
    """Null: nobody knows, and intervals are of a campaign of the same hour."""


class ResidualsRow(TypedDict):
    """What a form lacks at the points that it was fitted to, which predictions add."""

    seconds: Sequence[Sequence[float]]
    """What is no noise of medians less the form, by ranks and size; 0: nothing was measured."""
    between_ranks: float
    """Which share of it, 0 to 1, is added at numbers of ranks in between."""


class HeldOutRow(TypedDict):
    """Relative errors at sizes and numbers of ranks that were left out, shares of 1."""

    median_error: float
    p90_error: float
    form_error: float
    """The median error of the form alone."""
    baseline_error: float
    """The median error of the constant."""
    baseline_p90_error: float


class AggregateRow(TypedDict):
    """What all ranks together deliver at one number of them, in the limit of long messages."""

    ranks: int
    bytes_per_s: IntervalRow
    half_bytes: IntervalRow
    """The size from which on half of it is reached for good; 0: every size does."""


class DomainRow(TypedDict):
    """What was fitted; a prediction outside of it is an extrapolation."""

    least_ranks: int
    most_ranks: int
    least_bytes: int
    most_bytes: int
    handover_ns: float | None
    """A cache line's round trip between the ranks' cores; null: it isn't known. Times are others
    where it takes twice or half as long."""


class ModelRow(TypedDict):
    """The closed form of one variant and pattern."""

    variant: str
    origin: Origin
    """Of what it was fitted to."""
    pattern: str
    """With its options."""
    buffers: str
    cadence: str
    threads: int
    whose_time: WhoseTime
    """How the times of all ranks became one."""
    ranks: Sequence[int]
    """Fitted; one: it holds for this number alone."""
    sizes_bytes: Sequence[int]
    blocks: int
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
    scatter: ScatterRow | None
    """Null: there are no intervals."""
    held_out: HeldOutRow | None
    """Null: too few sizes to leave any out."""
    domain: DomainRow
    warnings: Sequence[Caveat]
    sentence: str
    """What the model says, and where it doesn't hold."""


class RefusedRow(TypedDict):
    """What no model is fitted to, and why."""

    variant: str
    pattern: str
    reason: str


class FittedContent(TypedDict):
    """A model file."""

    leadline_model: int
    """The version of the format."""
    run: FittedRun
    models: Sequence[ModelRow]
    refused: Sequence[RefusedRow]
    warnings: Sequence[Caveat]


def fitted_content(fitted: Fitted) -> FittedContent:
    """The model file of a run."""
    return {
        "leadline_model": VERSION,
        "run": _run(fitted.run),
        "models": [model_row(one) for one in fitted.models],
        "refused": [refused_row(one) for one in fitted.refused],
        "warnings": fitted.caveats,
    }


def _run(run: Run) -> FittedRun:
    provenance, machine = run.provenance, run.machine
    return {
        "run": run.path,
        "leadline": provenance.leadline,
        "started": provenance.started,
        "host": machine.host,
        "processor": machine.cpu,
        "versions": {one.variant: one.version for one in run.configurations},
    }


def model_row(model: Model) -> ModelRow:
    """One model."""
    pieces = [(family, piece) for family, pieces in model.pieces for piece in pieces]
    algorithms = [_algorithm(one) for one in model.algorithms]
    return row_of(
        ModelRow,
        model,
        form=model.form.name,
        startup=model.form.startup,
        per_byte=model.form.per_byte,
        powers_apart=model.form.powers_apart,
        pieces=[_piece(*one) for one in pieces],
        coefficients=[row for place, (_, one) in enumerate(pieces) for row in _rows(place, one)],
        breakpoints=[_breakpoint(one) for one in model.breakpoints],
        algorithm=algorithms[-1] if algorithms else None,
        algorithms=algorithms,
        aggregate=[
            row_of(
                AggregateRow,
                one,
                bytes_per_s=_interval(one.bytes_per_s),
                half_bytes=_interval(one.half_bytes),
            )
            for one in model.aggregate
        ],
        residuals=model.residuals and _residuals(model.residuals),
        scatter=model.scatter and _scatter(model.scatter),
        held_out=model.held_out and row_of(HeldOutRow, model.held_out),
        domain=_domain(model),
        warnings=model.caveats,
        sentence=" ".join([*model_sentences(model), *condition_notes([model], "RUN")]),
    )


def _residuals(residuals: Residuals) -> ResidualsRow:
    return row_of(ResidualsRow, residuals, seconds=residuals.seconds.tolist())


def _scatter(scatter: Scatter) -> ScatterRow:
    misfits = {
        name: row_of(MisfitRow, getattr(scatter, name))
        for name in ("between_sizes", "between_ranks", "outside")
    }
    apart = scatter.runs_apart and row_of(ApartRow, scatter.runs_apart)
    return row_of(ScatterRow, scatter, runs_apart=apart, **misfits)


def refused_row(one: NotFitted) -> RefusedRow:
    """What has no model."""
    return row_of(RefusedRow, one)


def _domain(model: Model) -> DomainRow:
    return {
        "least_ranks": model.ranks[0],
        "most_ranks": model.ranks[-1],
        "least_bytes": model.sizes_bytes[0],
        "most_bytes": model.sizes_bytes[-1],
        "handover_ns": model.handover_ns,
    }


def _piece(family: RankSet, piece: Piece) -> PieceRow:
    return row_of(PieceRow, piece, rank_set=family, covariance=piece.covariance.tolist())


def _rows(place: int, piece: Piece) -> Iterator[CoefficientRow]:
    for one in piece.coefficients:
        yield {
            "piece": place,
            "name": one.term.name,
            "value": one.value.value,
            "low": one.value.low,
            "high": one.value.high,
            "unit": one.term.unit,
        }


def _breakpoint(found: Breakpoint) -> BreakpointRow:
    at = found.bytes
    return {
        "bytes": at.value,
        "low": at.low,
        "high": at.high,
        "kind": found.kind,
        "jump": _interval(found.jump),
    }


def _interval(found: Estimate) -> IntervalRow:
    return {"value": found.known, "low": found.low, "high": found.high}


def _algorithm(found: Algorithm) -> AlgorithmRow:
    bound = found.over_lower_bound
    return row_of(AlgorithmRow, found, over_lower_bound=bound and _interval(bound))


# -- rows ------------------------------------------------------------------------------------------

COLUMNS = (
    "variant", "origin", "pattern", "buffers", "cadence", "ranks", "blocks", "form", "rank_set",
    "least_bytes", "most_bytes", "name", "value", "low", "high", "unit",
)  # fmt: skip


def fitted_records(fitted: Fitted) -> Records:
    """A row a coefficient; comments say what each model does, and what has none."""
    rows = [row for model in fitted.models for row in _records(model_row(model))]
    said = [" ".join(model_sentences(one)) for one in fitted.models]
    said += condition_notes(fitted.models, fitted.run.path)
    refused = [f"not fitted: {note}" for note in refused_notes(fitted.refused)]
    return records_of(COLUMNS, rows, [*said, *refused, *comments([], fitted.caveats)])


def _records(model: ModelRow) -> Iterator[dict[str, object]]:
    for one in model["coefficients"]:
        yield {**model, "ranks": list(model["ranks"]), **model["pieces"][one["piece"]], **one}
