"""Closed forms for programs: the model file, which `leadline predict` reads, and rows of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from leadline.models import file
from leadline.models.file import VERSION, ModelRow
from leadline.models.model import Model, NotFitted
from leadline.record.run import Run
from leadline.record.warnings import RunWarning
from leadline.report.programs.rows import comments, row_of
from leadline.report.records import Records, records_of
from leadline.report.text.closed_forms import condition_notes, model_sentences, refused_notes
from leadline.report.text.fitted import Fitted


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
    warnings: Sequence[RunWarning]


def fitted_content(fitted: Fitted) -> FittedContent:
    """The model file of a run."""
    return {
        "leadline_model": VERSION,
        "run": _run(fitted.run),
        "models": [model_row(model) for model in fitted.models],
        "refused": [refused_row(not_fitted) for not_fitted in fitted.refused],
        "warnings": fitted.warnings,
    }


def _run(run: Run) -> FittedRun:
    provenance, machine = run.provenance, run.machine
    return {
        "run": run.path,
        "leadline": provenance.leadline,
        "started": provenance.started,
        "host": machine.host,
        "processor": machine.cpu,
        "versions": {
            configuration.variant: configuration.version for configuration in run.configurations
        },
    }


def model_row(model: Model) -> ModelRow:
    """One model."""
    sentences = [*model_sentences(model), *condition_notes([model], "RUN")]
    return file.model_row(model, " ".join(sentences))


def refused_row(fitted: NotFitted) -> RefusedRow:
    """What has no model."""
    return row_of(RefusedRow, fitted)


# -- rows ------------------------------------------------------------------------------------------

COLUMNS = (
    "variant", "origin", "pattern", "buffers", "cadence", "ranks", "blocks", "form", "rank_set",
    "least_bytes", "most_bytes", "name", "value", "low", "high", "unit",
)  # fmt: skip


def fitted_records(fitted: Fitted) -> Records:
    """A row a coefficient; comments say what each model does, and what has none."""
    rows = [row for model in fitted.models for row in _records(model_row(model))]
    sentences = [" ".join(model_sentences(model)) for model in fitted.models]
    sentences += condition_notes(fitted.models, fitted.run.path)
    refused = [f"not fitted: {note}" for note in refused_notes(fitted.refused)]
    return records_of(COLUMNS, rows, [*sentences, *refused, *comments([], fitted.warnings)])


def _records(model: ModelRow) -> Iterator[dict[str, object]]:
    for one in model["coefficients"]:
        yield {**model, "ranks": list(model["ranks"]), **model["pieces"][one["piece"]], **one}
