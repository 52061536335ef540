"""Rows read from runs, for programs: the medians of blocks, and what SQL selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, cast

from leadline.query.tables import BLOCKS, FlatRow
from leadline.record.run import Origin
from leadline.record.warnings import RunWarning
from leadline.report.records import Records, json_value, records_of


class BlockRow(TypedDict):
    """The median of one cell under one configuration in one block."""

    pattern: str
    """The pattern with its options."""
    variant: str
    """Its name in the tables."""
    origin: Origin
    """Where the values come from; only measured ones take part in verdicts."""
    backend: str
    """The library, as doctor calls it."""
    version: str
    """As the library reports it."""
    ranks: int
    """Number of ranks of the job."""
    size_bytes: int
    """Payload; 0: the pattern has none."""
    block: int
    """Number of the block, from 0."""
    median_s: float
    """Seconds per operation or message."""
    samples: int
    """Number of samples that the median is of."""
    late: int
    """Number of samples left out because a rank started late."""
    algorithm: str
    """"native", or how the tool built the operation."""
    buffers: str
    """Buffer policy: echo, separate or cold."""
    cadence: str
    """streaming or isolated."""
    transport: str
    """What carried messages between ranks of one host; "unknown": nothing recorded it."""
    oversubscribed: bool
    """Whether there were more ranks than cores."""


class BlocksContent(TypedDict):
    """The median of each block, and what is incomplete in the run."""

    rows: Sequence[BlockRow]
    warnings: Sequence[RunWarning]
    """What is damaged or missing in the run."""


class SelectionContent(TypedDict):
    """What was selected, and what is incomplete in the runs that it was selected from."""

    rows: Sequence[Mapping[str, Any]]
    """Values by the names of their columns; null where there is none."""
    warnings: Sequence[RunWarning]
    """What is damaged, missing or left out of the runs."""


def blocks_content(rows: Sequence[FlatRow], warnings: Sequence[RunWarning]) -> BlocksContent:
    """The rows of all blocks, and the `warnings` of reading the run."""
    return {"rows": cast("Sequence[BlockRow]", rows), "warnings": warnings}


def block_records(rows: Sequence[FlatRow]) -> Records:
    """The rows of all blocks; truth values are true and false, as in other programs' CSV."""
    lower = [
        {name: str(v).lower() if isinstance(v, bool) else v for name, v in row.items()}
        for row in rows
    ]
    return records_of(tuple(BLOCKS.columns), lower)


def selection_content(selected: Records, warnings: Sequence[RunWarning]) -> SelectionContent:
    """All rows, and the `warnings` of reading runs; values that JSON lacks are text or null.

    An object has each key once, so a column's name that came before has its place appended.
    """
    names = [
        f"{name}_{place + 1}" if name in selected.columns[:place] else name
        for place, name in enumerate(selected.columns)
    ]
    rows = [dict(zip(names, map(json_value, row), strict=True)) for row in selected.rows]
    return {"rows": rows, "warnings": warnings}


def selection_records(selected: Records) -> Records:
    """The rows as they are, but lists and objects as JSON has them."""
    rows = [
        [json_value(value) if isinstance(value, list | dict) else value for value in row]
        for row in selected.rows
    ]
    return Records(selected.columns, rows)
