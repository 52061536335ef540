"""The papers' goals as the benchmark holds machine files to them, and what misses them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bench import simulate_papers


def missed() -> list[object]:
    """The figures beyond their goals."""
    rows = [*simulate_papers.pair_rows(), *simulate_papers.halo_rows()]
    return [row["figure"] for row in rows if not row.get("reached", True)]


def test_t3e_reaches_what_it_was_fitted_to_and_what_it_predicts() -> None:
    assert missed() == []


def test_slower_bus_misses_the_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    slower = replace(simulate_papers.T3E.nic, bus_bytes_per_s=360e6)
    monkeypatch.setattr(simulate_papers, "T3E", replace(simulate_papers.T3E, nic=slower))
    assert missed() == ["2 PEs"]


def test_wider_links_miss_what_contention_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    wider = replace(simulate_papers.T3E.links, bytes_per_s=500e6)
    monkeypatch.setattr(simulate_papers, "T3E", replace(simulate_papers.T3E, links=wider))
    assert missed() == ["64 PEs, 16 apart", "cray-mpi-direct, default"]
