"""Predicted times of operations, as `leadline predict` prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.backends.kinds import is_raw
from leadline.models.points import PredictedTime, Predictions, RanksAndSize, fastest
from leadline.record.run import Origin
from leadline.record.warnings import RunWarning
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.catalogue import PredictionWords
from leadline.report.text.closed_forms import condition_notes, refused_notes
from leadline.report.text.fitted import model_warnings
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import MISSING, bounds_words, listed, plural, rests_on
from leadline.units import format_size, format_time

EXTRAPOLATED, FLOORED = "*", "†"
"""Marks of times outside of what was measured, and of times used instead of a form's."""
MOST_NAMED = 4
"""Places that are listed one by one; more are counted."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """Predictions of one pattern by the models of a file."""

    model: str
    """The file."""
    run: str
    """The run that its models were fitted to."""
    found: Predictions
    damage: tuple[RunWarning, ...] = ()
    """Warnings of what is missing of that run."""

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """Warnings of the run, of the predictions, and of the models."""
        return (*self.damage, *self.found.warnings, *model_warnings(self.found.models))


def predicted_document(predicted: Predicted) -> Document:
    """A row a number of ranks and size, a column a model; then what isn't known, and warnings."""
    predictions, points = predicted.found, predicted.found.points
    heading = SEPARATOR.join(
        [f"{predicted.model}: {points[0].pattern}, predicted", f"fitted to {predicted.run}"]
    )
    notes: list[str] = []
    if any(point.seconds.bounds for point in points):
        alone = any(
            model.scatter and model.scatter.runs_apart is None for model in predictions.models
        )
        notes.append(PredictionWords.INTERVALS(same_hour=alone))
    if any(point.extrapolated for point in points):
        notes.append(PredictionWords.EXTRAPOLATED(mark=EXTRAPOLATED))
    if any(point.floored for point in points):
        notes.append(PredictionWords.FLOORED(mark=FLOORED))
    notes += [*_fastest(points), *condition_notes(predictions.models, predicted.run)]
    unknown = Section("not predicted", notes=refused_notes(predictions.unknown))
    return [
        Section(heading, _table(points), tuple(notes)),
        *[unknown] * bool(predictions.unknown),
        *note_sections([], predicted.warnings),
    ]


def _fastest(points: Sequence[PredictedTime]) -> Iterator[str]:
    """Who is the fastest where; raw transports are limits, which take no part.

    E.g. "Fastest, its interval below all others': mpich at 8 B; not told at 1 MiB.".
    """
    raw = dict.fromkeys(point.label for point in points if is_raw(point.variant))
    leaders = fastest([point for point in points if not is_raw(point.variant)])
    every = [place for leader in leaders for place in leader.places]
    decided = [f"{leader.label} {_at(leader.places, every)}" for leader in leaders if leader.label]
    open_places = [
        PredictionWords.OPEN(places=_at(leader.places, every))
        for leader in leaders
        if not leader.label
    ]
    if decided:
        yield PredictionWords.FASTEST(places="; ".join([*decided, *open_places]))
    elif open_places:
        all_known = all(point.seconds.bounds for point in points if point.origin is Origin.MEASURED)
        no_fastest = PredictionWords.NOT_ALL_INTERVALS
        yield PredictionWords.NO_INTERVAL_BELOW() if all_known else no_fastest()
    if raw and leaders:
        yield PredictionWords.LIMITS(raw=listed(raw), one=len(raw) == 1)


def _at(places: Sequence[RanksAndSize], every: Sequence[RanksAndSize]) -> str:
    """E.g. "at 8 B and 64 KiB", "on 4 ranks", "at 8 B on 4 ranks", "at 12 of 20 places"."""
    if len(places) > MOST_NAMED:
        return PredictionWords.AT_MANY(number=len(places), every=len(every))
    if len({p for p, _ in every}) == 1:
        return PredictionWords.AT_SIZES(sizes=listed(format_size(size) for _, size in places))
    if {size for _, size in every} == {0}:
        return PredictionWords.ON_RANKS(numbers=listed(f"{p:,}" for p, _ in places))
    return listed(PredictionWords.AT_SIZE_ON_RANKS(bytes=size, ranks=p) for p, size in places)


def _table(points: Sequence[PredictedTime]) -> Table:
    """A time with its interval, e.g. "9.10 us (8.20 us to 10.1 us)*", else with what it rests on.

    Of a variant with several models the column says what tells them apart. A pattern without sizes
    has no column for them.
    """
    cells: dict[tuple[int, int, tuple[str, str, str, int]], str] = {}
    for point in points:
        time = format_time(point.seconds.value)
        mark = EXTRAPOLATED * point.extrapolated + FLOORED * point.floored
        if point.seconds.bounds is None:
            basis = rests_on(point.seconds.n, (point.origin,))
            time = PredictionWords.ALONE(time=time, mark=mark, basis=basis)
        else:
            time = f"{time} ({bounds_words(point.seconds, format_time)}){mark}"
        cells[point.ranks, point.size_bytes, _kind(point)] = time
    kinds = list(dict.fromkeys(map(_kind, points)))
    labels = Counter(label for label, *_ in kinds)
    names = [
        label
        if labels[label] == 1
        else f"{label}\n{buffers} buffers, {cadence}, {plural(threads, 'thread')}"
        for label, buffers, cadence, threads in kinds
    ]
    places = dict.fromkeys((point.ranks, point.size_bytes) for point in points)
    sized = any(size for _, size in places)
    rows = tuple(
        (
            f"{p:,}",
            *[format_size(size)] * sized,
            *(cells.get((p, size, kind), MISSING) for kind in kinds),
        )
        for p, size in places
    )
    return Table(("ranks", *["size"] * sized, *names), rows)


def _kind(time: PredictedTime) -> tuple[str, str, str, int]:
    return time.label, time.buffers, time.cadence, time.threads
