"""SQL over run directories: batches are read from their Parquet in place, the rest is small.

The user's statement may read the tables and nothing else: it must be one SELECT, and DuckDB is
locked before it sees it: no file but the runs' own, no Python variable, no change of a setting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leadline.compare.analysis import Analysis
from leadline.errors import MachineError, UsageError
from leadline.query.tables import TABLES, FlatRow, FlatTable
from leadline.record.run import Run
from leadline.store.directory import load, whole_parquet
from leadline.store.parquet import COLUMNS, literal_path, quoted

if TYPE_CHECKING:
    import duckdb

TIMINGS = """
    CREATE VIEW timings AS
    SELECT run, variant, backend, version, ranks, pattern, size_bytes, buffers, cadence,
           block, visit, batch, rank, repetitions,
           (end_ns - start_ns) * 1e-9 / repetitions / messages_per_repetition AS seconds,
           (flags & 1) <> 0 AS warm_up, (flags & 2) <> 0 AS late, (flags & 4) <> 0 AS clock_bound
    FROM batches JOIN configurations USING (run, configuration) JOIN cells USING (run, cell)
"""
LOCKS = (
    "SET temp_directory = ''",
    "SET autoinstall_known_extensions = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


@dataclass(frozen=True, slots=True)
class Selection:
    """What a statement selected."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """Values as Python has them; None: NULL."""


def query(statement: str, directories: Sequence[str | Path]) -> Selection:
    """What `statement`, one SELECT over the tables and views, finds in the runs.

    UsageError: it isn't one, or DuckDB refuses it; RecordError: a directory is not a run.
    """
    import duckdb  # slow to import

    with duckdb.connect(config={"python_enable_replacements": False}) as connection:
        try:
            parsed = connection.extract_statements(statement)
            if [one.type for one in parsed] != [duckdb.StatementType.SELECT]:
                raise UsageError("give one statement, and let it be a SELECT: the rest is refused")
            _fill(connection, statement, directories)
            found = connection.execute(parsed[0])
            columns = tuple(column[0] for column in found.description or ())
            return Selection(columns, tuple(found.fetchall()))
        except duckdb.Error as error:
            raise UsageError(f"SQL: {_one_line(str(error))}") from None


def write_rows(path: Path, table: FlatTable, rows: Iterable[FlatRow]) -> None:
    """Writes `rows` of `table` to a new Parquet file; MachineError if that fails."""
    import duckdb  # slow to import

    try:
        with duckdb.connect() as connection:
            _create(connection, "rows", table.columns)
            _insert(connection, "rows", table.columns, rows)
            connection.execute(
                f"COPY rows TO {quoted(str(path))} (FORMAT parquet, COMPRESSION zstd)"
            )
    except duckdb.Error as error:
        raise MachineError(f"{path}: can't write: {_one_line(str(error))}") from None


def _fill(
    connection: duckdb.DuckDBPyConnection, statement: str, directories: Iterable[str | Path]
) -> None:
    """Makes all tables, then locks the database."""
    for name, table in TABLES.items():
        _create(connection, name, {"run": "VARCHAR", **table.columns})
    connection.execute("CREATE SCHEMA journals")
    _create(connection, "journals.batches", {"run": "VARCHAR", **dict.fromkeys(COLUMNS, "BIGINT")})
    files: dict[str, Path] = {}
    for directory in dict.fromkeys(str(Path(one)) for one in directories):
        run = load(directory)
        _add(connection, statement, run)
        parquet = whole_parquet(directory)
        if parquet is None:
            _add_batches(connection, run)
        else:
            files[directory] = parquet.resolve()
    _create_batches(connection, files)
    connection.execute(TIMINGS)
    readable = (quoted(f(path)) for path in files.values() for f in (str, literal_path))
    connection.execute(f"SET allowed_paths = [{', '.join(readable)}]")
    for lock in LOCKS:
        connection.execute(lock)


def _add(connection: duckdb.DuckDBPyConnection, statement: str, run: Run) -> None:
    """Adds `run` to the tables; to those that cost time only where `statement` names them."""
    analysis = Analysis(run)
    for name, table in TABLES.items():
        if not table.costly or re.search(rf"\b{name}\b", statement, re.IGNORECASE):
            rows = ({"run": run.path, **row} for row in table.rows(analysis))
            _insert(connection, name, {"run": "VARCHAR", **table.columns}, rows)


def _create(connection: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, str]) -> None:
    typed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
    connection.execute(f"CREATE TABLE {name} ({typed})")


def _insert(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Mapping[str, str],
    rows: Iterable[FlatRow],
) -> None:
    """By way of JSON, which DuckDB reads without pandas and many times faster than row by row."""
    text = json.dumps([{column: row[column] for column in columns} for row in rows])
    shape = json.dumps(
        [{c: [kind[:-2]] if kind.endswith("[]") else kind for c, kind in columns.items()}]
    )
    connection.execute(
        f"INSERT INTO {name} SELECT unnest(from_json(?::JSON, {quoted(shape)}), max_depth := 2)",
        [text],
    )


def _add_batches(connection: duckdb.DuckDBPyConnection, run: Run) -> None:
    """Copies the batches of a run that has no whole Parquet."""
    connection.register("recorded", {name: getattr(run.batches, name) for name in COLUMNS})
    connection.execute(
        f"INSERT INTO journals.batches SELECT {quoted(run.path)}, {', '.join(COLUMNS)} "
        "FROM recorded"
    )
    connection.unregister("recorded")


def _create_batches(connection: duckdb.DuckDBPyConnection, files: Mapping[str, Path]) -> None:
    """The view over the batches of all runs, `files` being those in Parquet, by run."""
    parts = [
        f"SELECT {quoted(run)} AS run, {', '.join(COLUMNS)} "
        f"FROM read_parquet({quoted(literal_path(path))}, hive_partitioning = false)"
        for run, path in files.items()
    ]
    union = " UNION ALL ".join(["FROM journals.batches", *parts])
    connection.execute(f"CREATE VIEW batches AS {union}")


def _one_line(message: str) -> str:
    """DuckDB's message without the picture of the statement that follows it."""
    if "'pytz'" in message:
        return "a time with a time zone can't be fetched; cast it to TIMESTAMP or VARCHAR"
    return " ".join(message.partition("\n\nLINE ")[0].split())
