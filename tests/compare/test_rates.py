"""What windows of messages deliver, as numbers and as tables."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.blocks import cell, configuration, run_of_blocks

from leadline.compare.analysis import Analysis
from leadline.compare.rates import Rates
from leadline.report.text.rates import rate_sections


def rates_of(pattern: str, ranks: int, crowded: bool = False) -> tuple[Rates, ...]:
    """Of messages of 8 B that take 1 us, and of 1,000,000 B that take 100 us."""
    cells = [replace(cell(n, pattern), messages_per_repetition=64) for n in (1_000_000, 8)]
    one = configuration("mpich", ranks=ranks, oversubscribed=crowded)
    # One batch of one repetition, which is a window of 64.
    run = run_of_blocks([[[64 * 100e-6] * 6, [64 * 1e-6] * 6]], [one], cells)
    return Analysis(run).rates


def test_rate_is_that_of_the_smallest_size_and_bandwidth_that_of_the_largest() -> None:
    (found,) = rates_of("stream", 2)
    assert (found.least_bytes, found.most_bytes) == (8, 1_000_000)
    assert found.messages_per_s == pytest.approx(1e6)
    assert found.bytes_per_s == pytest.approx(1e10)


def test_pairs_that_send_at_once_are_added_up() -> None:
    (found,) = rates_of("message_rate", 6)
    assert found.messages_per_s == pytest.approx(3e6)
    assert found.bytes_per_s == pytest.approx(3e10)


def test_other_ranks_of_a_stream_send_nothing() -> None:
    assert rates_of("stream", 6)[0].messages_per_s == pytest.approx(1e6)


def test_round_trips_and_single_operations_have_no_rate() -> None:
    cells = [replace(cell(8), messages_per_repetition=2), cell(8, "bcast")]
    run = run_of_blocks([[[1e-6] * 6, [1e-6] * 6]], [configuration("mpich")], cells)
    assert Analysis(run).rates == ()


def test_table_names_the_sizes_and_more_ranks_than_cores() -> None:
    (section,) = rate_sections(rates_of("message_rate", 4, crowded=True))
    assert section.heading == (
        "message_rate · what it delivers · 4 ranks · echo buffers · oversubscribed"
    )
    assert section.table is not None
    assert section.table.columns == ("", "messages\nat 8 B", "bandwidth\nat 1,000,000 B")
    assert section.table.rows == (("mpich", "2.00 M/s", "20.0 GB/s"),)


def test_variant_that_lacks_the_named_size_has_no_number_there() -> None:
    (one,) = rates_of("stream", 2)
    shorter = replace(one, variant="impi", most_bytes=1024)
    (section,) = rate_sections([one, shorter])
    assert section.table is not None
    assert section.table.rows[1] == ("impi", "1.00 M/s", "-")


def test_empty_messages_have_no_bandwidth() -> None:
    (one,) = rates_of("stream", 2)
    (section,) = rate_sections([replace(one, least_bytes=0, most_bytes=0)])
    assert section.table is not None
    assert section.table.rows == (("mpich", "1.00 M/s", "-"),)
