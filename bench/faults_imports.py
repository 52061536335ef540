"""Texts of other benchmarks that are damaged: what is imported can be read back, all of it."""

from __future__ import annotations

import math
import random
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from harness.places import DATA

from bench.faults_bytes import damaged, with_other_words
from bench.faults_case import Attack, SilentLossError
from bench.faults_commands import said
from leadline.errors import LeadlineError
from leadline.record.run import Run
from leadline.store import load

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
ROW = re.compile(r"\s*\d+(\s+[-+]?[\d.]+){1,}\s*", re.ASCII)
"""A line that a benchmark prints of a size: numbers, and nothing else."""
SHOWS: tuple[tuple[str, ...], ...] = (
    ("show",), ("show", "--json"), ("show", "--csv"), ("export", "--csv"), ("fit",),
)  # fmt: skip
SHARE = 0.2
UNITS_S = (1.0, 1e-3, 1e-6, 1e-9, 0.5e-6)


def imported(folder: Path) -> Attack:
    """Texts of every format that `leadline import` reads."""
    texts = [path for path in sorted((DATA / "imports").iterdir()) if path.suffix != ".md"]
    contents = {path.name: path.read_bytes() for path in texts}
    rows = {name: _is_all_rows(folder, name, content) for name, content in contents.items()}
    every = b"".join(contents.values())

    def attack(rng: random.Random) -> str:
        name = rng.choice(list(contents))
        content = _mutated(contents[name], every, rng)
        found = _imported(folder, name, content, rng)
        if found is None:
            return "refused"
        _check_values(found, content.decode())
        if rows[name]:
            _check_rows(found, content.decode())
        if rng.random() < SHARE:
            command, *options = rng.choice(SHOWS)
            said(command, str(folder / "run"), *options)
        return "imported"

    return attack


def _mutated(content: bytes, every: bytes, rng: random.Random) -> bytes:
    if rng.random() < 0.5:
        return damaged(content, rng, every)
    return with_other_words(content.decode(), rng).encode()


def _imported(folder: Path, name: str, content: bytes, rng: random.Random) -> Run | None:
    """The run that `content` becomes, as it is read back; None: it is refused, in words."""
    run, file = folder / "run", folder / name
    shutil.rmtree(run, ignore_errors=True)
    file.write_bytes(content)
    ranks = ("--ranks", "4") if rng.random() < 0.8 else ()
    answer = said("import", str(file), "--out", str(run), *ranks)
    if answer.status != 0:
        if not answer.err.strip():
            raise SilentLossError(f"refused without a word: {answer}")
        return None
    try:
        found = load(run)
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
    taken = {number for stated in found.stated for number in stated.lines}
    left = [number for number in _rows(text.split("\n")) if number not in taken]
    causes = " ".join(one.cause for one in found.warnings)
    if left and "nought" not in causes:
        raise SilentLossError(f"line {left[0]} has a value that isn't imported: no word of it")


def _rows(lines: Sequence[str]) -> list[int]:
    return [number for number, line in enumerate(lines, 1) if ROW.fullmatch(line)]


def _is_all_rows(folder: Path, name: str, content: bytes) -> bool:
    """Whether every line of an unharmed text that looks like a value is one."""
    found = _imported(folder, name, content, random.Random(1))
    if found is None:
        return False
    taken = {number for stated in found.stated for number in stated.lines}
    return bool(taken) and set(_rows(content.decode().split("\n"))) <= taken
