"""Placements on their way to a kernel: in pieces, checked at both ends."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.kernels.placements import check_permutation, pieces


def test_what_is_no_permutation_is_never_sent(snapshot: SnapshotAssertion) -> None:
    given = [[0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 4, 2], [0, -1, 3, 2], [3, 1, 1, 2]]
    told = refusals(lambda slots: check_permutation(slots, 4), given, UsageError)
    assert told == snapshot
    assert refusals(lambda slots: list(pieces(1, slots, 4)), given, UsageError) == told
