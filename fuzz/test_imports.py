"""Texts of other benchmarks that are damaged: what is imported can be read back, all of it."""

from __future__ import annotations

import functools
import math
import re
import shutil
from collections.abc import Sequence
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
from leadline import store
from leadline.errors import LeadlineError
from leadline.record.run import Run

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
ROW = re.compile(r"\s*\d+(\s+[-+]?[\d.]+){1,}\s*", re.ASCII)
"""A line that a benchmark prints of a size: numbers, and nothing else."""
SHOWS: tuple[tuple[str, ...], ...] = (
    ("show",), ("show", "--json"), ("show", "--csv"), ("export", "--csv"), ("fit",),
)  # fmt: skip
UNITS_S = (1.0, 1e-3, 1e-6, 1e-9, 0.5e-6)
TEXTS = {
    path.name: path.read_bytes()
    for path in sorted((DATA / "imports").iterdir())
    if path.suffix != ".md"
}


MUTATIONS = (
    others(TEXTS, b"".join(TEXTS.values())),
    st.sampled_from((("--ranks", "4"), ("--ranks", "4"), ())),
    st.sampled_from((None, None, *SHOWS)),
)
"""A text and its name, words of the import, and what shows what is imported."""


@share(0.27)
@given(*MUTATIONS)
def test_text_is_refused_or_can_be_read_back(
    text: tuple[str, Edited], words: tuple[str, ...], show: tuple[str, ...] | None
) -> None:
    met(_read, text, words, show)


def _read(text: tuple[str, Edited], words: tuple[str, ...], show: tuple[str, ...] | None) -> str:
    name, content = text
    found = _imported(name, content, words)
    if found is None:
        return "refused"
    _check_values(found, content.decode())
    if name in _of_rows_alone():
        _check_rows(found, content.decode())
    if show:
        said(show[0], "run", *show[1:])
    return "imported"


def _imported(name: str, content: bytes, words: tuple[str, ...]) -> Run | None:
    """The run that a text becomes, as it is read back; None: it is refused, in words."""
    shutil.rmtree("run", ignore_errors=True)
    Path(name).write_bytes(content)
    answer = said("import", name, "--out", "run", *words)
    if answer.refuses():
        return None
    try:
        found = store.load(Path("run"))
    except LeadlineError as error:
        raise SilentLossError(f"imported, and can't be read back: {error}") from None
    _check_read_back(found, answer.out)
    return found


def _check_read_back(found: Run, out: str) -> None:
    """SilentLossError unless the run has as many values as the command says."""
    values = sum(len(one.cells) for one in found.stated)
    told = re.search(r": (\d+) \w+ values?,", out)
    if told is None or int(told[1]) != values:
        causes = [one.cause for one in found.warnings]
        raise SilentLossError(f"{out.strip()[-80:]!r}, but {values} are read back: {causes[:2]}")


def _check_values(found: Run, text: str) -> None:
    """SilentLossError where a line that values come from has a number as only Python reads it."""
    lines = text.split("\n")
    for stated in found.stated:
        for number, seconds in zip(stated.lines, stated.seconds, strict=True):
            words = [word for word in lines[number - 1].split() if _is_odd(word)]
            odd = [word for word in words if _is_time(float(word), seconds)]
            if odd:
                raise SilentLossError(f"line {number} was taken: {odd[0]!r} for a number")


def _is_odd(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return NUMBER.fullmatch(word) is None


def _is_time(number: float, seconds: float) -> bool:
    """Whether `number`, in one of the units that benchmarks print, is so many seconds."""
    return any(math.isclose(number * unit, seconds, rel_tol=1e-6) for unit in UNITS_S)


def _check_rows(found: Run, text: str) -> None:
    """SilentLossError where a line looks like a value and none came of it."""
    left = _rows_left(found, text)
    if left and "zero" not in {one.code for one in found.warnings}:
        raise SilentLossError(f"line {left[0]} has a value that isn't imported: no word of it")


def _rows_left(found: Run, text: str) -> Sequence[int]:
    taken = {number for stated in found.stated for number in stated.lines}
    rows = [number for number, line in enumerate(text.split("\n"), 1) if ROW.fullmatch(line)]
    return [number for number in rows if number not in taken]


@functools.cache
def _of_rows_alone() -> frozenset[str]:
    """Unharmed texts whose every line that looks like a value is one."""
    runs = {name: _imported(name, text, ("--ranks", "4")) for name, text in TEXTS.items()}
    return frozenset(
        name
        for name, run in runs.items()
        if run and run.stated and not _rows_left(run, TEXTS[name].decode())
    )


@patch.object(store, "load", planted.drops)
def test_imports_that_are_not_read_back_are_seen() -> None:
    with pytest.raises(SilentLossError):
        attempt(_read, 60, *MUTATIONS)
