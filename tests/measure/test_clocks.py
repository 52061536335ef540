"""When clocks of hosts are fitted in a block, and what is recorded of that."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import cast

import pytest

from leadline.kernels.messages import FittedClock, Hello
from leadline.measure import clocks
from leadline.measure.clocks import CommonClocks
from leadline.measure.launch import Launch, SliceError
from leadline.record.run import ClockFit
from leadline.record.slices import UNKNOWN


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


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[ClockFit]:
    monkeypatch.setattr(clocks, "BASELINE_S", 0.0)
    return []


def test_launch_is_fitted_at_first_then_before_and_after_a_visit(found: list[ClockFit]) -> None:
    common, one = CommonClocks(found.append, 3, 1.0), launch(7)
    assert common.meet([one]) == []
    for _ in range(3):
        common.begin_slice(one, 2)
    assert common.end_visit(2) == []
    assert [(fit.block, fit.visit, fit.launch, fit.residual_ns) for fit in found] == [
        (3, 0, 7, UNKNOWN), (3, 2, 7, UNKNOWN), (3, 2, 7, 70),
    ]  # fmt: skip
    assert {(fit.host, fit.offset_ns, fit.drift) for fit in found} == {("h2", 5000.0, 1e-6)}
    common.begin_slice(one, 3)
    assert len(found) == 4


def test_ranks_that_share_a_clock_are_never_fitted(found: list[ClockFit]) -> None:
    common, one = CommonClocks(found.append, 0, 1.0), launch(0, clock_of=("a", "a", "a"))
    common.meet([one])
    common.begin_slice(one, 0)
    assert common.end_visit(0) == []
    assert found == []


def test_launch_that_was_started_later_is_fitted_twice_at_its_first_slice(
    found: list[ClockFit],
) -> None:
    common = CommonClocks(found.append, 0, 1.0)
    common.begin_slice(launch(9), 4)
    assert len(found) == 2


def test_launch_that_does_not_answer_is_named_and_the_others_fitted(
    found: list[ClockFit],
) -> None:
    common, lost, other = CommonClocks(found.append, 0, 1.0), launch(1), launch(2)
    for one in (lost, other):
        common.begin_slice(one, 0)
    cast(PretendedLaunch, lost).silent = True
    ((silent, error),) = common.end_visit(0)
    assert silent is lost
    assert error.code == "hang"
    assert [fit.launch for fit in found if fit.residual_ns >= 0] == [2]


def test_launch_that_is_over_is_not_asked_at_the_end_of_its_visit(found: list[ClockFit]) -> None:
    common, one = CommonClocks(found.append, 0, 1.0), launch(1)
    common.begin_slice(one, 0)
    common.forget(one)
    assert common.end_visit(0) == []
    assert [fit.residual_ns for fit in found] == [UNKNOWN] * 2


def test_second_fit_waits_until_a_drift_can_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    CommonClocks(lambda _: None, 0, 1.0).begin_slice(launch(1), 0)
    (waited,) = waits
    assert 0 < waited <= clocks.BASELINE_S
