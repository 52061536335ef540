"""A run as flat tables, one row an item, for SQL and for other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.summaries import algorithm

FlatRow = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FlatTable:
    """Columns and rows of a table; the database adds the column `run`, its path as it was given."""

    columns: Mapping[str, str]
    """SQL types by name, in order."""
    rows: Callable[[Analysis], Iterable[FlatRow]]
    """Rows of one run; keys are the columns' names."""
    costly: bool = False
    """Whether the rows are computed from all batches."""


def block_rows(analysis: Analysis) -> Iterator[FlatRow]:
    """One row for each cell, configuration and block: the median, on which all statistics rest."""
    run, medians = analysis.run, analysis.medians
    for c, k, block in np.argwhere(medians.seconds > 0).tolist():
        configuration, cell = run.configurations[c], run.cells[k]
        yield {
            "pattern": cell.pattern,
            "variant": configuration.variant,
            "origin": configuration.origin,
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


def _run_rows(analysis: Analysis) -> Iterator[FlatRow]:
    run = analysis.run
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


def _stated_rows(analysis: Analysis) -> Iterator[FlatRow]:
    for table in analysis.run.stated:
        columns = (table.cells, table.seconds, table.low, table.high, table.lines)
        for cell, seconds, low, high, line in zip_longest(*columns):
            yield {
                "configuration": table.configuration,
                "cell": cell,
                "seconds": seconds,
                "low": low,
                "high": high,
                "source": table.source,
                "line": line,
            }


def _measurement_rows(analysis: Analysis) -> Iterator[FlatRow]:
    for row in analysis.summaries:
        numbers = {column: getattr(row, column) for column in MEASUREMENTS.columns}
        yield numbers | {"warnings": [warning.code for warning in row.warnings]}


BLOCKS = FlatTable(
    {
        "pattern": "VARCHAR", "variant": "VARCHAR", "origin": "VARCHAR", "backend": "VARCHAR",
        "version": "VARCHAR",
        "ranks": "INTEGER", "size_bytes": "BIGINT", "block": "INTEGER", "median_s": "DOUBLE",
        "samples": "BIGINT", "late": "BIGINT", "algorithm": "VARCHAR", "buffers": "VARCHAR",
        "cadence": "VARCHAR", "transport": "VARCHAR", "oversubscribed": "BOOLEAN",
    },
    block_rows,
    costly=True,
)  # fmt: skip

MEASUREMENTS = FlatTable(
    {
        "pattern": "VARCHAR", "variant": "VARCHAR", "origin": "VARCHAR", "backend": "VARCHAR",
        "version": "VARCHAR",
        "ranks": "INTEGER", "size_bytes": "BIGINT", "median_s": "DOUBLE", "low_s": "DOUBLE",
        "high_s": "DOUBLE", "stated_low_s": "DOUBLE", "stated_high_s": "DOUBLE",
        "blocks": "INTEGER", "samples": "BIGINT", "repetitions": "INTEGER",
        "algorithm": "VARCHAR",
        "buffers": "VARCHAR", "cadence": "VARCHAR", "transport": "VARCHAR",
        "run_delay_share": "DOUBLE", "disturbed_share": "DOUBLE",
        "core_latency_ns": "DOUBLE", "clock_residual_ns": "DOUBLE", "link": "VARCHAR",
        "link_share": "DOUBLE", "communication_share": "DOUBLE", "communication_most": "DOUBLE",
        "verified": "VARCHAR", "verified_expected": "DOUBLE", "verified_seen": "DOUBLE",
        "warnings": "VARCHAR[]",
    },
    _measurement_rows,
    costly=True,
)  # fmt: skip

TABLES: Mapping[str, FlatTable] = {
    "runs": FlatTable(
        {
            "started": "VARCHAR", "complete": "BOOLEAN", "leadline": "VARCHAR", "host": "VARCHAR",
            "cpu": "VARCHAR", "kernel": "VARCHAR", "metadata": "JSON",
        },
        _run_rows,
    ),
    "configurations": FlatTable(
        {
            "configuration": "INTEGER", "variant": "VARCHAR", "backend": "VARCHAR",
            "version": "VARCHAR", "ranks": "INTEGER", "binding": "INTEGER[]",
            "environment": "JSON", "arguments": "VARCHAR[]", "algorithms": "JSON",
            "transport": "VARCHAR", "oversubscribed": "BOOLEAN", "hosts": "VARCHAR[]",
            "threads": "INTEGER", "placement": "JSON", "origin": "VARCHAR",
        },
        lambda analysis: (
            {"configuration": number, **asdict(configuration)}
            for number, configuration in enumerate(analysis.run.configurations)
        ),
    ),
    "cells": FlatTable(
        {
            "cell": "INTEGER", "pattern": "VARCHAR", "size_bytes": "BIGINT", "buffers": "VARCHAR",
            "cadence": "VARCHAR", "messages_per_repetition": "INTEGER", "whose_time": "VARCHAR",
        },
        lambda analysis: (
            {"cell": number, **asdict(cell)} for number, cell in enumerate(analysis.run.cells)
        ),
    ),
    "measurements": MEASUREMENTS,
    "blocks": BLOCKS,
    "stated": FlatTable(
        {
            "configuration": "INTEGER", "cell": "INTEGER", "seconds": "DOUBLE", "low": "DOUBLE",
            "high": "DOUBLE", "source": "VARCHAR", "line": "INTEGER",
        },
        _stated_rows,
    ),
    "hosts": FlatTable(
        {"host": "VARCHAR", "machine": "VARCHAR", "clock": "VARCHAR", "cores": "INTEGER[]"},
        lambda analysis: (
            {"host": host.name, "machine": host.machine, "clock": host.clock, "cores": host.cores}
            for host in analysis.run.hosts
        ),
    ),
    "clock_fits": FlatTable(
        {
            "host": "VARCHAR", "block": "INTEGER", "offset_ns": "DOUBLE", "drift": "DOUBLE",
            "residual_ns": "DOUBLE", "visit": "INTEGER", "launch": "INTEGER", "here_ns": "BIGINT",
            "error_ns": "BIGINT", "round_trip_ns": "BIGINT",
        },
        lambda analysis: map(asdict, analysis.run.clock_fits),
    ),
    "failures": FlatTable(
        {
            "configuration": "INTEGER", "cell": "INTEGER", "block": "INTEGER", "code": "VARCHAR",
            "message": "VARCHAR",
        },
        lambda analysis: map(asdict, analysis.run.failures),
    ),
    "warnings": FlatTable(
        {"code": "VARCHAR", "cause": "VARCHAR", "remedy": "VARCHAR"},
        lambda analysis: map(asdict, analysis.run.warnings),
    ),
}  # fmt: skip
"""Tables by name; `batches`, `slices` and `timings`, which stay in their files, are the
database's."""
