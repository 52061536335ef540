"""Remote-execution agents for surveys of hosts."""

from __future__ import annotations

from pathlib import Path


def agent(folder: Path, script: str) -> str:
    """A program like ssh; $1 is the host."""
    path = folder / "agent"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)
