"""The history of curves as a document: every run's time, changes beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leadline.compare.history import Change, History, Trend
from leadline.compare.verdict import Verdict
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import listed, plural, stated_share
from leadline.report.text.ratios import in_words
from leadline.units import format_size, format_time


def history_document(history: History, threshold: float) -> list[Section]:
    """One table a series, then what is to be said of it; `threshold` is that of its changes."""
    caveats = dict.fromkeys([*history.caveats, *(c for one in history.trends for c in one.caveats)])
    return [
        *_title(history.trends, threshold),
        *(map(_section, history.trends)),
        Section("conclusion", notes=(_conclusion(history),)),
        *note_sections([], list(caveats)),
    ]


def _title(trends: Sequence[Trend], threshold: float) -> Iterator[Section]:
    """Whose history it is, of which patterns, from when to when, and how changes come about.

    Nothing where there is none.
    """
    if trends:
        labels = listed(one.conditions.label for one in trends)
        patterns = listed(one.conditions.pattern for one in trends)
        days = sorted(point.started[:10] for one in trends for point in one.points)
        period = " to ".join(dict.fromkeys((days[0], days[-1])))
        parts = [f"history of {labels}", patterns, period]
        title = SEPARATOR.join(filter(None, parts))
        yield Section(title, notes=tuple(_change_notes(trends, threshold)))


def _change_notes(trends: Sequence[Trend], threshold: float) -> Iterator[str]:
    """By which threshold and test a level is another; nothing where no series is long enough."""
    tested = [one for one in trends if one.persistence is not None]
    if tested:
        alike = len({one.conditions.origin for one in tested}) == 1
        yield (
            f"Faster, slower: a new level more than {stated_share(threshold)} away, its 95 % "
            f"interval without 1, in a test of all series{' of an origin' * (not alike)} against "
            "drift (any wrong in 5 % at most)."
        )


def _section(series: Trend) -> Section:
    begins = {change.index: change for change in series.changes}
    rows = tuple(
        (
            point.run,
            point.started[:16].replace("T", " "),
            point.version,
            format_time(point.mean_s),
            _change(series, begins, index),
        )
        for index, point in enumerate(series.points)
    )
    columns = ("run", "started", "version", "time", "change")
    return Section(_heading(series), Table(columns, rows, prose=True))


def _heading(series: Trend) -> str:
    shared = series.conditions
    sizes = [format_size(size) for size in shared.sizes if size or len(shared.sizes) > 1]
    mean = f"{sizes[0]} to {sizes[-1]}, geometric mean" if len(sizes) > 1 else "".join(sizes)
    parts = [shared.pattern, shared.label, plural(shared.ranks, "rank"), mean, shared.settings]
    parts += ["cores far from each other"] * shared.far
    return SEPARATOR.join([part for part in parts if part] + [plural(len(series.points), "run")])


def _change(series: Trend, begins: Mapping[int, Change], index: int) -> str:
    """E.g. "1.10x slower (1.08 to 1.13), kernel 6.1 to 6.8", empty where the level goes on."""
    if index not in begins:
        return ""
    change, point, before = begins[index], series.points[index], series.points[index - 1]
    words = [_size(change)]
    for what in ("version", "kernel"):
        old, new = getattr(before, what), getattr(point, what)
        words += [f"{what} {old} to {new}"] if old != new else []
    return ", ".join(words)


def _size(change: Change) -> str:
    verdict = Verdict.SLOWER if change.ratio.value > 1 else Verdict.FASTER
    times = in_words(change.ratio, threshold=0, inverted=verdict is Verdict.FASTER)
    return f"{times.value}x {verdict} ({times.bounds})"


def _conclusion(history: History) -> str:
    if not history.trends:
        return "No two runs are comparable."
    if not history.decisive:
        origins = listed(one.conditions.origin for one in history.trends)
        return f"Not decided: {origins} values weren't measured, so they can't show a slowdown."
    if history.slower:
        return f"Slower at the end: {'; '.join(map(_slowdown, history.slower))}."
    able = [one for one in history.decisive if one.persistence is not None]
    if not able:
        return "Not decided: too few runs to show a slowdown."
    whose = {one.conditions.origin for one in history.decisive}
    others = whose != {one.conditions.origin for one in history.trends}
    few = f"; too few runs to show one in {len(history.decisive) - len(able)} more"
    return (
        f"No slowdown at the end{f' of {listed(whose)} series' * others}"
        f"{few * (len(able) < len(history.decisive))}."
    )


def _slowdown(trend: Trend) -> str:
    """E.g. "pingpong under mpich, 1.19x (1.18 to 1.21) since nightly/2026-01-13"."""
    change, whose = trend.changes[-1], trend.conditions
    times, since = in_words(change.ratio, threshold=0), trend.points[change.index].run
    return f"{whose.pattern} under {whose.label}, {times.value}x ({times.bounds}) since {since}"
