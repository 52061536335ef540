"""Costs of the algorithms of collectives: T = o A(p) + l H(p) + beta m B(p) + gamma m C(p).

m is the size of a cell: the message, one rank's contribution, or one block where there is one for
every rank. A, B and C count messages, bytes and combined bytes on the slowest chain, where a rank
sends one message and receives another at a time. H counts messages that each wait for the one
before: a message that leaves right after another of the same rank costs its overhead o alone, and
one that waits for another's arrival costs the latency l as well. All are exact for every number of
ranks, except H where ranks fold into others.
Algorithms whose costs are the same at all numbers of ranks, up to a factor, share an entry.
Sources: Thakur, Rabenseifner and Gropp 2005 (IJHPCA 19); Bruck et al. 1997; Chan et al. 2007;
Culler et al. 1993 (LogP).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from leadline.patterns.powers_of_two import core_of, is_power_of_two


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of one operation on one number of ranks."""

    messages: float
    """A, on the slowest chain."""
    contributions: float = 0.0
    """B: bytes that are moved, in sizes of the cell."""
    combined: float = 0.0
    """C: bytes that are combined with as many others, in sizes of the cell."""
    phases: float | None = None
    """H: messages that each wait for the one before; None: all of them, unless ranks fold.

    Ranks that fold delay others by one or two messages less, depending on which of them fold.
    """


CostForm = Callable[[int], Cost | None]
"""Cost as a function of the number of ranks; None: the algorithm isn't defined there."""


def rounds(ranks: int) -> int:
    """Least number of rounds in which one rank's message reaches all: log2 p, rounded up."""
    return (ranks - 1).bit_length()


def _outside(ranks: int) -> int:
    """1 where ranks beyond the largest power of two are left over and fold into others, else 0."""
    return 0 if is_power_of_two(ranks) else 1


def _share_of_others(ranks: int) -> float:
    """q: the share of the data that belongs to all ranks but one."""
    return (ranks - 1) / ranks


def _branch(ranks: int, base: int = 2) -> int:
    """Depth of a tree in which each rank sends to `base` - 1 others in each round."""
    levels = range(1, ranks.bit_length())
    return sum(1 for level in levels if (base**level - 1) // (base - 1) < ranks)


def _tree(messages: Callable[[int], int], depth: Callable[[int], int]) -> CostForm:
    """Cost of a tree whose messages are all as long as the operation's."""
    return lambda ranks: Cost(messages(ranks), messages(ranks), phases=depth(ranks))


def _binary_chain(ranks: int) -> int:
    """Messages one after the other in a heap whose ranks send to their left child first."""
    waited = [0]
    for rank in range(1, ranks):
        waited.append(waited[(rank - 1) // 2] + (1 if rank % 2 else 2))
    return max(waited)


def _four_nomial_chain(ranks: int) -> int:
    """Messages one after the other in a tree where a rank sends to three others in each round."""
    strides = (4**level for level in range(rounds(ranks)))
    return sum(min(3, (ranks - 1) // stride) for stride in strides)


def _combining(form: CostForm) -> CostForm:
    """The same algorithm where whatever arrives is combined with what the rank has."""

    def cost(ranks: int) -> Cost | None:
        moved = form(ranks)
        return moved and replace(moved, combined=moved.contributions)

    return cost


def _ring(ranks: int) -> Cost:
    return Cost(ranks - 1, ranks - 1)


def _at_once(ranks: int) -> Cost:
    """Messages of which none has to wait for another."""
    return Cost(ranks - 1, ranks - 1, phases=1)


def _pipeline(ranks: int) -> Cost:
    """Messages of several segments, whose number and length are part of the coefficients."""
    return Cost(ranks - 2, 1)


def _scatter_and_doubling(ranks: int) -> Cost | None:
    if not is_power_of_two(ranks):
        return None
    return Cost(2 * rounds(ranks), 2 * _share_of_others(ranks))


def _scatter_and_ring(ranks: int) -> Cost:
    steps = ranks - 1
    phases = _branch(ranks) + steps
    return Cost(rounds(ranks) + steps, 2 * _share_of_others(ranks), phases=phases)


def _doubling_allreduce(ranks: int) -> Cost:
    steps, outside = rounds(core_of(ranks)), _outside(ranks)
    return Cost(steps + 2 * outside, steps + 2 * outside, steps + outside)


def _rabenseifner(ranks: int, sent_back: int) -> Cost:
    """Reduce-scatter by halving, then an allgather or a gather.

    Ranks outside the power of two fold in by one message, and get the result by `sent_back` more.
    """
    core, outside = core_of(ranks), _outside(ranks)
    share, folded = _share_of_others(core), (1 + sent_back) * outside
    return Cost(2 * rounds(core) + folded, 2 * share + folded, share + outside)


def _reduce_and_broadcast(ranks: int) -> Cost:
    steps = rounds(ranks)
    return Cost(2 * steps, 2 * steps, steps, phases=2 * _branch(ranks))


def _doubled_blocks(ranks: int) -> Cost:
    return Cost(rounds(ranks), ranks - 1)


def _halving(ranks: int) -> Cost:
    """Recursive halving; ranks beyond a power of two fold all of their data into a partner's.

    The partner sends one block back.
    """
    core, outside = core_of(ranks), _outside(ranks)
    left_over = ranks - core
    halves = (core >> step for step in range(1, core.bit_length()))
    kept = sum(half + min(half, left_over) for half in halves)
    folded = ranks * outside
    return Cost(rounds(core) + 2 * outside, folded + kept + outside, folded + kept)


def _exclusive_doubling(ranks: int) -> Cost:
    steps = rounds(ranks)
    return Cost(steps, steps, 2 * steps - 1, phases=_branch(ranks))


_BINOMIAL = _tree(rounds, _branch)
_FOUR_NOMIAL = _tree(_four_nomial_chain, lambda ranks: _branch(ranks, 4))
_BINARY = _tree(_binary_chain, _branch)
_BARRIERS: Mapping[str, CostForm] = {
    "dissemination or tree": lambda ranks: Cost(rounds(ranks)),
    "recursive doubling": lambda ranks: Cost(rounds(core_of(ranks)) + 2 * _outside(ranks)),
    "linear": lambda ranks: Cost(2 * (ranks - 1), phases=2),
}
_BROADCASTS: Mapping[str, CostForm] = {
    "binomial": _BINOMIAL,
    "4-nomial": _FOUR_NOMIAL,
    "binary": _BINARY,
    "scatter + recursive doubling": _scatter_and_doubling,
    "scatter + ring": _scatter_and_ring,
    "linear": _at_once,
    "pipeline": _pipeline,
}
_ALLREDUCES: Mapping[str, CostForm] = {
    "recursive doubling": _doubling_allreduce,
    "Rabenseifner": lambda ranks: _rabenseifner(ranks, 1),
    "ring": lambda p: Cost(2 * (p - 1), 2 * _share_of_others(p), _share_of_others(p)),
    "reduce + broadcast": _reduce_and_broadcast,
}
_ALLGATHERS: Mapping[str, CostForm] = {
    "Bruck": _doubled_blocks,
    "recursive doubling": lambda ranks: _doubled_blocks(ranks) if is_power_of_two(ranks) else None,
    "ring": _ring,
    "neighbor exchange": lambda ranks: None if ranks % 2 else Cost(ranks / 2, ranks - 1),
}
_EXCHANGES: Mapping[str, CostForm] = {
    # in round k a rank sends the blocks whose distance has bit k
    "Bruck": lambda ranks: Cost(rounds(ranks), sum(map(int.bit_count, range(ranks)))),
    "pairwise or linear": _at_once,
}
_ROOTED_BLOCKS: Mapping[str, CostForm] = {
    "binomial": lambda ranks: replace(_doubled_blocks(ranks), phases=_branch(ranks)),
    "linear": _at_once,
}
_FORMS: Mapping[str, Mapping[str, CostForm]] = {
    "barrier": _BARRIERS,
    "bcast": _BROADCASTS,
    "gather": _ROOTED_BLOCKS,
    "scatter": _ROOTED_BLOCKS,
    "allgather": _ALLGATHERS,
    "alltoall": _EXCHANGES,
    "allreduce": _ALLREDUCES,
    "reduce": {
        "binomial": _combining(_BINOMIAL),
        "4-nomial": _combining(_FOUR_NOMIAL),
        "binary": _combining(_BINARY),
        "Rabenseifner": lambda ranks: _rabenseifner(ranks, 0),
        "linear": _combining(_at_once),
        "pipeline": _combining(_pipeline),
    },
    "reduce_scatter": {
        "recursive halving": _halving,
        "pairwise or ring": _combining(_ring),
    },
    "scan": {
        "recursive doubling": _combining(_BINOMIAL),
        "linear": _combining(_ring),
    },
    "exscan": {
        "recursive doubling": _exclusive_doubling,
        # the first rank has nothing to combine, the last passes nothing on; all between combine
        "linear": lambda ranks: Cost(ranks - 1, ranks - 1, ranks - 2),
    },
}
_OTHER_OPERATIONS = frozenset({"skewed", "overlapped", "tested", "computing"})
"""Options of patterns that move other bytes, or do more than move them."""

MIMICS: Mapping[str, str] = {"binary": "binomial"}
"""Algorithms whose times are close to another's over links that slow down with more ranks."""


def operation_of(pattern: str) -> str | None:
    """Operation that `pattern`, with its options, performs, e.g. "bcast" for "ibcast".

    None: its options turn it into something else.
    """
    name, *options = pattern.split(":")
    if _OTHER_OPERATIONS.intersection(options):
        return None
    return name.removeprefix("i").removesuffix("v")


def forms_of(pattern: str) -> Mapping[str, CostForm]:
    """Cost forms of the algorithms known for `pattern`, with its options, by name; may be empty."""
    return _FORMS.get(operation_of(pattern) or "", {})
