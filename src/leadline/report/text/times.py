"""The times of each pattern as a table by size, with verdicts, and who is faster in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from leadline.backends.kinds import is_raw
from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import Comparison
from leadline.compare.origins import competes, labelled
from leadline.compare.ranking import Ranking
from leadline.compare.summaries import Summary, algorithm
from leadline.compare.verdict import Verdict
from leadline.record.curve import CurveKey
from leadline.record.run import ROUND_TRIP, Cadence, Cell, Configuration, Origin, Run, WhoseTime
from leadline.report.document import SEPARATOR, Section, Table, TableCell
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
    overhead_sentence,
    ranking_sentences,
    reason,
)
from leadline.report.text.sweeps import is_crowded

UNDECIDED = "not decided"


@dataclass(frozen=True, slots=True)
class Panel:
    """What one table shows."""

    run: Run
    curve: CurveKey
    cells: tuple[Cell, ...]
    """Cells that differ in size alone, by size."""
    configurations: tuple[Configuration, ...]
    """All with as many ranks and threads."""
    rows: Mapping[tuple[str, int], Summary]
    """By label and size."""
    ranking: Ranking | None
    """None: fewer than two libraries, or more ranks than cores at every size."""
    threshold: float
    """Threshold of verdicts, a share."""

    @property
    def is_application(self) -> bool:
        """Its table has one row of times, and one of communication's shares."""
        return is_application(self.rows.values())

    @property
    def words(self) -> Callable[[Summary], str]:
        """How a time is written: without its blocks where the heading has them for all alike."""
        measured = [row for row in self.rows.values() if row.origin is Origin.MEASURED]
        no_interval = all(row.low_s is None for row in self.rows.values())
        same = len({row.blocks for row in measured}) == 1
        return bare_time if no_interval and same else measured_time

    def row(self, configuration: Configuration, cell: Cell) -> Summary | None:
        """What was computed of a cell under a configuration."""
        label = labelled(configuration.variant, configuration.origin)
        return self.rows.get((label, cell.size_bytes))


def panels(measured: Measured) -> Iterator[Panel]:
    """What the table shows of each pattern, number of ranks and way to measure."""
    run = measured.run
    by_curve: dict[CurveKey, list[Summary]] = {}
    for row in measured.rows:
        by_curve.setdefault(row.curve, []).append(row)
    rankings = {ranking.curve: ranking for ranking in measured.rankings.curves}
    for key, rows in by_curve.items():
        alike = (key.pattern, key.buffers, key.cadence)
        cells = [c for c in run.cells if (c.pattern, c.buffers, c.cadence) == alike]
        yield Panel(
            run=run,
            curve=key,
            cells=tuple(sorted(cells, key=lambda cell: cell.size_bytes)),
            configurations=tuple(c for c in run.configurations if c.key == rows[0].key),
            rows={(r.label, r.size_bytes): r for r in rows},
            ranking=rankings.get(key),
            threshold=measured.threshold,
        )


def curve_sections(measured: Measured) -> Iterator[Section]:
    """A table of times for each pattern, number of ranks and way to measure; who is faster."""
    for panel in panels(measured):
        key, ranking = panel.curve, panel.ranking
        notes: list[str] = []
        if ranking is not None:
            sizes = [cell.size_bytes for cell in panel.cells]
            partial = any(map(is_crowded, panel.rows.values()))
            notes += ranking_sentences(ranking, panel.threshold, sizes, partial)
            notes += crossing_sentences(ranking.crossings)
        overheads = measured.rankings.overheads
        notes.append(
            overhead_sentence(
                [t for t in overheads if (t.pattern, t.ranks) == (key.pattern, key.ranks)]
            )
        )
        table = time_table(panel)
        verdicts = 1 + len(panel.configurations)
        narrower = (table.short({verdicts}), table.short())
        yield Section(_heading(panel), table, tuple(filter(None, notes)), narrower)


def _heading(panel: Panel) -> str:
    """What was measured, on how many ranks, in how many blocks, and how verdicts come about.

    Origins stand where not all was measured.
    """
    cell, rows = panel.cells[0], panel.rows.values()
    measured = [row for row in rows if row.origin is Origin.MEASURED]
    others = [row.origin for row in rows if row.origin is not Origin.MEASURED]
    basis = listed(others) if others else ""
    if measured:
        numbers = sorted({row.blocks for row in measured})
        least = f"{numbers[0]} to " if len(numbers) > 1 else ""
        several = len({row.variant for row in measured}) > 1
        alive = (", co-resident" if panel.run.co_resident else ", interleaved") * several
        beside = f", beside {basis}" * bool(others)
        basis = f"{least}{plural(numbers[-1], 'block')}{alive}{beside}"
    intervals = "no intervals"
    if any(row.low_s is not None for row in rows):
        intervals = "95 % intervals"
    elif any(row.blocks for row in rows):
        intervals = "too few blocks for intervals"
    return SEPARATOR.join(
        [
            cell.pattern,
            definition(panel),
            plural(panel.configurations[0].ranks, "rank"),
            basis,
            *[f"{cell.buffers} buffers"] * (not panel.is_application),
            intervals,
            *[f"threshold {stated_share(panel.threshold)}"] * (panel.ranking is not None),
        ]
    )


def definition(panel: Panel) -> str:
    """What the times of a curve are those of, e.g. "half round trip"."""
    cell = panel.cells[0]
    if cell.cadence is Cadence.UNSTATED:
        whose = "" if cell.whose_time is WhoseTime.UNSTATED else f", {cell.whose_time}"
        return f"time as its benchmark defines it{whose}"
    if cell.messages_per_repetition == ROUND_TRIP:
        return "half round trip"
    messages = cell.messages_per_repetition
    what = f"one {'repetition' if panel.is_application else 'operation'}"
    if messages > ROUND_TRIP:
        what = f"a message of a window of {messages}"
    return f"{what}, {cell.cadence}, {cell.whose_time}"


def time_table(panel: Panel) -> Table:
    """A row a size, a column a configuration, then verdicts and circumstances.

    The fastest times are marked, also of several that are equally fast. In the short form times
    stand without intervals, and verdicts only say who is how many times as fast.
    """
    of_size: dict[int, list[Circumstances]] = {cell.size_bytes: [] for cell in panel.cells}
    for (_, size_bytes), row in panel.rows.items():
        if size_bytes in of_size:
            of_size[size_bytes].append(row.circumstances)
    words, judged = panel.words, _verdicts(panel)
    beside = crowd_columns([of_size[cell.size_bytes] for cell in panel.cells])
    solves = panel.is_application
    columns = [
        "" if solves else "size",
        *(
            configuration.variant
            if configuration.origin is Origin.MEASURED
            else f"{configuration.variant}\n{configuration.origin}"
            for configuration in panel.configurations
        ),
        *[TableCell("verdict", short="fastest")] * bool(judged),
        *(title for title, *_ in beside),
    ]
    rows = []
    for place, cell in enumerate(panel.cells, start=1):
        of = "time" if solves else size(cell.size_bytes, len(panel.cells))
        times = [_time(panel, configuration, cell, words) for configuration in panel.configurations]
        verdict = [judged.get(cell.size_bytes, MISSING)] if judged else []
        rows.append((of, *times, *verdict, *(column[place] for column in beside)))
    if solves:
        spent = [
            shares(panel.row(configuration, panel.cells[0]))
            for configuration in panel.configurations
        ]
        empty = [""] * (len(columns) - 1 - len(spent))
        rows.append((COMMUNICATION, *spent, *empty))
    return Table(tuple(columns), tuple(rows))


def _verdicts(panel: Panel) -> dict[int | None, str]:
    """Verdicts by size; empty where there is nothing to judge."""
    crowded = {
        size_bytes
        for (_, size_bytes), row in panel.rows.items()
        if is_crowded(row) and row.origin is Origin.MEASURED
    }
    rivals = [
        configuration
        for configuration in panel.configurations
        if competes(configuration) and not is_raw(configuration.backend)
    ]
    found: dict[int | None, str] = {}
    if len(rivals) > 1:
        found = dict.fromkeys(crowded, TableCell("not decided: oversubscribed", short=UNDECIDED))
    if panel.ranking is not None:
        tops, several = panel.ranking.top, panel.ranking.libraries > 2
        found |= {
            top.size_bytes: TableCell(
                verdict_words(top, several, panel.threshold),
                short=short_verdict(top, panel.threshold),
            )
            for top in tops
        }
    return found


def _time(
    panel: Panel,
    configuration: Configuration,
    cell: Cell,
    words: Callable[[Summary], str],
) -> str:
    """The time, or why there is none: the library lacks the operation, or measuring it failed."""
    row = panel.row(configuration, cell)
    if row is not None:
        fronts = panel.ranking.fronts if panel.ranking else ()
        fastest = any(
            front.decided and front.size_bytes == cell.size_bytes and row.label in front.tied
            for front in fronts
        )
        return TableCell(words(row), short=bare_time(row), fastest=fastest)
    if algorithm(configuration, cell) == "absent":
        return "absent"
    failed = {(f.configuration, f.cell) for f in panel.run.failures}
    which = panel.run.configurations.index(configuration)
    index = panel.run.cells.index(cell)
    return "failed" if {(which, index), (which, None)} & failed else MISSING


def short_verdict(top: Comparison, threshold: float) -> str:
    """E.g. "a 2.6x", "same", or "not decided", for which a sentence below gives the reason."""
    if top.verdict is Verdict.SAME:
        return "same"
    if top.ratio is None or not top.in_order:
        return UNDECIDED
    turned = top.ratio < 1
    first = top.candidate if turned else top.baseline
    return f"{first} {in_words(top.effect, threshold, inverted=turned).value}x"


def verdict_words(top: Comparison, several: bool, threshold: float) -> str:
    """How many times as fast the one with the shorter time is, e.g. "a 2.6x faster (2.5 to 2.7)".

    What isn't decided says why: "a 1.5x, not decided: 5 of 6 blocks".

    Args:
        top: The fastest two at one size.
        several: Whether more than two take part, so that both are named.
        threshold: Of the verdict, as a share.
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
