"""What mutations are read in: an empty folder, and a process that starts no other."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest
from harness import examples

from fuzz.bounds import MET
from fuzz.commands import said
from fuzz.tables import ALONE
from leadline.query import database
from leadline.store import parquet

__all__ = ["examples"]  # for the profiles that it makes known
WARM = (
    "map --grid 2x2 --machine torus:2x2 --time 1ms",
    "simulate --machine cray-t3d --ranks 4 --patterns pingpong,bcast --sizes 8 --out new",
)
"""Of what needs a library of ours: it is compiled now, for later nothing may be started."""
FEW = 100
"""Of which, all may be met in the same way by chance."""


def _refuse(*_: object, **__: object) -> None:
    raise FileNotFoundError("nothing is started here")


@pytest.fixture(scope="module", autouse=True)
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pytest.MonkeyPatch]:
    """Makes them for one module, whose mutations were to be met in more than one way."""
    MET.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("warm"))
        patch.setattr(os, "fsync", lambda _: None)  # power cuts aren't what is tried
        patch.setenv("COLUMNS", "1000")  # no path is broken into two lines
        patch.setenv("NO_COLOR", "1")
        for reader in (parquet, database):
            patch.setattr(reader, "settings", lambda: ALONE)
        for line in WARM:
            said(*line.split())
        for name in ("CONFIG", "DATA"):
            patch.setenv(f"XDG_{name}_HOME", str(tmp_path_factory.mktemp(name.lower())))
        patch.setattr(subprocess.Popen, "__init__", _refuse)
        patch.chdir(tmp_path_factory.mktemp("fuzz"))
        yield patch
    for attack in {attack for attack, _ in MET}:
        ways = [count for (name, _), count in MET.items() if name == attack]
        assert len(ways) > 1 or sum(ways) < FEW, f"all were met in the same way: {MET}"
