"""Builds the flow library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline import native
from leadline.native.libraries import shared_library

SOURCES = native.FOLDER / "flow"


def flow_library(flags: Sequence[str] = ()) -> Path:
    """The flow library as a shared object; a test adds `flags` for compiling and linking."""
    return shared_library(SOURCES, flags)
