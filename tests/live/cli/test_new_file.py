"""Files that commands write over: whole or not at all, never through a link, never a run's."""

from __future__ import annotations

import os
from errno import EFBIG
from pathlib import Path

from tests.support.small_disk import on_a_small_disk

LIMIT = 4096


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_full_disk_leaves_the_older_file(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("older")
    text = on_a_small_disk("put", path, LIMIT)
    assert text == f"UsageError --out {path}: {os.strerror(EFBIG)}\n"
    assert path.read_text() == "older" and names(tmp_path) == ["page.html"]


def test_a_full_disk_leaves_no_part_of_a_new_file(tmp_path: Path) -> None:
    on_a_small_disk("put", tmp_path / "page.html", LIMIT)
    assert names(tmp_path) == []
