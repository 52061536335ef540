"""Random patterns on random machines; `bench/mapping/__init__.py` has ten times as many."""

from __future__ import annotations

from harness import mapping_cases

CASES, SANITISED_CASES = 1000, 300


def test_mapping_permutes_is_never_worse_and_repeats() -> None:
    for seed in range(CASES):
        mapping_cases.check_random_case(seed)
