"""All batches of a run as one Parquet file, written and read by DuckDB."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from leadline.record.run import Batches

if TYPE_CHECKING:
    import duckdb

COLUMNS = tuple(column.name for column in dataclasses.fields(Batches))
_WIDE = ("start_ns", "end_ns")


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

    Column by column: DuckDB holds a whole result beside the arrays that are made of it.
    """
    import duckdb  # slow to import

    try:
        with duckdb.connect() as connection:
            columns = {name: _column(connection, path, name) for name in COLUMNS}
    except duckdb.Error as error:
        raise ParquetError(str(error)) from None
    return Batches(**columns)


def _column(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> Any:
    """One column of the file as Batches has it; ParquetError where values are missing."""
    found = connection.execute(
        f"SELECT {name} FROM read_parquet(?, hive_partitioning = false)", [literal_path(path)]
    ).fetchnumpy()[name]
    if np.ma.isMaskedArray(found):
        raise ParquetError("a column has missing values")
    return found.astype(np.int64 if name in _WIDE else np.int32, copy=False)
