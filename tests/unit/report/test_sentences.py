"""What stands below tables, and that it follows from the numbers."""

from __future__ import annotations

from dataclasses import replace

from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.compare.curves import Comparison, Crossing, Range
from leadline.compare.overheads import Overhead
from leadline.compare.verdict import Judgement, Verdict, Why
from leadline.record.curve import CurveKey
from leadline.report.text.sentences import (
    crossing_section,
    crossing_sentences,
    order_sentence,
    overhead_sentence,
    ranges_sentence,
    slower_words,
    whole_sentences,
)
from leadline.statistics.estimate import Estimate

PINGPONG = CurveKey("pingpong", 2, "echo", "streaming")
CROSSES = Judgement.none(Why.CROSSES)
FASTER, SLOWER, SAME = (Judgement(v) for v in (Verdict.FASTER, Verdict.SLOWER, Verdict.SAME))


def row(size: int | None, judgement: Judgement, ratio: float, other: str = "mpich") -> Comparison:
    effect = Estimate(ratio, ratio * 0.96, ratio * 1.04, n=8)
    return Comparison(PINGPONG, size, other, "openmpi", effect, judgement, counted=True)


def lead(
    sizes: tuple[int, ...], judgement: Judgement, *ratios: float, other: str = "mpich"
) -> Range:
    several = ratios if len(ratios) > 1 else ratios * len(sizes)
    pairs = zip(sizes, several, strict=True)
    return Range(tuple(row(size, judgement, ratio, other) for size, ratio in pairs))


def test_sentence_names_winners_once_and_says_where_nothing_is_decided(
    snapshot: SnapshotAssertion,
) -> None:
    leads = [
        lead((0, 512), FASTER, 0.385, 0.6),
        lead((1024, 4096), FASTER, 0.7),
        lead((65536,), CROSSES, 1.0),
        lead((10**6,), SLOWER, 1.2),
    ]
    assert ranges_sentence(leads, 0.02, several=False) == snapshot


def test_neighbours_are_equal_in_one_part_whoever_they_are(snapshot: SnapshotAssertion) -> None:
    """Of seven libraries alike some other two are the fastest at each size."""
    sizes = (0, 8, 16, 32)
    leads = [lead((size,), SAME, 1.0, other=f"lib{size}") for size in sizes]
    assert ranges_sentence(leads, 0.02, several=True) == snapshot
    apart = [leads[0], lead((8,), SLOWER, 1.2), *leads[2:]]
    assert ranges_sentence(apart, 0.02, several=True) == snapshot


def test_range_gives_its_cells_and_no_average_that_none_of_them_has() -> None:
    cells = lead((104, 256, 1024), SLOWER, 1.22, 1.55, 1.65)
    assert numbers(ranges_sentence([cells], 0.02, False)) == ["1.22", "1.65"]


def test_range_has_its_cells_as_they_stand_in_the_table() -> None:
    far = replace(row(8, SLOWER, 9.3), effect=Estimate(9.3, 8.9, 9.6))
    near = replace(row(16, SLOWER, 1.25), effect=Estimate(1.25, 1.23, 1.33))
    assert numbers(ranges_sentence([Range((far, near))], 0.02, False)) == ["1.25", "9.3"]


def test_range_has_the_decimals_of_the_cell_that_is_known_less_well() -> None:
    wide = replace(row(8, SLOWER, 1.28), effect=Estimate(1.28, 1.05, 1.7))
    narrow = replace(row(16, SLOWER, 1.29), effect=Estimate(1.29, 1.288, 1.292))
    text = ranges_sentence([Range((wide, narrow))], 0.02, False)
    assert numbers(text) == ["1.3", "1.1", "1.7"]


def test_cells_that_read_the_same_have_an_interval_that_holds_all_of_theirs() -> None:
    first = replace(row(8, SLOWER, 1.302), effect=Estimate(1.302, 1.25, 1.34))
    second = replace(row(16, SLOWER, 1.304), effect=Estimate(1.304, 1.27, 1.36))
    text = ranges_sentence([Range((first, second))], 0.02, False)
    assert numbers(text) == ["1.30", "1.25", "1.36"]
    bare = replace(second, effect=Estimate(1.304))
    assert numbers(ranges_sentence([Range((first, bare))], 0.02, False)) == ["1.3"]


def test_sizes_that_have_no_lead_are_not_spoken_for(snapshot: SnapshotAssertion) -> None:
    leads = [lead((512, 4096), FASTER, 0.5)]
    messages = [ranges_sentence(leads, 0.02, False, sizes) for sizes in ((), (8, 512, 4096))]
    assert messages == snapshot


def test_among_several_what_is_not_decided_names_its_two(snapshot: SnapshotAssertion) -> None:
    leads = [lead((0, 8), CROSSES, 1.0, other="impi"), lead((16, 32), SAME, 1.0)]
    assert ranges_sentence(leads, 0.02, several=True) == snapshot


def test_neighbours_that_are_not_decided_are_told_together_whatever_the_reason(
    snapshot: SnapshotAssertion,
) -> None:
    few = Judgement.none(Why.FEW_BLOCKS, 9)
    leads = [
        lead((0, 8), CROSSES, 1.0, other="impi"),
        lead((64,), few, 1.5),
        lead((512,), CROSSES, 1.0),
        lead((8192,), CROSSES, 1.0),
    ]
    assert ranges_sentence(leads, 0.02, True, (0, 8, 64, 512, 4096, 8192)) == snapshot


def test_every_reason_has_its_words(snapshot: SnapshotAssertion) -> None:
    few = [replace(row(n, CROSSES, 1.5), effect=Estimate(1.5, n=n)) for n in (3, 5)]
    few = [replace(one, judgement=Judgement.none(Why.FEW_BLOCKS, 6)) for one in few]
    messages = {
        why.name: ranges_sentence([lead((8,), Judgement.none(why), 1.5)], 0.025, False)
        for why in Why
        if why not in (Why.FEW_BLOCKS, Why.STATED)
    }
    messages[Why.FEW_BLOCKS.name] = ranges_sentence([Range(tuple(few))], 0.02, False)
    assert messages == snapshot
    assert len(set(messages.values())) == len(messages)


def test_order_is_one_line_with_ties(snapshot: SnapshotAssertion) -> None:
    assert [
        order_sentence([("a",), ("b", "c"), ("d",)], True, False),
        order_sentence([("a",), ("b", "c", "d")], False, False),
        order_sentence([("a",), ("b",)], False, False),
    ] == snapshot
    assert order_sentence([("a", "b", "c")], True, False) == []
    assert order_sentence([], True, False) == []


def test_slowdown_says_what_where_and_by_how_much(snapshot: SnapshotAssertion) -> None:
    slower = {
        "two sizes": lead((8, 64), SLOWER, 1.21, 1.24),
        "a size": lead((0,), SLOWER, 1.2),
        "the whole": Range((row(None, SLOWER, 1.2),)),
    }
    assert {name: slower_words(one, 0.02) for name, one in slower.items()} == snapshot


def test_crossing_gives_its_bracket_and_a_point_with_its_interval_alone(
    snapshot: SnapshotAssertion,
) -> None:
    point = Estimate(46_200.0, 41_990.0, 53_000.0, n=8)
    one = Crossing(PINGPONG, "a", "b", 32768, 65536, "a", point)
    assert list(crossing_sentences([one, replace(one, point=None)])) == snapshot


def test_crossings_behind_the_leader_are_in_the_table_alone(snapshot: SnapshotAssertion) -> None:
    behind = Crossing(PINGPONG, "a", "b", 0, 8, "b", None, leads=False)
    assert list(crossing_sentences([behind])) == []
    table = crossing_section([behind]).table
    assert table is not None
    assert table.rows == snapshot
    assert crossing_section([]).table is None


def test_tax_names_size_and_cost_of_each_library(snapshot: SnapshotAssertion) -> None:
    overheads = [
        Overhead("pingpong", 2, 8, "openmpi", Estimate(1.4, 1.3, 1.5), "shm"),
        Overhead("pingpong", 2, 8, "mpich", Estimate(3.5, n=3), "shm"),
    ]
    assert overhead_sentence(overheads) == snapshot
    assert overhead_sentence([]) == ""


def test_tax_over_each_raw_transport_is_a_sentence_of_its_own(snapshot: SnapshotAssertion) -> None:
    effect = Estimate(2, n=3)
    overheads = [Overhead("bcast", 2, 8, "impi", effect, raw) for raw in ("shm", "tcp")]
    assert overhead_sentence(overheads) == snapshot


def test_whole_curve_is_spoken_of_where_no_size_alone_shows_anything(
    snapshot: SnapshotAssertion,
) -> None:
    whole = replace(row(None, FASTER, 0.9), effect=Estimate(0.9, 0.85, 0.95, n=8))
    undecided = [lead((0, 512), CROSSES, 0.9)]
    alone = [lead((0,), SAME, 0.9)]
    messages = [whole_sentences([whole], leads, 0.02) for leads in (undecided, alone)]
    assert messages == snapshot
    assert whole_sentences([replace(whole, judgement=CROSSES)], undecided, 0.02) == []
    assert whole_sentences([whole], [lead((0, 512), FASTER, 0.9)], 0.02) == []
