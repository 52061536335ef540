"""run.json: everything about a finished run but its batches, and what proves that both fit."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.record.batches import batches_of
from leadline.record.run import FORMAT_VERSION, Cell, Configuration, Failure, Run
from leadline.store.lines import (
    BadLineError,
    decode,
    decode_caveat,
    decode_imported,
    encode_all,
    field,
    list_of,
    of_type,
    seal,
    text,
    unseal,
    whole,
)

_size = whole(0, 2**62)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What run.json says."""

    run: Run
    """Without batches."""
    journal_bytes: int
    """Size of the journal that the run was read from; longer: the run went on afterwards."""
    parquet_crc32: str
    """Of the whole file beside it."""


def write_manifest(manifest: Manifest) -> bytes:
    """The text of run.json, indented for people."""
    run = manifest.run
    return seal(
        {
            "format": FORMAT_VERSION,
            "complete": run.complete,
            "journal_bytes": manifest.journal_bytes,
            "parquet_crc32": manifest.parquet_crc32,
            "metadata": run.metadata,
            "configurations": encode_all(run.configurations),
            "cells": encode_all(run.cells),
            "imported": encode_all(run.imported),
            "failures": encode_all(run.failures),
            "warnings": encode_all(run.warnings),
        },
        indent=2,
    )


def read_manifest(content: bytes, path: str) -> Manifest:
    """The Manifest in the text of a run.json of the run at `path`; BadLineError if it isn't one."""
    record = unseal(content)
    version = field(record, "format", whole(1, FORMAT_VERSION))
    run = Run(
        path=path,
        complete=field(record, "complete", of_type(bool)),
        metadata=field(record, "metadata", of_type(dict)),
        configurations=field(record, "configurations", list_of(lambda r: decode(Configuration, r))),
        cells=field(record, "cells", list_of(lambda r: decode(Cell, r))),
        batches=batches_of([]),
        failures=field(record, "failures", list_of(lambda r: decode(Failure, r))),
        warnings=field(record, "warnings", list_of(decode_caveat)),
        imported=field(record, "imported", list_of(decode_imported)) if version > 1 else (),
    )
    _check_references(run)
    return Manifest(
        run, field(record, "journal_bytes", _size), field(record, "parquet_crc32", text)
    )


def _check_references(run: Run) -> None:
    """BadLineError where a failure or an imported value names what `run` doesn't define."""
    for failure in run.failures:
        if failure.configuration >= len(run.configurations):
            raise BadLineError(f"failures: configuration {failure.configuration} isn't defined")
        if failure.cell is not None and failure.cell >= len(run.cells):
            raise BadLineError(f"failures: cell {failure.cell} isn't defined")
    for table in run.imported:
        if table.configuration >= len(run.configurations):
            raise BadLineError(f"imported: configuration {table.configuration} isn't defined")
        if max(table.cells, default=-1) >= len(run.cells):
            raise BadLineError(f"imported: cell {max(table.cells)} isn't defined")
