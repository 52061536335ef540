"""The slice lines of a run's journal: arrays of numbers, kept short."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from leadline.record.fields import Check, FormatError, field, list_of, of_type, shown, whole
from leadline.record.reduction import spread_of
from leadline.record.run import LONGEST_NS
from leadline.record.slices import (
    KNOWN_FLAGS,
    LACKING,
    SPREAD,
    UNKNOWN,
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
from leadline.store.lines import MOST_INT32, Record, decode, encode, index

C = TypeVar("C", Disturbance, CommunicationTimes)


def encode_slice(slice_: Slice) -> Record:
    """The fields of a slice line: about 15 bytes for each batch of a usual slice."""
    origin_ns = int(spread_of(slice_).first_start_ns.min()) if slice_.start_ns.size else 0
    return (
        {
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
        | _spread(slice_, origin_ns)
        | _conditions(slice_)
    )


def _spread(slice_: Slice, origin_ns: int) -> Record:
    """Where the slowest rank's batches are kept: who that was, and the spread over ranks."""
    if slice_.slowest is None or slice_.spread is None:
        return {}
    columns = {name: getattr(slice_.spread, name) - _base(name, origin_ns) for name in SPREAD}
    return {
        "slowest": slice_.slowest.tolist(),
        "spread": {name: column.tolist() for name, column in columns.items()},
    }


def _base(name: str, origin_ns: int) -> int:
    """What the column `name` of a RankSpread counts from in a line."""
    return 0 if name == "shortest_ns" else origin_ns


def _conditions(slice_: Slice) -> Record:
    """What went on during it, as far as that was watched."""
    found: Record = {"others": slice_.others.tolist()} if slice_.others.size else {}
    if slice_.disturbance is not None:
        found["disturbance"] = _encode_columns(slice_.disturbance)
    if slice_.communication is not None:
        found["communication"] = _encode_columns(slice_.communication)
    if slice_.link is not None:
        found["link"] = encode(slice_.link)
    if slice_.warm_up is not None:
        found["warm_up"] = encode(slice_.warm_up)
    if slice_.verified is not None:
        found["verified"] = encode(slice_.verified)
    return found


def _encode_columns(of_ranks: Disturbance | CommunicationTimes) -> Record:
    return {one.name: getattr(of_ranks, one.name).tolist() for one in fields(of_ranks)}


def _decode_columns(kind: type[C], value: Any, lacking: Record, ranks: int) -> C:
    """What `value` says of so many ranks; `lacking` has what it needn't."""
    said = lacking | of_type(dict)(value)
    columns = {
        one.name: field(said, one.name, list_of(whole(UNKNOWN, LONGEST_NS))) for one in fields(kind)
    }
    if {len(column) for column in columns.values()} != {ranks}:
        raise FormatError(f"{ranks} ranks, but it tells of other numbers of them")
    return kind(**{name: np.array(one, np.int64) for name, one in columns.items()})


def _disturbance(value: Any, ranks: int) -> Disturbance:
    names = (one.name for one in fields(Disturbance) if one.name in LACKING)
    lacking = {name: [LACKING[name]] * ranks for name in names}
    return _decode_columns(Disturbance, value, lacking, ranks)


def _communication(value: Any, ranks: int) -> CommunicationTimes:
    return _decode_columns(CommunicationTimes, value, {}, ranks)


def _flag_runs(flags: Int32) -> list[list[int]]:
    """[first, number, bits] of each run of equal flags other than 0."""
    starts = np.flatnonzero(np.diff(flags, prepend=-1))
    ends = np.append(starts[1:], flags.size)
    runs = zip(starts.tolist(), ends.tolist(), strict=True) if flags.size else ()
    return [[first, end - first, int(flags[first])] for first, end in runs if flags[first]]


def decode_slice(record: Record) -> Slice:
    """The Slice in a slice line; FormatError where its arrays don't fit each other."""
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
        _where_said(record, "communication", lambda value: _communication(value, watched)),
        _where_said(record, "verified", lambda value: decode(Verified, value)),
    )


def _decode_spread(
    record: Record, shape: tuple[int, int], ranks: Set[int]
) -> tuple[Int32 | None, RankSpread | None]:
    """Of a slice with batches of this shape; None and None where all ranks' are kept."""
    if "spread" not in record:
        return None, None
    slowest = field(record, "slowest", list_of(whole(0, MOST_INT32)))
    if not ranks >= {*slowest}:
        raise FormatError("slowest: names a rank that took no part")
    said = field(record, "spread", of_type(dict))
    columns = _times([field(said, name, of_type(list)) for name in SPREAD])
    if {(1, len(slowest)), (1, columns.shape[1])} != {shape}:
        told = f"of {columns.shape[1]} batches, slowest of {len(slowest)}"
        raise FormatError(f"spread: {told}, but start_ns is {shape[0]} by {shape[1]}")
    origin_ns = record["origin_ns"]
    rows = zip(SPREAD, columns, strict=True)
    spread = RankSpread(**{name: column + _base(name, origin_ns) for name, column in rows})
    return np.array(slowest, dtype=np.int32), spread


def _where_said(record: Record, name: str, check: Check, otherwise: Any = None) -> Any:
    """The checked value of a field that a slice may lack."""
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
    flags = np.zeros(shape, dtype=np.int32)
    if len(of_type(list)(rows)) != shape[0]:
        raise FormatError(f"{len(rows)} rows for {shape[0]} ranks")
    for row, runs in zip(flags, rows, strict=True):
        for first, number, bits in map(_flag_run, of_type(list)(runs)):
            if first + number > shape[1] or bits & ~KNOWN_FLAGS:
                raise FormatError(f"{[first, number, bits]} flags no batch, or not as known")
            row[first : first + number] |= bits
    return flags


def _flag_run(run: Any) -> Sequence[int]:
    numbers: Sequence[int] = list_of(whole(0, MOST_INT32))(run)
    if len(numbers) != 3:
        raise FormatError(f"{shown(run)} is not [first batch, number of batches, bits]")
    return numbers
