"""Parquet whose values are damaged, as tables of a run."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

EXTREMES = (-1, 0, 1, -(2**31), 2**31 - 1, 2**31, 2**62, -(2**63), 2**63 - 1)
REALS = (np.nan, np.inf, -np.inf, -1.0, 0.0, 1e300, 5e-324)

Columns = dict[str, Any]


def rewritten(content: bytes, rng: random.Random, scratch: Path) -> bytes:
    """The table `content` with one value, row or column other; `scratch` is a file for it."""
    scratch.write_bytes(content)
    with duckdb.connect() as connection:
        read = connection.execute("FROM read_parquet(?)", [str(scratch)])
        columns: Columns = read.fetchnumpy()
        columns = rng.choice((_value, _value, _value, _rows, _column))(columns, rng)
        connection.register("columns", columns)
        connection.execute(f"COPY columns TO '{scratch}' (FORMAT parquet, COMPRESSION zstd)")
    return scratch.read_bytes()


def _value(columns: Columns, rng: random.Random) -> Columns:
    """With one value another, which may need a wider type."""
    name = rng.choice(list(columns))
    column = columns[name]
    if not column.size:
        return columns
    at = rng.randrange(column.size)
    if column.dtype.kind == "f":
        changed = column.copy()
        changed[at] = rng.choice(REALS)
    elif column.dtype.kind == "i":
        extreme = rng.choice((*EXTREMES, int(column[rng.randrange(column.size)])))
        fits = -(2**31) <= extreme < 2**31 or column.dtype.itemsize > 4
        changed = column.astype(column.dtype if fits else np.int64)
        changed[at] = extreme
    else:
        changed = column.copy()
        changed[at] = rng.choice(("", "\x1b[2J", "x" * 10_000, "a b"))
    return {**columns, name: changed}


def _rows(columns: Columns, rng: random.Random) -> Columns:
    """With one row less, one twice, or all in another order."""
    size = next(iter(columns.values())).size
    rows = list(range(size))
    at = rng.randrange(size + 1)
    chosen = rng.choice((rows[:at], rows[at:], rows[:at] + rows[at + 1 :], rows[:at] + rows[:1]))
    if rng.random() < 0.3:
        chosen = rng.sample(rows, size)
    return {name: column[np.array(chosen, np.int64)] for name, column in columns.items()}


def _column(columns: Columns, rng: random.Random) -> Columns:
    """With one column less, of another type, or with missing values."""
    name = rng.choice(list(columns))
    column = columns[name]
    if rng.random() < 0.3 and len(columns) > 1:
        return {key: value for key, value in columns.items() if key != name}
    if rng.random() < 0.5:
        return {**columns, name: column.astype(rng.choice(("float64", "str")))}
    return {**columns, name: np.ma.masked_array(column, rng.random() < 0.5)}
