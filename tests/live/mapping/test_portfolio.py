"""That a method which never gets its turn would be noticed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.portfolio import better_alone, on

from leadline.mapping.library import SOURCES, library
from leadline.native.libraries import shared_library

OWN_ALLOTMENT = "contest->work = contest->allotment;"


@pytest.fixture
def one_allotment_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A library whose methods use up what those after them would need."""
    sources = shutil.copytree(SOURCES, tmp_path / "mapping")
    contest = sources / "search" / "contest.c"
    text = contest.read_text()
    assert text.count(OWN_ALLOTMENT) == 1
    contest.write_text(text.replace(OWN_ALLOTMENT, f"if (contest->winner < 0) {OWN_ALLOTMENT}"))
    home = sys.modules[library.__module__]
    monkeypatch.setattr(home, "mapping_library", lambda: str(shared_library(sources)))
    library.cache_clear()
    yield
    library.cache_clear()


@pytest.mark.usefixtures("one_allotment_for_all")
def test_methods_that_come_too_late_are_noticed() -> None:
    assert better_alone(*on("20x20x20", "tree:5x5x5x64"), "load")
