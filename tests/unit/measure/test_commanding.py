"""How long a slice may leave the front-end without an answer."""

from __future__ import annotations

import pytest
from tests.support.plans import cores, pattern, request

from leadline.kernels.description import Capability
from leadline.measure.cells import PlannedSlice, Resources
from leadline.measure.plan import make_plan
from leadline.measure.slices import SLOWEST_BYTES_PER_S, patience_of
from leadline.measure.spec import SIMULATED_PATIENCE_S

SIZE = 10**6
ASKED = request("pingpong", sizes=(SIZE,), patience_s=10.0)


@pytest.fixture(scope="module")
def wanted() -> PlannedSlice:
    """The first slice of a ping-pong of a megabyte."""
    able = Capability("mpi", True, 2**63, (), {"pingpong": pattern("pingpong", participants=2)})
    resources = Resources({"a": able}, 1.0, cores(2), 16 * 2**30, 32 * 2**20)
    return PlannedSlice(make_plan(ASKED, resources).groups[0].cells[0], "a", 0, 0, 0)


def test_simulated_ranks_have_a_patience_of_their_own(wanted: PlannedSlice) -> None:
    assert patience_of(ASKED, wanted, 2, simulated=True) == SIMULATED_PATIENCE_S


def test_measured_ranks_have_what_is_asked_for_and_the_time_of_large_messages(
    wanted: PlannedSlice,
) -> None:
    of_two, of_four = (patience_of(ASKED, wanted, ranks, simulated=False) for ranks in (2, 4))
    assert of_two > 10.0 + SIZE / SLOWEST_BYTES_PER_S
    assert of_four - 10.0 == pytest.approx(2 * (of_two - 10.0))
