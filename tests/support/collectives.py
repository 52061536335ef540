"""Algorithms of collectives as the calls of each rank, written from their descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from leadline.topology.phases import Call, CallKind, Trace, trace_of

Calls = Iterator[Call]
Algorithm = Callable[[int, int, int], Calls]
"""Of a rank, of so many ranks, at a size that every number up to 16 divides."""
SIZE = 720_720


def send(peer: int, size_bytes: int) -> Call:
    return Call(CallKind.SEND, peer, size_bytes, 0, 0, "")


def receive(peer: int, size_bytes: int) -> Call:
    return Call(CallKind.RECEIVE, peer, size_bytes, 0, 0, "")


def exchange(peer: int, out: int, back: int) -> Calls:
    yield send(peer, out)
    yield receive(peer, back)


def run(algorithm: Algorithm, ranks: int) -> Trace:
    return trace_of([list(algorithm(rank, ranks, SIZE)) for rank in range(ranks)])


def core_of(ranks: int) -> int:
    return 1 << (ranks.bit_length() - 1)


def halves(ranks: int) -> list[int]:
    """Strides of rounds, the largest first."""
    return [1 << k for k in reversed(range(ranks)) if 1 << k < ranks]


# -- trees -----------------------------------------------------------------------------------------


def binary_bcast(rank: int, ranks: int, size: int) -> Calls:
    if rank:
        yield receive((rank - 1) // 2, size)
    for child in (2 * rank + 1, 2 * rank + 2):
        if child < ranks:
            yield send(child, size)


def four_nomial_bcast(rank: int, ranks: int, size: int) -> Calls:
    strides = [4**k for k in reversed(range(ranks)) if 4**k < ranks]
    for stride in strides:
        if rank % (4 * stride) and rank % stride == 0:
            yield receive(rank - rank % (4 * stride), size)
        for child in range(rank + stride, rank + 4 * stride, stride):
            if rank % (4 * stride) == 0 and child < ranks:
                yield send(child, size)


def binomial_scatter(rank: int, ranks: int, block: int) -> Calls:
    """The root's blocks go to the farthest half first."""
    for stride in halves(ranks):
        if rank % (2 * stride) == stride:
            yield receive(rank - stride, block * (min(rank + stride, ranks) - rank))
        elif rank % (2 * stride) == 0 and rank + stride < ranks:
            yield send(rank + stride, block * (min(rank + 2 * stride, ranks) - rank - stride))


def binomial_gather(rank: int, ranks: int, block: int) -> Calls:
    for call in reversed(list(binomial_scatter(rank, ranks, block))):
        yield (receive if call.kind is CallKind.SEND else send)(call.peer, call.size_bytes)


def pipeline(segments: int) -> Algorithm:
    def calls(rank: int, ranks: int, size: int) -> Calls:
        for _ in range(segments):
            if rank:
                yield receive(rank - 1, size // segments)
            if rank + 1 < ranks:
                yield send(rank + 1, size // segments)

    return calls


# -- rings, doubling, Bruck ------------------------------------------------------------------------


def ring(steps: Callable[[int], int], block: Callable[[int, int], int]) -> Algorithm:
    def calls(rank: int, ranks: int, size: int) -> Calls:
        for _ in range(steps(ranks)):
            yield send((rank + 1) % ranks, block(size, ranks))
            yield receive((rank - 1) % ranks, block(size, ranks))

    return calls


allgather_ring = ring(lambda ranks: ranks - 1, lambda size, ranks: size)
allreduce_ring = ring(lambda ranks: 2 * (ranks - 1), lambda size, ranks: size // ranks)


def scatter_and_ring(rank: int, ranks: int, size: int) -> Calls:
    yield from binomial_scatter(rank, ranks, size // ranks)
    yield from ring(lambda ranks: ranks - 1, lambda size, ranks: size // ranks)(rank, ranks, size)


def doubling(rank: int, ranks: int, block: int) -> Calls:
    for stride in reversed(halves(ranks)):
        yield from exchange(rank ^ stride, stride * block, stride * block)


def scatter_and_doubling(rank: int, ranks: int, size: int) -> Calls:
    yield from binomial_scatter(rank, ranks, size // ranks)
    yield from doubling(rank, ranks, size // ranks)


def bruck_allgather(rank: int, ranks: int, block: int) -> Calls:
    for stride in reversed(halves(ranks)):
        blocks = min(stride, ranks - stride)
        yield send((rank - stride) % ranks, blocks * block)
        yield receive((rank + stride) % ranks, blocks * block)


def bruck_exchange(rank: int, ranks: int, block: int) -> Calls:
    for stride in reversed(halves(ranks)):
        blocks = sum(1 for distance in range(ranks) if distance & stride)
        yield send((rank + stride) % ranks, blocks * block)
        yield receive((rank - stride) % ranks, blocks * block)


def neighbor_exchange(rank: int, ranks: int, block: int) -> Calls:
    for step in range(ranks // 2):
        ahead = 1 if (rank + step) % 2 == 0 else -1
        blocks = 1 if step == 0 else 2
        yield from exchange((rank + ahead) % ranks, blocks * block, blocks * block)


# -- halving, where ranks beyond a power of two fold -----------------------------------------------


def folded(rank: int, ranks: int, out: int, back: int, inner: Calls) -> Calls:
    """`inner` is done by ranks below the power of two; `back` of 0: nothing goes back."""
    core = core_of(ranks)
    if rank >= core:
        yield send(rank - core, out)
        if back:
            yield receive(rank - core, back)
        return
    if rank + core < ranks:
        yield receive(rank + core, out)
    yield from inner
    if rank + core < ranks and back:
        yield send(rank + core, back)


def rabenseifner_allreduce(rank: int, ranks: int, size: int) -> Calls:
    core = core_of(ranks)

    def inner() -> Calls:
        for stride in halves(core):
            yield from exchange(rank ^ stride, size * stride // core, size * stride // core)
        yield from doubling(rank, core, size // core)

    return folded(rank, ranks, size, size, inner())


def rabenseifner_reduce(rank: int, ranks: int, size: int) -> Calls:
    core = core_of(ranks)

    def inner() -> Calls:
        for stride in halves(core):
            yield from exchange(rank ^ stride, size * stride // core, size * stride // core)
        yield from binomial_gather(rank, core, size // core)

    return folded(rank, ranks, size, 0, inner())


def recursive_halving(rank: int, ranks: int, block: int) -> Calls:
    core = core_of(ranks)
    blocks = [2 if one + core < ranks else 1 for one in range(core)]

    def inner() -> Calls:
        for stride in halves(core):
            first = rank - rank % stride
            other = first ^ stride
            out, kept = (block * sum(blocks[one : one + stride]) for one in (other, first))
            yield from exchange(rank ^ stride, out, kept)

    return folded(rank, ranks, ranks * block, block, inner())
