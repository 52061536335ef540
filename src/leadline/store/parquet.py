"""All batches of a run as one Parquet file, written and read by DuckDB."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from leadline.errors import RecordError
from leadline.record.batches import StripedBatches
from leadline.record.slices import (
    ADDED,
    COLUMNS,
    LACKING,
    SPREAD,
    BatchColumns,
    Batches,
    StripConditions,
    Strips,
)

NUMBERS = ("configuration", "cell", "block", "visit", "attempt", "launch", "rank", "repetitions")
"""Columns of 32-bit integers."""


def _dtype(name: str) -> type:
    others = {"link": np.object_, "link_bytes_per_s": np.float64}
    return np.int32 if name in NUMBERS else others.get(name, np.int64)


T = TypeVar("T", Strips, StripConditions)
DTYPES: Mapping[type, Sequence[tuple[str, type]]] = {
    kind: [(one.name, _dtype(one.name)) for one in fields(kind)]
    for kind in (Strips, StripConditions)
}
"""Of the columns of each table, in the order of the file."""


class ParquetError(Exception):
    """DuckDB couldn't write or read the file; the message is DuckDB's."""


def quoted(text: str) -> str:
    """`text` as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def literal_path(path: Path) -> str:
    """`path` as DuckDB's readers take it for itself, not for a pattern of files."""
    return re.sub(r"[][*?]", lambda match: f"[{match[0]}]", str(path))


def write_batches(path: Path, batches: Batches) -> None:
    """Writes `batches` to `path`, in place; ParquetError if that fails."""
    spread = {} if batches.spread is None else {n: getattr(batches.spread, n) for n in SPREAD}
    _write(path, {name: getattr(batches, name) for name in COLUMNS} | spread)


def write_strips(path: Path, strips: Strips, conditions: StripConditions) -> None:
    """Writes strips, and what went on during each, to `path`, in place; ParquetError as above."""
    tables = (strips, conditions)
    _write(path, {one.name: getattr(t, one.name) for t in tables for one in fields(t)})


def _write(path: Path, columns: Mapping[str, Any]) -> None:
    import duckdb  # slow to import

    try:
        with duckdb.connect() as connection:
            connection.register("columns", dict(columns))
            connection.execute(
                f"COPY columns TO {quoted(str(path))} "
                "(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)"
            )
    except duckdb.Error as error:
        raise ParquetError(str(error)) from None


def read_batches(path: Path) -> Batches:
    """The batches in `path`, a file of formats before 4, as written; ParquetError if it isn't one.

    Where they lie as slices recorded them, which is the rule, only their strips are read now; of
    the other columns each when it is asked for, and then RecordError if the file is gone.
    """
    strips = _strips(path)
    if strips is None:
        columns = {name: _column(path, name) for name in COLUMNS if name not in LACKING}
        lacking = {
            name: _lacking(name, columns["rank"].size) for name in COLUMNS if name in LACKING
        }
        return BatchColumns(**columns, **lacking)
    return striped_batches(path, strips)


def striped_batches(path: Path, strips: Strips, has_spread: bool = False) -> StripedBatches:
    """The batches in `path`, which `strips` tell, their times read when they are asked for.

    `has_spread` as keeps_spread has it.
    """

    def read(name: str) -> Any:
        try:
            return _column(path, name)
        except ParquetError as error:
            problem = f"changed while it was read: {error}; try again"
            raise RecordError(str(path), None, problem) from None

    return StripedBatches(strips, read, has_spread)


def read_strips(path: Path, version: int) -> tuple[Strips, StripConditions]:
    """What write_strips wrote to `path` in format `version`; ParquetError if it isn't that."""
    found = _fetched(path, "SELECT * FROM read_parquet(?, hive_partitioning = false)")
    later = [name for added, names in ADDED.items() if added > version for name in names]
    rows = max((column.size for column in found.values()), default=0)
    known = {name: _lacking(name, rows) for name in later} | found
    return _table(Strips, known), _table(StripConditions, known)


def _lacking(name: str, rows: int) -> Any:
    """The column `name` of a table of a format that hadn't it."""
    return np.full(rows, LACKING[name], _dtype(name))


def count_batches(path: Path) -> int:
    """How many batches are in `path`, of which nothing else is read; ParquetError as above."""
    source = "read_parquet(?, hive_partitioning = false)"
    none = _fetched(path, f"SELECT start_ns, end_ns, flags FROM {source} LIMIT 0")
    for name, column in none.items():
        _as(np.int64, column, name)
    counted = _fetched(path, f"SELECT count(*) AS rows FROM {source}")
    return int(counted["rows"][0])


def keeps_spread(path: Path) -> bool:
    """Whether of some batches in `path` the spread over ranks is kept; ParquetError as above."""
    source = "read_parquet(?, hive_partitioning = false)"
    names = _fetched(path, f"SELECT * FROM {source} LIMIT 0").keys()
    return names >= set(SPREAD)


def _table(kind: type[T], found: Mapping[str, Any]) -> T:
    """The columns of `kind` among those found, as it has them."""
    try:
        return kind(**{name: _as(dtype, found[name], name) for name, dtype in DTYPES[kind]})
    except KeyError as name:
        raise ParquetError(f"there is no column {name}") from None


def _as(dtype: type, column: Any, name: str) -> Any:
    """`column` as numbers (or texts) of `dtype`; ParquetError where that would change one."""
    if column.dtype.kind != np.dtype(dtype).kind:
        raise ParquetError(f"column {name} is of type {column.dtype}")
    cast = column.astype(dtype, copy=False)
    if cast is not column and not np.array_equal(cast, column):
        raise ParquetError(f"column {name} has numbers beyond {np.dtype(dtype)}")
    return cast


_STRIPS = """
    SELECT configuration, cell, block, visit, rank, any_value(repetitions) AS repetitions,
           min(file_row_number) AS first, count(*) AS length,
           min(repetitions) = max(repetitions)
               AND min(file_row_number - batch) = first
               AND max(file_row_number - batch) = first
               AND max(file_row_number) - first + 1 = length AS whole
    FROM read_parquet(?, hive_partitioning = false, file_row_number = true)
    GROUP BY configuration, cell, block, visit, rank ORDER BY first
"""
"""A strip's rows lie side by side and are numbered from 0; whatever else there is isn't whole."""


def _strips(path: Path) -> Strips | None:
    """What each rank recorded in each slice; None where batches lie in another order."""
    found = _fetched(path, _STRIPS)
    if not bool(found.pop("whole").all()):
        return None
    lacking = ("launch", "attempt")
    return _table(Strips, found | {name: _lacking(name, found["rank"].size) for name in lacking})


def _column(path: Path, name: str) -> Any:
    """One column of the file as Batches has it; ParquetError where values are missing."""
    what = "end_ns - start_ns" if name == "elapsed_ns" else name
    statement = f"SELECT {what} AS {name} FROM read_parquet(?, hive_partitioning = false)"
    kind = np.int64 if name.endswith("_ns") else np.int32
    return _fetched(path, statement)[name].astype(kind, copy=False)


def _fetched(path: Path, statement: str) -> dict[str, Any]:
    """Arrays by name; a connection of its own, which lets go of its memory at once."""
    import duckdb  # slow to import

    try:
        with duckdb.connect() as connection:
            found: dict[str, Any] = connection.execute(statement, [literal_path(path)]).fetchnumpy()
    except duckdb.Error as error:
        raise ParquetError(str(error)) from None
    if any(np.ma.isMaskedArray(column) for column in found.values()):
        raise ParquetError("a column has missing values")
    return found
