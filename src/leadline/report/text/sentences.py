"""The sentences below a table: who is faster where, and what a library costs over raw memory.

Also why cells are undecided, and where one library overtakes another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from leadline.backends.kinds import title_of
from leadline.compare.curves import Comparison, Crossing, Curve, Range
from leadline.compare.overheads import Overhead
from leadline.compare.ranking import Ranking
from leadline.compare.verdict import Verdict, Why
from leadline.report.document import Section, Table
from leadline.report.text.catalogue import PlaceWords, RankingWords, UndecidedWords
from leadline.report.text.phrases import MISSING, listed, rough_size, stated_share, where
from leadline.report.text.ratios import in_words, span
from leadline.statistics.estimate import Estimate
from leadline.units import format_size

DECIDED = (Verdict.FASTER, Verdict.SLOWER)


# -- who is faster ---------------------------------------------------------------------------------


def ranking_sentences(
    ranking: Ranking, threshold: float, sizes: Collection[int], partial: bool
) -> list[str]:
    """Who leads where; with more than two libraries their order, else their whole curve.

    Args:
        ranking: The ranking of the libraries on one curve.
        threshold: Of the verdicts, as a share.
        sizes: All that were measured, in bytes.
        partial: Whether some of the sizes don't count.
    """
    several = ranking.libraries > 2
    first = ranges_sentence(ranking.leads, threshold, several, sizes)
    if several:
        return [first, *order_sentence(ranking.groups, len(sizes) > 1, partial)]
    return [first, *whole_sentences(ranking.wholes, ranking.leads, threshold, partial)]


def curve_sentence(curve: Curve, threshold: float, named: bool) -> str:
    """One candidate against its baseline, over all sizes; "" where the curve doesn't count.

    Args:
        curve: The candidate's cells, and the curve as a whole.
        threshold: Of the verdicts, as a share.
        named: Whether to name the pair also where nothing is decided.
    """
    if not curve.ranges:
        return ""
    sizes = [cell.size_bytes or 0 for cell in curve.cells]
    partial = not all(cell.counted and cell.ratio is not None for cell in curve.cells)
    first = ranges_sentence(curve.ranges, threshold, named, sizes)
    return " ".join([first, *whole_sentences([curve.whole], curve.ranges, threshold, partial)])


def ranges_sentence(
    ranges: Sequence[Range], threshold: float, several: bool, sizes: Collection[int] = ()
) -> str:
    """E.g. "a is 1.2 to 2.6 times faster than b up to 512 B; not decided from 1 KiB on (...).".

    Neighbours of which nothing is decided, or all are equal, become one range, whoever the two
    are.

    Args:
        ranges: Runs of neighbouring sizes with one verdict, by size.
        threshold: Of the verdicts, as a share.
        several: Whether more than two libraries take part, so that equal ones need names.
        sizes: All that were measured, in bytes, perhaps more than the ranges have.
    """
    every = sorted({*sizes, *(cell.size_bytes or 0 for range_ in ranges for cell in range_.cells)})
    after = dict(pairwise(every))
    joined: list[list[Range]] = []
    for range_ in ranges:
        last = joined[-1][-1] if joined else range_
        alike = {last.judgement.verdict} - {*DECIDED} == {range_.judgement.verdict}
        if alike and after.get(last.last_bytes or 0) == range_.first_bytes:
            joined[-1].append(range_)
        else:
            joined.append([range_])
    parts: list[str] = []
    before = None
    for together in joined:
        one = together[0]
        place = where(one.first_bytes, together[-1].last_bytes, every[0], every[-1])
        now, decided = _in_order(one), one.judgement.verdict in DECIDED
        named = now != before if decided else several
        words, begins_with_name = _range_words(together, threshold, named, place)
        if not parts and not begins_with_name:
            words = words[0].upper() + words[1:]
        parts.append(words)
        before = now if decided else None
    return "; ".join(parts) + "."


def _range_words(
    together: Sequence[Range], threshold: float, named: bool, place: str
) -> tuple[str, bool]:
    """Neighbours with one verdict in words, and whether these begin with a library's name."""
    range_ = together[0]
    one_pair = len({(each.baseline, each.candidate) for each in together}) == 1
    names = f"{range_.baseline} and {range_.candidate}"
    if range_.judgement.verdict is Verdict.UNDECIDED:
        cells = [cell for each in together for cell in each.cells]
        words = RankingWords.UNDECIDED(
            pair=names if named and one_pair else None,
            place=place,
            reason=reason(cells, threshold),
        )
        return words, False
    if range_.judgement.verdict is Verdict.SAME:
        words = RankingWords.SAME(
            who=(names if one_pair else RankingWords.FASTEST_TWO()) if named else None,
            threshold=stated_share(threshold),
            place=place,
        )
        return words, named and one_pair
    return _advantage(range_, threshold, named) + place, True


def _advantage(range_: Range, threshold: float, named: bool = True) -> str:
    """E.g. "a is 2.6 (2.5 to 2.7) times faster than b"; without names "2.6 ... times faster"."""
    times = span(range_, threshold, range_.judgement.verdict is Verdict.FASTER)
    winner, loser = _in_order(range_)
    if not named:
        return RankingWords.FASTER_AS_BEFORE(times=times)
    return RankingWords.FASTER(winner=winner, times=times, loser=loser)


def _in_order(range_: Range) -> tuple[str, str]:
    """The faster one first."""
    pair = range_.baseline, range_.candidate
    return pair[::-1] if range_.judgement.verdict is Verdict.FASTER else pair


def whole_sentences(
    wholes: Sequence[Comparison], ranges: Sequence[Range], threshold: float, partial: bool = False
) -> list[str]:
    """What shows over all sizes together where no size alone shows anything."""
    if any(range_.judgement.verdict in DECIDED for range_ in ranges):
        return []
    several = (
        len({size for range_ in ranges for size in (range_.first_bytes, range_.last_bytes)}) > 1
    )
    decided = [Range((whole,)) for whole in wholes if whole.verdict in DECIDED]
    sentences = [f"{_advantage(range_, threshold)}." for range_ in decided]
    if not several:
        return sentences
    return [RankingWords.TOGETHER(partial=partial, sentence=sentence) for sentence in sentences]


def order_sentence(groups: Sequence[Sequence[str]], sizes: bool, partial: bool) -> list[str]:
    """E.g. "All sizes together, the fastest first: a; b and c, not told apart; d.".

    Nothing where nothing is decided. Of three or more in a group some pairs may well be decided,
    so that these are "not all told apart".
    """
    if len(groups) < 2:
        return []
    words: list[str] = []
    for group in groups:
        who = listed(group)
        if len(group) > 1:
            apart = RankingWords.GROUP_OF_TWO if len(group) == 2 else RankingWords.GROUP_OF_MORE
            who = apart(who=who)
        words.append(who)
    order = "; ".join(words)
    if sizes:
        return [RankingWords.ORDER_TOGETHER(partial=partial, groups=order)]
    return [RankingWords.ORDER(groups=order)]


def slower_words(range_: Range, threshold: float) -> str:
    """E.g. "b is 1.21 to 1.24 times slower than a in pingpong (2 ranks) at 8 B"."""
    cell = range_.cells[0]
    first, last = range_.first_bytes, range_.last_bytes
    if first is None or last is None:
        place = PlaceWords.TOGETHER()
    elif first < last:
        place = PlaceWords.FROM_TO(first=first, last=last)
    else:
        place = PlaceWords.AT(first=first) if last > 0 else ""
    return RankingWords.SLOWER(
        candidate=range_.candidate,
        times=span(range_, threshold),
        baseline=range_.baseline,
        pattern=cell.pattern,
        ranks=cell.ranks,
        place=place,
    )


# -- why cells are undecided -----------------------------------------------------------------------


def reason(cells: Sequence[Comparison], threshold: float) -> str:
    """What keeps cells undecided, each reason once.

    E.g. "crosses 2 %", of several cells also "crosses 2 %; 3 to 5 of 6 blocks": that they have, of
    those that would do. Where values weren't measured their origins: "simulated".
    """
    alike: dict[tuple[Why | None, int | None], list[Comparison]] = {}
    for cell in cells:
        alike.setdefault((cell.why, cell.blocks_needed), []).append(cell)
    words: list[str] = []
    for (why, needed), some in alike.items():
        if why is Why.FEW_BLOCKS:
            numbers = dict.fromkeys((min(c.blocks for c in some), max(c.blocks for c in some)))
            have = " to ".join(f"{number:,}" for number in numbers)
            words.append(
                UndecidedWords.FEW_BLOCKS_OF(blocks=have, needed=needed)
                if needed
                else UndecidedWords.FEW_BLOCKS(blocks=have)
            )
        elif why is Why.STATED:
            words.append(listed(origin for origin in some[0].origins if origin != "measured"))
        elif why in (Why.CROSSES, Why.FAMILY):
            words.append(UndecidedWords[why.name](threshold=stated_share(threshold)))
        elif why:
            words.append(UndecidedWords[why.name]())
        else:
            words.append("decided")
    return "; ".join(dict.fromkeys(words))


# -- where one overtakes another -------------------------------------------------------------------


def crossing_sentences(crossings: Iterable[Crossing]) -> Iterator[str]:
    """A sentence for each crossing at which the leader changes.

    E.g. "b overtakes a between 32 KiB and 64 KiB, at 45 KiB (41 KiB to 52 KiB).".
    """
    for crossing in crossings:
        if crossing.leads:
            yield RankingWords.OVERTAKES(
                above=crossing.ahead_above,
                below=crossing.ahead_below,
                sizes=_between(crossing),
                point=rough_size(crossing.point) if crossing.point else None,
            )


def crossing_section(crossings: Sequence[Crossing]) -> Section:
    """A table of all crossings, also of those below the leader."""
    columns = ("pattern", "ranks", "overtakes", "whom", "between", "at")
    rows = tuple(
        (
            f"{crossing.pattern}, {crossing.buffers} buffers, {crossing.cadence}",
            f"{crossing.ranks:,}",
            crossing.ahead_above,
            crossing.ahead_below,
            _between(crossing),
            rough_size(crossing.point) if crossing.point else MISSING,
        )
        for crossing in crossings
    )
    return Section("Where one overtakes another", Table(columns, rows) if rows else None)


def _between(crossing: Crossing) -> str:
    return f"{format_size(crossing.below_bytes)} and {format_size(crossing.above_bytes)}"


# -- overhead over raw memory ----------------------------------------------------------------------


def overhead_sentence(overheads: Sequence[Overhead]) -> str:
    """E.g. "Library overhead over raw shared memory at 8 B: openmpi 1.4x (1.3 to 1.5), ...".

    A sentence for each raw transport; "" without any overhead to show.
    """
    by_transport: dict[str, list[Overhead]] = {}
    for overhead in overheads:
        by_transport.setdefault(overhead.raw, []).append(overhead)
    sentences: list[str] = []
    for kind, each in by_transport.items():
        sizes = {overhead.size_bytes for overhead in each}
        sentences.append(
            RankingWords.OVERHEAD(
                raw=title_of(kind),
                size=format_size(min(sizes)) if sizes != {0} else None,
                costs=[f"{overhead.variant} {cost(overhead.effect)}" for overhead in each],
            )
        )
    return " ".join(sentences)


def cost(ratio: Estimate) -> str:
    """E.g. "1.4x (1.3 to 1.5)", "3.5x" without an interval."""
    if ratio.known is None:
        return "unknown"
    times = in_words(ratio)
    return f"{times.value}x ({times.bounds})" if times.bounds else f"{times.value}x"
