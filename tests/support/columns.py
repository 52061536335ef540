"""Batches with every column at hand, for tests that change one."""

from __future__ import annotations

from dataclasses import fields

from leadline.record.run import BatchColumns, Batches


def columns_of(batches: Batches) -> BatchColumns:
    """`batches` as columns, whatever they are kept as."""
    return BatchColumns(**{one.name: getattr(batches, one.name) for one in fields(BatchColumns)})
