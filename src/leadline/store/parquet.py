"""Tables of a run as Parquet files, written and read by DuckDB."""

from __future__ import annotations

import contextlib
import functools
import re
import resource
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from leadline.errors import MachineError, RecordError, printable
from leadline.files import open_plain
from leadline.record.batches import StripedBatches
from leadline.record.slices import (
    ADDED,
    COLUMNS,
    FORMER_COLUMNS,
    LACKING,
    SPREAD,
    BatchColumns,
    Batches,
    StripConditions,
    Strips,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection as Connection

NUMBERS = ("configuration", "cell", "block", "visit", "attempt", "launch", "rank", "repetitions")
"""Columns of 32-bit integers."""
WORDS = ("link", "verified")
REALS = ("link_bytes_per_s", "verified_expected", "verified_seen")
"""Columns of floats; those that aren't listed are of 64-bit integers."""
RUN = "leadline_run"
"""Key in the metadata of a table for the id of its run."""
_RUN = re.compile(RUN.encode() + rb"[^0-9a-f]{1,4}([0-9a-f]{32})")
_INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_TAIL_BYTES = 2**16
MOST_READ_AT_ONCE = 2**22
"""Number of batches up to which the times are read, and checked, with their table."""


def _dtype(name: str) -> type:
    others = dict.fromkeys(WORDS, np.object_) | dict.fromkeys(REALS, np.float64)
    return np.int32 if name in NUMBERS else others.get(name, np.int64)


T = TypeVar("T", Strips, StripConditions)
DTYPES: Mapping[type, Sequence[tuple[str, type]]] = {
    kind: [(field.name, _dtype(field.name)) for field in fields(kind)]
    for kind in (Strips, StripConditions)
}
"""Types of the columns of each table, in the order of the file."""


@dataclass(frozen=True, slots=True)
class Extents:
    """What is known of a table of batches before it is read."""

    rows: int
    has_spread: bool
    """Whether of some batches the spread over ranks is kept."""
    columns: Mapping[str, tuple[int, int]]
    """Least and most value of each column; none where there are no rows."""


FEW_ADDRESSES = 2**32
"""Number of bytes of address space; a thread may take 72 MiB of them, for its stack and what it
allocates."""


class ParquetError(Exception):
    """DuckDB couldn't write or read the file; the message is DuckDB's."""


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer interrupts while DuckDB is imported: in its own code they abort the process."""
    came: list[int] = []
    before = {}
    if threading.current_thread() is threading.main_thread():  # no other one has handlers
        handled = [number for number in _INTERRUPTS if callable(signal.getsignal(number))]
        before = {n: signal.signal(n, lambda number, _: came.append(number)) for n in handled}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)


def settings() -> dict[str, Any]:
    """Settings to open a database with: one thread where this process may have few addresses.

    A thread that can't allocate its own memory ends the process, without a message of DuckDB.
    """
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    few = allowed != resource.RLIM_INFINITY and allowed < FEW_ADDRESSES
    return {"threads": 1} if few else {}


def raise_if_not_its_fault(error: Exception) -> None:
    """Raise what DuckDB's `error` means where neither a file nor a statement caused it.

    Raises:
        MachineError: memory ran out.
        KeyboardInterrupt: DuckDB was interrupted.
    """
    with uninterrupted():
        import duckdb  # slow to import

    if isinstance(error, duckdb.InterruptException):
        raise KeyboardInterrupt from None
    if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
        problem = said_by(error).partition(" Possible solutions")[0] or "memory ran out"
        raise MachineError(f"{problem}; free memory, or allow more memory: ulimit -v") from None


def quoted(text: str) -> str:
    """SQL literal of `text`."""
    return "'" + text.replace("'", "''") + "'"


_UNSOUND = re.compile("[\x00\ud800-\udfff]")
_BYTES = range(0xDC80, 0xDD00)
"""Code points that stand for the bytes 0x80 to 0xff where they are no UTF-8."""


def sound(text: str) -> str:
    """The `text` as DuckDB takes it.

    What isn't UTF-8, and the zero, is escaped as Python escapes bytes.
    """
    if is_sound(text):
        return text

    def escape(match: re.Match[str]) -> str:
        code = ord(match[0])
        return f"\\x{code & 0xFF:02x}" if code in _BYTES or code == 0 else f"\\u{code:04x}"

    return _UNSOUND.sub(escape, text)


def is_sound(text: str) -> bool:
    """Whether DuckDB takes `text` as it is."""
    return _UNSOUND.search(text) is None


def registrable(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of arrays as DuckDB reads them in place, those of texts made `sound`."""
    registered = dict(columns)
    for name in registered.keys() & {*WORDS}:
        texts = registered[name].tolist()
        spelled = {text: sound(text) for text in set(texts)}
        if any(spelled[text] is not text for text in spelled):
            registered[name] = np.array([spelled[text] for text in texts], np.object_)
    return registered


def said_by(error: Exception) -> str:
    """DuckDB's message in one line, without the excerpt of the statement that follows it.

    What it quotes of a file, or of a statement, can't steer a terminal.
    """
    return printable(" ".join(str(error).partition("\n\nLINE ")[0].split()), kept="")


def literal_path(path: Path) -> str:
    """The `path` as DuckDB's readers take it literally, not as a pattern of files."""
    return re.sub(r"[][*?]", lambda match: f"[{match[0]}]", str(path))


def write_batches(path: Path, batches: Batches, run: str = "") -> None:
    """Write `batches` of the `run` with that id to `path`, in place.

    Raises:
        ParquetError: that fails.
    """
    spread = {} if batches.spread is None else {n: getattr(batches.spread, n) for n in SPREAD}
    _write(path, {name: getattr(batches, name) for name in COLUMNS} | spread, run)


def write_strips(path: Path, strips: Strips, conditions: StripConditions, run: str = "") -> None:
    """Write strips, and the conditions during each, to `path`, as write_batches does."""
    tables = (strips, conditions)
    _write(path, {one.name: getattr(t, one.name) for t in tables for one in fields(t)}, run)


def _write(path: Path, columns: Mapping[str, Any], run: str) -> None:
    """Write one table, with the id of its run in the metadata."""
    with _opened() as connection:
        connection.register("columns", registrable(columns))
        connection.execute(
            f"COPY columns TO {quoted(str(path))} "
            "(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, "
            f"KV_METADATA {{{RUN}: {quoted(run)}}})"
        )


def run_of(path: Path) -> str | None:
    """Id of the run in the table `path`; None where it has none.

    It stands at the end of the file, and is found there also where the rest can't be read. This is
    checked before DuckDB reads the file, which would wait for a pipe.

    Raises:
        OSError: it isn't a plain file.
    """
    with open_plain(path) as file:
        file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
        ids = _RUN.findall(file.read())
    return ids[-1].decode() if ids else None


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
"""The rows of a whole strip lie side by side and are numbered from 0."""


def read_batches(path: Path) -> Batches:
    """Batches in `path`, a file of formats before 4, as written.

    Where they lie as slices recorded them, which is the rule, only their strips are read now; each
    other column when it is asked for, and then RecordError if the file is gone.

    Raises:
        ParquetError: it isn't such a file.
    """
    strips = _fetched(path, _STRIPS)
    if bool(strips.pop("whole").all()):
        ranks = strips["rank"].size
        lacking = {name: _lacking(name, ranks) for name in ("launch", "attempt")}
        return striped_batches(path, _table(Strips, strips | lacking))
    _column(path, "elapsed_ns")  # fails where a batch ends before it begins
    columns = {name: _column(path, name) for name in COLUMNS if name not in LACKING}
    lacking = {name: _lacking(name, columns["rank"].size) for name in COLUMNS if name in LACKING}
    return BatchColumns(**columns, **lacking)


def striped_batches(path: Path, strips: Strips, has_spread: bool = False) -> StripedBatches:
    """Batches in `path` of these `strips`, their times read when they are asked for.

    `has_spread` is as in Extents. A batch that ends before it begins is a RecordError when times
    are read, in a large table; in a small one, a ParquetError at once.
    """
    few = int(strips.length.sum()) <= MOST_READ_AT_ONCE
    at_once = {"elapsed_ns": _column(path, "elapsed_ns")} if few else {}

    def read(name: str) -> Any:
        if name in at_once:
            return at_once[name]
        try:
            return _column(path, name)
        except ParquetError as error:
            problem = (
                f"changed while it was read, or is damaged: {error}; try again, or move run.json "
                "away: then the journal is read"
            )
            raise RecordError(str(path), None, problem) from None

    return StripedBatches(strips, read, has_spread)


def read_strips(path: Path, version: int) -> tuple[Strips, StripConditions]:
    """Read what write_strips wrote to `path` in format `version`.

    Raises:
        ParquetError: it isn't that.
    """
    columns = _fetched(path, "SELECT * FROM read_parquet(?, hive_partitioning = false)")
    if version < 10:
        columns = {FORMER_COLUMNS.get(name, name): column for name, column in columns.items()}
    later = [name for added, names in ADDED.items() if added > version for name in names]
    rows = max((column.size for column in columns.values()), default=0)
    known = {name: _lacking(name, rows) for name in later} | columns
    return _table(Strips, known), _table(StripConditions, known)


def _lacking(name: str, rows: int) -> Any:
    """Column `name` of a table of a format that didn't have it."""
    return np.full(rows, LACKING[name], _dtype(name))


def rows_of(path: Path) -> int:
    """Number of rows of any table `path`.

    Raises:
        ParquetError: it is no table.
    """
    with _opened() as connection:
        return _rows(connection, path)


def _rows(connection: Connection, path: Path) -> int:
    source = "read_parquet(?, hive_partitioning = false)"
    return int(_selected(connection, path, f"SELECT count(*) AS rows FROM {source}")["rows"][0])


def extents_of(path: Path) -> Extents:
    """Extents of the batches in `path`.

    From the file's own statistics, so that hardly anything of it is read.

    Raises:
        ParquetError: a column is missing, or isn't whole numbers.
    """
    source = "read_parquet(?, hive_partitioning = false)"
    needed = [name for name in COLUMNS if name not in LACKING]
    with _opened() as connection:
        _selected(connection, path, f"SELECT {', '.join(needed)} FROM {source} LIMIT 0")
        none = _selected(connection, path, f"SELECT * FROM {source} LIMIT 0")
        names = [name for name in none if name in {*COLUMNS, *SPREAD}]
        for name in names:
            _as(np.int64, none[name], name)
        rows = _rows(connection, path)
        if not rows:
            return Extents(0, none.keys() >= {*SPREAD}, {})
        ends = ", ".join(f"min({name}) AS {name}_0, max({name}) AS {name}_1" for name in names)
        extremes = _selected(connection, path, f"SELECT {ends} FROM {source}")
    columns = {n: (int(extremes[f"{n}_0"][0]), int(extremes[f"{n}_1"][0])) for n in names}
    return Extents(rows, columns.keys() >= {*SPREAD}, columns)


def _table(kind: type[T], columns: Mapping[str, Any]) -> T:
    """Table of a `kind`, from its columns among `columns`."""
    try:
        return kind(**{name: _as(dtype, columns[name], name) for name, dtype in DTYPES[kind]})
    except KeyError as name:
        raise ParquetError(f"there is no column {name}") from None


def _as(dtype: type, column: Any, name: str) -> Any:
    """The `column` as numbers (or texts) of `dtype`.

    Raises:
        ParquetError: that would change one.
    """
    if column.dtype.kind != np.dtype(dtype).kind:
        raise ParquetError(f"column {name} is of type {column.dtype}")
    cast = column.astype(dtype, copy=False)
    if cast is not column and not np.array_equal(cast, column):
        raise ParquetError(f"column {name} has numbers beyond {np.dtype(dtype)}")
    return cast


def _column(path: Path, name: str) -> Any:
    """One column of the file as Batches has it.

    Raises:
        ParquetError: values are missing.
    """
    what = "end_ns - start_ns" if name == "elapsed_ns" else name
    statement = f"SELECT {what} AS {name} FROM read_parquet(?, hive_partitioning = false)"
    kind = np.int64 if name.endswith("_ns") else np.int32
    values = _fetched(path, statement)[name].astype(kind, copy=False)
    if name == "elapsed_ns" and values.min(initial=0) < 0:
        raise ParquetError(f"row {int(np.argmax(values < 0))}: it ends before it begins")
    return values


def _fetched(path: Path, statement: str) -> dict[str, Any]:
    """Columns that `statement` selects, as arrays by name."""
    with _opened() as connection:
        return _selected(connection, path, statement)


def _selected(connection: Connection, path: Path, statement: str) -> dict[str, Any]:
    """Columns that `statement` selects, as arrays by name.

    Raises:
        ParquetError: a value is missing.
    """
    columns: dict[str, Any] = connection.execute(statement, [literal_path(path)]).fetchnumpy()
    if any(np.ma.isMaskedArray(column) for column in columns.values()):
        raise ParquetError("a column has missing values")
    return columns


@functools.cache
def database() -> Connection:
    """Empty database for all files that this process reads: to open one takes some 10 ms.

    It keeps nothing of a file that was read, which the next one at its path might not be; what it
    once allocated for itself it keeps, some 50 MB after a table of 700.
    """
    import duckdb  # slow to import

    return duckdb.connect(config={"enable_external_file_cache": False})


@contextlib.contextmanager
def _opened() -> Iterator[Connection]:
    """Connection that sees no other's tables; what it refuses is a ParquetError."""
    with uninterrupted():
        import duckdb  # slow to import

    try:
        few = settings()  # where addresses are few, none are kept
        with duckdb.connect(config=few) if few else database().cursor() as connection:
            yield connection
    except (duckdb.Error, MemoryError) as error:
        database.cache_clear()  # after some errors it refuses everything
        raise_if_not_its_fault(error)
        raise ParquetError(said_by(error)) from None
