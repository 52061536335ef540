"""Line format of a run's journal: one JSON object a line, sealed with its own checksum.

Every line has `kind`, its number `line` (1 is the first) and, as its last key, `crc32` of the text
before that key. The kinds, and what else they hold:

    run             format, id, leadline (version), metadata
    configuration   index, and the fields of record.Configuration
    transport       configuration, transport: replaces the one that it was defined with
    cells           first (index of the first one), cells: the fields of record.Cell each
    slice           configuration, cell, block, visit, attempt, repetitions, ranks; origin_ns, the
                    earliest start; for each rank, start_ns (after origin_ns) and elapsed_ns of all
                    batches, and flags as runs [first batch, number of batches, bits]; launch; where
                    the slowest rank's batches alone are kept, slowest, that rank for each, and
                    spread: the fields of record.RankSpread, starts and ends after origin_ns; where
                    it was watched, disturbance: the fields of record.Disturbance, a number a rank,
                    and link: those of record.LinkUse; before it, warm_up: those of record.WarmUp;
                    of an application, communication: those of record.CommunicationTimes, a
                    number a rank, and verified: those of record.Verified
    host            the fields of record.Host
    clock_fit       the fields of record.ClockFit
    stated          the fields of record.Stated; before format 4 called imported, without intervals
    failure         the fields of record.Failure
    warning         the fields of record.RunWarning
    end             complete: whether the campaign did all that was asked
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NoReturn, TypeVar

from leadline.record.fields import (
    Check,
    FormatError,
    field,
    list_of,
    of_type,
    one_of,
    real,
    shown,
    text,
    whole,
)
from leadline.record.foreign.names import current_label
from leadline.record.run import (
    FORMAT_VERSION,
    LONGEST_NS,
    LONGEST_S,
    Buffers,
    Cadence,
    Cell,
    ClockFit,
    Configuration,
    Failure,
    GridPlacement,
    Host,
    Origin,
    Stated,
    WhoseTime,
)
from leadline.record.slices import UNKNOWN, LinkUse, Verified, WarmUp
from leadline.record.warnings import RunWarning, restored

Record = dict[str, Any]
T = TypeVar("T")

MOST_NUMBERED = 2**20
"""Upper bound of the numbers of blocks, visits, configurations and cells of a run."""
MOST_INT32 = 2**31 - 1
_SEAL = re.compile(rb',\s*"crc32":\s*"([0-9a-f]{8})"\s*\}\s*\Z')
_LONGEST_SEAL = 64
_IDENTITY = re.compile(r"(?:[0-9a-f]{32})?")


# -- sealing ---------------------------------------------------------------------------------------


def seal(record: Mapping[str, Any], indent: int | None = None) -> bytes:
    """JSON text of `record` with the checksum as its last key; on one line unless indented."""
    comma, colon = (f",\n{' ' * indent}", ": ") if indent else (",", ":")
    text = json.dumps(record, indent=indent, separators=(",", colon), allow_nan=False, default=dict)
    body = text[:-1].rstrip().encode("ascii")
    last = f'{comma}"crc32"{colon}"{zlib.crc32(body):08x}"'
    return body + last.encode("ascii") + (b"\n}\n" if indent else b"}")


def _refused(constant: str) -> NoReturn:
    """Refuse NaN, which Python's reader of JSON takes, but no writer of JSON then writes."""
    raise ValueError(f"{constant} is no number of JSON")


def _finite(digits: str) -> float:
    """A number that `seal` could write again.

    Raises:
        ValueError: no float holds it, as 1e999.
    """
    number = float(digits)
    return number if math.isfinite(number) else _refused(digits[:40])


def unseal(text: bytes) -> Record:
    """Record in a text that `seal` wrote.

    Raises:
        FormatError: one bit of it changed, or it is no sealed record.
    """
    start = max(0, len(text) - _LONGEST_SEAL)
    match = _SEAL.search(text[start:])
    if match is None:
        raise FormatError("is cut short or has no checksum")
    body = text[: start + match.start()]
    if zlib.crc32(body) != int(match[1], 16):
        raise FormatError("doesn't match its checksum")
    try:
        record = json.loads(body + b"}", parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise FormatError("is not a JSON object")
    return record


# -- checks of a run's own values ------------------------------------------------------------------


def _text_by_name(value: Any) -> Any:
    return {name: text(entry) for name, entry in of_type(dict)(value).items()}


def _pattern(value: Any) -> Any:
    return current_label(text(value))


def _algorithms(value: Any) -> Any:
    return {current_label(name): one for name, one in _text_by_name(value).items()}


def _list_of_shares(value: Any) -> Any:
    for entry in of_type(list)(value):
        if type(entry) is not float or not 0 <= entry <= 1:
            raise FormatError(f"{shown(entry)} is no share between 0 and 1")
    return tuple(value)


def _list_of_seconds(value: Any) -> Any:
    for entry in of_type(list)(value):
        if type(entry) is not float or not 0 < entry < LONGEST_S:
            raise FormatError(f"{shown(entry)} is no time in seconds above zero")
    return tuple(value)


def _rate(value: Any) -> Any:
    if real(value) < 0:
        raise FormatError(f"{shown(value)} is no finite number above or at zero")
    return float(value)


def _list_of(kind: type[T]) -> Check:
    return list_of(lambda record: decode(kind, record))


def _permutation(value: Any) -> Any:
    slots = list_of(whole(0, MOST_INT32))(value)
    if sorted(slots) != list(range(len(slots))):
        raise FormatError(f"{shown(list(slots))} is no permutation")
    return slots


def identity(value: Any) -> str:
    """Id of a run; "" where the run was begun before there were any."""
    if not _IDENTITY.fullmatch(text(value)):
        raise FormatError(f"{shown(value)} is no run's id")
    return str(value)


index = whole(0, MOST_NUMBERED)
_known_or_not = whole(UNKNOWN, LONGEST_NS)


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
        "algorithms": _algorithms,
        "transport": text,
        "oversubscribed": of_type(bool),
        "hosts": list_of(text),
        "threads": whole(0, MOST_INT32),
        "placement": _list_of(GridPlacement),
        "origin": one_of(Origin),
    },
    GridPlacement: {
        "pattern": _pattern,
        "slots": _permutation,
        "metric": text,
        "machine": text,
        "before": real,
        "after": real,
    },
    Cell: {
        "pattern": _pattern,
        "size_bytes": whole(0, LONGEST_NS),
        "buffers": one_of(Buffers),
        "cadence": one_of(Cadence),
        "messages_per_repetition": whole(1, MOST_INT32),
        "whose_time": one_of(WhoseTime),
    },
    Failure: {
        "configuration": index,
        "cell": lambda value: None if value is None else index(value),
        "block": index,
        "code": text,
        "message": text,
    },
    Stated: {
        "configuration": index,
        "source": text,
        "cells": list_of(index),
        "seconds": _list_of_seconds,
        "lines": list_of(whole(1, MOST_INT32)),
        "low": _list_of_seconds,
        "high": _list_of_seconds,
        "communication_share": _list_of_shares,
        "communication_most": _list_of_shares,
        "block": index,
    },
    Host: {"name": text, "machine": text, "clock": text, "cores": list_of(whole(0, MOST_INT32))},
    ClockFit: {
        "host": text,
        "block": index,
        "offset_ns": real,
        "drift": real,
        "residual_ns": real,
        "visit": _known_or_not,
        "launch": _known_or_not,
        "here_ns": whole(-LONGEST_NS, LONGEST_NS),
        "error_ns": _known_or_not,
        "round_trip_ns": _known_or_not,
    },
    WarmUp: {
        "elapsed_ns": whole(0, LONGEST_NS),
        "operations": whole(0, LONGEST_NS),
        "converged": of_type(bool),
    },
    LinkUse: {
        "name": text,
        "bytes": whole(0, LONGEST_NS),
        "window_ns": whole(0, LONGEST_NS),
        "bytes_per_s": _rate,
    },
    Verified: {"quantity": text, "expected": real, "seen": real},
    RunWarning: {"code": text, "cause": text, "remedy": text},
}
"""Check of each field of a record, in the order of its fields."""

LATER: Mapping[type, frozenset[str]] = {
    Configuration: frozenset({"hosts", "threads", "placement", "origin"}),
    Stated: frozenset({"low", "high", "communication_share", "communication_most", "block"}),
    ClockFit: frozenset({"visit", "launch", "here_ns", "error_ns", "round_trip_ns"}),
}
"""Fields that older formats lack; they then have their default."""
FORMER_THREADS = "LEADLINE_THREADS"
"""Variable of a configuration's environment in which formats before 4 kept its threads."""


def encode(item: object) -> Record:
    """Fields of `item`, whose type is one of CHECKS, ready for JSON."""
    record: Record = {}
    for name in CHECKS[type(item)]:
        value = getattr(item, name)
        if isinstance(value, tuple) and value and type(value[0]) in CHECKS:
            value = encode_all(value)
        record[name] = value
    return record


def encode_all(items: Iterable[object]) -> list[Record]:
    """Fields of each of `items`."""
    return [encode(item) for item in items]


def decode(kind: type[T], record: Any) -> T:
    """Decode a `kind` (one of CHECKS) whose fields are in `record`; other keys are ignored."""
    fields = of_type(dict)(record)
    lacking = LATER.get(kind, frozenset()) - fields.keys()
    checks = ((name, check) for name, check in CHECKS[kind].items() if name not in lacking)
    return kind(**{name: field(fields, name, check) for name, check in checks})


def decode_configuration(record: Any) -> Configuration:
    """Configuration in `record`; what older formats kept in its environment gets its field."""
    configuration = decode(Configuration, record)
    for one in configuration.placement:
        if len(one.slots) != configuration.ranks:
            raise FormatError(f"placement: {len(one.slots)} slots for {configuration.ranks} ranks")
    environment = dict(configuration.environment)
    threads = environment.pop(FORMER_THREADS, "")
    if configuration.threads or not threads.isdecimal():
        return configuration
    return replace(configuration, environment=environment, threads=int(threads))


def decode_stated(record: Any) -> Stated:
    """Stated values in `record`.

    Raises:
        FormatError: its columns don't fit each other.
    """
    stated = decode(Stated, record)
    cells, seconds = len(stated.cells), len(stated.seconds)
    shares = len(stated.communication_share), len(stated.communication_most)
    others = {len(stated.lines), len(stated.low), len(stated.high), *shares}
    fit = cells == len(set(stated.cells)) == seconds and others <= {0, cells}
    if not fit or len(stated.low) != len(stated.high) or shares[0] != shares[1]:
        raise FormatError(
            f"{cells} cells, of which {len(set(stated.cells))} differ, but {seconds} seconds, "
            f"{len(stated.lines)} lines, {len(stated.low)} and {len(stated.high)} ends of "
            f"intervals, {shares[0]} and {shares[1]} shares of communication"
        )
    ends = zip(stated.low, stated.seconds, stated.high, strict=False)
    if not all(low <= value <= high for low, value, high in ends):
        raise FormatError("an interval doesn't hold its value")
    return stated


def decode_warning(record: Any) -> RunWarning:
    """Warning in `record`, its code as it is spelled today."""
    warning = decode(RunWarning, record)
    return restored(warning.code, warning.cause, warning.remedy)


# -- versions --------------------------------------------------------------------------------------


def check_version(value: Any) -> int:
    """Version of a record's format.

    Raises:
        FormatError: it isn't one, or a newer one.
    """
    version: int = whole(1, 2**31)(value)
    if version > FORMAT_VERSION:
        raise FormatError(
            f"{version} is newer than this leadline, which reads formats up to {FORMAT_VERSION}: "
            "update leadline"
        )
    return version


def check_stated(configuration: Configuration, version: int) -> None:
    """Check that `configuration`, for which values are stated, wasn't measured.

    Raises:
        FormatError: it was.
    """
    if version >= 4 and configuration.origin is Origin.MEASURED:
        raise FormatError(f"states values of {configuration.variant}, which was measured")


def with_origins(
    configurations: Iterable[Configuration], stated: Iterable[Stated], version: int
) -> tuple[Configuration, ...]:
    """The `configurations`, of format `version`, with the origin of stated values.

    Before format 4 those with stated values were imported.
    """
    given = {table.configuration for table in stated} if version < 4 else ()
    return tuple(
        replace(one, origin=Origin.IMPORTED) if number in given else one
        for number, one in enumerate(configurations)
    )
