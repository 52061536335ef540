"""Equality of runs, column by column."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from harness.synthetic import BARRIER, pingpong

from leadline.record.run import Run
from leadline.record.slices import COLUMNS, Batches

CELLS = (pingpong(0), pingpong(8), BARRIER)


def same_batches(first: Batches, second: Batches) -> bool:
    same_times = all(
        getattr(first, name).dtype == getattr(second, name).dtype
        and np.array_equal(getattr(first, name), getattr(second, name))
        for name in COLUMNS
    )
    return same_times and same_columns(first.spread, second.spread)


def same_columns(first: Any, second: Any) -> bool:
    if first is None or second is None:
        return first is second
    return all(
        np.array_equal(getattr(first, one.name), getattr(second, one.name)) for one in fields(first)
    )


def same(first: Run, second: Run) -> bool:
    bare = [
        replace(one, batches=first.batches, strips=None, conditions=None) for one in (first, second)
    ]
    return (
        same_batches(first.batches, second.batches)
        and same_columns(first.strips, second.strips)
        and same_columns(first.conditions, second.conditions)
        and bare[0] == bare[1]
    )
