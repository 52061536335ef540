from __future__ import annotations

import math

import pytest

from leadline.models.algorithms import Cost, forms_of, rounds

POWERS = (2, 4, 8, 16, 32, 64)


def test_rounds_double_who_has_it() -> None:
    assert [rounds(ranks) for ranks in (1, 2, 3, 4, 5, 8, 9)] == [0, 1, 2, 2, 3, 3, 4]


@pytest.mark.parametrize(
    ("pattern", "name", "ranks", "cost"),
    [
        ("bcast", "binomial", 5, Cost(3, 3, phases=2)),
        # rank 1 waits for one message and its right child, rank 4, for two more
        ("bcast", "binary", 5, Cost(3, 3, phases=2)),
        ("bcast", "binary", 8, Cost(4, 4, phases=3)),
        # to rank 4, then to 1, 2 and 3
        ("bcast", "4-nomial", 6, Cost(4, 4, phases=2)),
        ("bcast", "scatter + ring", 6, Cost(3 + 5, 2 * 5 / 6, phases=2 + 5)),
        ("bcast", "pipeline", 6, Cost(4, 1)),
        # two of six fold into others, four exchange twice, two get the result
        ("allreduce", "recursive doubling", 6, Cost(4, 4, 3)),
        ("allreduce", "Rabenseifner", 6, Cost(2 * 2 + 2, 2 * 3 / 4 + 2, 3 / 4 + 1)),
        ("allreduce", "ring", 3, Cost(4, 4 / 3, 2 / 3)),
        ("reduce", "Rabenseifner", 6, Cost(2 * 2 + 1, 2 * 3 / 4 + 1, 3 / 4 + 1)),
        ("allgather", "Bruck", 6, Cost(3, 5)),
        ("allgather", "neighbor exchange", 6, Cost(3, 5)),
        # distances 1 to 5 have bits 1, 1, 2, 1, 2
        ("alltoall", "Bruck", 6, Cost(3, 7)),
        # 6 blocks fold; of 2 2 1 1 blocks the first two are kept, then the first; one goes back
        ("reduce_scatter", "recursive halving", 6, Cost(4, 6 + 4 + 2 + 1, 6 + 4 + 2)),
        ("exscan", "recursive doubling", 5, Cost(3, 3, 5, phases=2)),
        # ranks 1 to p - 2 combine what comes with their own and pass it on
        ("exscan", "linear", 2, Cost(1, 1, 0)),
        ("exscan", "linear", 5, Cost(4, 4, 3)),
        ("exscan", "linear", 8, Cost(7, 7, 6)),
        ("exscan", "linear", 12, Cost(11, 11, 10)),
        ("scan", "linear", 5, Cost(4, 4, 4)),
        ("gather", "linear", 5, Cost(4, 4, phases=1)),
        ("barrier", "recursive doubling", 5, Cost(4)),
    ],
)
def test_costs_by_hand(pattern: str, name: str, ranks: int, cost: Cost) -> None:
    assert forms_of(pattern)[name](ranks) == cost


@pytest.mark.parametrize("ranks", POWERS)
def test_costs_at_powers_of_two_are_those_that_are_published(ranks: int) -> None:
    """As MPICH's comments have them, where n = m, or p m where there is a block for every rank."""
    steps, share = math.log2(ranks), (ranks - 1) / ranks
    n = ranks  # of blocks of size 1
    published = {
        ("bcast", "binomial"): (steps, steps),
        ("bcast", "scatter + recursive doubling"): (2 * steps, 2 * share),
        ("bcast", "scatter + ring"): (steps + ranks - 1, 2 * share),
        ("scatter", "binomial"): (steps, n * share),
        ("gather", "binomial"): (steps, n * share),
        ("allgather", "Bruck"): (steps, n * share),
        ("allgather", "recursive doubling"): (steps, n * share),
        ("allgather", "ring"): (ranks - 1, n * share),
        ("reduce", "binomial"): (steps, steps),
        ("reduce", "Rabenseifner"): (2 * steps, 2 * share),
        ("allreduce", "recursive doubling"): (steps, steps),
        ("allreduce", "Rabenseifner"): (2 * steps, 2 * share),
        ("allreduce", "ring"): (2 * (ranks - 1), 2 * share),
        ("reduce_scatter", "recursive halving"): (steps, n * share),
        ("reduce_scatter", "pairwise or ring"): (ranks - 1, n * share),
        ("alltoall", "Bruck"): (steps, n / 2 * steps),
        ("alltoall", "pairwise or linear"): (ranks - 1, n * share),
        ("barrier", "dissemination or tree"): (steps, 0),
    }
    for (pattern, name), expected in published.items():
        cost = forms_of(pattern)[name](ranks)
        assert cost is not None
        assert (cost.messages, cost.contributions) == pytest.approx(expected), (pattern, name)


def test_an_algorithm_for_powers_of_two_has_no_cost_elsewhere() -> None:
    assert forms_of("allgather")["recursive doubling"](6) is None
    assert forms_of("allgather")["neighbor exchange"](5) is None


def test_options_that_change_the_operation_leave_no_known_algorithm() -> None:
    assert forms_of("ibcast") == forms_of("bcast") == forms_of("bcast:rotating")
    assert forms_of("gatherv") == forms_of("gather")
    for pattern in ("gatherv:skewed", "ibcast:overlapped", "pingpong", "halo:4x2"):
        assert not forms_of(pattern)
