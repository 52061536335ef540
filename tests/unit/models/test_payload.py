from __future__ import annotations

import pytest

from leadline.models.aggregate import contributions


@pytest.mark.parametrize(
    ("pattern", "ranks", "delivered"),
    [
        ("pingpong", 2, 1),
        ("exchange", 2, 2),
        ("stream", 2, 1),
        ("message_rate", 6, 3),
        ("bcast", 8, 7),
        ("bcast:rotating", 8, 7),
        ("ibcast", 8, 7),
        ("gatherv", 8, 7),
        ("scan", 8, 7),
        ("allreduce:max", 8, 14),
        ("allgather", 8, 56),
        ("alltoall", 8, 56),
        ("reduce_scatter", 8, 56),
    ],
)
def test_payload_of_all_ranks(pattern: str, ranks: int, delivered: float) -> None:
    assert contributions(pattern, ranks) == delivered


@pytest.mark.parametrize("pattern", ["barrier", "gatherv:skewed", "ibcast:tested", "halo", "pack"])
def test_what_has_no_payload_of_all_ranks(pattern: str) -> None:
    assert contributions(pattern, 8) is None
