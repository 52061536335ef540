"""A bare machine whose own libraries have been asked before what they are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from leadline.backends.discovery import find_backends


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the answers of the libraries that the system's packages bring."""
    folder = tmp_path_factory.mktemp("asked")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CACHE", "CONFIG", "DATA"):
            patch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))
        patch.setenv("HOME", str(folder / "home"))
        patch.setenv("PATH", os.pathsep.join(["/usr/bin", "/bin"]))
        for name in ("SPACK_ROOT", "MODULEPATH", "LD_LIBRARY_PATH", "CC"):
            patch.delenv(name, raising=False)
        find_backends()
    return folder / "cache"


@pytest.fixture
def asked_before(bare_machine: Path, asked: Path) -> None:
    """Those answers, which are not what a test is about, are in the bare machine's cache."""
    if asked.exists():
        shutil.copytree(asked, bare_machine / "cache")
