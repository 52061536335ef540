"""Random tasks on random resources: beside the slow way, sanitised, and with faults planted."""

from __future__ import annotations

from tests.support import flow_cases

CASES, SANITISED_CASES = 1000, 300


def test_times_are_those_of_the_slow_way() -> None:
    for seed in range(CASES):
        flow_cases.check_random_case(seed)
