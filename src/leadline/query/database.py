"""SQL over run directories: batches are read from their Parquet in place, the rest is small.

The user's statement may read the tables and nothing else: it must be one SELECT, and DuckDB is
locked before it sees the statement: no file but the runs' own, no Python variable, no change of a
setting.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.errors import MachineError, UsageError
from leadline.query.tables import TABLES, FlatRow, FlatTable
from leadline.record.batches import unknown_conditions
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Run
from leadline.record.slices import COLUMNS, FORMER_COLUMNS, LACKING, SPREAD, StripConditions, Strips
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
STRIPS = {field.name for field in fields(Strips)}
SLICES = {
    one.name: (dict.fromkeys(WORDS, "VARCHAR") | dict.fromkeys(REALS, "DOUBLE")).get(
        one.name, "BIGINT"
    )
    for table in (Strips, StripConditions)
    for one in fields(table)
}
IN_PLACE: Mapping[str, Mapping[str, str]] = {"batches": BATCHES, "slices": SLICES}
"""Views over the Parquet files of finished runs, with SQL types by column."""
LOCKS = (
    "SET temp_directory = ''",
    "SET autoinstall_known_extensions = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
AGAIN_S = 0.1
"""Time after which a statement that had not yet begun is interrupted again."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Result of a statement."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """Values as Python has them; None: NULL."""


def query(
    statement: str,
    directories: Sequence[str | Path],
    read: Callable[[str], Stored] = stored,
) -> Selection:
    """Run `statement`, one SELECT over the tables and views, on the runs that `read` reads.

    Raises:
        UsageError: it isn't one, or DuckDB refuses it.
        RecordError: a directory is not a run.
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


def selected(
    connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement
) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Columns and rows that `statement` finds.

    Another thread waits for DuckDB, which lets no signal through while it computes, so that this
    one receives signals.

    Raises:
        Exception: what DuckDB raises.
        KeyboardInterrupt: the user interrupted it.
    """
    found: list[tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]] = []
    raised: list[BaseException] = []
    awaited, over = threading.Event(), threading.Event()

    def select() -> None:
        awaited.wait()  # an interrupt before that finds nothing at work
        try:
            result = connection.execute(statement)
            columns = tuple(column[0] for column in result.description or ())
            found.append((columns, tuple(result.fetchall())))
        except BaseException as error:  # raised where somebody waits for it
            raised.append(error)
        finally:
            over.set()

    threading.Thread(target=select, daemon=True).start()
    # a second interrupt doesn't leave DuckDB at work: `timeout` sends two, as do impatient users
    interrupted = False
    while True:
        try:
            awaited.set()
            if interrupted:
                connection.interrupt()
            if over.wait(AGAIN_S if interrupted else None):
                break
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        raise KeyboardInterrupt
    if raised:
        raise raised[0]
    return found[0]


def write_rows(path: Path, table: FlatTable, rows: Iterable[FlatRow]) -> None:
    """Write `rows` of `table` to a new Parquet file.

    Raises:
        MachineError: that fails.
    """
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
    """Create all tables and views, then lock the database."""
    for name, table in TABLES.items():
        _create(connection, name, {"run": "VARCHAR", **table.columns})
    connection.execute("CREATE SCHEMA journals")
    for name, columns in IN_PLACE.items():
        _create(connection, f"journals.{name}", {"run": "VARCHAR", **columns})
    files: dict[str, Mapping[str, Path]] = {}
    for directory in dict.fromkeys(str(Path(one)) for one in directories):
        run_files = read(directory)
        run = run_files.run
        analysis = Analysis(run)
        for name, table in TABLES.items():
            # tables that cost time only where the statement names them
            if not table.costly or re.search(rf"\b{name}\b", statement, re.IGNORECASE):
                rows = ({"run": run.path, **row} for row in table.rows(analysis))
                _insert(connection, name, {"run": "VARCHAR", **table.columns}, rows)
        tables = {name: path.resolve() for name, path in run_files.tables.items()}
        files[directory] = {name: path for name, path in tables.items() if is_sound(str(path))}
        for name in IN_PLACE.keys() - files[directory].keys():
            _copy(connection, run, name)
    for name, columns in IN_PLACE.items():
        parts = [f"FROM journals.{name}"]
        for directory, paths in files.items():
            if name in paths:
                source = _file(connection, paths[name], columns)
                selection = f"{quoted(sound(directory))} AS run, {', '.join(columns)}"
                parts.append(f"SELECT {selection} FROM {source}")
        connection.execute(f"CREATE VIEW {name} AS {' UNION ALL '.join(parts)}")
    connection.execute(TIMINGS)
    parquets = [path for paths in files.values() for path in paths.values()]
    readable = (quoted(f(path)) for path in parquets for f in (str, literal_path))
    connection.execute(f"SET allowed_paths = [{', '.join(readable)}]")
    for lock in LOCKS:
        connection.execute(lock)


def _create(connection: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, str]) -> None:
    typed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
    connection.execute(f"CREATE TABLE {name} ({typed})")


def _insert(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Mapping[str, str],
    rows: Iterable[FlatRow],
) -> None:
    """Insert `rows` by way of JSON.

    DuckDB reads that without pandas and many times faster than row by row.
    """
    chosen = [{column: row[column] for column in columns} for row in rows]
    text = json.dumps(chosen, ensure_ascii=False)
    if not is_sound(text) or "\\u0000" in text:
        text = json.dumps(_escaped(chosen), ensure_ascii=False)
    shape = json.dumps(
        [{c: [kind[:-2]] if kind.endswith("[]") else kind for c, kind in columns.items()}]
    )
    connection.execute(
        f"INSERT INTO {name} SELECT unnest(from_json(?::JSON, {quoted(shape)}), max_depth := 2)",
        [text],
    )


def _escaped(value: Any) -> Any:
    """The `value` with all texts in it escaped where DuckDB doesn't take them."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, Mapping):
        return {sound(key): _escaped(one) for key, one in value.items()}
    return [_escaped(one) for one in value] if isinstance(value, list | tuple) else value


def _copy(connection: duckdb.DuckDBPyConnection, run: Run, name: str) -> None:
    """Copy the rows of the view `name` of a run that has no whole Parquet for it."""
    columns: dict[str, Any]
    if name == "batches":
        batches = run.batches
        unknown = np.full(batches.flags.size, UNKNOWN)
        spread = {column: getattr(batches.spread, column, unknown) for column in SPREAD}
        columns = {column: getattr(batches, column) for column in COLUMNS} | spread
    elif run.strips is None:
        return
    else:
        strips = run.strips
        conditions = run.conditions or unknown_conditions(strips.rank.size)
        columns = {
            column: getattr(strips if column in STRIPS else conditions, column) for column in SLICES
        }
    connection.register("recorded", registrable(columns))
    named = quoted(sound(run.path))
    connection.execute(
        f"INSERT INTO journals.{name} SELECT {named}, {', '.join(IN_PLACE[name])} FROM recorded"
    )
    connection.unregister("recorded")


def _file(connection: duckdb.DuckDBPyConnection, path: Path, columns: Mapping[str, str]) -> str:
    """SQL that reads the Parquet at `path`, its columns by the names of today.

    Columns that its format lacks get their default.
    """
    file = f"read_parquet({quoted(literal_path(path))}, hive_partitioning = false)"
    has = {str(row[0]) for row in connection.execute(f"DESCRIBE FROM {file}").fetchall()}
    former = {old: new for old, new in FORMER_COLUMNS.items() if old in has}
    others = f" EXCLUDE ({', '.join(former)})" if former else ""
    lacks = "".join(f", {old} AS {new}" for old, new in former.items())
    for name in columns:
        if name not in {*has, *former.values()}:
            value = LACKING[name]
            lacks += f", {quoted(value) if isinstance(value, str) else value} AS {name}"
    return f"(SELECT *{others}{lacks} FROM {file})"


def _said_by(error: Exception) -> str:
    """Message of DuckDB, or a better one for a package of Python that it lacks."""
    if "'pytz'" in str(error):
        return "a time with a time zone can't be fetched; cast it to TIMESTAMP or VARCHAR"
    return said_by(error)
