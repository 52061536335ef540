"""Processes that load the processor, as the kernel lists them."""

from __future__ import annotations

from pathlib import Path


def spinning(parent: int) -> list[int]:
    """Processes of background load that `parent` started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"sched_setaffinity" in b"".join(words) and str(parent).encode() in words:
            found.append(int(path.parent.name))
    return found
