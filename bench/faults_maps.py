"""Descriptions of machines and graphs that are damaged: a mapping still is one."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.places import DATA

from bench.faults_bytes import damaged, with_other_words
from bench.faults_case import Attack, SilentLossError
from bench.faults_commands import Said, said
from leadline.mapping.launchfiles import EMITTERS

RANKS = 4
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


def mapped(folder: Path) -> Attack:
    """Files that `leadline map` reads, of every kind."""
    for name in DESCRIPTIONS:
        _mapped(folder, DESCRIPTIONS[name], DESCRIPTIONS[name].text.encode(), "json")

    def attack(rng: random.Random) -> str:
        described = DESCRIPTIONS[rng.choice(list(DESCRIPTIONS))]
        form = rng.choice(("json", "text", *EMITTERS))
        answer = _mapped(folder, described, _mutated(described.text, rng), form)
        if answer.status != 0:
            if not answer.err.strip():
                raise SilentLossError(f"refused without a word: {answer}")
            return "refused"
        CHECKS.get(form, _check_lines)(answer, form)
        return "mapped"

    return attack


def _mutated(text: str, rng: random.Random) -> bytes:
    if rng.random() < 0.5:
        return damaged(text.encode(), rng)
    return with_other_words(text, rng).encode()


def _mapped(folder: Path, described: Description, content: bytes, form: str) -> Said:
    file = folder / described.name
    file.write_bytes(content)
    words = [word.replace("FILE", str(file)) for word in described.words]
    shape = {"json": ["--json"], "text": []}.get(form, ["--emit", form])
    return said("map", *words, "--time", "1ms", *shape)


def _check_permutation(answer: Said, _: str) -> None:
    """SilentLossError unless every rank has a slot of its own."""
    slots = json.loads(answer.out)["permutation"]
    if len(set(slots)) != len(slots):
        raise SilentLossError(f"two ranks on one slot: {slots}")


def _check_lines(answer: Said, form: str) -> None:
    """SilentLossError where a launcher's file has a line that no rank is placed by."""
    lines = [line for line in answer.out.splitlines() if line and not line.startswith("#")]
    pattern = re.compile(LINE.get(form, ".*"))
    odd = [line for line in lines if not pattern.fullmatch(line)]
    if odd:
        raise SilentLossError(f"{form} has the line {odd[0][:80]!r}")


def _check_text(answer: Said, _: str) -> None:
    """SilentLossError where nothing is printed."""
    if not answer.out.strip():
        raise SilentLossError("mapped without a word")


CHECKS: Mapping[str, Callable[[Said, str], None]] = {
    "json": _check_permutation,
    "text": _check_text,
}
