"""No record stops a sweep, whatever is in it; what is none goes once nobody can be writing it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from leadline.hosts.cleanup.identities import ProcessIdentity
from leadline.hosts.cleanup.notes import records


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    records().mkdir(parents=True)


def test_process_is_known_whatever_bytes_its_name_has(tmp_path: Path) -> None:
    program = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe) R"))
    program.symlink_to("/bin/sleep")
    process = subprocess.Popen([program, "600"])
    try:
        found = ProcessIdentity.of(process.pid)
        assert found is not None
        assert found.is_alive
    finally:
        process.kill()
        process.wait()
