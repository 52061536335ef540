"""The mutators of `bench.faults`: they see what they are for, and find nothing in the tool."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import pytest
from bench.faults import MAKERS, cases_of
from bench.faults_case import HELD, Outcome
from bench.faults_workers import attempted
from tests.support.planted_faults import FAULTY, PLANTED

SAMPLES = {
    "raw": 20,
    "resealed": 15,
    "import": 80,
    "map": 80,
    "machine": 25,
    "channel": 150,
    "words": 50,
}
"""Of each mutator, the first of the benchmark's."""


def by_mutator(outcomes: Sequence[Outcome]) -> Mapping[str, list[Outcome]]:
    found: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        found[one.case.mutator].append(one)
    return found


@pytest.fixture(scope="module")
def sampled() -> Mapping[str, list[Outcome]]:
    cases = [case for name, count in SAMPLES.items() for case in cases_of(name, count)]
    return by_mutator(list(attempted(MAKERS, cases)))


@pytest.fixture(scope="module")
def seen() -> Mapping[str, list[Outcome]]:
    cases = [case for name, one in PLANTED.items() for case in cases_of(name, one.attempts)]
    return by_mutator(list(attempted(FAULTY, cases)))


@pytest.mark.parametrize("mutator", SAMPLES)
def test_no_mutation_gives_a_traceback_or_loses_anything_in_silence(
    mutator: str, sampled: Mapping[str, list[Outcome]]
) -> None:
    outcomes = sampled[mutator]
    assert [f"{one.case}: {one.kind}: {one.words}" for one in outcomes if one.kind != HELD] == []
    assert len(Counter(one.words for one in outcomes)) > 1, "all were met in the same way"
    assert len(outcomes) == SAMPLES[mutator]


@pytest.mark.parametrize("fault", PLANTED)
def test_planted_fault_is_seen_for_what_it_is(
    fault: str, seen: Mapping[str, list[Outcome]]
) -> None:
    assert PLANTED[fault].seen in {one.kind for one in seen[fault]}
    assert len(seen[fault]) == PLANTED[fault].attempts, (
        "those behind a process's end are attempted, too"
    )
