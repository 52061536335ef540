"""The answer of a run in one screen: who is fastest where, one curve, what to know, what next.

What stands in no line here stands in `run_document`, which --full prints.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from leadline.compare.curves import Comparison, Range
from leadline.compare.ranking import Ranking
from leadline.compare.summaries import Summary
from leadline.compare.verdict import Verdict
from leadline.record.curve import CurveKey
from leadline.record.run import Cell
from leadline.record.warnings import DAMAGE, UNMEASURED, RunWarning, WarningKind
from leadline.report.document import SEPARATOR, Section
from leadline.report.formats.plain_text import table_width, text_lines
from leadline.report.text.catalogue import ScreenWords
from leadline.report.text.measured import Measured, run_line
from leadline.report.text.notes import failure_text
from leadline.report.text.phrases import plural, where
from leadline.report.text.ratios import in_words
from leadline.report.text.sentences import DECIDED, reason
from leadline.report.text.times import Panel, definition, panels, time_table
from leadline.units import format_size, format_time

WIDTH, LINES = 80, 23
"""A terminal's least width, and its lines above the prompt."""
DETAILS = ((12, 8), (8, 7), (6, 6), (5, 6), (4, 6), (4, 5), (3, 5), (3, 4), (2, 4), (1, 3))
"""How many curves have a sentence, and how many sizes the table: the first that fits is shown."""
MOST_CLAUSES = 3
"""Ranges of sizes in one sentence."""
LONGEST = 150
"""Characters of a warning; a longer one is cut."""
MISREAD = tuple(
    kind.code
    for kind in (
        WarningKind.INCOMPLETE,
        WarningKind.NO_TIME,
        WarningKind.OVERSUBSCRIBED,
        WarningKind.BACKGROUND_LOAD,
        WarningKind.DISTURBED,
        WarningKind.CORE_STATES,
        WarningKind.UNSETTLED,
        WarningKind.APART,
        WarningKind.AUTOCORRELATION,
        WarningKind.FEW_CLEAN_BLOCKS,
        WarningKind.FEW_BLOCKS,
        WarningKind.SIMULATED,
        WarningKind.PREDICTED,
        WarningKind.IMPORTED,
    )
)
"""Codes of warnings that change how times are read, the gravest first."""


def first_screen(measured: Measured, lines: int = LINES) -> list[Section]:
    """The most detailed of the screens that has no more than `lines` of WIDTH characters."""
    screens = [_screen(measured, curves, sizes) for curves, sizes in DETAILS]
    return next((s for s in screens if len([*text_lines(s, WIDTH)]) <= lines), screens[-1])


def _screen(measured: Measured, curves: int, sizes: int) -> list[Section]:
    """The screen with sentences on so many curves, and a table of at most so many sizes."""
    every = list(panels(measured))
    return [
        Section(run_line(measured.run), notes=tuple(_answers(measured, every, curves))),
        *_table(every, sizes),
        *_warnings(measured),
    ]


# -- who is fastest --------------------------------------------------------------------------------


def _answers(measured: Measured, every: Sequence[Panel], most: int) -> Iterator[str]:
    """The tally over all cells, then a sentence a curve, of so many at most."""
    rankings = {ranking.curve: ranking for ranking in measured.rankings.curves}
    if rankings:
        yield _tally(list(rankings.values()))
    for panel in every[:most]:
        name = _curve_name(panel, every)
        ranking = panel.ranking
        answer = _verdict(ranking, panel) if ranking is not None else _times_of(panel)
        if answer:
            yield f"{name}: {answer}"
    if len(every) > most:
        yield ScreenWords.MORE_CURVES(number=len(every) - most)
    undecided = [
        cell
        for ranking in rankings.values()
        for range_ in ranking.leads
        if range_.judgement.verdict is Verdict.UNDECIDED
        for cell in range_.cells
    ]
    if undecided:
        ((why, _),) = Counter(cell.why for cell in undecided).most_common(1)
        alike = [cell for cell in undecided if cell.why is why]
        yield ScreenWords.WHY_UNDECIDED(
            mostly=len(alike) < len(undecided), reason=reason(alike, measured.threshold)
        )


def _tally(rankings: Sequence[Ranking]) -> str:
    """E.g. "Of 35 cells impi is fastest in 13, openmpi in 6; two are alike in 2; undecided: 8."."""
    fronts = [front for ranking in rankings for front in ranking.fronts]
    alone = Counter(front.tied[0] for front in fronts if front.decided and len(front.tied) == 1)
    ties = sum(front.decided and len(front.tied) > 1 for front in fronts)
    open_cells = sum(not front.decided for front in fronts)
    first, *others = alone.most_common() or [("", 0)]
    parts = [
        *[ScreenWords.MOST(winner=first[0], cells=first[1])] * bool(first[1]),
        *(ScreenWords.OTHER(winner=label, cells=number) for label, number in others),
        *[ScreenWords.TIES(cells=ties)] * bool(ties),
        *[ScreenWords.OPEN(cells=open_cells)] * bool(open_cells),
    ]
    return ScreenWords.TALLY(cells=len(fronts), parts=parts)


def _winner(range_: Range) -> str | None:
    """The faster one of a range that is decided; None: it isn't, or both are the same."""
    if range_.judgement.verdict not in DECIDED:
        return None
    faster = range_.judgement.verdict is Verdict.FASTER
    return range_.candidate if faster else range_.baseline


def _verdict(ranking: Ranking, panel: Panel) -> str:
    """Who leads where, by how much, in at most MOST_CLAUSES clauses."""
    sizes = sorted(cell.size_bytes for cell in _timed_cells(panel))
    clauses: list[str] = []
    for (kind, winner), group in groupby(
        ranking.leads, lambda range_: (range_.judgement.verdict in DECIDED, _winner(range_))
    ):
        ranges = list(group)
        place = where(ranges[0].first_bytes, ranges[-1].last_bytes, sizes[0], sizes[-1])
        if kind and winner is not None:
            clauses.append(_lead(winner, ranges, place, panel.threshold))
        elif all(range_.judgement.verdict is Verdict.SAME for range_ in ranges):
            clauses.append(ScreenWords.SAME(place=place))
        else:
            clauses.append(ScreenWords.UNDECIDED(place=place))
    shown, rest = clauses[:MOST_CLAUSES], len(clauses) - MOST_CLAUSES
    if rest > 0:
        shown.append(ScreenWords.MORE_RANGES(number=rest))
    return "; ".join(shown)


def _lead(winner: str, ranges: Sequence[Range], place: str, threshold: float) -> str:
    """E.g. "impi 1.02x to 1.4x faster than openmpi up to 64 KiB"."""
    cells = [cell for range_ in ranges for cell in range_.cells]

    def factor(cell: Comparison) -> str:
        return in_words(cell.effect, threshold, inverted=cell.candidate == winner).value

    def times(cell: Comparison) -> float:
        return 1 / cell.effect.value if cell.candidate == winner else cell.effect.value

    least, most = factor(min(cells, key=times)), factor(max(cells, key=times))
    pairs = {label for range_ in ranges for label in (range_.baseline, range_.candidate)}
    losers = pairs - {winner}
    return ScreenWords.LEAD(
        winner=winner,
        factors=f"{least}x" if least == most else f"{least}x to {most}x",
        loser=losers.pop() if len(losers) == 1 else ScreenWords.NEXT(),
        place=place,
    )


def _times_of(panel: Panel) -> str:
    """The times at the least and the largest size of a curve without a ranking, by variant."""
    words = []
    for label in dict.fromkeys(label for label, _ in panel.rows):
        rows = sorted(
            (row for (of, _), row in panel.rows.items() if of == label),
            key=lambda row: row.size_bytes,
        )
        known = [row for row in rows if row.time.known is not None]
        if known:
            words.append(f"{label} {_ends(known)}")
    return "; ".join(words[:MOST_CLAUSES])


def _ends(rows: Sequence[Summary]) -> str:
    """E.g. "0.21 us at 8 B, 97 us at 1 MiB"."""
    ends = rows[:1] if len(rows) == 1 else [rows[0], rows[-1]]
    return ", ".join(
        format_time(row.time.value) + f" at {format_size(row.size_bytes)}" * (len(rows) > 1)
        for row in ends
    )


def _curve_name(panel: Panel, every: Sequence[Panel]) -> str:
    """The pattern, with what else tells this curve from others of the run."""
    curve, others = panel.curve, [other.curve for other in every]
    parts = [
        curve.pattern,
        *[plural(curve.ranks, "rank")] * (len({other.ranks for other in others}) > 1),
        *[f"{curve.buffers} buffers"] * (len({other.buffers for other in others}) > 1),
        *[str(curve.cadence)] * (_cadences(curve.pattern, others) > 1),
    ]
    return ", ".join(parts)


def _cadences(pattern: str, curves: Sequence[CurveKey]) -> int:
    """In how many cadences a pattern was measured."""
    return len({curve.cadence for curve in curves if curve.pattern == pattern})


# -- one curve -------------------------------------------------------------------------------------


def _table(every: Sequence[Panel], most: int) -> Iterator[Section]:
    """The times of the curve with the most sizes, at so many of them at most."""
    if not every:
        return
    panel = max(every, key=lambda panel: min(len(_timed_cells(panel)), most))
    timed = cells = _timed_cells(panel)
    if len(timed) > most:  # evenly, the least and the largest among them
        cells = tuple(timed[round(k * (len(timed) - 1) / (most - 1))] for k in range(most))
    table = time_table(replace(panel, cells=cells)).short()
    columns = 1 + len(panel.configurations)
    shown = list(range(min(columns + (panel.ranking is not None), len(table.columns))))
    while len(shown) > 2 and table_width(table.only(shown)) > WIDTH:
        shown.pop(-2 if panel.ranking is not None else -1)
    heading = [
        _curve_name(panel, every),
        definition(panel),
        *[ScreenWords.MORE_SIZES(number=len(timed))] * (len(cells) < len(timed)),
    ]
    yield Section(SEPARATOR.join(heading), table.only(shown))


def _timed_cells(panel: Panel) -> tuple[Cell, ...]:
    """Those that any variant has a time for."""
    sizes = {size_bytes for _, size_bytes in panel.rows}
    return tuple(cell for cell in panel.cells if cell.size_bytes in sizes)


# -- what to know ----------------------------------------------------------------------------------


def _warnings(measured: Measured) -> Iterator[Section]:
    """The failure or the warning that changes most how the run is read; others are counted."""
    run, warnings = measured.run, sorted(measured.warnings, key=_gravity)
    failures = [failure_text(run, failure) for failure in run.failures]
    texts = [*failures, *(f"{warning.code}: {warning.cause}" for warning in warnings)]
    if not texts:
        return
    first = textwrap.shorten(texts[0].splitlines()[0], LONGEST, placeholder=" ...")
    notes = [first]
    if others := _others(len(failures), len(warnings), bool(failures)):
        notes.append(others)
    heading = ScreenWords.FAILURE() if failures else ScreenWords.WARNING()
    yield Section(heading, notes=tuple(notes))


def _others(failures: int, warnings: int, failed: bool) -> str:
    """How many more there are of each; "" without any."""
    parts = [
        *[plural(failures - 1, "more failure")] * (failures > 1),
        *[plural(warnings - (not failed), "more warning")] * (warnings > (not failed)),
    ]
    return ScreenWords.OTHERS(what=" and ".join(parts)) if parts else ""


def _gravity(warning: RunWarning) -> int:
    """Its place among what changes how a run is read; the gravest has the least."""
    if warning.code in DAMAGE | UNMEASURED:
        return 0
    return 1 + (MISREAD.index(warning.code) if warning.code in MISREAD else len(MISREAD))
