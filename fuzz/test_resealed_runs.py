"""Stored runs whose values are others and whose checksums fit: readers trust no number.

A checksum that fits says that somebody wrote it so. What was written instead of a value is then
what the run says; but a reader refuses what can't be, and leaves out no more than that.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from unittest.mock import patch

import pytest
from harness.examples import share
from hypothesis import given
from hypothesis import strategies as st

from fuzz import planted
from fuzz.bounds import SilentLossError, attempt, met
from fuzz.chance import chance
from fuzz.edits import Edited, damaged
from fuzz.runs import Content, Intact
from fuzz.stored import Mutation, readers, wholes, write
from fuzz.tables import rewritten
from fuzz.values import nonsense
from leadline import store
from leadline.record.run import Run
from leadline.store.lines import Record, seal, unseal

TABLES = {"batches.parquet": "parquet_crc32", "slices.parquet": "slices_crc32"}
"""Each with the key that its checksum has in run.json."""
Files = Mapping[str, Edited]


@dataclass(frozen=True, slots=True)
class Forgery(Mutation):
    """Values that somebody wrote in one file, or in the tables."""

    kind: str


@st.composite
def forgeries(draw: st.DrawFn) -> Forgery:
    """Another value in a journal, run.json or a table."""
    whole = draw(wholes())
    kind = draw(st.sampled_from([name for name in _KINDS if name in whole.files]))
    files = {name: Edited(content) for name, content in whole.files.items()}
    return Forgery(whole, _KINDS[kind](draw, files), draw(readers()), kind)


def _line(draw: st.DrawFn, files: Files) -> Files:
    """The journal with one of its lines written anew, where nothing else is read."""
    lines = files["journal.jsonl"].split(b"\n")
    at = draw(st.integers(0, len(lines) - 2))
    new = _resealed(draw, lines[at], None)
    lines[at] = new
    return {"journal.jsonl": Edited(b"\n".join(lines), f"line {at}", *new.how)}


def _manifest(draw: st.DrawFn, files: Files) -> Files:
    """With run.json written anew."""
    return {**files, "run.json": _resealed(draw, files["run.json"], 2)}


def _table(draw: st.DrawFn, files: Files) -> Files:
    """With one of the tables written anew, and its checksum in run.json; the journal stays."""
    name = draw(st.sampled_from([name for name in TABLES if name in files]))
    of_bytes = chance(draw, 30)
    new = draw(damaged(files[name]) if of_bytes else rewritten(files[name]))
    record = unseal(files["run.json"]) | {TABLES[name]: f"{zlib.crc32(new):08x}"}
    return {**files, name: new, "run.json": Edited(seal(record, indent=2), "its checksum")}


_KINDS: Mapping[str, Callable[[st.DrawFn, Files], Files]] = {
    "journal.jsonl": _line,
    "run.json": _manifest,
    "batches.parquet": _table,
}


def _resealed(draw: st.DrawFn, text: bytes, indent: int | None) -> Edited:
    """The record `text` with one value another, one less or one more; its number stays."""
    record: Record = unseal(text)
    key = draw(st.sampled_from([key for key in record if key != "line"]))
    if chance(draw, 10):
        less = {name: value for name, value in record.items() if name != key}
        return Edited(seal(less, indent), f"without {key}")
    if chance(draw, 5):
        key = draw(st.sampled_from(("rank", "x", "ranks", "others")))
    changed = draw(nonsense(record.get(key, 0)))
    return Edited(seal(record | {key: changed.value}, indent), f"{key}{changed.path}")


@share(0.04)
@given(forgeries())
def test_no_value_is_trusted(forgery: Forgery) -> None:
    met(_read, forgery)


def _read(forgery: Forgery) -> str:
    write(forgery.files)
    return forgery.judged(partial(_check_number, forgery.whole, forgery.kind))


def _check_number(whole: Intact, kind: str, _: Run, found: Content) -> None:
    """SilentLossError where there is less than before, and a file but that `kind` tells of it."""
    told_twice = kind == "journal.jsonl" or "slices.parquet" in whole.files
    if kind == "run.json" or not told_twice:
        return
    was = whole.content
    numbers = {
        "facts": was.facts.total() - found.facts.total(),
        "batches": was.batches.total() - found.batches.total(),
    }
    for name, gone in numbers.items():
        if gone > 0:
            raise SilentLossError(f"without a word {gone} {name} gone")


@patch.object(store, "load", planted.drops)
def test_values_dropped_in_silence_are_seen() -> None:
    with pytest.raises(SilentLossError):
        attempt(_read, 60, forgeries())
