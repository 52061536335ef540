"""Commands run to their end or their time limit."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion

from leadline.processes import CommandResult


def test_complaint_is_the_first_line_about_an_error_else_the_last_line(
    snapshot: SnapshotAssertion,
) -> None:
    assert CommandResult(1, "a\nx.c:1: error: b\nc\n").first_complaint() == "x.c:1: error: b"
    assert CommandResult(1, "a\nb\n\n").first_complaint() == "b"
    assert CommandResult(4, "").first_complaint() == snapshot
