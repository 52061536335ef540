"""What calls cost by a library's profile: how long they keep a rank busy, how fast bytes leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leadline.simulate.machine import Compute, Mode, Profile, ProfilePiece
from leadline.simulate.matching import CallFlags, are
from leadline.simulate.programs.calls import RankCalls, SendMode
from leadline.topology.networks import Float64
from leadline.topology.phases import CallKind

MODES = {
    SendMode.SYNCHRONOUS: Mode.SYNCHRONOUS,
    SendMode.NONBLOCKING: Mode.NONBLOCKING,
    SendMode.PERSISTENT: Mode.NONBLOCKING,
}
"""Whose pieces a mode of sending takes; those of STANDARD where it isn't named."""


@dataclass(frozen=True, slots=True)
class CallCosts:
    """What each call costs; all arrays have shape (calls,)."""

    busy_s: Float64
    """Its rank does nothing else: overhead, copy, computation; of a receive once it is there."""
    gap_s_per_byte: Float64
    """Of what it sends: its bytes take at least this."""
    asks: CallFlags
    """What it sends waits until the receive has been begun, and answered that."""
    copied: CallFlags
    """What it sends was copied: the rank goes on when that is done."""


def costs_of(calls: RankCalls, profile: Profile, compute: Compute) -> CallCosts:
    """What `calls` cost; one-sided ones as standard sends that nobody has to answer."""
    two_sided, found = are(calls, CallKind.SEND), are(calls, CallKind.RECEIVE, CallKind.WAIT)
    work = are(calls, CallKind.WORK)
    pieces = profile.pieces_of(MODES.get(calls.mode, Mode.STANDARD))
    place = np.searchsorted([one.least_bytes for one in pieces], calls.size_bytes, "right") - 1
    copy_s, copied = _copies(calls, pieces, compute)
    overhead = [
        np.array([one.send_overhead_s for one in pieces])[place] + copy_s * two_sided,
        np.array([one.receive_overhead_s for one in pieces])[place],
    ]
    synchronous = calls.mode is SendMode.SYNCHRONOUS
    asks = np.array([one.synchronous or synchronous for one in pieces])[place]
    asks &= two_sided & (calls.mode is not SendMode.BUFFERED)
    return CallCosts(
        busy_s=np.select([work, found], [_work_s(calls, compute), overhead[1]], overhead[0]),
        gap_s_per_byte=np.array([one.gap_s_per_byte for one in pieces])[place],
        asks=asks,
        copied=copied & two_sided & ~asks,
    )


def _copies(
    calls: RankCalls, pieces: tuple[ProfilePiece, ...], compute: Compute
) -> tuple[Float64, CallFlags]:
    """What copying a message takes where it is copied, and where that is.

    A buffered send is copied always: as fast as the profile's copies, or as memory is read and
    written.
    """
    buffered = calls.mode is SendMode.BUFFERED
    usual = 2.0 / compute.bytes_per_s if buffered else 0.0
    of_piece = [1.0 / one.copy_bytes_per_s if one.copy_bytes_per_s else usual for one in pieces]
    place = np.searchsorted([one.least_bytes for one in pieces], calls.size_bytes, "right") - 1
    copied = np.array([buffered or one.copy_bytes_per_s is not None for one in pieces])[place]
    return np.array(of_piece)[place] * calls.size_bytes, copied


def _work_s(calls: RankCalls, compute: Compute) -> Float64:
    return np.maximum(calls.number / compute.flop_per_s, calls.size_bytes / compute.bytes_per_s)
