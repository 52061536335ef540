"""The medians of blocks for other programs, a row a block."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.query.tables import BLOCKS, FlatRow
from leadline.report.records import Records, records_of


def block_records(rows: Sequence[FlatRow]) -> Records:
    """The rows with truth as true and false, as other programs' CSV has it."""
    lower = [{name: _lower(value) for name, value in row.items()} for row in rows]
    return records_of(tuple(BLOCKS.columns), lower)


def _lower(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
