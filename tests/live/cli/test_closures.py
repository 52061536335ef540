"""Imports of commands that measure nothing: as few as they need, so that they answer at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

COUNTED = """
import sys
from leadline.cli import main
main(sys.argv[1:])
ours = {name for name in sys.modules if name.partition(".")[0] == "leadline"}
print(*sorted(ours), file=sys.stderr)
"""
MOST = 60
"""Modules of ours that a command which measures nothing imports."""


@pytest.mark.parametrize(
    "words",
    [
        "map --grid 16x12x8 --machine nodes:32x48 --metric internode",
        "dims 1536 --machine nodes:32x48",
    ],
)
def test_mapping_takes_neither_libraries_nor_statistics(words: str) -> None:
    command = [sys.executable, "-c", COUNTED, *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    modules = done.stderr.split()
    assert len(modules) <= MOST, modules
    rooms = {name.split(".")[1] for name in modules if "." in name}
    assert rooms.isdisjoint({"backends", "compare", "measure", "models", "papers", "statistics"})
