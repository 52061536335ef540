"""The medians of blocks for other programs, a row a block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, cast

from leadline.query.tables import BLOCKS, FlatRow
from leadline.record.caveats import Caveat
from leadline.record.run import Origin
from leadline.report.records import Records, records_of


class BlockRow(TypedDict):
    """A cell under a configuration in a block."""

    pattern: str
    """With its options."""
    variant: str
    origin: Origin
    """Where the values come from; measured ones alone take part in verdicts."""
    backend: str
    version: str
    ranks: int
    size_bytes: int
    block: int
    median_s: float
    """Per operation or message."""
    samples: int
    """Under the median."""
    late: int
    """Samples left out, since a rank started late."""
    algorithm: str
    buffers: str
    cadence: str
    transport: str
    """What carried the messages between ranks of one host; "unknown" where nothing said so."""
    oversubscribed: bool
    """More ranks than cores."""


class BlocksContent(TypedDict):
    """The median of each block, and what isn't whole of the run."""

    rows: Sequence[BlockRow]
    warnings: Sequence[Caveat]
    """What of the run is damaged or missing."""


def blocks_content(rows: Sequence[FlatRow], warnings: Sequence[Caveat]) -> BlocksContent:
    """All rows, and the `warnings` of reading the run."""
    return {"rows": cast("Sequence[BlockRow]", rows), "warnings": warnings}


def block_records(rows: Sequence[FlatRow]) -> Records:
    """The rows with truth as true and false, as other programs' CSV has it."""
    lower = [{name: _lower(value) for name, value in row.items()} for row in rows]
    return records_of(tuple(BLOCKS.columns), lower)


def _lower(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
