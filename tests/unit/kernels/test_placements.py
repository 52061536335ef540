"""Placements on their way to a kernel: in pieces, checked at both ends."""

from __future__ import annotations

import pytest

from leadline.errors import UsageError
from leadline.kernels.placements import check_permutation, pieces


@pytest.mark.parametrize(
    ("slots", "said"),
    [
        ([0, 1, 2], "a placement of 3 slots doesn't fit 4 ranks"),
        ([0, 1, 2, 3, 4], "a placement of 5 slots doesn't fit 4 ranks"),
        ([0, 1, 4, 2], "has slot 4 for vertex 2; there are 0 to 3"),
        ([0, -1, 3, 2], "has slot -1 for vertex 1"),
        ([3, 1, 1, 2], "has slot 1 twice, for vertices 1 and 2, and slot 0 for none"),
    ],
)
def test_what_is_no_permutation_is_never_sent(slots: list[int], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check_permutation(slots, 4)
    with pytest.raises(UsageError, match=said):
        list(pieces(1, slots, 4))
