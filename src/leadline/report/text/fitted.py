"""What `leadline fit` prints, and what other reports show of closed forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from leadline.compare.origins import labelled
from leadline.models.coefficients import byte_rate, least_rate, least_sum, without_rounding
from leadline.models.fitted import Overview
from leadline.models.model import Break, Breakpoint, Model, NotFitted, Piece, RankSet
from leadline.record.run import Run
from leadline.record.warnings import RunWarning
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.catalogue import FormWords
from leadline.report.text.closed_forms import (
    breakpoint_words,
    byte_time,
    condition_notes,
    form_sentence,
    model_sentences,
    off,
    ranks_words,
    refused_notes,
)
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import MISSING, estimated, listed, minute, plural, rests_on
from leadline.report.text.ratios import in_words
from leadline.statistics.estimate import Estimate
from leadline.units import format_bandwidth, format_rough_size, format_size, format_time

_RANK_SETS = {
    RankSet.ALL: "all",
    RankSet.POWERS_OF_TWO: "powers of two",
    RankSet.OTHERS: "others",
}


@dataclass(frozen=True, slots=True)
class Fitted:
    """The closed forms of a run."""

    run: Run
    models: Sequence[Model]
    refused: Sequence[NotFitted]

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """Warnings of the models, then of the run."""
        return (*model_warnings(self.models), *self.run.warnings)


def fitted_document(fitted: Fitted) -> Document:
    """A section for each model, then what could not be fitted, and warnings."""
    parts = [f"{fitted.run.path}: closed forms", fitted.run.machine.host or ""]
    heading = SEPARATOR.join(filter(None, [*parts, minute(fitted.run.provenance.started or "")]))
    notes = [FormWords.INTERVALS()] * any(model.has_intervals for model in fitted.models)
    notes += [FormWords.P_IS_RANKS()] * any(len(model.ranks) > 1 for model in fitted.models)
    notes += condition_notes(fitted.models, fitted.run.path)
    refused = Section("not fitted", notes=refused_notes(fitted.refused))
    return [
        Section(heading, notes=tuple(notes)),
        *map(_model_section, fitted.models),
        *[refused] * bool(fitted.refused),
        *note_sections([], fitted.warnings),
    ]


def _model_section(model: Model) -> Section:
    """A table with a row for each piece of each family of ranks, and what the model says."""
    sized = model.sizes_bytes != (0,)
    parts = [
        model.pattern,
        model.label,
        model.form.name,
        ranks_words(model.ranks),
        *[plural(model.blocks, "block")] * (model.blocks > 0),
        *[f"{model.buffers} buffers"] * sized,
    ]
    rows: list[tuple[str, ...]] = []
    for family, pieces in model.pieces:
        for number, found in enumerate(pieces):
            piece = without_rounding(found, model.ranks[-1])
            sizes = dict.fromkeys(map(format_size, (piece.least_bytes, piece.most_bytes)))
            coefficients = (
                _with_interval(
                    coefficient.value,
                    byte_time if coefficient.term.per_byte else format_time,
                    model,
                )
                for coefficient in piece.coefficients
            )
            ends = number < len(model.breakpoints)
            rows.append(
                (
                    _RANK_SETS[family],
                    " to ".join(sizes) if sized else MISSING,
                    *coefficients,
                    _rate(piece, model),
                    _end(model.breakpoints[number]) if ends else MISSING,
                )
            )
    names = [f"{term.name}\na byte" if term.per_byte else term.name for term in model.form.terms]
    columns = ("ranks", "sizes", *names, "rate", "ends with")
    optional = {"ranks", "rate", "ends with", *["sizes"] * (not sized)}
    shown = [
        column
        for column, name in enumerate(columns)
        if name not in optional
        or any(row[column] not in (MISSING, _RANK_SETS[RankSet.ALL]) for row in rows)
    ]
    table = Table(columns, tuple(rows)).only(shown)
    return Section(SEPARATOR.join(parts), table, tuple(model_sentences(model)))


def _end(breakpoint: Breakpoint) -> str:
    """E.g. "protocol switch at 11 KiB (8 KiB to 16 KiB), 1.4x (1.3 to 1.5) the time".

    A jump whose interval contains 1 isn't shown.
    """
    words = breakpoint_words(breakpoint)
    if breakpoint.jump.bounds is not None and breakpoint.jump.holds(1.0):
        return words
    times = in_words(breakpoint.jump)
    bounds = f" ({times.bounds})" * bool(times.bounds)
    return f"{words}, {times.value}x{bounds} the time"


def _with_interval(estimate: Estimate, words: Callable[[float], str], model: Model) -> str:
    return estimated(estimate, words, rests_on(model.blocks, (model.origin,)))


def _rate(piece: Piece, model: Model) -> str:
    """The inverse of the time of a byte, where bytes surely cost any; else what is reached."""
    estimate = byte_rate(piece, model.ranks[0])
    if estimate is not None:
        return _with_interval(estimate, format_bandwidth, model)
    least = least_rate(piece)
    return MISSING if least is None else f"at least {format_bandwidth(least)}"


def model_warnings(models: Sequence[Model]) -> list[RunWarning]:
    """One warning for each code: the cause in the first model, and the number of others."""
    by_code: dict[str, list[tuple[Model, RunWarning]]] = {}
    for model in models:
        for warning in model.warnings:
            by_code.setdefault(warning.code, []).append((model, warning))
    together: list[RunWarning] = []
    for (model, warning), *others in by_code.values():
        more = f"; and {plural(len(others), 'more model')}" * bool(others)
        cause = f"{model.label}, {model.pattern}: {warning.cause}{more}"
        together.append(replace(warning, cause=cause))
    return together


# -- in other reports ------------------------------------------------------------------------------

COLUMNS = (
    "",
    "form",
    "latency",
    "rate of\nlong messages",
    "breakpoints",
    "off by, where\nleft out",
    "algorithm",
)


def form_sections(forms: Overview) -> Iterator[Section]:
    """The closed forms that a report on a run shows unasked, and how to get those that it doesn't.

    Tables and sentences, and warnings of forms with fewer blocks than intervals take; what could
    not be fitted isn't mentioned.
    """
    yield from fitted_sections(forms.models)
    notes: list[str] = []
    if few := [model for model in forms.found if not model.has_intervals and model.blocks]:
        numbers = sorted({model.blocks for model in few})
        negative = any(
            least_sum(piece, model.ranks, per_byte=False) < 0
            for model in few
            for _, pieces in model.pieces
            for piece in pieces
        )
        notes.append(
            FormWords.FEW_BLOCKS(
                least=str(numbers[0]) if len(numbers) > 1 else None,
                most=numbers[-1],
                negative=negative,
            )
        )
    if forms.left_out:
        notes.append(FormWords.LEFT_OUT(number=forms.left_out, more=bool(forms.found)))
    if notes:
        yield Section("closed forms", notes=tuple(notes))


def fitted_sections(models: Sequence[Model | NotFitted]) -> Iterator[Section]:
    """A table for each pattern and its ranks, a row a variant, and the forms as sentences.

    Breakpoints are given without their intervals, which the sentences have: "protocol switch at
    314 B and 3.5 KiB; cache edge at 1.4 MiB". Algorithms stand by size, each once; none where all
    are undecided.
    """
    together: dict[tuple[str, tuple[int, ...]], list[Model]] = {}
    for each in models:
        if isinstance(each, Model):
            together.setdefault((each.pattern, each.ranks), []).append(each)
    for (pattern, ranks), members in together.items():
        one_curve = len(ranks) == 1
        rows: list[tuple[str, ...]] = []
        for model in members:
            pieces = model.pieces[0][1]
            breakpoints: dict[Break, list[str]] = {}
            for breakpoint in model.breakpoints:
                breakpoints.setdefault(breakpoint.kind, []).append(
                    format_rough_size(breakpoint.bytes.value)
                )
            breaks = "; ".join(f"{kind} at {listed(at)}" for kind, at in breakpoints.items())
            algorithms = dict.fromkeys(
                algorithm.name or "undecided" for algorithm in model.algorithms
            )
            decided = any(algorithm.name for algorithm in model.algorithms)
            latency = pieces[0].latency_s
            rows.append(
                (
                    labelled(model.variant, model.origin),
                    model.form.name,
                    _with_interval(latency, format_time, model) if one_curve else MISSING,
                    _rate(pieces[-1], model) if one_curve else MISSING,
                    breaks or MISSING,
                    off(model.held_out.median_error) if model.held_out else MISSING,
                    ", ".join(algorithms) if decided else MISSING,
                )
            )
        shown = [0, 1, *(i for i in range(2, 7) if any(row[i] != MISSING for row in rows))]
        table = Table(COLUMNS, tuple(rows)).only(shown)
        heading = SEPARATOR.join([pattern, "closed form", ranks_words(ranks)])
        yield Section(heading, table, tuple(map(form_sentence, members)))
