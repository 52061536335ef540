"""A program's trade-off of computation against communication: times by ranks, and conclusions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from leadline.models.program import CallTimes, OnRanks, Programs, TradeOff
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.catalogue import ProgramWords
from leadline.report.text.closed_forms import condition_notes, ranks_words, refused_notes
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import (
    MISSING,
    estimated,
    listed,
    plural,
    rests_on,
    says_nothing,
    share,
    stated_share,
)
from leadline.report.text.ratios import in_words
from leadline.statistics.estimate import Estimate
from leadline.units import format_size, format_time, significant

CONDITIONS = "what these times are of"
"""The heading above the conditions of all models."""
MOST_ROWS = 20
"""Of more numbers of ranks a table has the powers of two, the ends, the best and the half."""


COLUMNS = ("ranks", "compute", "communicate", "time", "speed-up", "efficiency", "")


def program_document(programs: Programs) -> list[Section]:
    """For each variant its times by ranks and its calls; the best of each; conditions, warnings.

    What holds of the calls of all variants, in the same words, stands once below the best.
    """
    trade_offs = programs.found
    first, *others = ([*_call_sentences(trade_off)] for trade_off in trade_offs)
    shared = [line for line in first if others and all(line in each for each in others)]
    sections = [section for trade_off in trade_offs for section in _sections(trade_off, shared)]
    if len(trade_offs) > 1:
        notes: list[str] = []
        if len(programs.rivals) < 2:
            pass  # a raw transport beside one library is a limit, no competitor
        elif fastest := programs.fastest:
            notes.append(ProgramWords.FASTEST(variant=fastest.label, ranks=fastest.least.ranks))
        elif all(rival.least.seconds.bounds for rival in programs.rivals):
            notes.append(ProgramWords.OVERLAP())
        else:
            notes.append(ProgramWords.NOT_ALL_INTERVALS())
        rows = tuple(
            (trade_off.label or "", *_row(trade_off, trade_off.least)[:-1])
            for trade_off in trade_offs
        )
        table = Table(("", *COLUMNS[:-1]), rows)
        sections.append(Section("best number of ranks of each", table, (*notes, *shared)))
    if programs.left_out:
        sections.append(Section("left out", notes=refused_notes(programs.left_out)))
    if conditions := tuple(condition_notes(programs.models, "RUN")):
        sections.append(Section(CONDITIONS, notes=conditions))
    return [*sections, *note_sections([], programs.warnings)]


def program_sentences(trade_off: TradeOff) -> list[str]:
    """What follows from the rows, and what they rest on."""
    return [*_best(trade_off), *_half(trade_off), *_call_sentences(trade_off)]


# -- tables ----------------------------------------------------------------------------------------


def _sections(trade_off: TradeOff, shared: Sequence[str]) -> Iterator[Section]:
    """Times by ranks with what follows from them, but for what is `shared`; then the calls."""
    parts = [
        f"program over {trade_off.label}" if trade_off.label else "program without calls",
        f"{format_time(trade_off.work_s)} of work on one rank",
        f"{stated_share(trade_off.serial_share)} of it serial" * (trade_off.serial_share > 0),
        plural(trade_off.steps, "step") * (trade_off.steps > 1),
    ]
    rows, notes = (
        trade_off.rows,
        [line for line in program_sentences(trade_off) if line not in shared],
    )
    if len(rows) > MOST_ROWS:
        notes.insert(0, ProgramWords.MANY_RANKS(number=len(rows)))
        named = {rows[0].ranks, rows[-1].ranks, trade_off.best.ranks, trade_off.half.ranks}
        rows = tuple(row for row in rows if row.ranks.bit_count() == 1 or row.ranks in named)
    table = Table(COLUMNS, tuple(_row(trade_off, row) for row in rows))
    yield Section(SEPARATOR.join(filter(None, parts)), table, tuple(notes))
    if trade_off.calls:
        at = trade_off.rows.index(trade_off.least)
        calls = tuple(
            (
                call.call.pattern,
                str(call.call.size),
                f"{call.call.count:,.6g}",
                f"groups of {call.call.ranks}" if call.call.ranks else "all",
                _known(call.seconds[at], format_time),
            )
            for call in trade_off.calls
        )
        heading = (
            f"calls over {trade_off.label}{SEPARATOR}on {plural(trade_off.rows[at].ranks, 'rank')}"
        )
        yield Section(heading, Table(("pattern", "size", "in a step", "ranks", "time"), calls))


def _row(trade_off: TradeOff, row: OnRanks) -> tuple[str, ...]:
    marks = {
        "best": row.ranks == trade_off.best.ranks and len(trade_off.rows) > 1,
        "half": row.ranks == trade_off.half.ranks,
        "extrapolated": row.extrapolated,
        "floored": row.floored,
    }
    return (
        f"{row.ranks:,}",
        format_time(row.compute_s),
        _known(row.communicate_s, format_time) if trade_off.calls else MISSING,
        _known(row.seconds, format_time),
        _known(row.speed_up, significant),
        _known(row.efficiency, share),
        ", ".join(mark for mark, holds in marks.items() if holds),
    )


def _known(estimate: Estimate, words: Callable[[float], str]) -> str:
    """With its interval, unless it is exact."""
    if math.isnan(estimate.value):
        return MISSING
    return (
        words(estimate.value) if estimate.low == estimate.high else estimated(estimate, words, "")
    )


# -- what follows from the rows --------------------------------------------------------------------


def _best(trade_off: TradeOff) -> Iterator[str]:
    """The number of ranks with the least time, and whether more or fewer may be as good.

    E.g. "The least time is on 64 ranks (32 to 128 may take as little): 1.2 s, 41 times as fast as
    one, efficiency 64 %.".
    """
    row, several = trade_off.least, len(trade_off.rows) > 1
    alike = None
    if near := trade_off.near if not set(trade_off.near) <= {trade_off.best.ranks} else ():
        between = [each.ranks for each in trade_off.rows if near[0] <= each.ranks <= near[-1]]
        alike = f"{near[0]:,} to {near[-1]:,}" if len(between) == len(near) else ranks_words(near)
    speed_up, faster = row.speed_up, ""
    if not math.isnan(speed_up.value):
        plain = speed_up.low == speed_up.high or says_nothing(speed_up)
        times = _known(speed_up, significant) if plain else in_words(speed_up)
        efficiency = _known(row.efficiency, share)
        faster = ProgramWords.FASTER(times=str(times), efficiency=efficiency)
    least = ProgramWords.LEAST if several else ProgramWords.ON
    time = _known(row.seconds, format_time)
    yield least(ranks=row.ranks, alike=alike, time=time, faster=faster)
    low, high = speed_up.bounds or (speed_up.value, speed_up.value)
    if trade_off.work_s == 0:
        yield ProgramWords.NO_WORK()
    elif high <= 1:
        yield ProgramWords.ONE_FASTER(work_s=trade_off.work_s)
    elif low <= 1:
        yield ProgramWords.ONE_PERHAPS(work_s=trade_off.work_s)
    if several:
        first, last, best = trade_off.rows[0].ranks, trade_off.rows[-1].ranks, trade_off.best
        if best.ranks == last:
            yield ProgramWords.MORE_RANKS(ranks=last)
        elif best.high == last:
            yield ProgramWords.MORE_RANKS_ALIKE(ranks=last)
        if best.ranks == first > 2:
            yield ProgramWords.FEWER_RANKS(ranks=first)


def _half(trade_off: TradeOff) -> Iterator[str]:
    """From where on communication takes most of the time; nothing where there is no work.

    With bounds where it is in doubt, e.g. " (55 to 70)", " (55 to more than 64)".
    """
    half, last = trade_off.half, trade_off.rows[-1].ranks
    if not trade_off.calls:
        yield ProgramWords.NO_CALLS()
    elif trade_off.work_s and half.ranks is None and len(trade_off.rows) == 1:
        yield ProgramWords.UNDER_HALF(doubt=bool(half.low))
    elif trade_off.work_s and half.ranks is None:
        yield ProgramWords.NEVER_HALF(perhaps=f"{half.low:,}" if half.low else None)
    elif trade_off.work_s and half.ranks is not None:
        above = [row for row in trade_off.rows if row.ranks > half.ranks]
        less = [row.ranks for row in above if not row.half_communicates]
        takes_half = ProgramWords.HALF_FROM if above and not less else ProgramWords.HALF_ON
        bounds = None
        if half.low is not None and not half.low == half.ranks == half.high:
            high = f"more than {last:,}" if half.high is None else f"{half.high:,}"
            bounds = f"{half.low:,} to {high}"
        yield takes_half(
            ranks=half.ranks,
            bounds=bounds,
            already=half.ranks == trade_off.rows[0].ranks and bool(above),
            less=ranks_words(less) if less else None,
        )


# -- what the times rest on ------------------------------------------------------------------------


def _call_sentences(trade_off: TradeOff) -> Iterator[str]:
    """Calls that are extrapolated, at their shortest time, below a byte, or without intervals.

    Then what is assumed of calls in groups of ranks.
    """

    def outside(call: CallTimes) -> str:
        """E.g. "from 65 ranks on: fitted to 2 to 64 ranks and 8 B to 1 MiB"; "" nowhere."""
        where = _where(trade_off, call.extrapolated)
        if not where:
            return ""
        ranks, sizes = call.fitted_ranks, call.fitted_bytes
        powers = len(ranks) > 1 and all(p.bit_count() == 1 for p in ranks)
        return ProgramWords.FITTED_TO(
            where=where,
            ranks=_range(ranks, "{:,}".format),
            powers=powers,
            sizes=_range(sizes, format_size),
        )

    for calls, words in _alike(trade_off, outside):
        yield ProgramWords.EXTRAPOLATED(calls=listed(calls), number=len(calls), outside=words)
    for calls, where in _alike(trade_off, lambda times: _where(trade_off, times.floored)):
        yield ProgramWords.FLOORED(calls=listed(calls), number=len(calls), where=where)
    for calls, where in _alike(trade_off, lambda times: _where(trade_off, times.under_a_byte)):
        yield ProgramWords.UNDER_A_BYTE(where=where, calls=listed(calls))
    few = {
        times.call.pattern: times.seconds[0].n
        for times in trade_off.calls
        if times.seconds[0].bounds is None
    }
    if few:
        fewest = min(few.values())
        origins = [trade_off.origin] if trade_off.origin else []
        basis = rests_on(fewest, origins) if fewest else f"{trade_off.origin} values"
        yield ProgramWords.NO_INTERVALS(calls=listed(few), number=len(few), basis=basis)
    for one in trade_off.calls:
        if one.call.ranks:
            yield ProgramWords.GROUPS(pattern=one.call.pattern, ranks=one.call.ranks)
        if any(one.left_over):
            yield ProgramWords.LEFT_OVER(
                ranks=one.call.ranks,
                where=_where(trade_off, one.left_over),
                pattern=one.call.pattern,
            )


def _alike(
    trade_off: TradeOff, words: Callable[[CallTimes], str]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Names of calls with the same non-empty `words`, each once, and these words."""
    alike: dict[str, list[str]] = {}
    for call in trade_off.calls:
        size = f" of {call.call.size}" * (call.fitted_bytes != (0,))
        alike.setdefault(words(call), []).append(f"{call.call.pattern}{size}")
    for same, calls in alike.items():
        if same:
            yield tuple(dict.fromkeys(calls)), same


def _where(trade_off: TradeOff, flags: Sequence[bool]) -> str:
    """On which numbers of ranks something holds, e.g. "from 65 ranks on"; "" on none."""
    asked = [row.ranks for row in trade_off.rows]
    those = [p for p, flag in zip(asked, flags, strict=True) if flag]
    if not those:
        return ""
    if len(those) == len(asked):
        return ProgramWords.THROUGHOUT()
    if those == asked[-len(those) :]:
        return ProgramWords.FROM_ON(ranks=those[0])
    if those == asked[: len(those)]:
        return ProgramWords.UP_TO(ranks=those[-1])
    return ProgramWords.ON_RANKS(ranks=ranks_words(those))


def _range(numbers: Sequence[int], words: Callable[[int], str]) -> str:
    return " to ".join(dict.fromkeys((words(numbers[0]), words(numbers[-1]))))
