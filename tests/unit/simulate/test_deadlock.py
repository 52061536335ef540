"""Programs that never end: who waits for what is named, with the remedy for just that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.simulated import cell, machine, seconds
from syrupy.assertion import SnapshotAssertion

from leadline.errors import UsageError
from leadline.patterns.programs.calls import (
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


def program(*rows: CallRows, mode: SendMode = SendMode.STANDARD) -> RankCalls:
    """A step of each of `rows`."""
    return calls_in([CallStep((row,)) for row in rows], 2, mode)


def told(calls: RankCalls) -> str:
    """What is said of it."""
    with pytest.raises(UsageError) as error:
        seconds(machine(), calls, cell("it", MIB))
    return str(error.value)


def test_synchronous_sends_to_each_other_are_named(snapshot: SnapshotAssertion) -> None:
    calls = program(SENDS, RECEIVES, mode=SendMode.SYNCHRONOUS)
    assert told(calls) == snapshot
    assert seconds(machine(), replace(calls, mode=SendMode.STANDARD), cell("it", MIB)) > 0


def test_receives_before_sends_are_named(snapshot: SnapshotAssertion) -> None:
    assert told(program(RECEIVES, SENDS)) == snapshot


def test_message_that_is_never_sent_is_named(snapshot: SnapshotAssertion) -> None:
    assert told(program(received(only(1), 0, 8, 3))) == snapshot


def test_message_that_is_never_received_is_named(snapshot: SnapshotAssertion) -> None:
    calls = program(sent(only(0), 1, 8, 3), mode=SendMode.SYNCHRONOUS)
    assert told(calls) == snapshot


def test_flag_that_is_never_set_is_named(snapshot: SnapshotAssertion) -> None:
    assert told(program(CallRows(CallKind.WAIT, only(1), 0, 8, 0))) == snapshot
