"""A program's trade-off of computation against communication: times by ranks, what they say."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from leadline.models.model import Model, NotFitted
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
"""Of more numbers of ranks a table has the powers of two, the ends and what is spoken of."""


def program_document(programs: Programs) -> list[Section]:
    """For each variant its times by ranks and its calls; the best of each; what else is to say."""
    found, shared = programs.found, _shared(programs.found)
    return [
        *(section for one in found for section in _sections(one, shared)),
        *([_bests(programs, shared)] if len(found) > 1 else []),
        *_left_out(programs.left_out),
        *_conditions(programs.models),
        *note_sections([], programs.caveats),
    ]


def _conditions(models: Sequence[Model]) -> Iterator[Section]:
    if notes := tuple(condition_notes(models, "RUN")):
        yield Section(CONDITIONS, notes=notes)


def _left_out(left_out: Sequence[NotFitted]) -> Iterator[Section]:
    if left_out:
        yield Section("left out", notes=refused_notes(left_out))


def _shared(found: Sequence[TradeOff]) -> list[str]:
    """What is to be said of the calls over each of several variants, in the same words."""
    first, *others = map(_of_calls, found)
    return [line for line in first if others and all(line in each for each in others)]


def program_sentences(found: TradeOff) -> list[str]:
    """What follows from the rows, and what they rest on."""
    return [*_best(found), *_half(found), *_of_calls(found)]


def _of_calls(found: TradeOff) -> list[str]:
    return [
        *_extrapolated(found),
        *_floored(found),
        *_under_a_byte(found),
        *_without_intervals(found),
        *_groups(found),
    ]


def _sections(found: TradeOff, shared: Sequence[str]) -> Iterator[Section]:
    parts = [
        f"program over {found.label}" if found.label else "program without calls",
        f"{format_time(found.work_s)} of work on one rank",
        f"{stated_share(found.serial_share)} of it serial" * (found.serial_share > 0),
        plural(found.steps, "step") * (found.steps > 1),
    ]
    yield Section(SEPARATOR.join(filter(None, parts)), _table(found), tuple(_notes(found, shared)))
    if found.calls:
        yield _calls(found)


def _notes(found: TradeOff, shared: Sequence[str]) -> Iterator[str]:
    if len(found.rows) > MOST_ROWS:
        numbers = plural(len(found.rows), "number")
        yield f"{numbers} of ranks were asked for: --csv and --json have them all."
    yield from (line for line in program_sentences(found) if line not in shared)


# -- tables ----------------------------------------------------------------------------------------

COLUMNS = ("ranks", "compute", "communicate", "time", "speed-up", "efficiency", "")


def _table(found: TradeOff) -> Table:
    return Table(COLUMNS, tuple(_row(found, row) for row in _shown(found)))


def _shown(found: TradeOff) -> list[OnRanks]:
    rows, best, half = found.rows, found.best, found.half
    if len(rows) <= MOST_ROWS:
        return list(rows)
    named = {rows[0].ranks, rows[-1].ranks, best.ranks, half.ranks}
    return [row for row in rows if row.ranks.bit_count() == 1 or row.ranks in named]


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


def _calls(found: TradeOff) -> Section:
    at = found.rows.index(found.least)
    rows = tuple(
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
    return Section(heading, Table(("pattern", "size", "in a step", "ranks", "time"), rows))


def _bests(programs: Programs, shared: Sequence[str]) -> Section:
    rows = tuple((one.label or "", *_row(one, one.least)[:-1]) for one in programs.found)
    table = Table(("", *COLUMNS[:-1]), rows)
    return Section("best number of ranks of each", table, (*_fastest(programs), *shared))


def _fastest(programs: Programs) -> Iterator[str]:
    if len(programs.rivals) < 2:
        return
    found = programs.fastest
    if found:
        below = "its interval lies below the others' on all numbers of ranks"
        yield f"{found.label} on {plural(found.least.ranks, 'rank')} is the fastest: {below}."
    elif all(one.least.seconds.bounds for one in programs.rivals):
        yield "Which is the fastest can't be told: intervals overlap."
    else:
        yield "Which is the fastest can't be told: not all have intervals."


# -- sentences -------------------------------------------------------------------------------------


def _best(found: TradeOff) -> Iterator[str]:
    row, several = found.least, len(found.rows) > 1
    where = f"{'The least time is on' if several else 'On'} {plural(row.ranks, 'rank')}"
    yield f"{where}{_near(found)}: {_known(row.seconds, format_time)}{_speed_up(row)}."
    yield from _over_one_rank(found, row)
    if several:
        yield from _at_the_ends(found)


def _near(found: TradeOff) -> str:
    """E.g. " (64 to 120 may take as little)"; nothing where there is no doubt, or no interval."""
    near = found.near
    if set(near) <= {found.best.ranks}:
        return ""
    between = [row.ranks for row in found.rows if near[0] <= row.ranks <= near[-1]]
    alike = f"{near[0]:,} to {near[-1]:,}" if len(between) == len(near) else ranks_words(near)
    return f" ({alike} may take as little)"


def _speed_up(row: OnRanks) -> str:
    if math.isnan(row.speed_up.value):
        return ""
    found = row.speed_up
    plain = found.low == found.high or says_nothing(found)
    times = _known(found, significant) if plain else in_words(found)
    return f", {times} times as fast as one, efficiency {_known(row.efficiency, share)}"


def _over_one_rank(found: TradeOff, row: OnRanks) -> Iterator[str]:
    """Where dividing doesn't surely pay."""
    speed_up, alone = row.speed_up, format_time(found.work_s)
    low, high = speed_up.bounds or (speed_up.value, speed_up.value)
    if found.work_s == 0:
        yield "There is no work to divide, so there is no speed-up."
    elif high <= 1:
        yield f"One rank alone is faster: it takes {alone}."
    elif low <= 1:
        yield f"Whether that is faster than one rank alone, {alone}, can't be told."


def _at_the_ends(found: TradeOff) -> Iterator[str]:
    first, last, best = found.rows[0].ranks, found.rows[-1].ranks, found.best
    if best.ranks == last:
        yield f"What was asked for ends there: more than {last:,} ranks may take less."
    elif best.high == last:
        yield f"What was asked for ends at {last:,} ranks, which may take as little."
    if best.ranks == first > 2:
        yield f"What was asked for begins there: fewer than {first:,} ranks may take less."


def _half(found: TradeOff) -> Iterator[str]:
    """From where on communication takes most of the time; nothing where there is no work."""
    half = found.half
    if not found.calls:
        yield "There are no calls: nothing is communicated, whatever the variant."
    elif found.work_s and half.ranks is None:
        yield _less_than_half(found)
    elif found.work_s and half.ranks is not None:
        above = [row for row in found.rows if row.ranks > half.ranks]
        less = [row.ranks for row in above if not row.half_communicates]
        from_on = ("from", " on") if above and not less else ("on", "")
        already = " already" * (half.ranks == found.rows[0].ranks and bool(above))
        ranks = f"{plural(half.ranks, 'rank')}{from_on[1]}{_half_bounds(found)}{already}"
        again = f", but not on {ranks_words(less)}" if less else ""
        yield f"Communication takes half of the time, or more, {from_on[0]} {ranks}{again}."


def _less_than_half(found: TradeOff) -> str:
    perhaps = found.half.low
    if len(found.rows) == 1:
        doubt = ", but perhaps more" if perhaps else ""
        return f"Communication takes less than half of the time{doubt}."
    on = f", but perhaps on {perhaps:,}" if perhaps else ""
    return f"Communication takes half of the time on none of these numbers of ranks{on}."


def _half_bounds(found: TradeOff) -> str:
    """E.g. " (55 to 70)", " (55 to more than 64)"; nothing without an interval, or doubt."""
    half, last = found.half, found.rows[-1].ranks
    if half.low is None or half.low == half.ranks == half.high:
        return ""
    high = f"more than {last:,}" if half.high is None else f"{half.high:,}"
    return f" ({half.low:,} to {high})"


def _extrapolated(found: TradeOff) -> Iterator[str]:
    """Where calls lie outside of what their models were fitted to."""
    for calls, words in _alike(found, lambda one: _outside(found, one)):
        yield f"{listed(calls)} {'is' if len(calls) == 1 else 'are'} extrapolated {words}."


def _floored(found: TradeOff) -> Iterator[str]:
    for calls, where in _alike(found, lambda one: _where(found, one.floored)):
        words = "takes the shortest time of its piece {}, below which its form falls"
        if len(calls) > 1:
            words = "take the shortest times of their pieces {}, below which their forms fall"
        yield f"{listed(calls)} {words.format(where)}."


def _under_a_byte(found: TradeOff) -> Iterator[str]:
    for calls, where in _alike(found, lambda one: _where(found, one.under_a_byte)):
        yield f"Less than a byte is left {where} of {listed(calls)}: it counts as one byte."


def _alike(
    found: TradeOff, words: Callable[[CallTimes], str]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The names of calls of which the same is to be said, each once, and what."""
    alike: dict[str, list[str]] = {}
    for one in found.calls:
        size = f" of {one.call.size}" * (one.fitted_bytes != (0,))
        alike.setdefault(words(one), []).append(f"{one.call.pattern}{size}")
    for said, calls in alike.items():
        if said:
            yield tuple(dict.fromkeys(calls)), said


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


def _outside(found: TradeOff, call: CallTimes) -> str:
    """E.g. "from 65 ranks on: fitted to 2 to 64 ranks and 8 B to 1 MiB"; "" nowhere."""
    where = _where(found, call.extrapolated)
    if not where:
        return ""
    ranks, sizes = call.fitted_ranks, call.fitted_bytes
    powers = len(ranks) > 1 and all(p.bit_count() == 1 for p in ranks)
    fitted = f"{_range(ranks, '{:,}'.format)} ranks{', powers of two alone,' * powers}"
    return f"{where}: fitted to {fitted} and {_range(sizes, format_size)}"


def _range(numbers: Sequence[int], words: Callable[[int], str]) -> str:
    return " to ".join(dict.fromkeys((words(numbers[0]), words(numbers[-1]))))


def _without_intervals(found: TradeOff) -> Iterator[str]:
    """Which models have none, and what these rest on."""
    few = {
        one.call.pattern: one.seconds[0].n for one in found.calls if one.seconds[0].bounds is None
    }
    if few:
        fewest = min(few.values())
        origins = [found.origin] if found.origin else []
        basis = rests_on(fewest, origins) if fewest else f"{found.origin} values"
        yield f"There are no intervals: {listed(few)} rest{'s' * (len(few) == 1)} on {basis}."


def _groups(found: TradeOff) -> Iterator[str]:
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
