"""Messages between pairs of ranks: ping-pongs, exchanges and streams (native/kernels/patterns)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.errors import UsageError
from leadline.patterns.programs.calls import CallStep, Program, Repetition, only, received, sent
from leadline.topology.networks import Int64

_TAG_EXCHANGE, _TAG_STREAM, _TAG_ANSWER = 3, 12, 13
WINDOW = 64
"""Messages of a stream, or one-sided operations, that are under way together."""


def pingpong(tag: int) -> Program:
    """A message from rank 0 to rank 1 and back."""

    def steps(repetition: Repetition) -> Iterator[CallStep]:
        for sender in (0, 1):
            yield CallStep((
                sent(only(sender), 1 - sender, repetition.size_bytes, tag),
                received(only(1 - sender), sender, repetition.size_bytes, tag),
            ))  # fmt: skip

    return steps


def exchange(repetition: Repetition) -> Iterator[CallStep]:
    """A message each way between ranks 0 and 1 at the same time."""
    both = np.arange(2)
    yield CallStep((
        sent(both, 1 - both, repetition.size_bytes, _TAG_EXCHANGE),
        received(both, 1 - both, repetition.size_bytes, _TAG_EXCHANGE),
    ))  # fmt: skip


def stream(repetition: Repetition) -> Iterator[CallStep]:
    """A window of messages from rank 0 to rank 1, and its answer."""
    return _windows(only(0), 1, repetition.size_bytes)


def message_rate(repetition: Repetition) -> Iterator[CallStep]:
    """A window from each rank of the lower half to its peer in the upper one, and the answers."""
    check_even(repetition)
    pairs = repetition.ranks // 2
    return _windows(np.arange(pairs), pairs, repetition.size_bytes)


def _windows(senders: Int64, apart: int, size_bytes: int) -> Iterator[CallStep]:
    """A window from each of `senders` to the rank `apart` ranks further, then the answers."""
    each = np.repeat(senders, WINDOW)
    yield CallStep((
        sent(each, each + apart, size_bytes, _TAG_STREAM),
        received(each + apart, each, size_bytes, _TAG_STREAM),
    ))  # fmt: skip
    yield CallStep((
        sent(senders + apart, senders, 0, _TAG_ANSWER),
        received(senders, senders + apart, 0, _TAG_ANSWER),
    ))  # fmt: skip


def nothing(repetition: Repetition) -> Iterator[CallStep]:
    """No call: what the pattern does, it does in its own memory."""
    yield CallStep(())


def check_even(repetition: Repetition) -> None:
    """UsageError: the ranks are odd in number."""
    if repetition.ranks % 2:
        raise UsageError(
            f"pattern {repetition.pattern} takes an even number of ranks, seen "
            f"{repetition.ranks}; give {repetition.ranks - 1} or {repetition.ranks + 1}"
        )
