"""Tables of hidden shares."""

from __future__ import annotations

import math
from dataclasses import replace

from syrupy.assertion import SnapshotAssertion

from leadline.compare.overlap import HiddenShare
from leadline.record.curve import CurveKey
from leadline.report.text.run import overlap_sections
from leadline.statistics.estimate import Estimate


def share(
    variant: str, size_bytes: int, estimate: float, half: float = 0.05, pattern: str = "tested"
) -> HiddenShare:
    low, high = (None, None) if half == math.inf else (estimate - half, estimate + half)
    curve = CurveKey(f"ibcast:{pattern}", 2, "echo", "isolated")
    return HiddenShare(curve, variant, size_bytes, False, Estimate(estimate, low, high, n=8))


def test_one_table_a_pattern_by_size_and_variant(snapshot: SnapshotAssertion) -> None:
    found = [share("a", 1024, 0.62), share("b", 8, 0.3), share("a", 8, 0.51, pattern="overlapped")]
    tested, overlapped = overlap_sections(found)
    assert tested.heading == snapshot
    assert tested.table is not None
    assert tested.table.columns == ("size", "a", "b")
    assert tested.table.rows == (("8 B", "-", "30 % (25 to 35)"), ("1 KiB", "62 % (57 to 67)", "-"))
    assert overlapped.heading == tested.heading.replace("tested", "overlapped")


def test_too_few_blocks_have_no_interval_and_the_heading_promises_none(
    snapshot: SnapshotAssertion,
) -> None:
    (section,) = overlap_sections([share("a", 8, 0.4, half=math.inf)])
    assert section.heading == snapshot
    assert section.table is not None
    assert section.table.rows == (("8 B", "40 %, 8 blocks"),)


def test_more_ranks_than_cores_are_named(snapshot: SnapshotAssertion) -> None:
    one = share("a", 8, 0.4)
    crowded = replace(one, curve=replace(one.curve, ranks=4), oversubscribed=True)
    (section,) = overlap_sections([crowded])
    assert section.heading == snapshot


def test_no_share_is_no_table() -> None:
    assert list(overlap_sections([])) == []
