from __future__ import annotations

import math

import pytest

from leadline.papers.cray_mpt.printed import (
    J90,
    PES,
    SYSTEMS,
    T3D,
    TABLE_1,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    reductions,
    transfer,
    vector_sum,
)
from leadline.papers.ethernet_atm.printed import (
    ATM,
    ETHERNET,
    MOST_OF_ATM,
    PEAKS,
    TRANSFERS,
    peak,
    tcp,
)


def test_every_table_is_whole() -> None:
    assert [(row.system, row.library) for row in TABLE_1] == [
        (T3D, "PVM"), (T3D, "SHMEM"), (J90, "PVM"), (J90, "SHMEM"),
    ]  # fmt: skip
    for table in (TABLE_2, TABLE_3, TABLE_4):
        assert [(row.system, row.pes) for row in table] == [(s, p) for s in SYSTEMS for p in PES]


def test_printed_barrier_rates_are_one_over_the_printed_times_but_for_rounding() -> None:
    for row in TABLE_2:
        assert row.rate_per_s == pytest.approx(1 / row.time_s, rel=0.03)


def test_vector_sum_of_the_t3d_takes_as_long_for_each_doubling_of_pes() -> None:
    stages = [vector_sum(T3D, p).time_s / math.log2(p) for p in PES]
    assert max(stages) / min(stages) < 1.03


def test_figures_are_found_by_system_in_si_units() -> None:
    assert transfer(J90, "SHMEM").latency_s == pytest.approx(15e-6)
    assert transfer(T3D, "PVM").bandwidth_bytes_per_s == 26e6
    assert reductions(T3D, 8).maximum_s == pytest.approx(16e-6)
    assert vector_sum(J90, 16).time_s == pytest.approx(0.18188)


def test_peaks_over_both_networks_are_those_of_the_text() -> None:
    printed = [(row.network, row.library, row.bandwidth_bytes_per_s * 8e-6) for row in PEAKS]
    assert printed == [
        (ETHERNET, "MPICH", 8), (ATM, "MPICH", 19), (ETHERNET, "PVM", 6), (ATM, "PVM", 6),
    ]  # fmt: skip
    assert peak(ATM, "MPICH").size_bytes == 8192
    assert [row.of_rated for row in PEAKS] == [0.8, 0.123, 0.6, 0.039]


def test_peak_over_atm_is_below_13_percent_by_either_megabit() -> None:
    for megabit in (1e6, 2**20):
        assert 0.12 < 19 * megabit / 155e6 < MOST_OF_ATM


def test_netperfs_megabits_are_binary_as_the_author_says() -> None:
    assert [row.bandwidth_bytes_per_s * 8 for row in TRANSFERS] == [25e6, 60 * 2**20]
    assert tcp().of_rated == pytest.approx(25 / 155, abs=5e-4)
