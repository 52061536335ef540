"""Campaigns hold transports to their blocks' times, and to launches that are started anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.campaigns import plan_for, run_campaign
from tests.support.kernels import variant

from leadline.backends.backend import UNKNOWN
from leadline.measure import campaign, transports
from leadline.measure.launch import Launch
from leadline.measure.transports import Transports
from leadline.record.slices import Slice


def test_campaign_asks_for_times_of_another_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Operations that seem to take 20 times as long from the second block on."""
    monkeypatch.setattr(transports, "shared_memory_is_short", lambda: False)
    monkeypatch.setattr(transports, "transport_used", lambda *_, **__: "sockets")

    def step_s(taken: Slice) -> float:
        return taken.repetitions * (20e-6 if taken.block else 1e-6)

    monkeypatch.setattr(campaign, "step_s", step_s)
    monkeypatch.setattr(transports, "is_disturbed", lambda _: False)  # whatever else runs here
    alive = [replace(variant("shm"), transport="shared memory")]
    run, _ = run_campaign(tmp_path / "run", alive, plan_for(alive, "pingpong", (8,), 3))
    assert [one.transport for one in run.configurations] == [UNKNOWN]
    assert [one.cause for one in run.warnings if one.code == "transport"] == [
        "shm was found to send by shared memory, and by sockets later: in block 2 its operations "
        "took 20 times as long as before"
    ]


def test_launch_that_is_started_anew_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one crashes at 104 bytes, in the first block."""
    seen: list[tuple[int, int]] = []
    check = Transports.check

    def watched(held: Transports, launches: Sequence[Launch], block: int) -> None:
        seen.extend((block, one.number) for one in launches)
        check(held, launches, block)

    monkeypatch.setattr(Transports, "check", watched)
    alive = [variant("shm", "bad", "crash:1:104")]
    run_campaign(tmp_path / "run", alive, plan_for(alive, "pingpong", (8, 104), 1))
    assert seen == [(0, 0), (0, 1)]
