"""Removing what a front-end that a test killed left behind, and nothing else."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tests.support.processes import processes

from leadline.measure.system import SCRATCH


def scratch_folders(temporary: Path | None = None) -> set[Path]:
    """The folders of launches, and of their relays and daemons, that are there now.

    Below `temporary`, or the folder for temporary files.
    """
    return set((temporary or Path(tempfile.gettempdir())).glob(f"{SCRATCH}*"))


def unused_segments(*beginnings: str) -> set[str]:
    """Files in /dev/shm whose names begin so, and System V segments, that no process has mapped.

    Other tests' ranks have theirs mapped; what a dead rank left stays and is unused.
    """
    mapped = "".join(map(_maps, processes()))
    files = (path for path in Path("/dev/shm").iterdir() if path.name.startswith(beginnings))
    lines = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    columns = [line.split() for line in lines]
    return {path.name for path in files if path.is_file() and str(path) not in mapped} | {
        column[1] for column in columns if column[6] == "0"
    }


def _maps(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return ""


def remove_launch(folder: Path) -> None:
    """Removes `folder` of a launch and those of its hosts, whose names go on after a dot.

    What no launch makes is refused: of an empty name everything below would match.
    """
    temporary = Path(tempfile.gettempdir())
    assert folder.parent == temporary, f"{str(folder)!r} doesn't lie in {temporary}"
    assert folder.name.startswith(SCRATCH), f"{str(folder)!r} is no launch's"
    for path in (folder, *temporary.glob(f"{folder.name}.*")):
        shutil.rmtree(path, ignore_errors=True)
