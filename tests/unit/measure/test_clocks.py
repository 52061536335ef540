"""When clocks of hosts are fitted in a block, and what is recorded of that."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from harness.synthetic import BARRIER, pingpong

from leadline.kernels.messages import FittedClock, Hello, Result, Surroundings
from leadline.measure import clocks
from leadline.measure.cells import PlannedCell, PlannedSlice
from leadline.measure.clocks import CommonClocks
from leadline.measure.launch import Launch, SliceError
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Cell, ClockFit


@dataclass
class PretendedLaunch:
    """Of a rank on each host, whose clocks miss what was foretold by 70 ns each time."""

    number: int
    clock_of: tuple[str, ...] = ("a", "b", "b")
    silent: bool = False
    fits: int = 0
    hellos: dict[int, Hello] = field(init=False)

    def __post_init__(self) -> None:
        self.hellos = {
            rank: Hello(rank, 3, 0, f"h{rank + 1}", "m", clock, 30.0, (0,), "")
            for rank, clock in enumerate(self.clock_of)
        }

    def fit_clocks(self, _: float) -> list[FittedClock]:
        if self.silent:
            raise SliceError("hang", "clocks: rank 1 is stuck")
        self.fits += 1
        fit = FittedClock(1, 1, 1, self.fits, 9, 5000, 1e-6, -70, 20, 800)
        own = FittedClock(1, 0, 0, 0, 0, 0, 0.0, 0, 0, 0)
        shared = FittedClock(1, 2, 1, self.fits, 9, 5000, 1e-6, -70, 20, 800)
        return [own, fit, shared]


def launch(number: int, **words: object) -> Launch:
    return cast(Launch, PretendedLaunch(number, **words))  # type: ignore[arg-type]


def wanted(visit: int, cell: Cell = BARRIER) -> PlannedSlice:
    """A slice of `cell` in block 3."""
    planned = cast(PlannedCell, SimpleNamespace(cell=cell))
    return PlannedSlice(planned, "tcp", 0, 3, visit)


def said(contends: bool) -> list[Result]:
    """What two ranks, whose clocks differ, answered."""
    around = Surroundings(1, 0, 0, 0, UNKNOWN)
    return [
        Result(1, rank, 1, np.empty((0, 3), np.int64), around, None, contends) for rank in (0, 1)
    ]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[ClockFit]:
    monkeypatch.setattr(clocks, "BASELINE_S", 0.0)
    return []


def test_launch_is_fitted_at_first_then_before_and_after_a_visit(found: list[ClockFit]) -> None:
    common, one = CommonClocks(found.append, 1.0), launch(7)
    assert common.meet([one], 3) == []
    for _ in range(3):
        common.begin_slice(one, wanted(2))
    assert common.end_visit(3, 2) == []
    assert [(fit.block, fit.visit, fit.launch, fit.residual_ns) for fit in found] == [
        (3, 0, 7, UNKNOWN), (3, 2, 7, UNKNOWN), (3, 2, 7, 70),
    ]  # fmt: skip
    assert {(fit.host, fit.offset_ns, fit.drift) for fit in found} == {("h2", 5000.0, 1e-6)}
    common.begin_slice(one, wanted(3))
    assert len(found) == 4


def test_ranks_that_share_a_clock_are_never_fitted(found: list[ClockFit]) -> None:
    common, one = CommonClocks(found.append, 1.0), launch(0, clock_of=("a", "a", "a"))
    common.meet([one], 3)
    common.begin_slice(one, wanted(0))
    assert common.end_visit(3, 0) == []
    assert found == []


def test_launch_that_was_started_later_is_fitted_twice_at_its_first_slice(
    found: list[ClockFit],
) -> None:
    CommonClocks(found.append, 1.0).begin_slice(launch(9), wanted(4))
    assert [fit.visit for fit in found] == [0, 4]


def test_streaming_slices_need_a_fit_once_they_were_seen_to_contend(
    found: list[ClockFit],
) -> None:
    common, one, cell = CommonClocks(found.append, 1.0), launch(1), pingpong(8)
    common.begin_slice(one, wanted(0, cell))
    assert not common.contend(said(contends=False), one, wanted(0, cell))
    common.begin_slice(one, wanted(0, cell))
    assert not common.contend(said(contends=True), one, wanted(0, cell))
    assert found == []
    common.begin_slice(one, wanted(1, cell))
    assert len(found) == 2
    assert common.contend(said(contends=True), one, wanted(1, cell))
    assert not common.contend(said(contends=False), one, wanted(1, pingpong(9)))


def test_launch_that_does_not_answer_is_named_and_the_others_fitted(
    found: list[ClockFit],
) -> None:
    common, lost, other = CommonClocks(found.append, 1.0), launch(1), launch(2)
    for one in (lost, other):
        common.begin_slice(one, wanted(0))
    cast(PretendedLaunch, lost).silent = True
    ((silent, error),) = common.end_visit(3, 0)
    assert silent is lost
    assert error.code == "hang"
    assert [fit.launch for fit in found if fit.residual_ns >= 0] == [2]


def test_launch_that_is_over_is_not_asked_at_the_end_of_its_visit(found: list[ClockFit]) -> None:
    common, one = CommonClocks(found.append, 1.0), launch(1)
    common.begin_slice(one, wanted(0))
    common.forget(one)
    assert common.end_visit(3, 0) == []
    assert [fit.residual_ns for fit in found] == [UNKNOWN] * 2


def test_second_fit_waits_until_a_drift_can_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    CommonClocks(lambda _: None, 1.0).begin_slice(launch(1), wanted(0))
    (waited,) = waits
    assert 0 < waited <= clocks.BASELINE_S
