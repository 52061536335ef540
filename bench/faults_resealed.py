"""Stored runs whose values are damaged and whose checksums fit: readers trust no number.

A checksum that fits says that somebody wrote it so. What was written instead of a value is then
what the run says; but a reader refuses what can't be, and leaves out no more than that.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from harness.sealed import Record, seal, unseal

from bench.faults_bytes import damaged, nonsense
from bench.faults_case import Attack, SilentLossError
from bench.faults_runs import Content, Intact
from bench.faults_stored import corpus, drawn_of, judged, write
from bench.faults_tables import rewritten
from leadline.record.run import Run

TABLES = {"batches.parquet": "parquet_crc32", "slices.parquet": "slices_crc32"}
"""Each with the key that its checksum has in run.json."""
BYTES_SHARE = 0.3

Files = dict[str, bytes]


def resealed(folder: Path) -> Attack:
    """Values of journals, of run.json and of tables, under checksums that fit."""
    intact, run = corpus(folder)
    kinds: Mapping[str, Callable[[Files, random.Random], None]] = {
        "journal.jsonl": _line,
        "run.json": _manifest,
        "batches.parquet": partial(_table, scratch=folder / "scratch.parquet"),
    }

    def attack(rng: random.Random) -> str:
        whole = drawn_of(intact, rng)
        files = dict(whole.files)
        kind = rng.choice([name for name in kinds if name in files])
        kinds[kind](files, rng)
        write(run, files)
        return judged(run, whole, rng, partial(_check_number, whole=whole, kind=kind))

    return attack


def _line(files: Files, rng: random.Random) -> None:
    """Writes one line of the journal anew, where nothing else is read."""
    for name in [name for name in files if name != "journal.jsonl"]:
        del files[name]
    lines = files["journal.jsonl"].split(b"\n")
    at = rng.randrange(len(lines) - 1)
    lines[at] = _resealed(lines[at], rng, None)
    files["journal.jsonl"] = b"\n".join(lines)


def _manifest(files: Files, rng: random.Random) -> None:
    """Writes run.json anew."""
    files["run.json"] = _resealed(files["run.json"], rng, 2)


def _table(files: Files, rng: random.Random, scratch: Path) -> None:
    """Writes one of the tables anew, and its checksum into run.json; the journal stays."""
    name = rng.choice([name for name in TABLES if name in files])
    if rng.random() < BYTES_SHARE:
        files[name] = damaged(files[name], rng)
    else:
        files[name] = rewritten(files[name], rng, scratch)
    record = unseal(files["run.json"])
    files["run.json"] = seal(record | {TABLES[name]: f"{zlib.crc32(files[name]):08x}"}, indent=2)


def _resealed(text: bytes, rng: random.Random, indent: int | None) -> bytes:
    return seal(_other(unseal(text), rng), indent)


def _other(record: Record, rng: random.Random) -> Record:
    """`record` with one value another, one less or one more; its number stays."""
    key = rng.choice([key for key in record if key != "line"])
    if rng.random() < 0.1:
        return {name: value for name, value in record.items() if name != key}
    if rng.random() < 0.05:
        return record | {rng.choice(("rank", "x", "ranks", "others")): nonsense(0, rng)}
    return record | {key: nonsense(record[key], rng)}


# -- how it is read --------------------------------------------------------------------------------


def _check_number(_: Run, found: Content, whole: Intact, kind: str) -> None:
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
