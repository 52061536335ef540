"""The launches of a campaign that runs in the test's own process."""

from __future__ import annotations

import pytest

from leadline.measure.launch import Launch


def noted(monkeypatch: pytest.MonkeyPatch) -> list[Launch]:
    """All launches that are started from now on, as they are."""
    found: list[Launch] = []
    start = Launch.start

    def note(one: Launch) -> None:
        found.append(one)
        start(one)

    monkeypatch.setattr(Launch, "start", note)
    return found
