from __future__ import annotations

import math

import pytest

from leadline.papers.cray_mpt.printed import J90, PES, SYSTEMS, T3D, value, values
from leadline.papers.ethernet_atm.printed import (
    ATM,
    ETHERNET,
    MOST_OF_ATM,
    PEAKS,
    TRANSFERS,
    peak,
    tcp,
)


def test_printed_barrier_rates_are_one_over_the_printed_times_but_for_rounding() -> None:
    for system in SYSTEMS:
        for pes in PES:
            time_s, rate_per_s = values(system, "table2", pes, of=("time", "rate"))
            assert rate_per_s == pytest.approx(1 / time_s, rel=0.03)


def test_vector_sum_of_the_t3d_takes_as_long_for_each_doubling_of_pes() -> None:
    stages = [value(T3D, "table4", p) / math.log2(p) for p in PES]
    assert max(stages) / min(stages) < 1.03


def test_figures_are_found_by_system_in_si_units() -> None:
    assert value(J90, "table1", "shmem", "latency") == pytest.approx(15e-6)
    assert value(T3D, "table1", "pvm", "bandwidth") == 26e6
    assert value(T3D, "table3", 8, "gmax") == pytest.approx(16e-6)
    assert value(J90, "table4", 16) == pytest.approx(0.18188)


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
