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
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from leadline.record.decoding import at, decoded
from leadline.record.fields import FormatError, of_type, shown, text, whole
from leadline.record.quantities import MOST_NUMBERED
from leadline.record.run import (
    FORMAT_VERSION,
    Cell,
    ClockFit,
    Configuration,
    Origin,
    Stated,
)
from leadline.record.terms import current_label
from leadline.record.warnings import RunWarning, restored

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = dict[str, Any]
T = TypeVar("T", bound="DataclassInstance")

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


# -- records ---------------------------------------------------------------------------------------


def identity(value: Any) -> str:
    """Id of a run; "" where the run was begun before there were any."""
    if not _IDENTITY.fullmatch(text(value)):
        raise FormatError(f"{shown(value)} is no run's id")
    return str(value)


index = whole(0, MOST_NUMBERED)

LATER: Mapping[type, frozenset[str]] = {
    Configuration: frozenset({"hosts", "threads", "placement", "origin"}),
    Stated: frozenset({"low", "high", "communication_share", "communication_most", "block"}),
    ClockFit: frozenset({"visit", "launch", "here_ns", "error_ns", "round_trip_ns"}),
}
"""Fields that older formats lack; they then have their default."""
FORMER_THREADS = "LEADLINE_THREADS"
"""Variable of a configuration's environment in which formats before 4 kept its threads."""
MOST_DIGITS = 9
"""Digits of a number of threads that is taken from there; a longer one is no such number."""


def encode(item: DataclassInstance) -> Record:
    """Fields of `item`, one of the record's types of plain fields, ready for JSON."""
    record: Record = {field.name: getattr(item, field.name) for field in fields(item)}
    if isinstance(item, Configuration):
        record["placement"] = encode_all(item.placement)
    return record


def encode_all(items: Iterable[DataclassInstance]) -> list[Record]:
    """Fields of each of `items`."""
    return [encode(item) for item in items]


def decode(kind: type[T], record: Any) -> T:
    """Decode a `kind` whose fields are in `record`; its annotations are what they may be.

    Other keys are ignored. Only what formats lacked that were before it has a default.
    """
    given = of_type(dict)(record)
    later = LATER.get(kind, frozenset())
    for name in _names(kind):
        if name not in given and name not in later:
            raise FormatError(f"lacks {name!r}")
    return decoded(given, kind)


@cache
def _names(kind: type[DataclassInstance]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def decode_cell(record: Any) -> Cell:
    """Cell in `record`, its pattern by today's name."""
    cell = decode(Cell, record)
    return replace(cell, pattern=current_label(cell.pattern))


def decode_configuration(record: Any) -> Configuration:
    """Configuration in `record`, patterns by today's names.

    What older formats kept in its environment gets its field.

    Raises:
        FormatError: a placement is none of its ranks.
    """
    configuration = decode(Configuration, record)
    for number, one in enumerate(configuration.placement):
        with at("placement", number):
            if sorted(one.slots) != list(range(len(one.slots))):
                raise FormatError(f"slots: {shown(list(one.slots))} is no permutation")
            if len(one.slots) != configuration.ranks:
                raise FormatError(f"{len(one.slots)} slots for {configuration.ranks} ranks")
    environment, threads = dict(configuration.environment), configuration.threads
    former = environment.get(FORMER_THREADS, "")
    if not threads and former.isdecimal() and len(former) <= MOST_DIGITS:
        threads = int(environment.pop(FORMER_THREADS))
    return replace(
        configuration,
        environment=environment,
        threads=threads,
        algorithms={current_label(name): one for name, one in configuration.algorithms.items()},
        placement=tuple(
            replace(placement, pattern=current_label(placement.pattern))
            for placement in configuration.placement
        ),
    )


def decode_stated(record: Any) -> Stated:
    """Stated values in `record`.

    Raises:
        FormatError: its columns don't fit each other.
    """
    for name in ("seconds", "low", "high", "communication_share", "communication_most"):
        values = of_type(dict)(record).get(name)
        for number, value in enumerate(values if isinstance(values, list) else ()):
            if type(value) is int:  # reals are written with a point
                raise FormatError(f"{name}: {number}: {shown(value)} is a whole number")
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
        replace(configuration, origin=Origin.IMPORTED) if number in given else configuration
        for number, configuration in enumerate(configurations)
    )
