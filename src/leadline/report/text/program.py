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
    found = programs.found
    first, *others = ([*_call_sentences(one)] for one in found)
    shared = [line for line in first if others and all(line in each for each in others)]
    sections = [section for one in found for section in _sections(one, shared)]
    if len(found) > 1:
        notes: list[str] = []
        if len(programs.rivals) < 2:
            pass  # a raw transport beside one library is a limit, no competitor
        elif fastest := programs.fastest:
            notes.append(ProgramWords.FASTEST(variant=fastest.label, ranks=fastest.least.ranks))
        elif all(one.least.seconds.bounds for one in programs.rivals):
            notes.append(ProgramWords.OVERLAP())
        else:
            notes.append(ProgramWords.NOT_ALL_INTERVALS())
        rows = tuple((one.label or "", *_row(one, one.least)[:-1]) for one in found)
        table = Table(("", *COLUMNS[:-1]), rows)
        sections.append(Section("best number of ranks of each", table, (*notes, *shared)))
    if programs.left_out:
        sections.append(Section("left out", notes=refused_notes(programs.left_out)))
    if conditions := tuple(condition_notes(programs.models, "RUN")):
        sections.append(Section(CONDITIONS, notes=conditions))
    return [*sections, *note_sections([], programs.warnings)]


def program_sentences(found: TradeOff) -> list[str]:
    """What follows from the rows, and what they rest on."""
    return [*_best(found), *_half(found), *_call_sentences(found)]


# -- tables ----------------------------------------------------------------------------------------


def _sections(found: TradeOff, shared: Sequence[str]) -> Iterator[Section]:
    """Times by ranks with what follows from them, but for what is `shared`; then the calls."""
    parts = [
        f"program over {found.label}" if found.label else "program without calls",
        f"{format_time(found.work_s)} of work on one rank",
        f"{stated_share(found.serial_share)} of it serial" * (found.serial_share > 0),
        plural(found.steps, "step") * (found.steps > 1),
    ]
    rows, notes = found.rows, [line for line in program_sentences(found) if line not in shared]
    if len(rows) > MOST_ROWS:
        notes.insert(0, ProgramWords.MANY_RANKS(number=len(rows)))
        named = {rows[0].ranks, rows[-1].ranks, found.best.ranks, found.half.ranks}
        rows = tuple(row for row in rows if row.ranks.bit_count() == 1 or row.ranks in named)
    table = Table(COLUMNS, tuple(_row(found, row) for row in rows))
    yield Section(SEPARATOR.join(filter(None, parts)), table, tuple(notes))
    if found.calls:
        at = found.rows.index(found.least)
        calls = tuple(
            (
                one.call.pattern,
                str(one.call.size),
                f"{one.call.count:,.6g}",
                f"groups of {one.call.ranks}" if one.call.ranks else "all",
                _known(one.seconds[at], format_time),
            )
            for one in found.calls
        )
        heading = f"calls over {found.label}{SEPARATOR}on {plural(found.rows[at].ranks, 'rank')}"
        yield Section(heading, Table(("pattern", "size", "in a step", "ranks", "time"), calls))


def _row(found: TradeOff, row: OnRanks) -> tuple[str, ...]:
    marks = {
        "best": row.ranks == found.best.ranks and len(found.rows) > 1,
        "half": row.ranks == found.half.ranks,
        "extrapolated": row.extrapolated,
        "floored": row.floored,
    }
    return (
        f"{row.ranks:,}",
        format_time(row.compute_s),
        _known(row.communicate_s, format_time) if found.calls else MISSING,
        _known(row.seconds, format_time),
        _known(row.speed_up, significant),
        _known(row.efficiency, share),
        ", ".join(mark for mark, holds in marks.items() if holds),
    )


def _known(found: Estimate, words: Callable[[float], str]) -> str:
    """With its interval, unless it is exact."""
    if math.isnan(found.value):
        return MISSING
    return words(found.value) if found.low == found.high else estimated(found, words, "")


# -- what follows from the rows --------------------------------------------------------------------


def _best(found: TradeOff) -> Iterator[str]:
    """The number of ranks with the least time, and whether more or fewer may be as good.

    E.g. "The least time is on 64 ranks (32 to 128 may take as little): 1.2 s, 41 times as fast as
    one, efficiency 64 %.".
    """
    row, several = found.least, len(found.rows) > 1
    alike = None
    if near := found.near if not set(found.near) <= {found.best.ranks} else ():
        between = [each.ranks for each in found.rows if near[0] <= each.ranks <= near[-1]]
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
    if found.work_s == 0:
        yield ProgramWords.NO_WORK()
    elif high <= 1:
        yield ProgramWords.ONE_FASTER(work_s=found.work_s)
    elif low <= 1:
        yield ProgramWords.ONE_PERHAPS(work_s=found.work_s)
    if several:
        first, last, best = found.rows[0].ranks, found.rows[-1].ranks, found.best
        if best.ranks == last:
            yield ProgramWords.MORE_RANKS(ranks=last)
        elif best.high == last:
            yield ProgramWords.MORE_RANKS_ALIKE(ranks=last)
        if best.ranks == first > 2:
            yield ProgramWords.FEWER_RANKS(ranks=first)


def _half(found: TradeOff) -> Iterator[str]:
    """From where on communication takes most of the time; nothing where there is no work.

    With bounds where it is in doubt, e.g. " (55 to 70)", " (55 to more than 64)".
    """
    half, last = found.half, found.rows[-1].ranks
    if not found.calls:
        yield ProgramWords.NO_CALLS()
    elif found.work_s and half.ranks is None and len(found.rows) == 1:
        yield ProgramWords.UNDER_HALF(doubt=bool(half.low))
    elif found.work_s and half.ranks is None:
        yield ProgramWords.NEVER_HALF(perhaps=f"{half.low:,}" if half.low else None)
    elif found.work_s and half.ranks is not None:
        above = [row for row in found.rows if row.ranks > half.ranks]
        less = [row.ranks for row in above if not row.half_communicates]
        takes_half = ProgramWords.HALF_FROM if above and not less else ProgramWords.HALF_ON
        bounds = None
        if half.low is not None and not half.low == half.ranks == half.high:
            high = f"more than {last:,}" if half.high is None else f"{half.high:,}"
            bounds = f"{half.low:,} to {high}"
        yield takes_half(
            ranks=half.ranks,
            bounds=bounds,
            already=half.ranks == found.rows[0].ranks and bool(above),
            less=ranks_words(less) if less else None,
        )


# -- what the times rest on ------------------------------------------------------------------------


def _call_sentences(found: TradeOff) -> Iterator[str]:
    """Calls that are extrapolated, at their shortest time, below a byte, or without intervals.

    Then what is assumed of calls in groups of ranks.
    """

    def outside(call: CallTimes) -> str:
        """E.g. "from 65 ranks on: fitted to 2 to 64 ranks and 8 B to 1 MiB"; "" nowhere."""
        where = _where(found, call.extrapolated)
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

    for calls, words in _alike(found, outside):
        yield ProgramWords.EXTRAPOLATED(calls=listed(calls), number=len(calls), outside=words)
    for calls, where in _alike(found, lambda one: _where(found, one.floored)):
        yield ProgramWords.FLOORED(calls=listed(calls), number=len(calls), where=where)
    for calls, where in _alike(found, lambda one: _where(found, one.under_a_byte)):
        yield ProgramWords.UNDER_A_BYTE(where=where, calls=listed(calls))
    few = {
        one.call.pattern: one.seconds[0].n for one in found.calls if one.seconds[0].bounds is None
    }
    if few:
        fewest = min(few.values())
        origins = [found.origin] if found.origin else []
        basis = rests_on(fewest, origins) if fewest else f"{found.origin} values"
        yield ProgramWords.NO_INTERVALS(calls=listed(few), number=len(few), basis=basis)
    for one in found.calls:
        if one.call.ranks:
            yield ProgramWords.GROUPS(pattern=one.call.pattern, ranks=one.call.ranks)
        if any(one.left_over):
            yield ProgramWords.LEFT_OVER(
                ranks=one.call.ranks,
                where=_where(found, one.left_over),
                pattern=one.call.pattern,
            )


def _alike(
    found: TradeOff, words: Callable[[CallTimes], str]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Names of calls with the same non-empty `words`, each once, and these words."""
    alike: dict[str, list[str]] = {}
    for one in found.calls:
        size = f" of {one.call.size}" * (one.fitted_bytes != (0,))
        alike.setdefault(words(one), []).append(f"{one.call.pattern}{size}")
    for same, calls in alike.items():
        if same:
            yield tuple(dict.fromkeys(calls)), same


def _where(found: TradeOff, flags: Sequence[bool]) -> str:
    """On which numbers of ranks something holds, e.g. "from 65 ranks on"; "" on none."""
    asked = [row.ranks for row in found.rows]
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
