"""Who runs on this machine, as /proc says."""

from __future__ import annotations

from pathlib import Path


def processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def running(program: str) -> list[int]:
    """The processes of the executable `program`."""
    return [pid for pid in processes() if executable(pid) == program]


def executable(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError:
        return ""


def variable(pid: int, name: str) -> str:
    """The variable `name` that process `pid` was started with; empty without one."""
    try:
        words = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return ""
    return next((w.partition("=")[2] for w in words if w.startswith(f"{name}=")), "")
