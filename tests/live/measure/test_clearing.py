"""What a launcher that fell leaves of its ranks is ended with its launch."""

from __future__ import annotations

import secrets
import subprocess
from pathlib import Path

import pytest
from harness.callers import OURS
from tests.support.processes import lives, until

from leadline.backends.launchers import Command
from leadline.hosts.cleanup.notes import LAUNCH, note
from leadline.measure.launch import Launch, kill

RANK_BEHIND_A_LAUNCHER_THAT_FALLS = 'sleep 600 & echo $! > "$0"; exit 3'


def test_ranks_of_a_launcher_that_fell_are_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    scratch, name, rank = (
        tmp_path / "leadline-launch-x12345",
        secrets.token_hex(8),
        tmp_path / "rank",
    )
    scratch.mkdir()
    argv = ("sh", "-c", RANK_BEHIND_A_LAUNCHER_THAT_FALLS, str(rank))
    launch = Launch(
        label="tcp",
        number=7,
        ranks=1,
        processes=1,
        credentials=OURS,
        commands=[Command(argv, {LAUNCH: name})],
        phases=(),
        library="tcp",
        sites=[],
        scratch=scratch,
        note=note(scratch, name),
    )
    launch.start()
    until(lambda: launch.started[0].poll() == 3)
    pid = int(rank.read_text())
    try:
        assert lives(pid)
        kill((launch,))
        assert not lives(pid)
        assert not scratch.exists()
    finally:
        subprocess.run(["kill", "-9", str(pid)], check=False, stderr=subprocess.DEVNULL)
