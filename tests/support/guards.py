"""The guards of front-ends that tests start, known by the state folder that these were given."""

from __future__ import annotations

from pathlib import Path

from tests.support.processes import lives, processes, variable


def guards(state: Path) -> list[int]:
    """Those of front-ends with this state folder, whatever they have become."""
    mine = [pid for pid in processes() if variable(pid, "XDG_STATE_HOME") == str(state)]
    return [pid for pid in mine if lives(pid) and is_guard(pid)]


def is_guard(pid: int) -> bool:
    try:
        return b"hosts.cleanup.sweep" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
