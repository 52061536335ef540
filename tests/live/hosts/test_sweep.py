"""What a killed front-end left goes, told by its record; what is anybody else's stays."""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.support.ended_front_ends import NAME, ended, folder
from tests.support.processes import lives

from leadline.files import cache_directory
from leadline.hosts.cleanup import sweep as sweeping
from leadline.hosts.cleanup.sweep import sweep


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(sweeping, "PATIENCE_S", 0.0)


def test_processes_of_a_launch_are_ended_and_no_others(tmp_path: Path) -> None:
    name = secrets.token_hex(8)
    marked, other, known = (
        subprocess.Popen(["sleep", "600"], env=os.environ | {"LEADLINE_LAUNCH": value})
        for value in (name, f"{name}x", "")
    )
    record = ended(folder(tmp_path), name, known.pid, other.pid)
    content = json.loads(record.read_text())
    content["notes"][0]["processes"][1]["started"] -= 1  # the number was another's then
    record.write_text(json.dumps(content))
    try:
        assert sweep().processes == 2
        assert not lives(marked.pid)
        assert not lives(known.pid)
        assert other.poll() is None
    finally:
        for process in (marked, other, known):
            process.kill()
            process.wait()


@pytest.mark.parametrize(("name", "goes"), [(NAME, True), ("somebody's", False)])
def test_who_has_our_folder_for_temporary_files_is_ended_and_nobody_else(
    tmp_path: Path, name: str, goes: bool
) -> None:
    mine = folder(tmp_path, name)
    marked, other = (
        subprocess.Popen(["sleep", "600"], env=os.environ | {"TMPDIR": str(path)})
        for path in (mine, tmp_path)
    )
    ended(mine)
    try:
        assert sweep().processes == goes
        assert lives(marked.pid) != goes
        assert mine.exists() != goes
        assert lives(other.pid)
    finally:
        for process in (marked, other):
            process.kill()
            process.wait()


@pytest.mark.parametrize(
    ("program", "goes"),
    [
        ("leadline/kernel", True),
        (f"{NAME}/probe", True),
        ("daemon", False),
        ("a-launchs-own", True),
    ],
)
def test_daemon_that_a_launch_began_stays_and_what_it_has_for_itself_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, goes: bool
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache_directory().mkdir()
    mine = folder(tmp_path)
    program = shutil.copy("/bin/sleep", str(tmp_path / program))
    name = secrets.token_hex(8)
    marked = os.environ | {"LEADLINE_LAUNCH": name}
    process = subprocess.Popen([program, "600"], env=marked, start_new_session=True)
    ended(mine, name)
    try:
        assert sweep().processes == goes
        assert lives(process.pid) != goes
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("has_handles", [False, True])
def test_process_is_killed_by_its_handle_where_there_are_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_handles: bool
) -> None:
    def refused(*_: int) -> int:
        raise OSError(errno.ENOSYS, "no such call")

    process = subprocess.Popen(["sleep", "600"])
    ended(folder(tmp_path), "", process.pid)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(os, "kill" if has_handles else "pidfd_open", refused)
            assert sweep().processes == 1
        assert not lives(process.pid)
    finally:
        process.kill()
        process.wait()
