"""Parquet whose values are others, as tables of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
from hypothesis import strategies as st

from fuzz.edits import Edited

EXTREMES = (-1, 0, 1, -(2**31), 2**31 - 1, 2**31, 2**62, -(2**63), 2**63 - 1)
REALS = (np.nan, np.inf, -np.inf, -1.0, 0.0, 1e300, 5e-324)
TEXTS = ("", "\x1b[2J", "x" * 10_000, "a b")

ALONE: dict[str, Any] = {"threads": 1}
"""For DuckDB: a thread more that finds no room in memory ends the process."""
Columns = dict[str, Any]


@st.composite
def rewritten(draw: st.DrawFn, content: bytes) -> Edited:
    """The table `content` with one value, row or column other."""
    columns = _columns(content)
    change = draw(st.sampled_from((_value, _value, _value, _rows, _column)))
    changed, how = change(draw, columns)
    return Edited(_written(changed), how)


@cache
def _columns(content: bytes) -> Columns:
    with (
        TemporaryDirectory(prefix="leadline-fuzz-") as folder,
        duckdb.connect(config=ALONE) as connection,
    ):
        file = Path(folder) / "table"
        file.write_bytes(content)
        read = connection.execute("FROM read_parquet(?)", [str(file)])
        columns: Columns = read.fetchnumpy()
        return columns


def _written(columns: Columns) -> bytes:
    with (
        TemporaryDirectory(prefix="leadline-fuzz-") as folder,
        duckdb.connect(config=ALONE) as connection,
    ):
        file = Path(folder) / "table"
        connection.register("columns", columns)
        connection.execute(f"COPY columns TO '{file}' (FORMAT parquet, COMPRESSION zstd)")
        return file.read_bytes()


def _value(draw: st.DrawFn, columns: Columns) -> tuple[Columns, str]:
    """With one value another, which may need a wider type."""
    name = draw(st.sampled_from(list(columns)))
    column = columns[name]
    at = draw(st.integers(0, column.size - 1))
    if column.dtype.kind == "i":
        new: object = draw(st.sampled_from((*EXTREMES, int(column[(at + 1) % column.size]))))
        fits = -(2**31) <= int(str(new)) < 2**31 or column.dtype.itemsize > 4
        changed = column.astype(column.dtype if fits else np.int64)
    else:
        new = draw(st.sampled_from(REALS if column.dtype.kind == "f" else TEXTS))
        changed = column.copy()
    changed[at] = new
    return {**columns, name: changed}, f"{name}[{at}] = {new!r:.200}"


def _rows(draw: st.DrawFn, columns: Columns) -> tuple[Columns, str]:
    """With some rows less, some twice, or in another order."""
    rows = np.arange(next(iter(columns.values())).size)
    until, first, turned = (draw(st.integers(0, rows.size)) for _ in range(3))
    chosen = np.roll(np.r_[rows[:until], rows[first:]], turned)
    how = f"rows until {until}, then from {first}; turned by {turned}"
    return {name: column[chosen] for name, column in columns.items()}, how


def _column(draw: st.DrawFn, columns: Columns) -> tuple[Columns, str]:
    """With one column less, of another type, or with missing values."""
    name = draw(st.sampled_from(list(columns)))
    others = {key: column for key, column in columns.items() if key != name}
    way = draw(st.sampled_from(["gone", *_WAYS]))
    if way != "gone":
        others[name] = _WAYS[way](columns[name])
    return others, f"{name}: {way}"


_WAYS: Mapping[str, Callable[[Any], Any]] = {
    "float64": lambda column: column.astype("float64"),
    "str": lambda column: column.astype("str"),
    "missing": lambda column: np.ma.masked_array(column, mask=True),
}
