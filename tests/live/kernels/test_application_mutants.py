"""Faults planted in the messages of applications fail their result, but where nobody reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from tests.support.mutants import FAULTS, Mutant, called, mutants, obeyed

RANKS = 4
EXCHANGES = 12
"""Of an iteration of MG's class S on four ranks: 3 of what is restricted, 2 on each of the four
grids above the gathered one, and the last residual's."""
RESIDUALS_RESTRICTED_NEXT = (0, EXCHANGES - 1)
"""Some of them: restriction reads the upper ghosts alone."""
LOOKED_AT = (0, 3, 4, EXCHANGES - 1)
"""Exchanges: the first, a residual and a correction on the coarsest divided grid, the last."""
MESSAGES = 4
"""Of a rank in an exchange: two along each of the two divided axes."""
LOWER_GHOSTS = {"irecv": (0, 2), "put_flag": (1, 3)}
"""Which of these are received, or put, as lower ghosts."""
MG, MG_PUTS, STAP = "pattern=mg class=S", "pattern=mg_puts class=S", "pattern=stap cube=small"


def plan(cell: str, operation: str, fault: str, rank: int, every: int, at: int = 0) -> str:
    """The words of a command: of `every` calls, that which is `at` after the first."""
    return f"{cell} mutant={fault}:{operation}:{rank}:always:{every}:{at}"


@pytest.mark.parametrize(("cell", "operation"), [(MG, "irecv"), (MG_PUTS, "put_flag")])
def test_every_face_that_an_operator_reads_is_looked_at(cell: str, operation: str) -> None:
    count = EXCHANGES * MESSAGES
    places = [MESSAGES * exchange + place for exchange in LOOKED_AT for place in range(MESSAGES)]
    commands = [plan(cell, operation, "offset", 1, count, at) for at in places]
    outcomes = obeyed(mutants(), commands, RANKS)
    assert all(outcome.strikes for outcome in outcomes)
    assert [at for at, one in zip(places, outcomes, strict=True) if not one.caught] == [
        MESSAGES * exchange + place
        for exchange in RESIDUALS_RESTRICTED_NEXT
        for place in LOWER_GHOSTS[operation]
    ]


def planted() -> Iterator[Mutant]:
    """Every fault in every operation between ranks that takes part in an iteration, or a check."""
    for cell, operation, every in (
        (MG, "isend", EXCHANGES * MESSAGES),
        (MG, "allgather", 1),
        (STAP, "alltoall", 1),
        (STAP, "gatherv", 1),
        (STAP, "allgather", 2),
    ):
        for fault in FAULTS[operation]:
            yield Mutant(cell, operation, fault, 0, "always", every)


def harmless(mutant: Mutant) -> bool:
    """A sum doesn't mind who has which part; behind the last report there is room for more."""
    return (mutant.cell, mutant.operation, mutant.fault) in {
        (STAP, "allgather", "swap"),
        (STAP, "gatherv", "short"),
    }


def test_every_fault_that_changes_what_arrives_fails_the_result() -> None:
    mutated: Sequence[Mutant] = list(planted())
    outcomes = obeyed(mutants(), [mutant.words for mutant in mutated], RANKS)
    missed = [m for m, one in zip(mutated, outcomes, strict=True) if one.strikes and not one.caught]
    assert missed == [mutant for mutant in mutated if harmless(mutant)]
    idle = [(m.operation, m.fault) for m, o in zip(mutated, outcomes, strict=True) if not o.strikes]
    assert idle == [("gatherv", "stale")]  # each cube's reports are those of the one before


def test_nothing_planted_nothing_found() -> None:
    outcomes = obeyed(mutants(), [MG, MG_PUTS, STAP], RANKS)
    assert [one.caught for one in outcomes] == [False] * 3
    calls = [called(one) for one in outcomes]
    count = [EXCHANGES * MESSAGES] * RANKS
    assert [calls[0]["irecv"], calls[0]["isend"], calls[1]["put_flag"]] == [count] * 3
