"""What the benchmark of large problems takes for a goal that is missed."""

from __future__ import annotations

import pytest
from bench.applications.large import holds

RIGHT = {"held_by_a_rank_mb": 208.0, "announced_mb": 405.0, "verified": "norm, off by 1e-13"}


def test_rank_that_holds_its_share_is_as_announced() -> None:
    assert holds(RIGHT)


@pytest.mark.parametrize("fault", [{"held_by_a_rank_mb": 230.0}, {"verified": None}])
def test_rank_that_holds_more_or_a_solution_that_nobody_checked_misses_the_goal(
    fault: dict[str, object],
) -> None:
    assert not holds(RIGHT | fault)
