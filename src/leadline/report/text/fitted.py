"""What `leadline fit` prints, and what other reports show of closed forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from leadline.compare.origins import labelled
from leadline.models.coefficients import byte_rate, least_rate, least_sum, without_rounding
from leadline.models.fitted import Overview
from leadline.models.model import Break, Breakpoint, Coefficient, Model, NotFitted, Piece, RankSet
from leadline.record.caveats import Caveat
from leadline.record.run import Run
from leadline.report.document import SEPARATOR, Document, Section, Table
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
from leadline.report.text.phrases import MISSING, estimated, listed, plural, rests_on
from leadline.report.text.ratios import in_words
from leadline.statistics.estimate import Estimate
from leadline.units import format_bandwidth, format_rough_size, format_size, format_time

INTERVALS = (
    "Intervals: 95 %, over blocks, of the form as it stands; how far that is off is said by sizes "
    "and numbers of ranks left out."
)
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
    def caveats(self) -> tuple[Caveat, ...]:
        """What is to be said of the models, and then of the run."""
        return (*model_caveats(self.models), *self.run.warnings)


def fitted_document(fitted: Fitted) -> Document:
    """A section a model, then what has none, and warnings."""
    return [
        _title(fitted),
        *map(_model_section, fitted.models),
        *_refused_sections(fitted.refused),
        *note_sections([], fitted.caveats),
    ]


def _title(fitted: Fitted) -> Section:
    started = fitted.run.provenance.started or ""
    parts = [f"{fitted.run.path}: closed forms", fitted.run.machine.host or ""]
    heading = SEPARATOR.join(filter(None, [*parts, started[:16].replace("T", " ")]))
    notes = [INTERVALS] * any(one.has_intervals for one in fitted.models)
    notes += ["p is the number of ranks."] * any(len(one.ranks) > 1 for one in fitted.models)
    notes += condition_notes(fitted.models, fitted.run.path)
    return Section(heading, notes=tuple(notes))


def _model_section(model: Model) -> Section:
    parts = [
        model.pattern,
        model.label,
        model.form.name,
        ranks_words(model.ranks),
        *[plural(model.blocks, "block")] * (model.blocks > 0),
        *[f"{model.buffers} buffers"] * _has_sizes(model),
    ]
    return Section(SEPARATOR.join(parts), _pieces_table(model), tuple(model_sentences(model)))


def _pieces_table(model: Model) -> Table:
    """A row a piece of each family: its sizes, its coefficients, and what ends it."""
    rows = [row for family, pieces in model.pieces for row in _piece_rows(model, family, pieces)]
    names = [f"{one.name}\na byte" if one.per_byte else one.name for one in model.form.terms]
    columns = ("ranks", "sizes", *names, "rate", "ends with")
    shown = [
        column
        for column, name in enumerate(columns)
        if name not in ("ranks", "rate", "ends with", *["sizes"] * (not _has_sizes(model)))
        or any(row[column] not in (MISSING, _RANK_SETS[RankSet.ALL]) for row in rows)
    ]
    return Table(
        tuple(columns[i] for i in shown), tuple(tuple(row[i] for i in shown) for row in rows)
    )


def _has_sizes(model: Model) -> bool:
    return model.sizes_bytes != (0,)


def _piece_rows(
    model: Model, family: RankSet, pieces: Sequence[Piece]
) -> Iterator[tuple[str, ...]]:
    for number, found in enumerate(pieces):
        piece = without_rounding(found, model.ranks[-1])
        ends = _end(model.breakpoints[number]) if number < len(model.breakpoints) else MISSING
        sizes = dict.fromkeys(map(format_size, (piece.least_bytes, piece.most_bytes)))
        coefficients = [_coefficient(one, model) for one in piece.coefficients]
        sized = " to ".join(sizes) if _has_sizes(model) else MISSING
        yield _RANK_SETS[family], sized, *coefficients, _rate(piece, model), ends


def _end(found: Breakpoint) -> str:
    """E.g. "protocol switch at 11 KiB (8 KiB to 16 KiB), 1.4x (1.3 to 1.5) the time".

    A jump that may as well be none isn't told.
    """
    words = breakpoint_words(found)
    if found.jump.bounds is not None and found.jump.holds(1.0):
        return words
    times = in_words(found.jump)
    bounds = f" ({times.bounds})" * bool(times.bounds)
    return f"{words}, {times.value}x{bounds} the time"


def _coefficient(one: Coefficient, model: Model) -> str:
    return _with_interval(one.value, byte_time if one.term.per_byte else format_time, model)


def _with_interval(found: Estimate, words: Callable[[float], str], model: Model) -> str:
    return estimated(found, words, _basis(model))


def _basis(model: Model) -> str:
    return rests_on(model.blocks, (model.origin,))


def _rate(piece: Piece, model: Model) -> str:
    """One over the time of a byte, where bytes surely cost any; else what they reach at least."""
    found = byte_rate(piece, model.ranks[0])
    if found is not None:
        return _with_interval(found, format_bandwidth, model)
    least = least_rate(piece)
    return MISSING if least is None else f"at least {format_bandwidth(least)}"


def _refused_sections(refused: Sequence[NotFitted]) -> Iterator[Section]:
    if refused:
        yield Section("not fitted", notes=refused_notes(refused))


def model_caveats(models: Sequence[Model]) -> list[Caveat]:
    """What is to be said of models, one of each code: the first one's cause, and how many more."""
    by_code: dict[str, list[tuple[Model, Caveat]]] = {}
    for model in models:
        for caveat in model.caveats:
            by_code.setdefault(caveat.code, []).append((model, caveat))
    return [_together(found) for found in by_code.values()]


def _together(found: Sequence[tuple[Model, Caveat]]) -> Caveat:
    model, caveat = found[0]
    more = f"; and {plural(len(found) - 1, 'more model')}" * (len(found) > 1)
    return replace(caveat, cause=f"{model.label}, {model.pattern}: {caveat.cause}{more}")


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


def fitted_sections(models: Sequence[Model | NotFitted]) -> Iterator[Section]:
    """A table for each pattern and its ranks, a row a variant, and what each one says."""
    together: dict[tuple[str, tuple[int, ...]], list[Model]] = {}
    for one in models:
        if isinstance(one, Model):
            together.setdefault((one.pattern, one.ranks), []).append(one)
    for (pattern, ranks), members in together.items():
        rows = [_row(one) for one in members]
        shown = [0, 1, *(i for i in range(2, 7) if any(row[i] != MISSING for row in rows))]
        table = Table(
            tuple(COLUMNS[i] for i in shown), tuple(tuple(row[i] for i in shown) for row in rows)
        )
        heading = SEPARATOR.join([pattern, "closed form", ranks_words(ranks)])
        yield Section(heading, table, tuple(map(form_sentence, members)))


def _row(model: Model) -> tuple[str, ...]:
    one_curve = len(model.ranks) == 1
    pieces = model.pieces[0][1]
    latency = _with_interval(pieces[0].latency_s, format_time, model) if one_curve else MISSING
    return (
        labelled(model.variant, model.origin),
        model.form.name,
        latency,
        _rate(pieces[-1], model) if one_curve else MISSING,
        _breakpoints(model) or MISSING,
        off(model.held_out.median_error) if model.held_out else MISSING,
        _algorithms(model),
    )


def _breakpoints(model: Model) -> str:
    """E.g. "protocol switch at 314 B and 3.5 KiB; cache edge at 1.4 MiB"; sentences have bounds."""
    sizes: dict[Break, list[str]] = {}
    for one in model.breakpoints:
        sizes.setdefault(one.kind, []).append(format_rough_size(one.bytes.value))
    return "; ".join(f"{kind} at {listed(each)}" for kind, each in sizes.items())


def _algorithms(model: Model) -> str:
    """By size, each once; that all are undecided is no news in a table."""
    if not any(one.name for one in model.algorithms):
        return MISSING
    return ", ".join(dict.fromkeys(one.name or "undecided" for one in model.algorithms))


def form_sections(forms: Overview) -> Iterator[Section]:
    """Tables and sentences; nothing of what was refused."""
    yield from fitted_sections(forms.models)
    notes = list(_doubts(forms.found))
    if forms.left_out:
        pairs = f"{forms.left_out:,} {'more ' * bool(forms.found)}pairs of pattern and variant"
        notes += [
            f"{pairs} aren't fitted here: `leadline fit RUN` fits all, --pattern P some of them."
        ]
    if notes:
        yield Section("closed forms", notes=tuple(notes))


def _doubts(models: Sequence[Model]) -> Iterator[str]:
    """That forms of fewer blocks than intervals take are no findings, and what gives it away."""
    few = [one for one in models if not one.has_intervals and one.blocks]
    if few:
        numbers = sorted({one.blocks for one in few})
        several = f"{numbers[0]} to " * (len(numbers) > 1)
        below = ", and start-ups below nought that they are not" * any(map(_is_below, few))
        yield (
            f"Forms of {several}{plural(numbers[-1], 'block')} have no intervals: nothing tells "
            f"how sure they are{below}. Measure six blocks or more before you go by them."
        )


def _is_below(model: Model) -> bool:
    """Whether a start-up of some piece is less than nought."""
    pieces = [piece for _, each in model.pieces for piece in each]
    return any(least_sum(piece, model.ranks, per_byte=False) < 0 for piece in pieces)
