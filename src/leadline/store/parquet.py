"""All batches of a run as one Parquet file, written and read by DuckDB."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import numpy as np

from leadline.errors import RecordError
from leadline.record.batches import StripedBatches, Strips
from leadline.record.run import BatchColumns, Batches

COLUMNS = tuple(column.name for column in dataclasses.fields(BatchColumns))


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
    import duckdb  # slow to import

    columns = {name: getattr(batches, name) for name in COLUMNS}
    try:
        with duckdb.connect() as connection:
            connection.register("batches", columns)
            connection.execute(
                f"COPY batches TO {quoted(str(path))} "
                "(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)"
            )
    except duckdb.Error as error:
        raise ParquetError(str(error)) from None


def read_batches(path: Path) -> Batches:
    """The batches in `path`, in the order written; ParquetError if it isn't such a file.

    Where they lie as slices recorded them, which is the rule, only their strips are read now; of
    the other columns each when it is asked for, and then RecordError if the file is gone.
    """
    strips = _strips(path)
    if strips is None:
        return BatchColumns(**{name: _column(path, name) for name in COLUMNS})

    def read(name: str) -> Any:
        try:
            return _column(path, name)
        except ParquetError as error:
            problem = f"changed while it was read: {error}; try again"
            raise RecordError(str(path), None, problem) from None

    return StripedBatches(strips, read)


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
    wide = ("first", "length")
    return Strips(
        **{name: one.astype(np.int64 if name in wide else np.int32) for name, one in found.items()}
    )


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
