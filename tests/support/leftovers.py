"""Removing what a front-end that a test killed left behind, and nothing else."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from leadline.measure.system import SCRATCH


def scratch_folders(temporary: Path | None = None) -> set[Path]:
    """The folders of launches, and of their relays and daemons, that are there now.

    Below `temporary`, or the folder for temporary files.
    """
    return set((temporary or Path(tempfile.gettempdir())).glob(f"{SCRATCH}*"))


def remove_launch(folder: Path) -> None:
    """Removes `folder` of a launch and those of its hosts, whose names go on after a dot.

    What no launch makes is refused: of an empty name everything below would match.
    """
    temporary = Path(tempfile.gettempdir())
    assert folder.parent == temporary, f"{str(folder)!r} doesn't lie in {temporary}"
    assert folder.name.startswith(SCRATCH), f"{str(folder)!r} is no launch's"
    for path in (folder, *temporary.glob(f"{folder.name}.*")):
        shutil.rmtree(path, ignore_errors=True)
