"""SimGrid's SMPI: which versions are usable, and what is said where it lacks something."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.backends.discovery import select
from leadline.backends.discovery.smpi import find_smpi
from leadline.errors import UsageError


@pytest.fixture
def tools(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH, empty."""
    folder = bare_machine / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_missing_smpi_is_refused_with_how_to_get_it(
    tools: Path, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(UsageError) as refusal:
        select([find_smpi()], ["smpi"])
    assert str(refusal.value) == snapshot
