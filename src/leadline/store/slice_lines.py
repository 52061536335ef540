"""Slice lines of a run's journal: arrays of numbers, kept short."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from leadline.record.fields import Check, FormatError, field, list_of, of_type, shown, whole
from leadline.record.quantities import LONGEST_NS, MOST_INT32, UNKNOWN
from leadline.record.reduction import spread_of
from leadline.record.slices import (
    FORMER_COLUMNS,
    KNOWN_FLAGS,
    LACKING,
    SPREAD,
    CommunicationTimes,
    Disturbance,
    Int32,
    LinkUse,
    Nanoseconds,
    RankSpread,
    Slice,
    Verified,
    WarmUp,
)
from leadline.store.lines import Record, decode, encode, index

C = TypeVar("C", Disturbance, CommunicationTimes)


def encode_slice(slice_: Slice) -> Record:
    """Fields of a slice line: about 15 bytes for each batch of a usual slice."""
    origin_ns = int(spread_of(slice_).first_start_ns.min()) if slice_.start_ns.size else 0
    record: Record = {
        "configuration": slice_.configuration,
        "cell": slice_.cell,
        "block": slice_.block,
        "visit": slice_.visit,
        "attempt": slice_.attempt,
        "launch": slice_.launch,
        "repetitions": slice_.repetitions,
        "ranks": slice_.ranks.tolist(),
        "origin_ns": origin_ns,
        "start_ns": (slice_.start_ns - origin_ns).tolist(),
        "elapsed_ns": (slice_.end_ns - slice_.start_ns).tolist(),
        "flags": [_flag_runs(row) for row in slice_.flags],
    }
    # where the slowest rank's batches are kept: that rank of each, and the spread over ranks
    if slice_.slowest is not None and slice_.spread is not None:
        columns = {name: getattr(slice_.spread, name) - _base(name, origin_ns) for name in SPREAD}
        record["slowest"] = slice_.slowest.tolist()
        record["spread"] = {name: column.tolist() for name, column in columns.items()}
    # conditions during the slice, as far as they were watched
    if slice_.others.size:
        record["others"] = slice_.others.tolist()
    if slice_.disturbance is not None:
        record["disturbance"] = _encode_columns(slice_.disturbance)
    if slice_.communication is not None:
        record["communication"] = _encode_columns(slice_.communication)
    if slice_.link is not None:
        record["link"] = encode(slice_.link)
    if slice_.warm_up is not None:
        record["warm_up"] = encode(slice_.warm_up)
    if slice_.verified is not None:
        record["verified"] = encode(slice_.verified)
    return record


def _base(name: str, origin_ns: int) -> int:
    """Origin of the column `name` of a RankSpread in a line."""
    return 0 if name == "shortest_ns" else origin_ns


def _encode_columns(of_ranks: Disturbance | CommunicationTimes) -> Record:
    return {one.name: getattr(of_ranks, one.name).tolist() for one in fields(of_ranks)}


def _decode_columns(kind: type[C], value: Any, lacking: Record, ranks: int) -> C:
    """Columns of a `kind` in `value`, for so many ranks; `lacking` has those that may lack."""
    record = lacking | of_type(dict)(value)
    columns = {
        one.name: field(record, one.name, list_of(whole(UNKNOWN, LONGEST_NS)))
        for one in fields(kind)
    }
    if {len(column) for column in columns.values()} != {ranks}:
        raise FormatError(f"{ranks} ranks, but it tells of other numbers of them")
    return kind(**{name: np.array(one, np.int64) for name, one in columns.items()})


def _disturbance(value: Any, ranks: int) -> Disturbance:
    """Disturbance of so many ranks, its columns as older formats name them or by today's names.

    Columns that older formats lack get their default.
    """
    given = {FORMER_COLUMNS.get(name, name): one for name, one in of_type(dict)(value).items()}
    names = (one.name for one in fields(Disturbance) if one.name in LACKING)
    lacking = {name: [LACKING[name]] * ranks for name in names}
    return _decode_columns(Disturbance, given, lacking, ranks)


def _flag_runs(flags: Int32) -> list[list[int]]:
    """Runs of equal flags other than 0, each [first, number, bits]."""
    starts = np.flatnonzero(np.diff(flags, prepend=-1))
    ends = np.append(starts[1:], flags.size)
    runs = zip(starts.tolist(), ends.tolist(), strict=True) if flags.size else ()
    return [[first, end - first, int(flags[first])] for first, end in runs if flags[first]]


def decode_slice(record: Record) -> Slice:
    """Slice in a slice line.

    Raises:
        FormatError: its arrays don't fit each other.
    """
    ranks = field(record, "ranks", list_of(whole(0, MOST_INT32)))
    others = _where_said(record, "others", list_of(whole(0, MOST_INT32)), [])
    if len({*ranks, *others}) != len(ranks) + len(others):
        raise FormatError(f"ranks: {shown([*ranks, *others])} names one twice")
    origin_ns = field(record, "origin_ns", whole(0, LONGEST_NS))
    start_ns = field(record, "start_ns", _times) + origin_ns
    elapsed_ns = field(record, "elapsed_ns", _times)
    watched = len(ranks) + len(others)
    shape = (len(ranks), start_ns.shape[1])
    if start_ns.shape != shape or elapsed_ns.shape != shape:
        raise FormatError(
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
        _where_said(record, "launch", whole(UNKNOWN, MOST_INT32), UNKNOWN),
        _where_said(record, "disturbance", lambda value: _disturbance(value, watched)),
        _where_said(record, "link", lambda value: decode(LinkUse, value)),
        _where_said(record, "attempt", index, 0),
        _where_said(record, "warm_up", lambda value: decode(WarmUp, value)),
        np.array(others, dtype=np.int32),
        *_decode_spread(record, shape, {*ranks, *others}),
        _where_said(
            record,
            "communication",
            lambda value: _decode_columns(CommunicationTimes, value, {}, watched),
        ),
        _where_said(record, "verified", lambda value: decode(Verified, value)),
    )


def _decode_spread(
    record: Record, shape: tuple[int, int], ranks: Set[int]
) -> tuple[Int32 | None, RankSpread | None]:
    """Slowest ranks and spread of a slice with batches of this shape.

    None and None where all ranks' batches are kept.
    """
    if "spread" not in record:
        return None, None
    slowest = field(record, "slowest", list_of(whole(0, MOST_INT32)))
    if not ranks >= {*slowest}:
        raise FormatError("slowest: names a rank that took no part")
    given = field(record, "spread", of_type(dict))
    columns = _times([field(given, name, of_type(list)) for name in SPREAD])
    if {(1, len(slowest)), (1, columns.shape[1])} != {shape}:
        numbers = f"of {columns.shape[1]} batches, slowest of {len(slowest)}"
        raise FormatError(f"spread: {numbers}, but start_ns is {shape[0]} by {shape[1]}")
    origin_ns = record["origin_ns"]
    rows = zip(SPREAD, columns, strict=True)
    spread = RankSpread(**{name: column + _base(name, origin_ns) for name, column in rows})
    return np.array(slowest, dtype=np.int32), spread


def _where_said(record: Record, name: str, check: Check, otherwise: Any = None) -> Any:
    """Checked value of a field that a slice may lack."""
    return field(record, name, check) if name in record else otherwise


def _by(rows: Nanoseconds) -> str:
    return f"{rows.shape[0]} by {rows.shape[1]}"


def _times(rows: Any) -> Nanoseconds:
    """Times in ns, shape (r, n), from r lists of n whole numbers."""
    lengths = {len(of_type(list)(row)) for row in of_type(list)(rows)}
    if len(lengths) > 1:
        raise FormatError(f"rows have different lengths: {sorted(lengths)[:4]}")
    for row in rows:
        if not set(map(type, row)) <= {int}:
            raise FormatError("holds something other than whole numbers")
        if row and not 0 <= min(row) <= max(row) <= LONGEST_NS:
            raise FormatError(f"{shown(min(row))} or {shown(max(row))} is no time in ns")
    return np.array(rows, dtype=np.int64).reshape(len(rows), max(lengths, default=0))


def _flags(rows: Any, shape: tuple[int, int]) -> Int32:
    """Flags of all batches, from runs [first batch, number of batches, bits] for each rank."""
    flags = np.zeros(shape, dtype=np.int32)
    if len(of_type(list)(rows)) != shape[0]:
        raise FormatError(f"{len(rows)} rows for {shape[0]} ranks")
    for row, runs in zip(flags, rows, strict=True):
        for run in of_type(list)(runs):
            numbers = list_of(whole(0, MOST_INT32))(run)
            if len(numbers) != 3:
                raise FormatError(f"{shown(run)} is not [first batch, number of batches, bits]")
            first, number, bits = numbers
            if first + number > shape[1] or bits & ~KNOWN_FLAGS:
                raise FormatError(f"{[first, number, bits]} flags no batch, or not as known")
            row[first : first + number] |= bits
    return flags
