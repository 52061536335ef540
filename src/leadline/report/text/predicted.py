"""What `leadline predict` prints of operations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.backends.kinds import is_raw
from leadline.models.model import NotFitted
from leadline.models.points import PredictedTime, Predictions, RanksAndSize, fastest
from leadline.record.caveats import Caveat
from leadline.record.run import Origin
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.closed_forms import condition_notes, refused_notes
from leadline.report.text.fitted import model_caveats
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import MISSING, bounds_words, listed, plural, rests_on
from leadline.units import format_size, format_time

EXTRAPOLATED, FLOORED = "*", "†"
"""Behind times that stand for more than was measured, or for what a form says."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """Predictions of one pattern by the models of a file."""

    model: str
    """The file."""
    run: str
    """That it was fitted to."""
    found: Predictions
    damage: tuple[Caveat, ...] = ()
    """What of that run wasn't whole."""

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What is to be said of the run, of the predictions, and of the models."""
        return (*self.damage, *self.found.caveats, *model_caveats(self.found.models))


def predicted_document(predicted: Predicted) -> Document:
    """A row a number of ranks and size, a column a model; then what isn't known, and warnings."""
    found = predicted.found
    return [
        Section(
            _heading(predicted),
            _table(found.points),
            (
                *_notes(found),
                *_fastest(found.points),
                *condition_notes(found.models, predicted.run),
            ),
        ),
        *_unknown_sections(found.unknown),
        *note_sections([], predicted.caveats),
    ]


def _heading(predicted: Predicted) -> str:
    pattern = predicted.found.points[0].pattern
    return SEPARATOR.join(
        [f"{predicted.model}: {pattern}, predicted", f"fitted to {predicted.run}"]
    )


def _notes(found: Predictions) -> Iterator[str]:
    points = found.points
    if any(one.seconds.bounds for one in points):
        alone = any(one.scatter and one.scatter.runs_apart is None for one in found.models)
        hour = " of the same hour" if alone else ""
        yield f"Intervals: the median of a new campaign{hour} lies within in 95 of 100."
    if any(one.extrapolated for one in points):
        yield f"{EXTRAPOLATED}: outside of the sizes or numbers of ranks that were fitted."
    if any(one.floored for one in points):
        yield (
            f"{FLOORED}: the form falls below the shortest time of its piece, which stands in its "
            "place."
        )


MOST_NAMED = 4
"""Places that are named; of more their number."""


def _fastest(points: Sequence[PredictedTime]) -> Iterator[str]:
    """E.g. "Fastest, its interval below all others': mpich at 8 B; not told at 1 MiB."."""
    raw = dict.fromkeys(one.label for one in points if is_raw(one.variant))
    found = fastest([one for one in points if not is_raw(one.variant)])
    every = [place for one in found for place in one.places]
    told = [f"{one.label} {_at(one.places, every)}" for one in found if one.label]
    untold = [f"not told {_at(one.places, every)}" for one in found if not one.label]
    if told:
        yield f"Fastest, its interval below all others': {'; '.join([*told, *untold])}."
    elif untold:
        all_known = all(one.seconds.bounds for one in points if one.origin is Origin.MEASURED)
        why = "no interval lies below all others'" if all_known else "not all have intervals"
        yield f"Which is the fastest can't be told: {why}."
    if raw and found:
        what = "limits" if len(raw) > 1 else "a limit"
        yield f"Not among them: {listed(raw)}, {what} and no competitor{'s' * (len(raw) > 1)}."


def _at(places: Sequence[RanksAndSize], every: Sequence[RanksAndSize]) -> str:
    """E.g. "at 8 B and 64 KiB", "on 4 ranks", "at 8 B on 4 ranks", "at 12 of 20 places"."""
    if len(places) > MOST_NAMED:
        return f"at {len(places):,} of {len(every):,} places"
    if len({p for p, _ in every}) == 1:
        return f"at {listed(format_size(size) for _, size in places)}"
    if {size for _, size in every} == {0}:
        return f"on {listed(f'{p:,}' for p, _ in places)} ranks"
    return listed(f"at {format_size(size)} on {p:,} ranks" for p, size in places)


def _table(points: Sequence[PredictedTime]) -> Table:
    names = _columns(points)
    cells = {(one.ranks, one.size_bytes, _kind(one)): _cell(one) for one in points}
    places = dict.fromkeys((one.ranks, one.size_bytes) for one in points)
    rows = [
        (f"{p:,}", format_size(size), *(cells.get((p, size, kind), MISSING) for kind in names))
        for p, size in places
    ]
    columns = ("ranks", "size", *names.values())
    if all(size == 0 for _, size in places):  # of a pattern without a size
        rows = [(row[0], *row[2:]) for row in rows]
        columns = (columns[0], *columns[2:])
    return Table(columns, tuple(rows))


def _kind(one: PredictedTime) -> tuple[str, str, str, int]:
    return one.label, one.buffers, one.cadence, one.threads


def _columns(points: Sequence[PredictedTime]) -> dict[tuple[str, str, str, int], str]:
    """The name of each model; where a variant has several, with what tells them apart."""
    kinds = dict.fromkeys(map(_kind, points))
    labels = Counter(label for label, *_ in kinds)
    return {
        (label, buffers, cadence, threads): label
        if labels[label] == 1
        else f"{label}\n{buffers} buffers, {cadence}, {plural(threads, 'thread')}"
        for label, buffers, cadence, threads in kinds
    }


def _cell(one: PredictedTime) -> str:
    """E.g. "9.10 us (8.20 us to 10.1 us)*"; without an interval what it rests on."""
    value = format_time(one.seconds.value)
    mark = EXTRAPOLATED * one.extrapolated + FLOORED * one.floored
    if one.seconds.bounds is None:
        return f"{value}{mark}, {rests_on(one.seconds.n, (one.origin,))}, no interval"
    return f"{value} ({bounds_words(one.seconds, format_time)}){mark}"


def _unknown_sections(unknown: Sequence[NotFitted]) -> Iterator[Section]:
    if unknown:
        yield Section("not predicted", notes=refused_notes(unknown))
