"""The sentences below a table: who is faster where, what a library costs over raw memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from leadline.backends.kinds import title_of
from leadline.compare.curves import Comparison, Crossing, Curve, Range
from leadline.compare.ranking import Standing
from leadline.compare.taxes import Tax
from leadline.compare.verdict import Verdict, Why
from leadline.report.document import Section, Table
from leadline.report.text.phrases import MISSING, listed, plural, stated_share, where
from leadline.report.text.ratios import in_words, span
from leadline.statistics.estimate import Estimate
from leadline.units import format_rough_size, format_size

DECIDED = (Verdict.FASTER, Verdict.SLOWER)


def ranges_sentence(
    ranges: Sequence[Range], threshold: float, several: bool, sizes: Collection[int] = ()
) -> str:
    """E.g. "a is 1.2 to 2.6 times faster than b up to 512 B; not decided from 1 KiB on (...).".

    `several`: more than two take part, so that equal ones need names. `sizes` were measured,
    perhaps more than the ranges have.
    """
    every = sorted({*sizes, *(cell.size_bytes or 0 for one in ranges for cell in one.cells)})
    parts: list[str] = []
    before = None
    for together in _told_together(ranges, every):
        one = together[0]
        place = where(one.first_bytes, together[-1].last_bytes, every[0], every[-1])
        now, decided = _in_order(one), one.judgement.verdict in DECIDED
        named = now != before if decided else several
        parts.append(_range_words(together, threshold, named, place))
        before = now if decided else None
    sentence = "; ".join(parts) + "."
    nameless = sentence.startswith(("not decided", "equal within", "the fastest two"))
    return sentence[0].upper() + sentence[1:] if nameless else sentence


def _told_together(ranges: Sequence[Range], sizes: Sequence[int]) -> list[list[Range]]:
    """Neighbours of which nothing is decided, or all are equal, whoever the two are."""
    after = dict(pairwise(sizes))
    told: list[list[Range]] = []
    for one in ranges:
        last = told[-1][-1] if told else one
        alike = {last.judgement.verdict} - {*DECIDED} == {one.judgement.verdict}
        if alike and after.get(last.last_bytes or 0) == one.first_bytes:
            told[-1].append(one)
        else:
            told.append([one])
    return told


def _range_words(together: Sequence[Range], threshold: float, named: bool, place: str) -> str:
    one = together[0]
    pairs = {(each.baseline, each.candidate) for each in together}
    if one.judgement.verdict is Verdict.UNDECIDED:
        cells = [cell for each in together for cell in each.cells]
        between = f" between {one.baseline} and {one.candidate}" * (named and len(pairs) == 1)
        return f"not decided{between}{place} ({reason(cells, threshold)})"
    if one.judgement.verdict is Verdict.SAME:
        who = f"{one.baseline} and {one.candidate}" if len(pairs) == 1 else "the fastest two"
        names = f"{who} are " * named
        return f"{names}equal within {stated_share(threshold)}{place}"
    return _advantage(one, threshold, named) + place


def _advantage(one: Range, threshold: float, named: bool = True) -> str:
    """E.g. "a is 2.6 (2.5 to 2.7) times faster than b"; without names "2.6 ... times faster"."""
    times = f"{span(one, threshold, one.judgement.verdict is Verdict.FASTER)} times faster"
    winner, loser = _in_order(one)
    return f"{winner} is {times} than {loser}" if named else times


def _in_order(one: Range) -> tuple[str, str]:
    """The faster one first."""
    pair = one.baseline, one.candidate
    return pair[::-1] if one.judgement.verdict is Verdict.FASTER else pair


def curve_sentence(curve: Curve, threshold: float, named: bool) -> str:
    """One candidate against its baseline, over all sizes; "" where the curve doesn't count.

    `named`: say who is meant also where nothing is decided.
    """
    if not curve.ranges:
        return ""
    sizes = [cell.size_bytes or 0 for cell in curve.cells]
    partial = not all(cell.counted and cell.ratio is not None for cell in curve.cells)
    first = ranges_sentence(curve.ranges, threshold, named, sizes)
    return " ".join([first, *whole_sentences([curve.whole], curve.ranges, threshold, partial)])


def standing_sentences(
    standing: Standing, threshold: float, sizes: Collection[int], partial: bool
) -> list[str]:
    """Who leads where; with more than two libraries their order, else their whole curve.

    `partial`: some of the `sizes` measured don't count.
    """
    several = standing.libraries > 2
    first = ranges_sentence(standing.leads, threshold, several, sizes)
    if several:
        return [first, *order_sentence(standing.tiers, len(sizes) > 1, partial)]
    return [first, *whole_sentences(standing.wholes, standing.leads, threshold, partial)]


def whole_sentences(
    wholes: Sequence[Comparison], ranges: Sequence[Range], threshold: float, partial: bool = False
) -> list[str]:
    """What shows over all sizes together where no size alone shows anything."""
    if any(one.judgement.verdict in DECIDED for one in ranges):
        return []
    several = len({size for one in ranges for size in (one.first_bytes, one.last_bytes)}) > 1
    begin = _together(several, partial)
    decided = [Range((whole,)) for whole in wholes if whole.verdict in DECIDED]
    return [f"{begin}{_advantage(one, threshold)}." for one in decided]


def order_sentence(tiers: Sequence[Sequence[str]], sizes: bool, partial: bool) -> list[str]:
    """E.g. "All sizes together, the fastest first: a; b and c, not told apart; d.".

    None where nothing is decided.
    """
    if len(tiers) < 2:
        return []
    begin = _together(sizes, partial).removesuffix(": ")
    words = [f"{listed(one)}{_apart(len(one))}" for one in tiers]
    first = f"{begin}, the fastest first" if begin else "The fastest first"
    return [f"{first}: {'; '.join(words)}."]


def _apart(libraries: int) -> str:
    """What a tier says of its own: some pairs in one of three may well be decided."""
    if libraries == 1:
        return ""
    return ", not told apart" if libraries == 2 else ", not all told apart"


def _together(several: bool, partial: bool) -> str:
    return f"All sizes{' that count' * partial} together: " * several


def slower_words(one: Range, threshold: float) -> str:
    """E.g. "b is 1.21 to 1.24 times slower than a in pingpong (2 ranks) at 8 B"."""
    cell = one.cells[0]
    first, last = one.first_bytes, one.last_bytes
    if first is None or last is None:
        place = " over all sizes together"
    else:
        place = f" at {format_size(first)}" * (last > 0)
        place = f" from {format_size(first)} to {format_size(last)}" if first < last else place
    return (
        f"{one.candidate} is {span(one, threshold)} times slower than {one.baseline} in "
        f"{cell.pattern} ({cell.ranks} ranks){place}"
    )


def tax_sentence(taxes: Sequence[Tax]) -> str:
    """E.g. "Library tax over raw shared memory at 8 B: openmpi 1.4x (1.3 to 1.5), ...".

    A sentence for each raw transport; "" without taxes.
    """
    kinds = dict.fromkeys(tax.raw for tax in taxes)
    return " ".join(_tax_over(kind, [tax for tax in taxes if tax.raw == kind]) for kind in kinds)


def _tax_over(kind: str, taxes: Sequence[Tax]) -> str:
    sizes = {tax.size_bytes for tax in taxes}
    at = f" at {format_size(min(sizes))}" if sizes != {0} else ""
    costs = ", ".join(f"{tax.variant} {cost(tax.effect)}" for tax in taxes)
    return f"Library tax over {title_of(kind)}{at}: {costs}."


def cost(ratio: Estimate) -> str:
    """E.g. "1.4x (1.3 to 1.5)", "3.5x" without an interval."""
    if ratio.known is None:
        return "unknown"
    times = in_words(ratio)
    return f"{times.value}x ({times.bounds})" if times.bounds else f"{times.value}x"


def crossing_sentences(crossings: Iterable[Crossing]) -> Iterator[str]:
    """Of those where the leader changes, one each.

    E.g. "b overtakes a between 32 KiB and 64 KiB, at 45 KiB (41 KiB to 52 KiB).".
    """
    for one in crossings:
        if one.leads:
            at = f", at {_point(one.point)}" if one.point else ""
            yield f"{one.ahead_above} overtakes {one.ahead_below} {_between(one)}{at}."


def crossing_section(crossings: Sequence[Crossing]) -> Section:
    """All of them, also below the leader."""
    columns = ("pattern", "ranks", "overtakes", "whom", "between", "at")
    rows = tuple(
        (
            f"{one.pattern}, {one.buffers} buffers, {one.cadence}",
            f"{one.ranks:,}",
            one.ahead_above,
            one.ahead_below,
            _between(one).removeprefix("between "),
            _point(one.point) if one.point else MISSING,
        )
        for one in crossings
    )
    return Section("Where one overtakes another", Table(columns, rows) if rows else None)


def _between(one: Crossing) -> str:
    return f"between {format_size(one.below_bytes)} and {format_size(one.above_bytes)}"


def _point(point: Estimate) -> str:
    """E.g. "45 KiB (41 KiB to 52 KiB)"."""
    value = format_rough_size(point.value)
    if point.bounds is None:
        return value
    low, high = map(format_rough_size, point.bounds)
    return f"{value} ({low} to {high})"


def reason(cells: Sequence[Comparison], threshold: float) -> str:
    """E.g. "crosses 2 %", of several cells also "crosses 2 %; 3 to 5 of 6 blocks", each once."""
    alike: dict[tuple[Why | None, int | None], list[Comparison]] = {}
    for cell in cells:
        alike.setdefault((cell.why, cell.blocks_needed), []).append(cell)
    return "; ".join(dict.fromkeys(_reason(some, threshold) for some in alike.values()))


def _reason(cells: Sequence[Comparison], threshold: float) -> str:
    first = cells[0]
    if first.why is Why.FEW_BLOCKS:
        return _blocks(cells)
    if first.why is Why.STATED:
        return _stated(first)
    return _WORDS[first.why].format(stated_share(threshold)) if first.why else "decided"


_WORDS = {
    Why.CROSSES: "crosses {}",
    Why.FAMILY: "beyond {} alone, but not in the test over all",
    Why.NOT_MEASURED: "not measured on both sides",
    Why.DISTURBED: "disturbed",
    Why.HANDOVER: "cores in different states",
    Why.ONE_PAIR_OF_RUNS: "one pair of runs",
    Why.OVERSUBSCRIBED: "oversubscribed",
}


def _blocks(cells: Sequence[Comparison]) -> str:
    """E.g. "3 to 5 of 6 blocks": that it has, of those that would do."""
    numbers = dict.fromkeys((min(c.blocks for c in cells), max(c.blocks for c in cells)))
    needed = cells[0].blocks_needed
    have = " to ".join(f"{number:,}" for number in numbers)
    return f"{have} of {plural(needed, 'block')}" if needed else f"{have} blocks"


def _stated(cell: Comparison) -> str:
    """The origins that weren't measured, e.g. "simulated"."""
    return listed(origin for origin in cell.origins if origin != "measured")
