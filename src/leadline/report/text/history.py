"""The history of curves as a document: every run's time, changes beside it."""

from __future__ import annotations

from leadline.compare.history import History, Trend
from leadline.compare.verdict import Verdict
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.catalogue import HistoryWords
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import listed, minute, plural, stated_share
from leadline.report.text.ratios import in_words
from leadline.units import format_size, format_time


def history_document(history: History, threshold: float) -> list[Section]:
    """Variants, patterns and period; a table for each series, the conclusion, and warnings.

    Args:
        history: The series of comparable runs, and their changes.
        threshold: Of the changes, as a share.
    """
    trends = history.trends
    sections: list[Section] = []
    if trends:
        labels = listed(trend.conditions.label for trend in trends)
        patterns = listed(trend.conditions.pattern for trend in trends)
        days = sorted(point.started[:10] for trend in trends for point in trend.points)
        period = " to ".join(dict.fromkeys((days[0], days[-1])))
        title = SEPARATOR.join(filter(None, [f"history of {labels}", patterns, period]))
        how: list[str] = []
        if tested := [trend for trend in trends if trend.persistence is not None]:
            alike = len({trend.conditions.origin for trend in tested}) == 1
            how.append(HistoryWords.VERDICTS(threshold=stated_share(threshold), several=not alike))
        sections.append(Section(title, notes=tuple(how)))
    sections += map(_section, trends)
    sections.append(Section("conclusion", notes=(_conclusion(history),)))
    warnings = dict.fromkeys([*history.warnings, *(c for trend in trends for c in trend.warnings)])
    return [*sections, *note_sections([], list(warnings))]


def _section(series: Trend) -> Section:
    """A row a run; where a new level begins how much slower, and what changed with it.

    E.g. "1.10x slower (1.08 to 1.13), kernel 6.1 to 6.8".
    """
    begins = {change.index: change for change in series.changes}
    rows: list[tuple[str, ...]] = []
    for index, point in enumerate(series.points):
        words: list[str] = []
        if change := begins.get(index):
            verdict = Verdict.SLOWER if change.ratio.value > 1 else Verdict.FASTER
            times = in_words(change.ratio, threshold=0, inverted=verdict is Verdict.FASTER)
            words.append(f"{times.value}x {verdict} ({times.bounds})")
            before = series.points[index - 1]
            for what in ("version", "kernel"):
                old, new = getattr(before, what), getattr(point, what)
                words += [f"{what} {old} to {new}"] if old != new else []
        started, mean = minute(point.started), format_time(point.mean_s)
        rows.append((point.run, started, point.version, mean, ", ".join(words)))
    shared = series.conditions
    sizes = [format_size(size) for size in shared.sizes if size or len(shared.sizes) > 1]
    mean = f"{sizes[0]} to {sizes[-1]}, geometric mean" if len(sizes) > 1 else "".join(sizes)
    parts = [shared.pattern, shared.label, plural(shared.ranks, "rank"), mean, shared.settings]
    parts += ["cores far from each other"] * shared.far
    heading = SEPARATOR.join([part for part in parts if part] + [plural(len(series.points), "run")])
    columns = ("run", "started", "version", "time", "change")
    return Section(heading, Table(columns, tuple(rows), prose=True))


def _conclusion(history: History) -> str:
    """What is slower at the end and since when, or why nothing can be shown.

    E.g. "pingpong under mpich, 1.19x (1.18 to 1.21) since nightly/2026-01-13".
    """
    if not history.trends:
        return HistoryWords.NOT_COMPARABLE()
    if not history.decisive:
        origins = listed(one.conditions.origin for one in history.trends)
        return HistoryWords.NOT_MEASURED(origins=origins)
    slowdowns: list[str] = []
    for trend in history.slower:
        change, whose = trend.changes[-1], trend.conditions
        times, since = in_words(change.ratio, threshold=0), trend.points[change.index].run
        slowdowns.append(
            HistoryWords.SLOWDOWN(
                pattern=whose.pattern,
                variant=whose.label,
                times=times.value,
                bounds=times.bounds,
                run=since,
            )
        )
    if slowdowns:
        return HistoryWords.SLOWER(slowdowns="; ".join(slowdowns))
    able = [one for one in history.decisive if one.persistence is not None]
    if not able:
        return HistoryWords.TOO_FEW()
    decisive = {one.conditions.origin for one in history.decisive}
    others = decisive != {one.conditions.origin for one in history.trends}
    few = len(history.decisive) - len(able)
    return HistoryWords.NONE(
        origins=listed(decisive) if others else None, few=str(few) if few else None
    )
