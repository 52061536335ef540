"""Messages between pairs of ranks: ping-pongs, exchanges and streams (native/kernels/patterns)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from leadline.errors import UsageError
from leadline.simulate.programs.calls import CallStep, only, received, sent
from leadline.simulate.programs.repetition import Program, Repetition
from leadline.topology.networks import Int64

_TAG_EXCHANGE, _TAG_STREAM, _TAG_ANSWER = 3, 12, 13
WINDOW = 64
"""Messages of a stream, or one-sided operations, under way together."""


def pingpong(tag: int) -> Program:
    """A message from rank 0 to rank 1 and back."""
    return partial(_there_and_back, tag)


def _there_and_back(tag: int, of: Repetition) -> Iterator[CallStep]:
    for sender in (0, 1):
        yield CallStep((
            sent(only(sender), 1 - sender, of.size_bytes, tag),
            received(only(1 - sender), sender, of.size_bytes, tag),
        ))  # fmt: skip


def exchange(of: Repetition) -> Iterator[CallStep]:
    """A message each way between ranks 0 and 1 at the same time."""
    both = np.arange(2)
    yield CallStep((
        sent(both, 1 - both, of.size_bytes, _TAG_EXCHANGE),
        received(both, 1 - both, of.size_bytes, _TAG_EXCHANGE),
    ))  # fmt: skip


def stream(of: Repetition) -> Iterator[CallStep]:
    """A window from rank 0 to rank 1, and its answer."""
    return _windows(only(0), 1, of.size_bytes)


def message_rate(of: Repetition) -> Iterator[CallStep]:
    """A window from each rank of the lower half to its peer in the upper one, and the answers."""
    check_even(of)
    pairs = of.ranks // 2
    return _windows(np.arange(pairs), pairs, of.size_bytes)


def _windows(senders: Int64, apart: int, size_bytes: int) -> Iterator[CallStep]:
    """From `senders` to the ranks so far `apart`."""
    each = np.repeat(senders, WINDOW)
    yield CallStep((
        sent(each, each + apart, size_bytes, _TAG_STREAM),
        received(each + apart, each, size_bytes, _TAG_STREAM),
    ))  # fmt: skip
    yield CallStep((
        sent(senders + apart, senders, 0, _TAG_ANSWER),
        received(senders, senders + apart, 0, _TAG_ANSWER),
    ))  # fmt: skip


def nothing(of: Repetition) -> Iterator[CallStep]:
    """No call: what the pattern does, it does in its own memory."""
    yield CallStep(())


def check_even(of: Repetition) -> None:
    """UsageError: the ranks don't make pairs."""
    if of.ranks % 2:
        raise UsageError(
            f"pattern {of.pattern} takes an even number of ranks, seen {of.ranks}; "
            f"give {of.ranks - 1} or {of.ranks + 1}"
        )
