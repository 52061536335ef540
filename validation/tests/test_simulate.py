"""The papers' goals as the benchmark holds machine files to them, and what misses them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from validation.simulate import calibration, papers

from leadline.cli import main
from leadline.simulate import calibration as simulated
from leadline.simulate import message_costs
from leadline.simulate.machine import ProfilePiece
from leadline.simulate.message_costs import PatternTrial


def missed() -> list[object]:
    """The figures beyond their goals."""
    rows = [*papers.pair_rows(), *papers.halo_rows()]
    return [row["figure"] for row in rows if not row.get("reached", True)]


def test_t3e_reaches_what_it_was_fitted_to_and_what_it_predicts() -> None:
    assert missed() == []


def test_slower_bus_misses_the_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    slower = replace(papers.T3E.nic, bus_bytes_per_s=360e6)
    monkeypatch.setattr(papers, "T3E", replace(papers.T3E, nic=slower))
    assert missed() == ["2 PEs"]


def test_wider_links_miss_what_contention_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    wider = replace(papers.T3E.links, bytes_per_s=500e6)
    monkeypatch.setattr(papers, "T3E", replace(papers.T3E, links=wider))
    assert missed() == ["64 PEs, 16 apart", "cray-mpi-direct, default"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Times of a machine with messages that a calibrated one can have, but for its computing."""
    directory = tmp_path_factory.mktemp("calibration") / "run"
    patterns = ["--patterns", "pingpong,bcast,allreduce,exchange"]
    words = ["simulate", "--machine", "cray-t3d", *patterns, "--out", str(directory)]
    assert main(words) == 0
    return str(directory)


def test_calibrated_machine_reaches_its_goal(run: str) -> None:
    found = calibration.measure([run])
    (figures,) = found["calibration"]
    assert found["reached"]
    assert figures["held out, allreduce"][0] < 0.05
    assert figures["not fitted, exchange"][2] > 0


def test_without_messages_of_their_own_collectives_miss_it(
    run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = (ProfilePiece(0, 0.0, 0.0, 0.0),)
    own = message_costs.message_costs

    def costs(trial: PatternTrial, *said: Any) -> tuple[ProfilePiece, ...]:
        return nothing if trial.algorithm else own(trial, *said)

    monkeypatch.setattr(simulated, "message_costs", costs)
    (figures,) = calibration.measure([run])["calibration"]
    assert figures["held out, allreduce"][0] > 0.15
