"""Every fault planted in the transport is caught in every pattern, but for those that docs name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness.kernels import local_backend
from harness.patience import patience_for
from harness.places import ROOT
from tests.support.campaigns import plan_for, run_campaign
from tests.support.mutants import (
    COPIES,
    FAULTS,
    REDUCTIONS,
    Mutant,
    Obeyed,
    called,
    cells,
    mutants,
    mutants_of,
    obeyed,
)

from leadline.kernels.build import describe
from leadline.measure.spec import Variant
from leadline.patterns.pattern import Pattern

ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| (\w+) \|", re.MULTILINE)


def named_in_docs() -> set[tuple[str, str, str]]:
    """Pattern, operation and fault of what docs/numbers.md says isn't caught."""
    text = (ROOT / "docs" / "numbers.md").read_text()
    return set(ROW.findall(text.split("## Validation")[1].split("\n## ")[0]))


def cells_of(program: Path, ranks: int) -> list[str]:
    """Four ranks for what needs pairs or a grid, three for the rest: their neighbours differ.

    Applications check a result, not bytes: see test_application_mutants.py.
    """

    def suits(pattern: Pattern) -> bool:
        paired = pattern.in_pairs or pattern.axes > 0
        return ranks == (4 if paired else 3) or pattern.name == "neighbor_alltoall"

    patterns = (one for one in describe(program).patterns.values() if not one.application)
    return [cell for pattern in patterns if suits(pattern) for cell in cells(pattern)]


def name_of(cell: str) -> str:
    return cell.split(maxsplit=1)[0].removeprefix("pattern=")


def unharmed(program: Path, ranks: int) -> dict[str, Obeyed]:
    """What becomes of each cell without a fault."""
    words = cells_of(program, ranks)
    outcomes = dict(zip(words, obeyed(program, words, ranks), strict=True))
    assert [cell for cell, outcome in outcomes.items() if outcome.caught] == []
    return outcomes


def survivors(
    program: Path, planted: list[Mutant], ranks: int
) -> tuple[set[Mutant], set[tuple[str, str]]]:
    """The mutants that struck and weren't caught; operations and faults that struck."""
    outcomes = obeyed(program, [mutant.words for mutant in planted], ranks)
    by_mutant = dict(zip(planted, outcomes, strict=True))
    assert [m for m, outcome in by_mutant.items() if outcome.caught and not outcome.strikes] == []
    struck = {m: outcome for m, outcome in by_mutant.items() if outcome.strikes}
    alive = {m for m, outcome in struck.items() if not outcome.caught}
    return alive, {(m.operation, m.fault) for m in struck}


def test_every_fault_in_every_pattern_is_caught_but_those_that_docs_name() -> None:
    program = mutants()
    alive: set[tuple[str, str, str]] = set()
    struck: set[tuple[str, str]] = set()
    used: set[str] = set()
    for ranks in (3, 4):
        harmless = unharmed(program, ranks)
        used |= {operation for outcome in harmless.values() for operation in called(outcome)}
        planted = [m for cell, outcome in harmless.items() for m in mutants_of(cell, outcome)]
        survived, effective = survivors(program, planted, ranks)
        alive |= {(name_of(m.cell), m.operation, m.fault) for m in survived}
        struck |= effective
    assert alive == named_in_docs()
    assert struck == {(operation, fault) for operation in used for fault in FAULTS[operation]}


def test_sanitisers_find_nothing_while_faults_strike_the_timed_pass_and_later() -> None:
    program = mutants(sanitised=True)
    alive: set[tuple[str, str, str]] = set()
    for ranks in (3, 4):
        every = (
            m for cell, seen in unharmed(program, ranks).items() for m in mutants_of(cell, seen)
        )
        survived, _ = survivors(program, [m for m in every if m.when == "later"], ranks)
        alive |= {(name_of(m.cell), m.operation, m.fault) for m in survived}
    assert alive == named_in_docs()


def test_every_pattern_calls_operations_that_faults_strike() -> None:
    program = mutants()
    patterns = describe(program).patterns
    assert [name for name, pattern in patterns.items() if pattern.algorithm == "absent"] == []
    idle = {
        cell
        for ranks in (3, 4)
        for cell, outcome in unharmed(program, ranks).items()
        if not any(FAULTS[operation] for operation in called(outcome))
    }
    assert all("overlap=computing" in cell for cell in idle)


def test_byte_behind_a_message_is_seen_only_where_gaps_are_looked_at() -> None:
    program, ranks = mutants(), 3
    planted = [
        Mutant(cell, operation, "beyond", rank, "always", count)
        for cell, outcome in unharmed(program, ranks).items()
        for operation, calls in called(outcome).items()
        for rank, count in enumerate(calls)
        if count and {"late", "duplicate"} <= set(FAULTS[operation])  # those that write here
    ]
    outcomes = obeyed(program, [mutant.words for mutant in planted], ranks)
    struck = [(name_of(m.cell), o.caught) for m, o in zip(planted, outcomes, strict=True)]
    assert {name for name, caught in struck if caught} == {"pingpong_strided", "pingpong_struct"}
    assert sum(outcome.strikes > 0 for outcome in outcomes) > 100


def leaves_right_bytes(mutant: Mutant) -> bool:
    """Whether the copy is what a rank is left with anyway, or nothing is left to it."""
    place = mutant.operation, mutant.rank
    alone = place == ("scan", 0) and mutant.fault != "copy_last"
    first = place == ("exscan", 1) and mutant.fault == "copy_first"
    return alone or first or place == ("exscan", 0) or (place[0] == "reduce" and place[1] > 0)


@pytest.mark.parametrize(
    ("ranks", "buffers"),
    [(2, "separate"), (3, "separate"), (3, "cold cold_bytes=32768"), (5, "cold cold_bytes=16384")],
)
def test_copy_in_place_of_a_maximum_of_one_element_is_caught_on_any_ranks_and_buffers(
    ranks: int, buffers: str
) -> None:
    program = mutants()
    words = [f"pattern={name} size=8 op=max buffers={buffers}" for name in REDUCTIONS]
    planted = [
        Mutant(cell, name, fault, rank, when, 1)
        for cell, name in zip(words, REDUCTIONS, strict=True)
        for fault in COPIES
        for rank in range(ranks)
        for when in ("always", "later")
    ]
    outcomes = obeyed(program, [mutant.words for mutant in planted], ranks)
    missed = [m for m, outcome in zip(planted, outcomes, strict=True) if not outcome.caught]
    assert missed == [mutant for mutant in planted if leaves_right_bytes(mutant)]


@pytest.mark.parametrize(
    ("buffers", "fault", "caught"),
    [
        ("echo", "offset", True),
        ("separate", "offset", True),
        ("separate", "stale", False),
        ("cold cold_bytes=100000", "offset", False),
    ],
)
def test_fault_in_timed_repetitions_alone_is_caught_where_it_leaves_wrong_bytes(
    buffers: str, fault: str, caught: bool
) -> None:
    mutant = Mutant(f"pattern=pingpong size=208 buffers={buffers}", "recv", fault, 1, "timed", 1)
    (outcome,) = obeyed(mutants(), [mutant.words], 2)
    assert outcome.caught == caught


@pytest.mark.parametrize(
    ("pattern", "operation", "fault", "rank", "code"),
    [
        ("pingpong", "send", "lost", 1, "hang"),
        ("put_flag", "put_flag", "lost", 0, "hang"),
        ("barrier", "barrier", "lost", 2, "hang"),
        ("put_flag", "wait_until", "late", 1, "wrong_byte"),
        ("vector_sum_log2", "wait_until", "late", 0, "hang"),
    ],
)
def test_lost_message_or_flag_is_a_hang_or_a_wrong_byte(
    pattern: str, operation: str, fault: str, rank: int, code: str, tmp_path: Path
) -> None:
    program = mutants()
    plan = Mutant("", operation, fault, rank, "always", 1).plan
    bad = Variant("bad", local_backend("shm"), str(program), describe(program), {"MUTANT": plan})
    size = 208 if bad.capability.patterns[pattern].granularity else 0
    cells_to_run = plan_for([bad], pattern, (size,), 1, 3)
    run, _ = run_campaign(tmp_path / "run", [bad], cells_to_run, patience_s=patience_for(code))
    assert [failure.code for failure in run.failures] == [code]
