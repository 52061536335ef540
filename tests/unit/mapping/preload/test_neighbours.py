"""Communicators made with reorder=1: the libraries' own, and what the programs notice."""

from __future__ import annotations

from tests.support.neighbours import (
    communicators,
)


def test_edges_between_nodes_are_counted_from_what_was_printed() -> None:
    # 2 x 2, one row a node: each rank has one neighbour elsewhere.
    lines = [f"cart {rank} {rank} {rank // 2 * 2} {rank // 2} {rank % 2}" for rank in range(4)]
    one = communicators("\n".join(lines))["cart"]
    assert one.crossing(one.neighbours()) == (4, 2)
    assert one.stays
