"""A run as flat tables, one row a thing, for SQL and for other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from leadline.compare.samples import block_medians, reduce_ranks
from leadline.compare.summaries import algorithm, summarise
from leadline.record.run import Run

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """What a row is; the database adds the column `run`, its path as it was given."""

    columns: Mapping[str, str]
    """SQL types by name, in order."""
    rows: Callable[[Run], Iterable[Row]]
    """Of one run; keys are the columns' names."""
    costly: bool = False
    """Whether the rows are computed from all batches."""


def block_rows(run: Run) -> Iterator[Row]:
    """One row for each cell, configuration and block: the median, on which all statistics rest."""
    medians = block_medians(run, reduce_ranks(run))
    for c, k, block in np.argwhere(medians.seconds > 0).tolist():
        configuration, cell = run.configurations[c], run.cells[k]
        yield {
            "pattern": cell.pattern,
            "variant": configuration.variant,
            "backend": configuration.backend,
            "version": configuration.version,
            "ranks": configuration.ranks,
            "size_bytes": cell.size_bytes,
            "block": block,
            "median_s": float(medians.seconds[c, k, block]),
            "samples": int(medians.samples[c, k, block]),
            "late": int(medians.late[c, k, block]),
            "algorithm": algorithm(configuration, cell),
            "buffers": str(cell.buffers),
            "cadence": str(cell.cadence),
            "transport": configuration.transport,
            "oversubscribed": configuration.oversubscribed,
        }


def _run_rows(run: Run) -> Iterator[Row]:
    machine = run.machine
    yield {
        "started": run.provenance.started,
        "complete": run.complete,
        "leadline": run.provenance.leadline,
        "host": machine.host,
        "cpu": machine.cpu,
        "kernel": machine.kernel,
        "metadata": run.metadata,
    }


def _configuration_rows(run: Run) -> Iterator[Row]:
    for number, configuration in enumerate(run.configurations):
        yield {"configuration": number, **asdict(configuration)}


def _cell_rows(run: Run) -> Iterator[Row]:
    for number, cell in enumerate(run.cells):
        yield {"cell": number, **asdict(cell)}


def _measurement_rows(run: Run) -> Iterator[Row]:
    for summary in summarise(run):
        yield asdict(summary) | {"warnings": [caveat.code for caveat in summary.warnings]}


BLOCKS = Table(
    {
        "pattern": "VARCHAR", "variant": "VARCHAR", "backend": "VARCHAR", "version": "VARCHAR",
        "ranks": "INTEGER", "size_bytes": "BIGINT", "block": "INTEGER", "median_s": "DOUBLE",
        "samples": "BIGINT", "late": "BIGINT", "algorithm": "VARCHAR", "buffers": "VARCHAR",
        "cadence": "VARCHAR", "transport": "VARCHAR", "oversubscribed": "BOOLEAN",
    },
    block_rows,
    costly=True,
)  # fmt: skip

TABLES: Mapping[str, Table] = {
    "runs": Table(
        {
            "started": "VARCHAR", "complete": "BOOLEAN", "leadline": "VARCHAR", "host": "VARCHAR",
            "cpu": "VARCHAR", "kernel": "VARCHAR", "metadata": "JSON",
        },
        _run_rows,
    ),
    "configurations": Table(
        {
            "configuration": "INTEGER", "variant": "VARCHAR", "backend": "VARCHAR",
            "version": "VARCHAR", "ranks": "INTEGER", "binding": "INTEGER[]",
            "environment": "JSON", "arguments": "VARCHAR[]", "algorithms": "JSON",
            "transport": "VARCHAR", "oversubscribed": "BOOLEAN", "hosts": "VARCHAR[]",
        },
        _configuration_rows,
    ),
    "cells": Table(
        {
            "cell": "INTEGER", "pattern": "VARCHAR", "size_bytes": "BIGINT", "buffers": "VARCHAR",
            "cadence": "VARCHAR", "messages_per_repetition": "INTEGER", "whose_time": "VARCHAR",
        },
        _cell_rows,
    ),
    "measurements": Table(
        {
            "pattern": "VARCHAR", "variant": "VARCHAR", "backend": "VARCHAR", "version": "VARCHAR",
            "ranks": "INTEGER", "size_bytes": "BIGINT", "median_s": "DOUBLE", "low_s": "DOUBLE",
            "high_s": "DOUBLE", "blocks": "INTEGER", "samples": "BIGINT", "algorithm": "VARCHAR",
            "buffers": "VARCHAR", "cadence": "VARCHAR", "transport": "VARCHAR",
            "warnings": "VARCHAR[]",
        },
        _measurement_rows,
        costly=True,
    ),
    "blocks": BLOCKS,
    "failures": Table(
        {
            "configuration": "INTEGER", "cell": "INTEGER", "block": "INTEGER", "code": "VARCHAR",
            "message": "VARCHAR",
        },
        lambda run: map(asdict, run.failures),
    ),
    "warnings": Table(
        {"code": "VARCHAR", "cause": "VARCHAR", "remedy": "VARCHAR"},
        lambda run: map(asdict, run.warnings),
    ),
}  # fmt: skip
"""By name; `batches` and `timings`, which stay in their files, are the database's."""
