"""What the algorithms of collectives cost: T = alpha A(p) + beta m B(p) + gamma m C(p).

m is the size of a cell: the message, one rank's contribution, or one block where there is one for
every rank. A, B and C are what the slowest chain of messages has: messages, bytes and bytes
combined, where a rank sends one message and receives another at a time. They are exact for every
number of ranks. Algorithms that cost the same at all of them, up to a factor, share an entry.
Sources: Thakur, Rabenseifner and Gropp 2005 (IJHPCA 19); Bruck et al. 1997; Chan et al. 2007.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one operation on one number of ranks."""

    messages: float
    """A: how often alpha is paid."""
    contributions: float = 0.0
    """B: bytes that are moved, in sizes of the cell."""
    combined: float = 0.0
    """C: bytes that are combined with as many others, in sizes of the cell."""


CostForm = Callable[[int], Cost | None]
"""The cost on so many ranks; None: the algorithm isn't defined there."""


def rounds(ranks: int) -> int:
    """The least number of rounds in which one rank's word reaches all: log2 p, rounded up."""
    return (ranks - 1).bit_length()


def core_of(ranks: int) -> int:
    """The largest power of two that isn't above `ranks`."""
    return int(2 ** (ranks.bit_length() - 1))


def is_power_of_two(ranks: int) -> bool:
    """Whether it is one; 1 is."""
    return core_of(ranks) == ranks


def _outside(ranks: int) -> int:
    """1 where ranks are left over beyond the largest power of two, which fold into others."""
    return 0 if is_power_of_two(ranks) else 1


def _share_of_others(ranks: int) -> float:
    """q: what all ranks but one have."""
    return (ranks - 1) / ranks


def _one_by_one(ranks: int) -> Cost:
    return Cost(ranks - 1, ranks - 1)


def _binary_depth(ranks: int) -> int:
    """Messages one after the other in a heap whose ranks send to their left child first."""
    waited = [0]
    for rank in range(1, ranks):
        waited.append(waited[(rank - 1) // 2] + (1 if rank % 2 else 2))
    return max(waited)


def _four_nomial_depth(ranks: int) -> int:
    """Likewise where each rank that has it sends to three others in each round."""
    strides = (4**level for level in range(rounds(ranks)))
    return sum(min(3, (ranks - 1) // stride) for stride in strides)


def _whole(depth: Callable[[int], int]) -> CostForm:
    """Of messages that are all as long as the operation's."""
    return lambda ranks: Cost(depth(ranks), depth(ranks))


def _combining(form: CostForm) -> CostForm:
    """Likewise where whatever arrives is combined with what is there."""

    def cost(ranks: int) -> Cost | None:
        found = form(ranks)
        return found and replace(found, combined=found.contributions)

    return cost


def _scatter_and_doubling(ranks: int) -> Cost | None:
    if not is_power_of_two(ranks):
        return None
    return Cost(2 * rounds(ranks), 2 * _share_of_others(ranks))


def _scatter_and_ring(ranks: int) -> Cost:
    return Cost(rounds(ranks) + ranks - 1, 2 * _share_of_others(ranks))


def _pipeline(ranks: int) -> Cost:
    """Of messages of several segments: the segments' number and length are in the coefficients."""
    return Cost(ranks - 2, 1)


def _doubling_allreduce(ranks: int) -> Cost:
    steps, outside = rounds(core_of(ranks)), _outside(ranks)
    return Cost(steps + 2 * outside, steps + 2 * outside, steps + outside)


def _rabenseifner_allreduce(ranks: int) -> Cost:
    core, outside = core_of(ranks), _outside(ranks)
    share = _share_of_others(core)
    return Cost(2 * rounds(core) + 2 * outside, 2 * share + 2 * outside, share + outside)


def _rabenseifner_reduce(ranks: int) -> Cost:
    core, outside = core_of(ranks), _outside(ranks)
    share = _share_of_others(core)
    return Cost(2 * rounds(core) + outside, 2 * share + outside, share + outside)


def _ring_allreduce(ranks: int) -> Cost:
    share = _share_of_others(ranks)
    return Cost(2 * (ranks - 1), 2 * share, share)


def _reduce_and_broadcast(ranks: int) -> Cost:
    return Cost(2 * rounds(ranks), 2 * rounds(ranks), rounds(ranks))


def _tree_of_blocks(ranks: int) -> Cost:
    return Cost(rounds(ranks), ranks - 1)


def _doubling_allgather(ranks: int) -> Cost | None:
    return _tree_of_blocks(ranks) if is_power_of_two(ranks) else None


def _neighbor_exchange(ranks: int) -> Cost | None:
    return None if ranks % 2 else Cost(ranks / 2, ranks - 1)


def _halving(ranks: int) -> Cost:
    """Ranks beyond a power of two fold all of theirs into a partner's, which sends a block back."""
    core, outside = core_of(ranks), _outside(ranks)
    left_over = ranks - core
    halves = (core >> step for step in range(1, core.bit_length()))
    kept = sum(half + min(half, left_over) for half in halves)
    folded = ranks * outside
    return Cost(rounds(core) + 2 * outside, folded + kept + outside, folded + kept)


def _bruck_exchange(ranks: int) -> Cost:
    """In round k a rank sends the blocks whose distance has bit k."""
    return Cost(rounds(ranks), sum(distance.bit_count() for distance in range(ranks)))


def _exclusive_doubling(ranks: int) -> Cost:
    return Cost(rounds(ranks), rounds(ranks), 2 * rounds(ranks) - 1)


_BARRIERS: Mapping[str, CostForm] = {
    "dissemination or tree": lambda ranks: Cost(rounds(ranks)),
    "recursive doubling": lambda ranks: Cost(rounds(core_of(ranks)) + 2 * _outside(ranks)),
    "linear": lambda ranks: Cost(2 * (ranks - 1)),
}
_BROADCASTS: Mapping[str, CostForm] = {
    "binomial": _whole(rounds),
    "4-nomial": _whole(_four_nomial_depth),
    "binary": _whole(_binary_depth),
    "scatter + recursive doubling": _scatter_and_doubling,
    "scatter + ring": _scatter_and_ring,
    "linear": _one_by_one,
    "pipeline": _pipeline,
}
_ALLREDUCES: Mapping[str, CostForm] = {
    "recursive doubling": _doubling_allreduce,
    "Rabenseifner": _rabenseifner_allreduce,
    "ring": _ring_allreduce,
    "reduce + broadcast": _reduce_and_broadcast,
}
_ALLGATHERS: Mapping[str, CostForm] = {
    "Bruck": _tree_of_blocks,
    "recursive doubling": _doubling_allgather,
    "ring": _one_by_one,
    "neighbor exchange": _neighbor_exchange,
}
_EXCHANGES: Mapping[str, CostForm] = {
    "Bruck": _bruck_exchange,
    "pairwise or linear": _one_by_one,
}
_ROOTED_BLOCKS: Mapping[str, CostForm] = {"binomial": _tree_of_blocks, "linear": _one_by_one}
_FORMS: Mapping[str, Mapping[str, CostForm]] = {
    "barrier": _BARRIERS,
    "bcast": _BROADCASTS,
    "gather": _ROOTED_BLOCKS,
    "scatter": _ROOTED_BLOCKS,
    "allgather": _ALLGATHERS,
    "total_exchange": _EXCHANGES,
    "allreduce": _ALLREDUCES,
    "reduce": {
        "binomial": _combining(_whole(rounds)),
        "4-nomial": _combining(_whole(_four_nomial_depth)),
        "binary": _combining(_whole(_binary_depth)),
        "Rabenseifner": _rabenseifner_reduce,
        "linear": _combining(_one_by_one),
        "pipeline": _combining(_pipeline),
    },
    "reduce_scatter": {
        "recursive halving": _halving,
        "pairwise or ring": _combining(_one_by_one),
    },
    "scan": {
        "recursive doubling": _combining(_whole(rounds)),
        "linear": _combining(_one_by_one),
    },
    "exscan": {"recursive doubling": _exclusive_doubling, "linear": _combining(_one_by_one)},
}
_OTHER_OPERATIONS = frozenset({"skewed", "overlapped", "tested", "computing"})
"""Words of options under which other bytes are moved, or more is done than to move them."""


def operation_of(pattern: str) -> str | None:
    """What `pattern`, with its options, carries out: "bcast" where it is "ibcast".

    None: its options make something else of it.
    """
    name, *options = pattern.split(":")
    if _OTHER_OPERATIONS.intersection(options):
        return None
    return name.removeprefix("i").removesuffix("v")


def forms_of(pattern: str) -> Mapping[str, CostForm]:
    """Those of the algorithms known for `pattern`, with its options, by name; empty: none are."""
    return _FORMS.get(operation_of(pattern) or "", {})
