"""The line format of a run's journal: one JSON object a line, sealed with its own checksum.

Every line has `kind`, its number `line` (1 is the first) and, as its last key, `crc32` of the text
before that key. The kinds, and what they hold besides:

    run             format, leadline (version), metadata
    configuration   index, and the fields of record.Configuration
    cells           first (index of the first one), cells: the fields of record.Cell each
    slice           configuration, cell, block, visit, repetitions, ranks; origin_ns, the earliest
                    start; for each rank, start_ns (after origin_ns) and elapsed_ns of all batches,
                    and flags as runs [first batch, number of batches, bits]
    imported        the fields of record.Imported
    failure         the fields of record.Failure
    warning         the fields of record.Caveat
    end             complete: whether the campaign did all it was asked for
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import Any, TypeVar

import numpy as np

from leadline.record.caveats import FORMER_CODES, Caveat
from leadline.record.run import (
    BatchFlag,
    Buffers,
    Cadence,
    Cell,
    Configuration,
    Failure,
    Imported,
    Int32,
    Nanoseconds,
    Slice,
    WhoseTime,
)

Record = dict[str, Any]
Check = Callable[[Any], Any]
T = TypeVar("T")

MOST_NUMBERED = 2**20
"""Blocks, visits, configurations and cells of a run are fewer."""
MOST_INT32 = 2**31 - 1
LONGEST_NS = 2**61
"""73 years; an origin, a start after it and an elapsed time add up within 64 bits."""
_KNOWN_FLAGS = int(reduce(or_, BatchFlag))
_SEAL = re.compile(rb',\s*"crc32":\s*"([0-9a-f]{8})"\s*\}\s*\Z')
_LONGEST_SEAL = 64


class BadLineError(Exception):
    """A line that isn't what the format says; the message says how."""


# -- sealing ---------------------------------------------------------------------------------------


def seal(record: Mapping[str, Any], indent: int | None = None) -> bytes:
    """`record` as JSON text with the checksum as its last key; on one line unless indented."""
    comma, colon = (f",\n{' ' * indent}", ": ") if indent else (",", ":")
    text = json.dumps(record, indent=indent, separators=(",", colon), allow_nan=False, default=dict)
    body = text[:-1].rstrip().encode("ascii")
    last = f'{comma}"crc32"{colon}"{zlib.crc32(body):08x}"'
    return body + last.encode("ascii") + (b"\n}\n" if indent else b"}")


def unseal(text: bytes) -> Record:
    """The record in what `seal` wrote; BadLineError if one bit of it changed."""
    start = max(0, len(text) - _LONGEST_SEAL)
    match = _SEAL.search(text[start:])
    if match is None:
        raise BadLineError("is cut short or has no checksum")
    body = text[: start + match.start()]
    if zlib.crc32(body) != int(match[1], 16):
        raise BadLineError("doesn't match its checksum")
    try:
        record = json.loads(body + b"}")
    except (ValueError, RecursionError) as error:
        raise BadLineError(f"is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise BadLineError("is not a JSON object")
    return record


# -- checks: each returns the value it was given, or raises BadLineError ---------------------------


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def of_type(kind: type) -> Check:
    """Accepts values of exactly `kind` (so that true is no number)."""

    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise BadLineError(f"{_shown(value)} is not of type {kind.__name__}")
        return value

    return check


def whole(least: int, most: int) -> Check:
    """Accepts whole numbers from `least` to `most`."""

    def check(value: Any) -> Any:
        if type(value) is not int or not least <= value <= most:
            raise BadLineError(f"{_shown(value)} is not a whole number from {least} to {most}")
        return value

    return check


def list_of(each: Check) -> Check:
    """Accepts lists whose elements pass `each`; returns a tuple."""
    return lambda value: tuple(each(element) for element in of_type(list)(value))


def _text_by_name(value: Any) -> Any:
    return {name: text(entry) for name, entry in of_type(dict)(value).items()}


def _one_of(kind: type[StrEnum]) -> Check:
    def check(value: Any) -> Any:
        if value not in list(kind):
            raise BadLineError(f"{_shown(value)} is none of {', '.join(kind)}")
        return kind(value)

    return check


def _list_of_seconds(value: Any) -> Any:
    for entry in of_type(list)(value):
        if type(entry) is not float or not 0 < entry < LONGEST_NS * 1e-9:
            raise BadLineError(f"{_shown(entry)} is no time in seconds above zero")
    return tuple(value)


text = of_type(str)
index = whole(0, MOST_NUMBERED)


def field(record: Mapping[str, Any], name: str, check: Check) -> Any:
    """The checked value of `record[name]`; BadLineError names it."""
    if name not in record:
        raise BadLineError(f"lacks {name!r}")
    try:
        return check(record[name])
    except BadLineError as error:
        raise BadLineError(f"{name}: {error}") from None


# -- records made of plain fields ------------------------------------------------------------------

CHECKS: Mapping[type, Mapping[str, Check]] = {
    Configuration: {
        "variant": text,
        "backend": text,
        "version": text,
        "ranks": whole(1, MOST_INT32),
        "binding": list_of(whole(0, MOST_INT32)),
        "environment": _text_by_name,
        "arguments": list_of(text),
        "algorithms": _text_by_name,
        "transport": text,
        "oversubscribed": of_type(bool),
        "hosts": list_of(text),
    },
    Cell: {
        "pattern": text,
        "size_bytes": whole(0, LONGEST_NS),
        "buffers": _one_of(Buffers),
        "cadence": _one_of(Cadence),
        "messages_per_repetition": whole(1, MOST_INT32),
        "whose_time": _one_of(WhoseTime),
    },
    Failure: {
        "configuration": index,
        "cell": lambda value: None if value is None else index(value),
        "block": index,
        "code": text,
        "message": text,
    },
    Imported: {
        "configuration": index,
        "source": text,
        "cells": list_of(index),
        "seconds": _list_of_seconds,
        "lines": list_of(whole(1, MOST_INT32)),
    },
    Caveat: {"code": text, "cause": text, "remedy": text},
}
"""How each field of a record is checked, in the order of its fields."""

LATER: Mapping[type, frozenset[str]] = {Configuration: frozenset({"hosts"})}
"""Fields that older formats lack; they then have their default."""


def encode(item: Configuration | Cell | Failure | Caveat | Imported) -> Record:
    """The fields of `item`, ready for JSON."""
    return {name: getattr(item, name) for name in CHECKS[type(item)]}


def decode(kind: type[T], record: Any) -> T:
    """The `kind` (one of CHECKS) whose fields are in `record`; others in it are passed over."""
    fields = of_type(dict)(record)
    lacking = LATER.get(kind, frozenset()) - fields.keys()
    checks = ((name, check) for name, check in CHECKS[kind].items() if name not in lacking)
    return kind(**{name: field(fields, name, check) for name, check in checks})


def decode_imported(record: Any) -> Imported:
    """The Imported in `record`; BadLineError where its columns don't fit each other."""
    found = decode(Imported, record)
    if not len(found.cells) == len(set(found.cells)) == len(found.seconds) == len(found.lines):
        raise BadLineError(
            f"{len(found.cells)} cells, of which {len(set(found.cells))} differ, "
            f"but {len(found.seconds)} seconds and {len(found.lines)} lines"
        )
    return found


def decode_caveat(record: Any) -> Caveat:
    """The Caveat in `record`, its code as it is spelled today."""
    found = decode(Caveat, record)
    return replace(found, code=FORMER_CODES.get(found.code, found.code))


# -- slices ----------------------------------------------------------------------------------------


def encode_slice(slice_: Slice) -> Record:
    """The fields of a slice line: about 15 bytes for each batch of a usual slice."""
    origin_ns = int(slice_.start_ns.min(initial=LONGEST_NS)) if slice_.start_ns.size else 0
    return {
        "configuration": slice_.configuration,
        "cell": slice_.cell,
        "block": slice_.block,
        "visit": slice_.visit,
        "repetitions": slice_.repetitions,
        "ranks": slice_.ranks.tolist(),
        "origin_ns": origin_ns,
        "start_ns": (slice_.start_ns - origin_ns).tolist(),
        "elapsed_ns": (slice_.end_ns - slice_.start_ns).tolist(),
        "flags": [_flag_runs(row) for row in slice_.flags],
    }


def _flag_runs(flags: Int32) -> list[list[int]]:
    """[first, number, bits] of each run of equal flags other than 0."""
    starts = np.flatnonzero(np.diff(flags, prepend=-1))
    ends = np.append(starts[1:], flags.size)
    runs = zip(starts.tolist(), ends.tolist(), strict=True) if flags.size else ()
    return [[first, end - first, int(flags[first])] for first, end in runs if flags[first]]


def decode_slice(record: Record) -> Slice:
    """The Slice in a slice line; BadLineError where its arrays don't fit each other."""
    ranks = field(record, "ranks", list_of(whole(0, MOST_INT32)))
    if len(set(ranks)) != len(ranks):
        raise BadLineError(f"ranks: {_shown(list(ranks))} names one twice")
    origin_ns = field(record, "origin_ns", whole(0, LONGEST_NS))
    start_ns = field(record, "start_ns", _times) + origin_ns
    elapsed_ns = field(record, "elapsed_ns", _times)
    shape = (len(ranks), start_ns.shape[1])
    if start_ns.shape != shape or elapsed_ns.shape != shape:
        raise BadLineError(
            f"{len(ranks)} ranks, but start_ns is {_by(start_ns)} and elapsed_ns {_by(elapsed_ns)}"
        )
    return Slice(
        field(record, "configuration", index),
        field(record, "cell", index),
        field(record, "block", index),
        field(record, "visit", index),
        field(record, "repetitions", whole(1, MOST_INT32)),
        np.array(ranks, dtype=np.int32),
        start_ns,
        start_ns + elapsed_ns,
        field(record, "flags", lambda rows: _flags(rows, shape)),
    )


def _by(rows: Nanoseconds) -> str:
    return f"{rows.shape[0]} by {rows.shape[1]}"


def _times(rows: Any) -> Nanoseconds:
    """Times in ns, shape (r, n), from r lists of n whole numbers."""
    lengths = {len(of_type(list)(row)) for row in of_type(list)(rows)}
    if len(lengths) > 1:
        raise BadLineError(f"rows have different lengths: {sorted(lengths)[:4]}")
    for row in rows:
        if not set(map(type, row)) <= {int}:
            raise BadLineError("holds something other than whole numbers")
        if row and not 0 <= min(row) <= max(row) <= LONGEST_NS:
            raise BadLineError(f"{_shown(min(row))} or {_shown(max(row))} is no time in ns")
    return np.array(rows, dtype=np.int64).reshape(len(rows), max(lengths, default=0))


def _flags(rows: Any, shape: tuple[int, int]) -> Int32:
    flags = np.zeros(shape, dtype=np.int32)
    if len(of_type(list)(rows)) != shape[0]:
        raise BadLineError(f"{len(rows)} rows for {shape[0]} ranks")
    for row, runs in zip(flags, rows, strict=True):
        for first, number, bits in map(_flag_run, of_type(list)(runs)):
            if first + number > shape[1] or bits & ~_KNOWN_FLAGS:
                raise BadLineError(f"{[first, number, bits]} flags no batch, or not as known")
            row[first : first + number] |= bits
    return flags


def _flag_run(run: Any) -> Sequence[int]:
    numbers: Sequence[int] = list_of(whole(0, MOST_INT32))(run)
    if len(numbers) != 3:
        raise BadLineError(f"{_shown(run)} is not [first batch, number of batches, bits]")
    return numbers


def encode_all(items: Iterable[Configuration | Cell | Failure | Caveat | Imported]) -> list[Record]:
    """The fields of each of `items`."""
    return [encode(item) for item in items]
