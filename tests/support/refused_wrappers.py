"""Compiler wrappers that are refused, and the reason given."""

from __future__ import annotations

from pathlib import Path

from leadline.backends.discovery import identify


def refusal(mpicc: Path) -> tuple[str, str]:
    """Reason and remedy of a wrapper that must not be usable."""
    backend = identify(mpicc)
    assert not backend.usable
    assert backend.reason
    assert backend.remedy
    return backend.reason, backend.remedy
