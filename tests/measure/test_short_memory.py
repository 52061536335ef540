"""What carries messages where /dev/shm is full is found anew, not remembered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.emulated import needs_root
from tests.support.own_memory import own_memory

pytestmark = [pytest.mark.live, needs_root]
RUN = ("run", "--backends", "openmpi", "--patterns", "pingpong", "--sizes", "8")


def transport(words: tuple[str, ...], out: Path) -> tuple[str, set[str]]:
    """What a run says that carried its messages, and the codes of what it warns of."""
    few = (*RUN, "--blocks", "1", "--budget", "1s", "--out", str(out))
    subprocess.run([*words, sys.executable, "-m", "leadline", *few], check=True)
    said = json.loads((out / "run.json").read_text())
    codes = {warning["code"] for warning in said["warnings"]}
    return said["configurations"][0]["transport"], codes


def test_library_that_finds_no_room_in_shared_memory_isnt_recorded_as_if_it_had(
    tmp_path: Path,
) -> None:
    assert transport((), tmp_path / "before")[0] == "ob1 sm"
    with own_memory("64m") as memory:
        (memory.folder / "somebodys").write_bytes(bytes(63 << 20))
        found, codes = transport(memory.inside(), tmp_path / "full")
    assert found == "ob1 tcp"
    assert "shared_memory" in codes
