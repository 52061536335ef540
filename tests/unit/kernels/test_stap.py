"""STAP: what an independent program finds, to the last bit on every number of ranks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import stap as reference

from leadline.backends.preparation import loopback_address


@pytest.fixture(autouse=True)
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where ranks over tcp and over trace meet."""
    monkeypatch.setenv("LEADLINE_RENDEZVOUS", loopback_address())
    monkeypatch.setenv("LEADLINE_INBOX", str(tmp_path / "inbox"))


def test_weights_that_are_not_adapted_find_nothing() -> None:
    assert reference.found("small", adapted=False).detections == []
