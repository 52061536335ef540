"""A bare machine whose own libraries have been asked before what they are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support.fake_library import make_bare

from leadline.backends.discovery import find_backends


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the answers of the libraries that the system's packages bring."""
    folder = tmp_path_factory.mktemp("asked")
    with pytest.MonkeyPatch.context() as patch:
        make_bare(folder, patch)
        find_backends()
    return folder / "cache"


@pytest.fixture
def asked_before(bare_machine: Path, asked: Path) -> None:
    """Those answers, which are not what a test is about, are in the bare machine's cache."""
    if asked.exists():
        shutil.copytree(asked, bare_machine / "cache")
