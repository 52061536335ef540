"""Timed loops, read from the sources of the patterns."""

from __future__ import annotations

import re

from leadline.kernels.build import SOURCES

LOOP = re.compile(r"\.(?:run|second) = (\w+)")


def loops(room: str = "patterns") -> list[tuple[str, str]]:
    """(object's stem, name of a timed loop) for every pattern in the table, or application."""
    files = sorted((SOURCES / room).rglob("*.c"))
    return [
        (f"{path.parent.name}-{path.stem}", name)
        for path in files
        for name in LOOP.findall(path.read_text())
    ]
