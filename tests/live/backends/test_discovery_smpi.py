"""SimGrid's SMPI: which versions are usable, and what is said where it lacks something."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import script

from leadline.backends.discovery import find_backends
from leadline.backends.discovery.smpi import find_smpi


@pytest.fixture
def tools(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH, empty."""
    folder = bare_machine / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def simgrid(folder: Path, version: str, *names: str) -> None:
    """As that version's wrapper and launcher call themselves."""
    for name in names or ("smpicc", "smpirun"):
        script(folder / name, f"#!/bin/sh\necho 'SimGrid version {version}'\n")


def test_smpi_is_found_on_the_path_and_listed_after_the_libraries(bare_machine: Path) -> None:
    names = [backend.name for backend in find_backends()]
    assert names.index("pvm") < names.index("smpi") < names.index("shm")
    smpi = find_smpi()
    assert (smpi.usable, smpi.version, smpi.shared_memory) == (True, "3.32", "simulated")


def test_tested_version_is_usable(tools: Path) -> None:
    simgrid(tools, "3.32")
    smpi = find_smpi()
    assert (smpi.usable, smpi.version) == (True, "3.32")
    assert (smpi.compiler, smpi.launcher) == (str(tools / "smpicc"), str(tools / "smpirun"))


def test_other_version_is_refused_by_name_with_the_one_that_was_tested(
    tools: Path, snapshot: SnapshotAssertion
) -> None:
    simgrid(tools, "4.1")
    smpi = find_smpi()
    assert not smpi.usable
    assert (smpi.reason, smpi.remedy) == snapshot


@pytest.mark.parametrize(("there", "missing"), [("smpicc", "smpirun"), ("smpirun", "smpicc")])
def test_half_of_it_is_not_enough(there: str, missing: str, tools: Path) -> None:
    simgrid(tools, "3.32", there)
    assert find_smpi().reason == f"no {missing} on PATH"


def test_wrapper_without_a_version_is_refused(tools: Path, snapshot: SnapshotAssertion) -> None:
    script(tools / "smpicc", "#!/bin/sh\nexit 1\n")
    script(tools / "smpirun", "#!/bin/sh\n")
    assert find_smpi().reason == snapshot
