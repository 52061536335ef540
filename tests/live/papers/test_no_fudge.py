"""Nothing that is computed knows a published value, and nothing fitted is called predicted."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness.places import ROOT
from harness.reproduced import FITTED, PAPERS_MADE
from tests.support.unpublished import Made

import leadline

PACKAGE = Path(leadline.__file__).parent
TABLE = str(PACKAGE / "papers/cray_mpt/figures.csv")
LIMIT_S = 300


def begun(mode: str, modules: Sequence[str], sources: Path) -> subprocess.Popen[str]:
    """A process that makes papers again, by the package below `sources`."""
    paths = os.pathsep.join(map(str, (sources, ROOT)))
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.unpublished", mode, *modules],
        env=os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=ROOT,
    )  # fmt: skip


def ended(process: subprocess.Popen[str]) -> tuple[Made | None, str]:
    """What it made, or None and how its complaint ends."""
    out, complaint = process.communicate("\n".join(FITTED), timeout=LIMIT_S)
    return (None if process.returncode else json.loads(out)), complaint.strip()[-200:]


def known(modules: Sequence[str], sources: Path = PACKAGE.parent) -> list[str]:
    """What of these papers comes out otherwise where no process may know a result, or why none."""
    hidden, complaint = ended(begun("hidden", modules, sources))
    if hidden is None:
        return [complaint]
    if lacking := [name for name, one in hidden.items() if str(math.nan) in str(one)]:
        return lacking
    told, complaint = ended(begun("told", modules, sources))
    assert told, complaint
    assert told.keys() == hidden.keys()
    return [name for name, one in told.items() if one != hidden[name]]


def test_ours_are_the_same_where_no_result_is_known() -> None:
    assert known(PAPERS_MADE) == []


# -- ways to know one all the same -----------------------------------------------------------------


_SUMS = "ours=only,\n            reason=MASTER,"
_BY_IMPORT = """
from leadline.papers.catalogue import figure_of
LONGER_S = 0.01 * figure_of("cray-mpt.table4.t3d.4").si
"""
_PRINTED = "__import__('leadline.papers.cray_mpt.printed', fromlist='x').value"
CHEATS = {
    "a value of the table, by the words of its id": (
        "cray_mpt/recipe.py", _SUMS,
        _SUMS.replace("only", f"lambda s: 0.99 * {_PRINTED}('CRAY T3D', 'table3', 2, 'gsum')"),
    ),
    "a constant of a module that others import": (
        "simulation.py", "\n\ndef only(seconds: Seconds) -> float:",
        f"{_BY_IMPORT}\n\ndef only(seconds: Seconds) -> float:\n    return LONGER_S",
    ),
    "the table, read again": (
        "cray_mpt/recipe.py", _SUMS,
        _SUMS.replace(
            "only",
            "lambda s: 1e-3 * (__import__('leadline.papers.published', fromlist='x')"
            ".figures_in('leadline.papers.cray_mpt')[30].value or 0)",
        ),
    ),
    "words of a contradiction": (
        "cray_mpt/recipe.py", _SUMS,
        _SUMS.replace("only", "lambda s: len(paper_of(KEY).contradictions[0].printed)"),
    ),
    "the figure that ours is put beside": (
        "cells.py", "ours=figure.printed(recipe.made(times, machines))",
        "ours=(figure.printed(recipe.made(times, machines)) + 9 * (figure.value or 0)) / 10",
    ),
    "the table as a file": (
        "cray_mpt/recipe.py", _SUMS,
        _SUMS.replace("only", f"lambda s: len(open({TABLE!r}).read())"),
    ),
    "a drawn curve": (
        "recipe.py", "lambda s: factor * only(s)",
        f"lambda s: factor * only(s) + 1e-9 * {_PRINTED}('CRAY T3D', 'table4', 4)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", CHEATS)
def test_planted_knowledge_is_found(tmp_path: Path, way: str) -> None:
    module, honest, cheating = CHEATS[way]
    source = planted_tree(tmp_path) / "papers" / module
    assert source.read_text().count(honest) == 1
    source.write_text(source.read_text().replace(honest, cheating))
    assert known(["cray_mpt"], tmp_path)


def planted_tree(folder: Path) -> Path:
    """The package as it is, but for a copy of this room."""
    copied = folder / "leadline"
    copied.mkdir()
    for path in PACKAGE.iterdir():
        if path.name != "papers":
            (copied / path.name).symlink_to(path)
    shutil.copytree(PACKAGE / "papers", copied / "papers")
    return copied
