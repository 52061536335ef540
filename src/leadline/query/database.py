"""SQL over run directories: batches are read from their Parquet in place, the rest is small.

The user's statement may read the tables and nothing else: it must be one SELECT, and DuckDB is
locked before it sees it: no file but the runs' own, no Python variable, no change of a setting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.errors import MachineError, UsageError
from leadline.query.interrupting import selected
from leadline.query.tables import TABLES, FlatRow, FlatTable
from leadline.record.batches import unknown_conditions
from leadline.record.run import Run
from leadline.record.slices import (
    COLUMNS,
    LACKING,
    SPREAD,
    UNKNOWN,
    Batches,
    StripConditions,
    Strips,
)
from leadline.store import Stored, stored
from leadline.store.parquet import (
    REALS,
    WORDS,
    is_sound,
    literal_path,
    quoted,
    raise_if_not_its_fault,
    registrable,
    said_by,
    settings,
    sound,
    uninterrupted,
)

if TYPE_CHECKING:
    import duckdb

TIMINGS = """
    CREATE VIEW timings AS
    SELECT run, variant, origin, backend, version, ranks, pattern, size_bytes, buffers, cadence,
           block, visit, attempt, batch, rank, repetitions,
           (end_ns - start_ns) * 1e-9 / repetitions / messages_per_repetition AS seconds,
           (flags & 1) <> 0 AS warm_up, (flags & 2) <> 0 AS late, (flags & 4) <> 0 AS clock_bound,
           (flags & 8) <> 0 AS miscounted, (flags & 16) <> 0 AS apart
    FROM batches JOIN configurations USING (run, configuration) JOIN cells USING (run, cell)
"""
BATCHES = dict.fromkeys((*COLUMNS, *SPREAD), "BIGINT")
STRIPS = {one.name for one in fields(Strips)}
SLICES = {
    one.name: (dict.fromkeys(WORDS, "VARCHAR") | dict.fromkeys(REALS, "DOUBLE")).get(
        one.name, "BIGINT"
    )
    for table in (Strips, StripConditions)
    for one in fields(table)
}
IN_PLACE: Mapping[str, Mapping[str, str]] = {"batches": BATCHES, "slices": SLICES}
"""Views over what finished runs have in Parquet, with SQL types by column."""
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


def query(
    statement: str,
    directories: Sequence[str | Path],
    read: Callable[[str], Stored] = stored,
) -> Selection:
    """What `statement`, one SELECT over the tables and views, finds in the runs that `read` reads.

    UsageError: it isn't one, or DuckDB refuses it; RecordError: a directory is not a run;
    MachineError: memory ran out.
    """
    with uninterrupted():
        import duckdb  # slow to import

    if not is_sound(statement):
        raise UsageError(f"the statement isn't UTF-8: {sound(statement)}")
    try:
        with duckdb.connect(
            config={"python_enable_replacements": False, **settings()}
        ) as connection:
            parsed = connection.extract_statements(statement)
            if [one.type for one in parsed] != [duckdb.StatementType.SELECT]:
                raise UsageError("give one statement, and let it be a SELECT: the rest is refused")
            _fill(connection, statement, directories, read)
            return Selection(*selected(connection, parsed[0]))
    except (duckdb.Error, MemoryError) as error:
        raise_if_not_its_fault(error)
        raise UsageError(f"SQL: {_said_by(error)}") from None


def write_rows(path: Path, table: FlatTable, rows: Iterable[FlatRow]) -> None:
    """Writes `rows` of `table` to a new Parquet file; MachineError if that fails."""
    with uninterrupted():
        import duckdb  # slow to import

    try:
        with duckdb.connect(config=settings()) as connection:
            _create(connection, "rows", table.columns)
            _insert(connection, "rows", table.columns, rows)
            connection.execute(
                f"COPY rows TO {quoted(str(path))} (FORMAT parquet, COMPRESSION zstd)"
            )
    except (duckdb.Error, MemoryError) as error:
        raise_if_not_its_fault(error)
        raise MachineError(f"{path}: can't write: {_said_by(error)}") from None


def _fill(
    connection: duckdb.DuckDBPyConnection,
    statement: str,
    directories: Iterable[str | Path],
    read: Callable[[str], Stored],
) -> None:
    """Makes all tables, then locks the database."""
    for name, table in TABLES.items():
        _create(connection, name, {"run": "VARCHAR", **table.columns})
    connection.execute("CREATE SCHEMA journals")
    for name, columns in IN_PLACE.items():
        _create(connection, f"journals.{name}", {"run": "VARCHAR", **columns})
    files: dict[str, Mapping[str, Path]] = {}
    for directory in dict.fromkeys(str(Path(one)) for one in directories):
        found = read(directory)
        _add(connection, statement, found.run)
        tables = {name: path.resolve() for name, path in found.tables.items()}
        files[directory] = {name: path for name, path in tables.items() if is_sound(str(path))}
        for name in IN_PLACE.keys() - files[directory].keys():
            _copy(connection, found.run, name)
    for name in IN_PLACE:
        here = {run: paths[name] for run, paths in files.items() if name in paths}
        _create_view(connection, name, here)
    connection.execute(TIMINGS)
    parquets = [path for paths in files.values() for path in paths.values()]
    readable = (quoted(f(path)) for path in parquets for f in (str, literal_path))
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
    text = _as_json([{column: row[column] for column in columns} for row in rows])
    shape = json.dumps(
        [{c: [kind[:-2]] if kind.endswith("[]") else kind for c, kind in columns.items()}]
    )
    connection.execute(
        f"INSERT INTO {name} SELECT unnest(from_json(?::JSON, {quoted(shape)}), max_depth := 2)",
        [text],
    )


def _as_json(rows: Sequence[FlatRow]) -> str:
    """`rows`, their texts as DuckDB takes them."""
    text = json.dumps(rows, ensure_ascii=False)
    return (
        text
        if is_sound(text) and "\\u0000" not in text
        else json.dumps(_escaped(rows), ensure_ascii=False)
    )


def _escaped(value: Any) -> Any:
    """`value` with all texts in it escaped where DuckDB doesn't take them."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, Mapping):
        return {sound(key): _escaped(one) for key, one in value.items()}
    return [_escaped(one) for one in value] if isinstance(value, list | tuple) else value


def _copy(connection: duckdb.DuckDBPyConnection, run: Run, name: str) -> None:
    """Copies what goes into the view `name` of a run that has no whole Parquet for it."""
    columns = _columns_of(run, name)
    if not columns:
        return
    connection.register("recorded", registrable(columns))
    named = quoted(sound(run.path))
    connection.execute(
        f"INSERT INTO journals.{name} SELECT {named}, {', '.join(IN_PLACE[name])} FROM recorded"
    )
    connection.unregister("recorded")


def _columns_of(run: Run, name: str) -> dict[str, Any]:
    """Those of the view `name`; none where the run has no such rows."""
    if name == "batches":
        return _batch_columns(run.batches)
    if run.strips is None:
        return {}
    conditions = run.conditions or unknown_conditions(run.strips.rank.size)
    return {
        column: getattr(run.strips if column in STRIPS else conditions, column) for column in SLICES
    }


def _batch_columns(batches: Batches) -> dict[str, Any]:
    unknown = np.full(batches.flags.size, UNKNOWN)
    spread = {name: getattr(batches.spread, name, unknown) for name in SPREAD}
    return {name: getattr(batches, name) for name in COLUMNS} | spread


def _create_view(
    connection: duckdb.DuckDBPyConnection, name: str, files: Mapping[str, Path]
) -> None:
    """The view `name` over all runs, `files` being those in Parquet, by run."""
    parts = [
        f"SELECT {quoted(sound(run))} AS run, {', '.join(IN_PLACE[name])} "
        f"FROM {_file(connection, path, IN_PLACE[name])}"
        for run, path in files.items()
    ]
    union = " UNION ALL ".join([f"FROM journals.{name}", *parts])
    connection.execute(f"CREATE VIEW {name} AS {union}")


def _file(connection: duckdb.DuckDBPyConnection, path: Path, columns: Mapping[str, str]) -> str:
    """What reads the Parquet at `path`; columns that its format lacks are what stands for them."""
    file = f"read_parquet({quoted(literal_path(path))}, hive_partitioning = false)"
    has = {str(row[0]) for row in connection.execute(f"DESCRIBE FROM {file}").fetchall()}
    lacks = "".join(f", {_literal(LACKING[name])} AS {name}" for name in columns if name not in has)
    return f"(SELECT *{lacks} FROM {file})"


def _literal(value: str | float) -> str:
    return quoted(value) if isinstance(value, str) else str(value)


def _said_by(error: Exception) -> str:
    if "'pytz'" in str(error):
        return "a time with a time zone can't be fetched; cast it to TIMESTAMP or VARCHAR"
    return said_by(error)
