"""What carries messages where /dev/shm is full is found anew, not remembered."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from pathlib import Path

from tests.support.emulated import needs_root
from tests.support.own_memory import own_memory
from tests.support.processes import ended, until

pytestmark = needs_root
LATER = 12
"""Slices of the first block."""
RUN = ("run", "--backends", "openmpi", "--patterns", "pingpong", "--sizes", "8")


def transport(words: tuple[str, ...], out: Path) -> tuple[str, set[str]]:
    """What a run says that carried its messages, and the codes of what it warns of."""
    few = (*RUN, "--blocks", "1", "--budget", "1s", "--out", str(out))
    subprocess.run([*words, sys.executable, "-m", "leadline", *few], check=True)
    output = json.loads((out / "run.json").read_text())
    codes = {warning["code"] for warning in output["warnings"]}
    return output["configurations"][0]["transport"], codes


def test_library_that_finds_no_room_in_shared_memory_isnt_recorded_as_if_it_had(
    tmp_path: Path,
) -> None:
    assert transport((), tmp_path / "before")[0] == "ob1 sm"
    with own_memory("64m") as memory:
        (memory.folder / "somebodys").write_bytes(bytes(63 << 20))
        found, codes = transport(memory.inside(), tmp_path / "full")
    assert found == "ob1 tcp"
    assert "shared_memory" in codes


def test_memory_that_fills_while_a_campaign_runs_leaves_the_transport_unknown(
    tmp_path: Path,
) -> None:
    out = tmp_path / "run"
    words = (sys.executable, "-m", "leadline", *RUN, "--blocks", "2", "--out", str(out))
    with own_memory("300m") as memory, ended(subprocess.Popen(memory.inside(*words))) as run:
        until(lambda: slices(out) >= LATER)  # what is mapped has been written to by then
        fill(memory.folder / "somebodys")
        assert run.wait() == 0
    output = json.loads((out / "run.json").read_text())
    assert output["configurations"][0]["transport"] == "unknown"
    (cause,) = (one["cause"] for one in output["warnings"] if one["code"] == "transport")
    assert re.match(r"openmpi .*\bob1 sm\b.*\bob1 tcp\b", cause)


def slices(out: Path) -> int:
    journal = out / "journal.jsonl"
    return journal.read_text().count('"kind":"slice"') if journal.exists() else 0


def fill(path: Path) -> None:
    """Writes to `path` until there is no room."""
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 16))
