"""Machine files that are damaged: what is simulated on one is a time, or its fault is named."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from unittest.mock import patch

import pytest
from harness.examples import share
from harness.places import ROOT
from hypothesis import given
from hypothesis import strategies as st

from fuzz import planted
from fuzz.bounds import SilentLossError, attempt, met
from fuzz.commands import Said, said
from fuzz.edits import Edited, others
from leadline.simulate import machine_files

MACHINES = {
    path.stem: path.read_bytes()
    for path in sorted((ROOT / "src/leadline/simulate/machines").glob("*.toml"))
}


MUTATIONS = (others(MACHINES), st.sampled_from(("pingpong", "bcast", "alltoall", "halo:2x2")))
"""A machine's text and whose it was, and what is simulated on it."""


@share(0.03)
@given(*MUTATIONS)
def test_simulated_time_is_one(machine: tuple[str, Edited], pattern: str) -> None:
    met(_read, machine, pattern)


def _read(machine: tuple[str, Edited], pattern: str) -> str:
    Path("machine.toml").write_bytes(machine[1])
    shutil.rmtree("run", ignore_errors=True)
    words = ("--ranks", "4", "--sizes", "8,65536", "--out", "run", "--json")
    answer = said("simulate", "--machine", "machine.toml", "--patterns", pattern, *words)
    if answer.refuses():
        return "refused"
    _check(json.loads(answer.out))
    return "simulated"


def _check(found: dict[str, list[dict[str, object]]]) -> None:
    """SilentLossError where a time is none, and nothing says why."""
    times = [row["median_s"] for row in found["rows"]]
    odd = [t for t in times if not isinstance(t, float | int) or not math.isfinite(t) or t < 0]
    if odd or not times:
        raise SilentLossError(f"simulated to take {odd[:3]}")


@patch.object(machine_files, "parse_machine", planted.raises)
def test_fault_of_the_reader_is_seen() -> None:
    with pytest.raises(IndexError):
        attempt(_read, 30, *MUTATIONS)


def test_simulation_that_states_no_time_is_seen() -> None:
    states_none = Said(0, '{"rows": [{"median_s": null}]}', "")
    with patch.dict(globals(), said=lambda *_: states_none), pytest.raises(SilentLossError):
        attempt(_read, 2, *MUTATIONS)
