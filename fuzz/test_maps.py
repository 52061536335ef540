"""Descriptions of machines and graphs that are damaged: a mapping still is one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest
from harness.examples import share
from harness.places import DATA
from hypothesis import given
from hypothesis import strategies as st

from fuzz import planted
from fuzz.bounds import SilentLossError, attempt, met
from fuzz.commands import said
from fuzz.edits import Edited, others
from leadline.mapping.launchfiles import EMITTERS
from leadline.topology.readers import hosts

LINE = {
    "openmpi-rankfile": r"rank \d+=[^\s=]+ slots?=\S+",
    "mpich-hostfile": r"[^\s:]+(:\d+)?",
    "slurm-arbitrary": r"[^\s:]+",
    "slots": r"\d+ \d+|\d+",
}
"""How each line of a launcher's file looks that isn't a comment."""


@dataclass(frozen=True, slots=True)
class Description:
    """A file, and the command's words that name it."""

    text: str
    words: tuple[str, ...]
    """FILE stands for the file's name."""
    name: str = "file"


def _lines(form: str, count: int) -> str:
    return "".join(form.format(i, i // 2, i % 2) + "\n" for i in range(count))


GRID = ("--grid", "2x2")
DESCRIPTIONS: Mapping[str, Description] = {
    "hwloc": Description(
        (DATA / "topology" / "two-packages.xml").read_text(), (*GRID, "--machine", "hwloc:FILE")
    ),
    "inside": Description(
        (DATA / "topology" / "two-packages.xml").read_text(),
        (*GRID, "--machine", "torus:2x2+hwloc:FILE"),
    ),
    "slurm": Description(
        "SwitchName=s1 Nodes=n[0-3]\nSwitchName=s2 Nodes=n[4-6],m1\n"
        "SwitchName=top Switches=s[1-2]\n",
        (*GRID, "--machine", "slurm:FILE", "--cores", "2"),
    ),
    "hosts": Description(
        "# nodes\nn1:2\nn2 slots=2\nn3\nn4 slots=4 max_slots=8\n",
        (*GRID, "--machine", "hosts:FILE", "--cores", "1"),
    ),
    "coordinates": Description(
        "torus:4x2x2\n" + _lines("n{0} {0} {1} {2}", 4),
        (*GRID, "--machine", "coordinates:FILE", "--cores", "1"),
    ),
    "coordinates-alone": Description(
        _lines("n{0} {0} {1} {2}", 4), (*GRID, "--machine", "coordinates:FILE", "--cores", "1")
    ),
    "graph": Description(
        "# ring\n0 1 100\n1 2 100\n2 3 1e3\n3 0\n", ("--graph", "FILE", "--machine", "torus:2x2")
    ),
    "metis": Description(
        "% a square\n4 4 001\n2 1 4 2\n1 1 3 1\n2 1 4 3\n1 2 3 3\n",
        ("--graph", "FILE", "--machine", "torus:2x2"),
        "file.graph",
    ),
    "list": Description(
        "0\n3\n5\n6\n", (*GRID, "--machine", "torus:4x4", "--allocation", "list:FILE")
    ),
    "holes": Description(
        "1\n2\n", (*GRID, "--machine", "torus:3x2", "--allocation", "holes:FILE")
    ),
}  # fmt: skip


MUTATIONS = (
    others({kind: described.text.encode() for kind, described in DESCRIPTIONS.items()}),
    st.sampled_from(("json", "text", *EMITTERS)),
)
"""A description and of which kind it is, and the form of the answer."""


@share(0.2)
@given(*MUTATIONS)
def test_map_is_refused_or_is_one(text: tuple[str, Edited], form: str) -> None:
    met(_read, text, form)


def _read(text: tuple[str, Edited], form: str) -> str:
    described = DESCRIPTIONS[text[0]]
    Path(described.name).write_bytes(text[1])
    words = [word.replace("FILE", described.name) for word in described.words]
    shape = {"json": ["--json"], "text": []}.get(form, ["--emit", form])
    answer = said("map", *words, "--time", "1ms", *shape)
    if answer.refuses():
        return "refused"
    lines = [line for line in answer.out.splitlines() if line and not line.startswith("#")]
    odd = [line for line in lines if not re.fullmatch(LINE.get(form, ".*"), line)]
    if odd:
        raise SilentLossError(f"{form} has the line {odd[0][:80]!r}")
    slots = json.loads(answer.out)["permutation"] if form == "json" else []
    if len(set(slots)) != len(slots):
        raise SilentLossError(f"two ranks on one slot: {slots}")
    if form == "text" and not lines:
        raise SilentLossError("mapped without a word")
    return "mapped"


@patch.object(hosts, "whole", planted.raises)
def test_fault_of_the_reader_of_hosts_is_seen() -> None:
    with pytest.raises(IndexError):
        attempt(_read, 300, *MUTATIONS)
