"""The times of each pattern as a table by size, with verdicts, and who is faster in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from leadline.backends.kinds import is_raw
from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import Comparison
from leadline.compare.origins import competes, labelled
from leadline.compare.ranking import Standing
from leadline.compare.summaries import Summary, algorithm
from leadline.compare.verdict import Verdict
from leadline.record.curve import CurveKey
from leadline.record.run import ROUND_TRIP, Cadence, Cell, Configuration, Origin, Run, WhoseTime
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.circumstances import COMMUNICATION, crowd_columns, is_application, shares
from leadline.report.text.measured import Measured
from leadline.report.text.phrases import (
    MISSING,
    bare_time,
    listed,
    measured_time,
    plural,
    size,
    stated_share,
)
from leadline.report.text.ratios import in_words
from leadline.report.text.sentences import (
    crossing_sentences,
    reason,
    standing_sentences,
    tax_sentence,
)
from leadline.report.text.sweeps import is_crowded

UNDECIDED = "not decided"


@dataclass(frozen=True, slots=True)
class Panel:
    """What one table shows."""

    run: Run
    cells: tuple[Cell, ...]
    """They differ in size alone; by size."""
    configurations: tuple[Configuration, ...]
    """All with as many ranks and threads."""
    rows: Mapping[tuple[str, int], Summary]
    """By label and size."""
    standing: Standing | None
    """None: fewer than two libraries, or more ranks than cores at every size."""
    threshold: float
    """Of verdicts."""

    @property
    def is_application(self) -> bool:
        """Its table has one row of times, and one of communication's shares."""
        return is_application(self.rows.values())

    @property
    def sizes(self) -> int:
        """How many."""
        return len(self.cells)


def curve_sections(measured: Measured) -> Iterator[Section]:
    """A table of times for each pattern, number of ranks and way to measure; who is faster."""
    run = measured.run
    by_curve: dict[CurveKey, list[Summary]] = {}
    for row in measured.rows:
        by_curve.setdefault(row.curve, []).append(row)
    standings = {standing.curve: standing for standing in measured.standings.curves}
    for key, mine in by_curve.items():
        alike = (key.pattern, key.buffers, key.cadence)
        cells = [c for c in run.cells if (c.pattern, c.buffers, c.cadence) == alike]
        panel = Panel(
            run=run,
            cells=tuple(sorted(cells, key=lambda cell: cell.size_bytes)),
            configurations=tuple(c for c in run.configurations if c.key == mine[0].key),
            rows={(r.label, r.size_bytes): r for r in mine},
            standing=standings.get(key),
            threshold=measured.threshold,
        )
        taxes = [
            t for t in measured.standings.taxes if (t.pattern, t.ranks) == (key.pattern, key.ranks)
        ]
        notes = [*_standing_sentences(panel), tax_sentence(taxes)]
        narrower = (_short_table(panel, measured_time), _short_table(panel, bare_time))
        table = _time_table(panel, _worded(panel))
        yield Section(_heading(panel), table, tuple(filter(None, notes)), narrower)


def _standing_sentences(panel: Panel) -> Iterator[str]:
    standing, sizes = panel.standing, [cell.size_bytes for cell in panel.cells]
    if standing is not None:
        partial = any(map(is_crowded, panel.rows.values()))
        yield from standing_sentences(standing, panel.threshold, sizes, partial)
        yield from crossing_sentences(standing.crossings)


def _heading(panel: Panel) -> str:
    cell, rows = panel.cells[0], panel.rows.values()
    intervals = any(row.low_s is not None for row in rows)
    return SEPARATOR.join(
        [
            cell.pattern,
            _definition(cell, panel.is_application),
            plural(panel.configurations[0].ranks, "rank"),
            _basis(panel),
            *[f"{cell.buffers} buffers"] * (not panel.is_application),
            "95 % intervals" if intervals else _without_intervals(max(row.blocks for row in rows)),
            *[f"threshold {stated_share(panel.threshold)}"] * (panel.standing is not None),
        ]
    )


def _basis(panel: Panel) -> str:
    """What the times rest on: blocks, and origins where not all were measured."""
    measured = [row for row in panel.rows.values() if row.origin is Origin.MEASURED]
    others = [row.origin for row in panel.rows.values() if row.origin is not Origin.MEASURED]
    if not measured:
        return listed(others)
    numbers = sorted({row.blocks for row in measured})
    several = len({row.variant for row in measured}) > 1
    return (
        (f"{numbers[0]} to " if len(numbers) > 1 else "")
        + plural(numbers[-1], "block")
        + (", " + _alive(panel.run) if several else "")
        + (f", beside {listed(others)}" if others else "")
    )


def _without_intervals(most_blocks: int) -> str:
    return "too few blocks for intervals" if most_blocks else "no intervals"


def _alive(run: Run) -> str:
    return "co-resident" if run.co_resident else "interleaved"


def _definition(cell: Cell, application: bool) -> str:
    if cell.cadence is Cadence.UNSTATED:
        whose = "" if cell.whose_time is WhoseTime.UNSTATED else f", {cell.whose_time}"
        return f"time as its benchmark defines it{whose}"
    if cell.messages_per_repetition == ROUND_TRIP:
        return "half round trip"
    messages = cell.messages_per_repetition
    what = f"one {'repetition' if application else 'operation'}"
    if messages > ROUND_TRIP:
        what = f"a message of a window of {messages}"
    return f"{what}, {cell.cadence}, {cell.whose_time}"


def _worded(panel: Panel) -> Callable[[Summary], str]:
    """How a time is written: without its blocks where the heading has them, as all have as many."""
    rows = [row for row in panel.rows.values() if row.origin is Origin.MEASURED]
    none = not any(row.low_s is not None for row in panel.rows.values())
    return bare_time if none and len({row.blocks for row in rows}) == 1 else measured_time


def _short_table(panel: Panel, words: Callable[[Summary], str]) -> Table:
    """The times, and of the verdicts no more than who is how many times as fast."""
    worded = _worded(panel)
    return _time_table(panel, bare_time if worded is bare_time else words, short=True)


def _time_table(panel: Panel, words: Callable[[Summary], str], short: bool = False) -> Table:
    titles = [_title(configuration) for configuration in panel.configurations]
    judged = _verdicts(panel, short)
    beside = crowd_columns(_circumstances(panel))
    solves = panel.is_application
    first = "" if solves else "size"
    verdicts = ["fastest" if short else "verdict"] * bool(judged)
    columns = [first, *titles, *verdicts, *(title for title, *_ in beside)]
    rows = []
    for place, cell in enumerate(panel.cells, start=1):
        times = [_time(panel, configuration, cell, words) for configuration in panel.configurations]
        verdict = [judged.get(cell.size_bytes, MISSING)] if judged else []
        crowd = [column[place] for column in beside]
        of = "time" if solves else size(cell.size_bytes, panel.sizes)
        rows.append((of, *times, *verdict, *crowd))
    if solves:
        spent = [shares(_row(panel, one, panel.cells[0])) for one in panel.configurations]
        empty = [""] * (len(columns) - 1 - len(spent))
        rows.append((COMMUNICATION, *spent, *empty))
    return Table(tuple(columns), tuple(rows), strong=frozenset(_winners(panel)))


def _winners(panel: Panel) -> Iterator[tuple[int, int]]:
    """(row, column) of who is shown to be the fastest, alone or beside those as fast."""
    fronts = panel.standing.fronts if panel.standing else ()
    columns = {
        labelled(one.variant, one.origin): column
        for column, one in enumerate(panel.configurations, start=1)
    }
    places = {cell.size_bytes: place for place, cell in enumerate(panel.cells)}
    for front in fronts:
        if front.decided:
            yield from ((places[front.size_bytes], columns[label]) for label in front.tied)


def _circumstances(panel: Panel) -> list[list[Circumstances]]:
    """Of each cell, under every label that has it."""
    by_size: dict[int, list[Circumstances]] = {cell.size_bytes: [] for cell in panel.cells}
    for (_, size_bytes), row in panel.rows.items():
        if size_bytes in by_size:
            by_size[size_bytes].append(row.circumstances)
    return [by_size[cell.size_bytes] for cell in panel.cells]


def _verdicts(panel: Panel, short: bool) -> dict[int | None, str]:
    """By size; empty where there is nothing to judge."""
    crowded = {
        size_bytes
        for (_, size_bytes), row in panel.rows.items()
        if is_crowded(row) and row.origin is Origin.MEASURED
    }
    rivals = [one for one in panel.configurations if competes(one) and not is_raw(one.backend)]
    found: dict[int | None, str] = {}
    if len(rivals) > 1:
        found = dict.fromkeys(crowded, UNDECIDED if short else "not decided: oversubscribed")
    if panel.standing is not None:
        tops, several = panel.standing.top, panel.standing.libraries > 2
        found |= {
            top.size_bytes: short_verdict(top, panel.threshold)
            if short
            else verdict_words(top, several, panel.threshold)
            for top in tops
        }
    return found


def _title(configuration: Configuration) -> str:
    """Its name; below it the origin, unless it was measured."""
    if configuration.origin is Origin.MEASURED:
        return configuration.variant
    return f"{configuration.variant}\n{configuration.origin}"


def _row(panel: Panel, configuration: Configuration, cell: Cell) -> Summary | None:
    label = labelled(configuration.variant, configuration.origin)
    return panel.rows.get((label, cell.size_bytes))


def _time(
    panel: Panel,
    configuration: Configuration,
    cell: Cell,
    words: Callable[[Summary], str],
) -> str:
    row = _row(panel, configuration, cell)
    if row is not None:
        return words(row)
    if algorithm(configuration, cell) == "absent":
        return "absent"
    failed = {(f.configuration, f.cell) for f in panel.run.failures}
    mine = panel.run.configurations.index(configuration)
    index = panel.run.cells.index(cell)
    return "failed" if {(mine, index), (mine, None)} & failed else MISSING


def short_verdict(top: Comparison, threshold: float) -> str:
    """E.g. "a 2.6x", "same", or "not decided", of which a sentence below says why."""
    if top.verdict is Verdict.SAME:
        return "same"
    if top.ratio is None or not top.in_order:
        return UNDECIDED
    turned = top.ratio < 1
    first = top.candidate if turned else top.baseline
    return f"{first} {in_words(top.effect, threshold, inverted=turned).value}x"


def verdict_words(top: Comparison, several: bool, threshold: float) -> str:
    """How many times as fast the one with the shorter time is, e.g. "a 2.6x faster (2.5 to 2.7)".

    What isn't decided says why: "a 1.5x, not decided: 5 of 6 blocks"; `several`: name both.
    """
    if top.ratio is None:
        return f"not decided: {reason([top], threshold)}"
    turned = top.ratio < 1
    first, second = (top.candidate, top.baseline) if turned else (top.baseline, top.candidate)
    times = in_words(top.effect, threshold, inverted=turned)
    bounds = f" ({times.bounds})" if times.bounds else ""
    if top.in_order:
        return f"{first} {times.value}x faster{f' than {second}' * several}{bounds}"
    named = f"{first} to {second}" if several else first
    words = "same"
    if top.verdict is Verdict.UNDECIDED:
        words = f"not decided: {reason([top], threshold)}"
    return f"{named} {times.value}x{bounds}, {words}"
