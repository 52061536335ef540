"""What ranks deliver that send at once, as numbers and as tables."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from harness.blocks import cell, configuration, run_of_blocks
from syrupy.assertion import SnapshotAssertion

from leadline.compare.analysis import Analysis
from leadline.compare.rates import Rates
from leadline.record.provenance import Sends
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


def test_table_names_the_sizes_and_more_ranks_than_cores(snapshot: SnapshotAssertion) -> None:
    (section,) = rate_sections(rates_of("message_rate", 4, crowded=True))
    assert section.heading == snapshot
    assert section.table is not None
    assert section.table.columns == snapshot
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


# -- neighbours on a grid --------------------------------------------------------------------------


def rates_on_a_grid(sends: Sends) -> Rates:
    """Of messages of 8 B that take 1 us, and of 1,000,000 B that take 100 us."""
    cells = [cell(8, sends.pattern), cell(1_000_000, sends.pattern)]
    run = run_of_blocks(
        [[[1e-6] * 6, [100e-6] * 6]], [configuration("mpich", ranks=sends.ranks)], cells
    )
    (found,) = Analysis(replace(run, metadata={"sends": [asdict(sends)]})).rates
    return found


PAIRS = Sends("pair", 8, 8, 1, in_pairs=True)
HALO = Sends("halo:4x2", 8, 20, 3, in_pairs=False)


def test_each_rank_of_a_pair_sends_one_message_and_a_pair_two() -> None:
    found = rates_on_a_grid(PAIRS)
    assert found.messages_per_s == pytest.approx(8e6)
    assert found.rank_bytes_per_s == pytest.approx(1e10)
    assert found.pair_bytes_per_s == pytest.approx(2e10)
    assert found.bytes_per_s == pytest.approx(8e10)


def test_all_messages_of_a_grid_are_added_up_and_its_busiest_rank_is_told() -> None:
    found = rates_on_a_grid(HALO)
    assert found.messages_per_s == pytest.approx(20e6)
    assert found.rank_bytes_per_s == pytest.approx(3e10)
    assert found.pair_bytes_per_s is None
    assert found.bytes_per_s == pytest.approx(20e10)


def test_table_says_whose_bytes_are_counted(snapshot: SnapshotAssertion) -> None:
    (pairs,) = rate_sections([rates_on_a_grid(PAIRS)])
    (halo,) = rate_sections([rates_on_a_grid(HALO)])
    assert pairs.table is not None
    assert pairs.table.columns == snapshot
    assert pairs.table.rows == (("mpich", "8.00 M/s", "10.0 GB/s", "20.0 GB/s", "80.0 GB/s"),)
    assert halo.table is not None
    assert halo.table.rows == (("mpich", "20.0 M/s", "30.0 GB/s", "200 GB/s"),)


def test_other_numbers_of_ranks_say_nothing_of_this_one() -> None:
    run = run_of_blocks([[[1e-6] * 6]], [configuration("mpich", ranks=4)], [cell(8, "halo:4x2")])
    assert Analysis(replace(run, metadata={"sends": [asdict(HALO)]})).rates == ()
