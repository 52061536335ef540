"""A run as a document: one table per pattern, who is faster, and the ping-pong's numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.compare.curves import Comparison
from leadline.compare.overlap import HiddenShare
from leadline.compare.pairs import INCOMPLETE
from leadline.compare.ranking import Standing, Standings
from leadline.compare.rates import ROUND_TRIP, Rates
from leadline.compare.summaries import Summary, algorithm
from leadline.compare.verdict import Verdict
from leadline.models.pingpong import PingPong
from leadline.record.run import Cadence, Caveat, Cell, Configuration, Run
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.notes import gathered, note_sections
from leadline.report.text.overlaps import overlap_sections
from leadline.report.text.phrases import (
    MISSING,
    blocks,
    faster,
    in_words,
    measured_time,
    plural,
    size,
)
from leadline.report.text.rates import rate_sections
from leadline.report.text.sentences import (
    Saying,
    crossing_sentence,
    leads_sentence,
    tax_sentence,
    whole_sentences,
)
from leadline.report.text.sweeps import sweep_sections
from leadline.units import format_bandwidth, format_size, format_time


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that was computed from a run, for its report."""

    run: Run
    rows: Sequence[Summary]
    standings: Standings
    pingpongs: Sequence[PingPong]
    threshold: float
    """Of the standings' verdicts."""
    overlaps: Sequence[HiddenShare]
    rates: Sequence[Rates]

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Each once: the run's, then those of its rows."""
        unfinished = [] if self.run.complete else [INCOMPLETE]
        return tuple(dict.fromkeys([*self.run.warnings, *unfinished, *gathered(self.rows)]))


def run_document(measured: Measured, by_ranks: bool = False) -> list[Section]:
    """Everything that `show` says about a run; `by_ranks`: against ranks in place of sizes."""
    if by_ranks:
        nothing = Section("nothing was measured with several numbers of ranks: run --ranks 2,3,4")
        return [
            *(list(sweep_sections(measured.rows)) or [nothing]),
            *note_sections([measured.run], measured.caveats),
        ]
    return [
        *(list(curve_sections(measured)) or [Section("nothing was measured")]),
        *_tail_sections(measured.rows),
        *pingpong_sections(measured),
        *rate_sections(measured.rates),
        *overlap_sections(measured.overlaps),
        *note_sections([measured.run], measured.caveats),
    ]


# -- one pattern -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Panel:
    """What one table shows."""

    run: Run
    cells: tuple[Cell, ...]
    """They differ in size alone; by size."""
    configurations: tuple[Configuration, ...]
    """All with as many ranks and threads."""
    rows: dict[tuple[str, int], Summary]
    """By variant and size."""
    standing: Standing | None
    """None: fewer than two libraries, or more ranks than cores."""

    @property
    def sizes(self) -> int:
        """How many."""
        return len(self.cells)


def curve_sections(measured: Measured) -> Iterator[Section]:
    """A table of times for each pattern, number of ranks and way to measure; who is faster."""
    run = measured.run
    key_of = {(r.pattern, r.ranks, r.buffers, r.cadence): None for r in measured.rows}
    for pattern, ranks, buffers, cadence in key_of:
        key = (pattern, ranks, buffers, cadence)
        cells = [c for c in run.cells if (c.pattern, ranks, c.buffers, c.cadence) == key]
        mine = [r for r in measured.rows if (r.pattern, r.ranks, r.buffers, r.cadence) == key]
        panel = Panel(
            run=run,
            cells=tuple(sorted(cells, key=lambda cell: cell.size_bytes)),
            configurations=tuple(c for c in run.configurations if c.key == mine[0].key),
            rows={(r.variant, r.size_bytes): r for r in mine},
            standing=next((s for s in measured.standings.curves if _key(s) == key), None),
        )
        taxes = [t for t in measured.standings.taxes if (t.pattern, t.ranks) == key[:2]]
        notes = [*_standing_sentences(panel.standing, measured.threshold), tax_sentence(taxes)]
        yield Section(_heading(panel), _time_table(panel), tuple(filter(None, notes)))


def _key(standing: Standing) -> tuple[str, int, str, str]:
    return standing.pattern, standing.ranks, standing.buffers, standing.cadence


def _standing_sentences(standing: Standing | None, threshold: float) -> Iterator[str]:
    if standing is not None:
        yield leads_sentence(standing.leads, Saying(threshold, standing.libraries > 2))
        yield from whole_sentences(standing.wholes, standing.leads)
        yield from map(crossing_sentence, standing.crossings)


def _heading(panel: Panel) -> str:
    cell, rows = panel.cells[0], panel.rows.values()
    numbers = sorted({row.blocks for row in rows})
    several = len({row.variant for row in rows}) > 1
    intervals = any(row.low_s is not None for row in rows)
    return SEPARATOR.join(
        [
            cell.pattern,
            _definition(cell),
            plural(panel.configurations[0].ranks, "rank"),
            (f"{numbers[0]} to " if len(numbers) > 1 else "")
            + blocks(numbers[-1])
            + (", " + _alive(panel.run) if several else ""),
            f"{cell.buffers} buffers",
            "95 % intervals" if intervals else _without_intervals(numbers[-1]),
        ]
    )


def _without_intervals(most_blocks: int) -> str:
    return "too few blocks for intervals" if most_blocks else "no intervals"


def _alive(run: Run) -> str:
    return "co-resident" if run.co_resident else "interleaved"


def _definition(cell: Cell) -> str:
    if cell.cadence is Cadence.UNSTATED:
        return f"time as its benchmark defines it, {cell.whose_time}"
    if cell.messages_per_repetition == ROUND_TRIP:
        return "half round trip"
    messages = cell.messages_per_repetition
    what = f"a message of a window of {messages}" if messages > ROUND_TRIP else "one operation"
    return f"{what}, {cell.cadence}, {cell.whose_time}"


def _time_table(panel: Panel) -> Table:
    titles = [_title(configuration) for configuration in panel.configurations]
    columns, judged = ["size", *titles], {}
    if panel.standing is not None:
        columns.append("verdict")
        judged = {top.size_bytes: verdict_words(top, panel.standing) for top in panel.standing.top}
    elif any(c.oversubscribed for c in panel.configurations):
        columns.append("verdict")
        judged = {cell.size_bytes: "none: oversubscribed" for cell in panel.cells}
    rows = []
    for cell in panel.cells:
        times = [_time(panel, configuration, cell) for configuration in panel.configurations]
        verdict = [judged.get(cell.size_bytes, MISSING)] if judged else []
        rows.append((size(cell.size_bytes, panel.sizes), *times, *verdict))
    return Table(tuple(columns), tuple(rows))


def _title(configuration: Configuration) -> str:
    """Name, version and transport, a line each, as far as they are known."""
    known = configuration.transport not in ("unknown", "none", configuration.variant)
    lines = [configuration.variant, configuration.version, configuration.transport * known]
    return "\n".join(filter(None, lines))


def _time(panel: Panel, configuration: Configuration, cell: Cell) -> str:
    row = panel.rows.get((configuration.variant, cell.size_bytes))
    if row is not None:
        return measured_time(row)
    if algorithm(configuration, cell) == "absent":
        return "absent"
    failed = {(f.configuration, f.cell) for f in panel.run.failures}
    mine = panel.run.configurations.index(configuration)
    index = panel.run.cells.index(cell)
    return "failed" if {(mine, index), (mine, None)} & failed else MISSING


def verdict_words(top: Comparison, standing: Standing) -> str:
    """E.g. "a 2.6x faster (2.5 to 2.7)"; with three libraries and more, than which."""
    times = in_words(top)
    if times is None:
        return f"undecided, {plural(top.blocks, 'block')}"
    if top.verdict in (Verdict.SAME, Verdict.UNDECIDED):
        return f"{top.verdict}: {top.candidate}/{top.baseline} {times.bounds}"
    names = top.candidate, top.baseline
    winner, loser = names if top.verdict is Verdict.FASTER else names[::-1]
    than = f" than {loser}" if standing.libraries > 2 else ""
    times = faster(top, top.verdict)
    return f"{winner} {times.value}x faster{than} ({times.bounds})"


# -- further numbers -------------------------------------------------------------------------------


def _tail_sections(rows: Sequence[Summary]) -> Iterator[Section]:
    columns = ("pattern", "size", "ranks", "variant", "median", "p90", "p99")
    shown = tuple(
        (
            row.pattern, format_size(row.size_bytes), str(row.ranks), row.variant,
            format_time(row.median_s), *_quantiles(row),
        )
        for row in rows
        if row.p90 is not None
    )  # fmt: skip
    if shown:
        yield Section(f"tails{SEPARATOR}quantiles of single operations", Table(columns, shown))


def _quantiles(row: Summary) -> Iterator[str]:
    for quantile in (row.p90, row.p99):
        if quantile is not None:
            text = format_time(quantile.estimate)
            if quantile.finite:
                text += f" ({format_time(quantile.low)} to {format_time(quantile.high)})"
            yield text


def pingpong_sections(measured: Measured) -> Iterator[Section]:
    """The ping-pong's numbers of all variants, as far as the sizes measured show them."""
    columns = ("", "latency\nat 0 B", "bandwidth\nasymptotic", "n_1/2", "intercept\nof 1..2 MB")
    order = [configuration.variant for configuration in measured.run.configurations]
    found = sorted(measured.pingpongs, key=lambda pingpong: order.index(pingpong.variant))
    for ranks, buffers in dict.fromkeys((p.ranks, p.buffers) for p in found):
        rows = tuple(_numbers(p) for p in found if (p.ranks, p.buffers) == (ranks, buffers))
        if not any(set(row[1:]) - {MISSING} for row in rows):
            continue  # too few sizes for any of the four
        parts = ["pingpong in four numbers", plural(ranks, "rank"), f"{buffers} buffers"]
        yield Section(SEPARATOR.join(parts), Table(columns, rows))


def _numbers(pingpong: PingPong) -> tuple[str, ...]:
    numbers = pingpong.numbers
    latency, bandwidth = numbers.latency_s, numbers.bandwidth_bytes_per_s
    half, line = numbers.half_bandwidth_bytes, numbers.regression
    return (
        pingpong.variant,
        MISSING if latency is None else format_time(latency),
        MISSING if bandwidth is None else format_bandwidth(bandwidth),
        MISSING if half is None else format_size(round(half)),
        MISSING if line is None else format_time(line.intercept_s),
    )
