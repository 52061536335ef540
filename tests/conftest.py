"""Fixtures that several test modules share."""

from __future__ import annotations

import fcntl
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from harness.places import DATA
from tests.support.fake_library import make_bare

from leadline.backends.backend import Backend
from leadline.backends.install import Requirement, install
from leadline.backends.kinds import INSTALLABLE
from leadline.files import data_directory

LONG_NUMBER = re.compile(r"\d+\.\d{6,}(e-\d+)?")


@pytest.fixture(scope="session")
def installed_backends() -> Mapping[str, Backend]:
    """MPICH, Open MPI and Intel MPI by kind, as `leadline get` puts them into the user's folder.

    They stay there between runs; of several test processes one installs and the others wait.
    """
    data_directory().mkdir(parents=True, exist_ok=True)
    with (data_directory() / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return {kind: install(Requirement(kind, None)).backend for kind in INSTALLABLE}


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without any MPI."""
    make_bare(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a whole report with a file in tests/data/report; --snapshot-update writes it.

    Numbers with more than six digits are rounded: the last ones depend on the libraries.
    """
    folder = DATA / "report"

    def check(name: str, text: str) -> None:
        text = LONG_NUMBER.sub(lambda match: f"{float(match[0]):.6g}", text)
        if request.config.getoption("update_snapshots"):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        assert text == (folder / name).read_text()

    return check
