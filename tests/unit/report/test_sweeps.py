"""Tables against the number of ranks."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion

from leadline.compare.circumstances import Circumstances
from leadline.compare.summaries import Summary
from leadline.compare.warnings import OVERSUBSCRIBED
from leadline.record.curve import CurveKey
from leadline.report.text.sweeps import sweep_sections
from leadline.statistics.estimate import Estimate


def row(variant: str, ranks: int, microseconds: float, cores: int = 4) -> Summary:
    return Summary(
        curve=CurveKey("barrier", ranks, "echo", "isolated" if ranks <= cores else "streaming"),
        variant=variant,
        backend=variant,
        version="1",
        size_bytes=0,
        time=Estimate(1.0, 0.98, 1.02, 0.95, n=8).scaled(microseconds * 1e-6),
        blocks=8,
        samples=80,
        repetitions=1,
        algorithm="native",
        transport="posix",
        warnings=(OVERSUBSCRIBED,) * (ranks > cores),
        circumstances=Circumstances(oversubscribed=ranks > cores),
    )


def test_powers_of_two_are_one_table_and_the_others_another(snapshot: SnapshotAssertion) -> None:
    rows = [row("a", ranks, ranks) for ranks in (8, 3, 2, 6, 4)] + [row("b", 4, 9)]
    powers, others = sweep_sections(rows)
    assert (powers.heading, others.heading) == snapshot
    assert powers.table is not None
    assert powers.table.columns == ("ranks", "a", "b", "cadence")
    assert powers.table.rows == (
        ("2", "2.00 us ±2 %", "-", "isolated"),
        ("4", "4.00 us ±2 %", "9.00 us ±2 %", "isolated"),
        ("8, oversubscribed", "8.00 us ±2 %", "-", "streaming"),
    )
    assert others.table is not None
    assert [line[0] for line in others.table.rows] == ["3", "6, oversubscribed"]


def test_one_number_of_ranks_is_no_sweep() -> None:
    assert list(sweep_sections([row("a", 2, 1), row("b", 2, 2)])) == []
