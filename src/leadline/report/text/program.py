"""A program's trade-off of computation against communication: times by ranks, and conclusions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from leadline.models.program import CallTimes, OnRanks, Programs, TradeOff
from leadline.report.document import SEPARATOR, Section, Table
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
            below = "its interval lies below the others' on all numbers of ranks"
            ranks = plural(fastest.least.ranks, "rank")
            notes.append(f"{fastest.label} on {ranks} is the fastest: {below}.")
        elif all(one.least.seconds.bounds for one in programs.rivals):
            notes.append("Which is the fastest can't be told: intervals overlap.")
        else:
            notes.append("Which is the fastest can't be told: not all have intervals.")
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
        numbers = plural(len(rows), "number")
        notes.insert(0, f"{numbers} of ranks were asked for: --csv and --json have them all.")
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
    alike = ""
    if near := found.near if not set(found.near) <= {found.best.ranks} else ():
        between = [each.ranks for each in found.rows if near[0] <= each.ranks <= near[-1]]
        which = f"{near[0]:,} to {near[-1]:,}" if len(between) == len(near) else ranks_words(near)
        alike = f" ({which} may take as little)"
    speed_up, faster = row.speed_up, ""
    if not math.isnan(speed_up.value):
        plain = speed_up.low == speed_up.high or says_nothing(speed_up)
        times = _known(speed_up, significant) if plain else in_words(speed_up)
        faster = f", {times} times as fast as one, efficiency {_known(row.efficiency, share)}"
    where = f"{'The least time is on' if several else 'On'} {plural(row.ranks, 'rank')}"
    yield f"{where}{alike}: {_known(row.seconds, format_time)}{faster}."
    low, high = speed_up.bounds or (speed_up.value, speed_up.value)
    if found.work_s == 0:
        yield "There is no work to divide, so there is no speed-up."
    elif high <= 1:
        yield f"One rank alone is faster: it takes {format_time(found.work_s)}."
    elif low <= 1:
        alone = format_time(found.work_s)
        yield f"Whether that is faster than one rank alone, {alone}, can't be told."
    if several:
        first, last, best = found.rows[0].ranks, found.rows[-1].ranks, found.best
        if best.ranks == last:
            yield f"What was asked for ends there: more than {last:,} ranks may take less."
        elif best.high == last:
            yield f"What was asked for ends at {last:,} ranks, which may take as little."
        if best.ranks == first > 2:
            yield f"What was asked for begins there: fewer than {first:,} ranks may take less."


def _half(found: TradeOff) -> Iterator[str]:
    """From where on communication takes most of the time; nothing where there is no work.

    With bounds where it is in doubt, e.g. " (55 to 70)", " (55 to more than 64)".
    """
    half, last = found.half, found.rows[-1].ranks
    if not found.calls:
        yield "There are no calls: nothing is communicated, whatever the variant."
    elif found.work_s and half.ranks is None and len(found.rows) == 1:
        doubt = ", but perhaps more" if half.low else ""
        yield f"Communication takes less than half of the time{doubt}."
    elif found.work_s and half.ranks is None:
        perhaps = f", but perhaps on {half.low:,}" if half.low else ""
        yield f"Communication takes half of the time on none of these numbers of ranks{perhaps}."
    elif found.work_s and half.ranks is not None:
        above = [row for row in found.rows if row.ranks > half.ranks]
        less = [row.ranks for row in above if not row.half_communicates]
        begin, on = ("from", " on") if above and not less else ("on", "")
        bounds = ""
        if half.low is not None and not half.low == half.ranks == half.high:
            high = f"more than {last:,}" if half.high is None else f"{half.high:,}"
            bounds = f" ({half.low:,} to {high})"
        already = " already" * (half.ranks == found.rows[0].ranks and bool(above))
        ranks = f"{plural(half.ranks, 'rank')}{on}{bounds}{already}"
        again = f", but not on {ranks_words(less)}" if less else ""
        yield f"Communication takes half of the time, or more, {begin} {ranks}{again}."


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
        fitted = f"{_range(ranks, '{:,}'.format)} ranks{', powers of two alone,' * powers}"
        return f"{where}: fitted to {fitted} and {_range(sizes, format_size)}"

    for calls, words in _alike(found, outside):
        yield f"{listed(calls)} {'is' if len(calls) == 1 else 'are'} extrapolated {words}."
    for calls, where in _alike(found, lambda one: _where(found, one.floored)):
        words = "takes the shortest time of its piece {}, below which its form falls"
        if len(calls) > 1:
            words = "take the shortest times of their pieces {}, below which their forms fall"
        yield f"{listed(calls)} {words.format(where)}."
    for calls, where in _alike(found, lambda one: _where(found, one.under_a_byte)):
        yield f"Less than a byte is left {where} of {listed(calls)}: it counts as one byte."
    few = {
        one.call.pattern: one.seconds[0].n for one in found.calls if one.seconds[0].bounds is None
    }
    if few:
        fewest = min(few.values())
        origins = [found.origin] if found.origin else []
        basis = rests_on(fewest, origins) if fewest else f"{found.origin} values"
        yield f"There are no intervals: {listed(few)} rest{'s' * (len(few) == 1)} on {basis}."
    for one in found.calls:
        if one.call.ranks:
            yield (
                f"{one.call.pattern} takes what {one.call.ranks} ranks take that have the machine "
                "to themselves: what groups take from each other isn't in it."
            )
        if any(one.left_over):
            yield (
                f"Groups of {one.call.ranks} leave ranks over {_where(found, one.left_over)}: "
                f"these are taken to call no {one.call.pattern}."
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
        return "throughout"
    if those == asked[-len(those) :]:
        return f"from {those[0]:,} ranks on"
    if those == asked[: len(those)]:
        return f"up to {those[-1]:,} ranks"
    return f"on {ranks_words(those)}"


def _range(numbers: Sequence[int], words: Callable[[int], str]) -> str:
    return " to ".join(dict.fromkeys((words(numbers[0]), words(numbers[-1]))))
