"""Which times a run can state, and what is said of cells that have none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.errors import MachineError, UsageError
from leadline.record.quantities import LONGEST_S
from leadline.record.warnings import WarningKind
from leadline.simulate.campaign import YEAR_S, LeftOut, outcome, warnings_of
from leadline.simulate.flow import NoMemoryError
from leadline.simulate.timing import Timed

LABEL = "bcast 8 B on 4 ranks"


def raising(error: Exception) -> Callable[[], float]:
    def seconds() -> float:
        raise error

    return seconds


def test_time_that_a_run_can_state_is_taken_as_it_is() -> None:
    took = Timed(LONGEST_S / 2)
    assert outcome(LABEL, lambda: took) == took


@pytest.mark.parametrize(
    ("seconds", "kind"),
    [
        pytest.param(lambda: 0.0, WarningKind.NO_COST, id="0"),
        pytest.param(lambda: LONGEST_S, WarningKind.TOO_LONG, id="longest"),
        pytest.param(lambda: 6900 * YEAR_S, WarningKind.TOO_LONG, id="6900 years"),
        pytest.param(lambda: float("inf"), WarningKind.TOO_LONG, id="inf"),
        pytest.param(lambda: float("nan"), WarningKind.TOO_LONG, id="nan"),
        pytest.param(
            raising(UsageError("it ends in a deadlock")), WarningKind.UNSIMULATED, id="deadlock"
        ),
        pytest.param(raising(NoMemoryError()), WarningKind.UNSIMULATED, id="no memory"),
        pytest.param(raising(MemoryError("no room")), WarningKind.UNSIMULATED, id="no room"),
    ],
)
def test_cell_without_a_time_says_why(
    seconds: Callable[[], float], kind: WarningKind, snapshot: SnapshotAssertion
) -> None:
    found = outcome(LABEL, lambda: Timed(seconds()))
    assert isinstance(found, LeftOut)
    assert found.kind is kind
    (warning,) = warnings_of([found])
    assert warning.cause == snapshot


def test_what_the_machine_lacks_ends_all_cells() -> None:
    with pytest.raises(MachineError, match="no compiler"):
        outcome(LABEL, lambda: Timed(raising(MachineError("no compiler"))()))


def test_cells_with_one_reason_share_a_warning_and_come_once() -> None:
    why = "longer than a run can state"
    cells = [LeftOut(label, WarningKind.TOO_LONG) for label in ("a", "b", "a")]
    assert [one.cause for one in warnings_of(cells)] == [f"a, b: {why}"]
