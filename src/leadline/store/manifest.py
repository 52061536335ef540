"""run.json: everything about a finished run but its batches, with checksums of its tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

from leadline.record.batches import batches_of
from leadline.record.fields import FormatError, field, list_of, of_type, text, whole
from leadline.record.run import FORMAT_VERSION, ClockFit, Failure, Host, Run
from leadline.store.bounds import repeated_too_often
from leadline.store.lines import (
    check_stated,
    check_version,
    decode,
    decode_cell,
    decode_configuration,
    decode_stated,
    decode_warning,
    encode_all,
    identity,
    seal,
    unseal,
    with_origins,
)

_size = whole(0, 2**62)


@dataclass(frozen=True, slots=True)
class Manifest:
    """Content of run.json."""

    run: Run
    """Run without batches."""
    journal_bytes: int
    """Size of the journal that the run was read from; longer: the run went on afterwards."""
    parquet_crc32: str
    """Checksum of the whole file of batches beside it."""
    slices_crc32: str | None
    """Checksum of the whole file of slices beside it; None before format 4."""
    version: int = FORMAT_VERSION
    """Format version in which all of it was written."""


def write_manifest(manifest: Manifest) -> bytes:
    """Text of run.json, indented for people."""
    run = manifest.run
    return seal(
        {
            "format": FORMAT_VERSION,
            "id": run.id,
            "complete": run.complete,
            "journal_bytes": manifest.journal_bytes,
            "parquet_crc32": manifest.parquet_crc32,
            "slices_crc32": manifest.slices_crc32,
            "metadata": run.metadata,
            "configurations": encode_all(run.configurations),
            "cells": encode_all(run.cells),
            "stated": encode_all(run.stated),
            "hosts": encode_all(run.hosts),
            "clock_fits": encode_all(run.clock_fits),
            "failures": encode_all(run.failures),
            "warnings": encode_all(run.warnings),
        },
        indent=2,
    )


def read_manifest(content: bytes, path: str) -> Manifest:
    """Manifest in the text of a run.json of the run at `path`.

    Raises:
        FormatError: it isn't one.
    """
    record = unseal(content)
    version = field(record, "format", check_version)
    run = Run(
        path=path,
        complete=field(record, "complete", of_type(bool)),
        metadata=field(record, "metadata", of_type(dict)),
        configurations=field(record, "configurations", list_of(decode_configuration)),
        cells=field(record, "cells", list_of(decode_cell)),
        batches=batches_of([]),
        failures=field(record, "failures", list_of(lambda r: decode(Failure, r))),
        warnings=field(record, "warnings", list_of(decode_warning)),
        id=field(record, "id", identity) if version >= 8 else "",
    )
    if version >= 2:  # values that were stated give configurations their origin
        stated = field(record, "stated" if version >= 4 else "imported", list_of(decode_stated))
        configurations = with_origins(run.configurations, stated, version)
        run = replace(run, stated=stated, configurations=configurations)
    if version >= 4:
        run = replace(
            run,
            hosts=field(record, "hosts", list_of(lambda r: decode(Host, r))),
            clock_fits=field(record, "clock_fits", list_of(lambda r: decode(ClockFit, r))),
        )
    _check_references(run, version)
    return Manifest(
        run,
        field(record, "journal_bytes", _size),
        field(record, "parquet_crc32", text),
        field(record, "slices_crc32", text) if version >= 4 else None,
        version,
    )


def _check_references(run: Run, version: int) -> None:
    """Check that failures and stated values refer to what `run` defines.

    Raises:
        FormatError: one doesn't.
    """
    for failure in run.failures:
        if failure.configuration >= len(run.configurations):
            raise FormatError(f"failures: configuration {failure.configuration} isn't defined")
        if failure.cell is not None and failure.cell >= len(run.cells):
            raise FormatError(f"failures: cell {failure.cell} isn't defined")
    for table in run.stated:
        if table.configuration >= len(run.configurations):
            raise FormatError(f"stated: configuration {table.configuration} isn't defined")
        check_stated(run.configurations[table.configuration], version)
        if max(table.cells, default=-1) >= len(run.cells):
            raise FormatError(f"stated: cell {max(table.cells)} isn't defined")
        if repeated_too_often(table, len(run.configurations) * len(run.cells)):
            raise FormatError(f"stated: {table.block:,} is too high for a block")
