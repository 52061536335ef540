"""Programs that never end: who waits for what is named, with the remedy for just that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.simulated import cell, machine, seconds

from leadline.errors import UsageError
from leadline.simulate.programs.calls import (
    CallRows,
    CallStep,
    RankCalls,
    SendMode,
    calls_in,
    only,
    received,
    sent,
)
from leadline.topology.phases import CallKind

MIB = 2**20
BOTH = np.arange(2)
SENDS, RECEIVES = sent(BOTH, 1 - BOTH, MIB, 5), received(BOTH, 1 - BOTH, MIB, 5)
RECEIVE_FIRST = (
    "; let one of them receive first, or take a library whose sends don't wait for receives"
)
MATCH = "; each message needs a send and a receive with the same ranks and tag"


def program(*rows: CallRows, mode: SendMode = SendMode.STANDARD) -> RankCalls:
    """A step of each of `rows`."""
    return calls_in([CallStep((row,)) for row in rows], 2, mode)


def told(calls: RankCalls) -> str:
    """What is said of it."""
    with pytest.raises(UsageError) as error:
        seconds(machine(), calls, cell("it", MIB))
    return str(error.value)


def test_synchronous_sends_to_each_other_are_named() -> None:
    calls = program(SENDS, RECEIVES, mode=SendMode.SYNCHRONOUS)
    assert told(calls) == (
        "it ends in a deadlock: rank 0 waits to send 1 MiB to rank 1 (tag 5); "
        f"rank 1 waits to send 1 MiB to rank 0 (tag 5){RECEIVE_FIRST}"
    )
    assert seconds(machine(), replace(calls, mode=SendMode.STANDARD), cell("it", MIB)) > 0


def test_receives_before_sends_are_named() -> None:
    assert told(program(RECEIVES, SENDS)) == (
        "it ends in a deadlock: rank 0 waits to receive 1 MiB from rank 1 (tag 5); "
        "rank 1 waits to receive 1 MiB from rank 0 (tag 5); let one of them send first"
    )


def test_message_that_is_never_sent_is_named() -> None:
    assert told(program(received(only(1), 0, 8, 3))) == (
        "it ends in a deadlock: rank 1 waits to receive 8 B from rank 0 (tag 3), "
        f"which is never sent{MATCH}"
    )


def test_message_that_is_never_received_is_named() -> None:
    calls = program(sent(only(0), 1, 8, 3), mode=SendMode.SYNCHRONOUS)
    assert told(calls) == (
        "it ends in a deadlock: rank 0 waits to send 8 B to rank 1 (tag 3), "
        f"which is never received{MATCH}"
    )


def test_flag_that_is_never_set_is_named() -> None:
    assert told(program(CallRows(CallKind.WAIT, only(1), 0, 8, 0))) == (
        f"it ends in a deadlock: rank 1 waits for a flag of rank 0, which is never set{MATCH}"
    )
