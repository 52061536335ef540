"""Directories of launches whose front-end was killed are swept after a day."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from leadline.measure.system import OPERATING_SYSTEM, SCRATCH


def test_only_directories_of_launches_long_gone_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = [f"{SCRATCH}old", f"{SCRATCH}new", "somebody-elses"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "output").touch()
    for name in (names[0], names[2]):
        os.utime(tmp_path / name, (0, 0))
    OPERATING_SYSTEM.sweep()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])
