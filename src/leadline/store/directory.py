"""Reading a run directory, and finishing one."""

from __future__ import annotations

import contextlib
import dataclasses
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from leadline.errors import RecordError
from leadline.record.batches import StripedBatches
from leadline.record.caveats import CaveatKind
from leadline.record.fields import FormatError
from leadline.record.run import Run
from leadline.store.bounds import misfit
from leadline.store.durable import refused, replacing, writing
from leadline.store.manifest import Manifest, read_manifest, write_manifest
from leadline.store.parquet import (
    ParquetError,
    count_batches,
    keeps_spread,
    read_batches,
    read_strips,
    striped_batches,
    write_batches,
    write_strips,
)
from leadline.store.replay import Replay

JOURNAL, PARQUET, SLICES = "journal.jsonl", "batches.parquet", "slices.parquet"
MANIFEST = "run.json"
PIECE_BYTES = 2**20


def load(directory: str | Path) -> Run:
    """The run in `directory`: from its Parquet where that is whole, else from the journal.

    Bad lines and a damaged Parquet become warnings of the Run. RecordError: neither can be read.
    """
    directory = Path(directory)
    try:
        finished = _load_finished(directory)
        return finished or read_journal(directory).run(str(directory))
    except _DamagedError as damaged:
        damage = str(damaged)
    try:
        run = read_journal(directory).run(str(directory))
    except RecordError as error:
        problem = f"can't be read: {damage}; {error}"
        raise RecordError(str(directory), None, problem) from None
    caveat = CaveatKind.PARQUET.because(
        f"{damage}; the journal was read instead", file=directory / MANIFEST
    )
    return dataclasses.replace(run, warnings=(*run.warnings, caveat))


def finish(directory: str | Path) -> None:
    """Writes batches.parquet and run.json from the journal, replacing older ones.

    RecordError: the journal can't be read; MachineError: the disk is full. Until both are there,
    `load` goes on reading the journal.
    """
    directory = Path(directory)
    content = read_file(directory / JOURNAL)
    tabulate(directory, replay(directory / JOURNAL, content).run(str(directory)), len(content))


def tabulate(directory: Path, run: Run, journal_bytes: int) -> None:
    """Writes `run`, read from a journal of that length, as finish does; it must have strips."""
    if run.strips is None or run.conditions is None:
        raise ValueError("only runs whose strips are known can be tabulated")
    tables = run.strips, run.conditions
    checksums = (
        _tabulated(directory / PARQUET, lambda path: write_batches(path, run.batches)),
        _tabulated(directory / SLICES, lambda path: write_strips(path, *tables)),
    )
    with replacing(directory / MANIFEST) as temporary, writing(temporary):
        temporary.write_bytes(write_manifest(Manifest(run, journal_bytes, *checksums)))


def _tabulated(path: Path, write: Callable[[Path], None]) -> str:
    """The checksum of the table at `path` once `write` has written it."""
    with replacing(path) as temporary:
        try:
            write(temporary)
        except ParquetError as error:
            raise refused(path, str(error)) from None
        return _checksum(temporary)


def runs_below(directory: str | Path) -> list[Path]:
    """The run directories anywhere below `directory`, itself included, by path.

    RecordError: there is none, or `directory` isn't one.
    """
    files = [path for name in (JOURNAL, MANIFEST) for path in Path(directory).rglob(name)]
    found = sorted({path.parent for path in files})
    if not found:
        raise RecordError(str(directory), None, "there is no run below it; see `leadline run`")
    return found


def runs_beside(directory: str | Path) -> list[Path]:
    """The other run directories in the folder that has `directory`, the latest written first."""
    own = Path(directory).resolve()
    found = {
        path.parent: path.stat().st_mtime
        for name in (JOURNAL, MANIFEST)
        for path in own.parent.glob(f"*/{name}")
        if path.parent != own
    }
    return sorted(found, key=lambda path: (-found[path], path))


def whole_parquet(directory: str | Path) -> dict[str, Path]:
    """The Parquet files of a finished run: "batches", and since format 4 "slices".

    Empty where they aren't whole, or don't fit each other: only `load` can read the run then.
    """
    directory = Path(directory)
    try:
        manifest = _finished(directory)
        if manifest is None:
            return {}
        sums = {PARQUET: manifest.parquet_crc32, SLICES: manifest.slices_crc32}
        files = {directory / name: crc32 for name, crc32 in sums.items() if crc32 is not None}
        if any(_checksum(path) != crc32 for path, crc32 in files.items()):
            return {}
    except (_DamagedError, OSError):
        return {}
    return {path.stem: path for path in files}


def read_journal(directory: Path) -> Replay:
    """What the journal in `directory` says; RecordError if its header can't be read."""
    path = directory / JOURNAL
    return replay(path, read_file(path))


def replay(path: Path, content: bytes) -> Replay:
    """What the lines of `content`, a journal called `path`, say."""
    if not content:
        raise RecordError(str(path), 1, "is empty: nothing was recorded; remove the directory")
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    known = Replay(str(path))
    for line in lines:
        known.feed(line)
    return known


def read_file(path: Path) -> bytes:
    """The content of `path`, a file of a run; RecordError if there is none."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: OSError) -> RecordError:
    """The RecordError for the file `path` of a run, which couldn't be opened."""
    directory = str(path.parent)
    if not path.parent.exists():
        return RecordError(directory, None, "no such run directory")
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return RecordError(
            directory, None, f"not a run: there is no {path.name} in it; give a directory that "
            "`leadline run` wrote",
        )  # fmt: skip
    return RecordError(str(path), None, f"can't be read: {error.strerror}")


class _DamagedError(Exception):
    """run.json or batches.parquet can't be used; the message says why."""


def _checksum(path: Path) -> str:
    """Of the whole file, which is never in memory as one."""
    known = 0
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            known = zlib.crc32(piece, known)
    return f"{known:08x}"


def _load_finished(directory: Path) -> Run | None:
    """None: never finished, or gone on since. _DamagedError: what finish wrote is damaged."""
    manifest = _finished(directory)
    if manifest is None:
        return None
    return _with_tables(manifest, directory)


def _finished(directory: Path) -> Manifest | None:
    """What run.json says; None and _DamagedError as in _load_finished."""
    path = directory / MANIFEST
    try:
        manifest = read_manifest(path.read_bytes(), str(directory))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _DamagedError(f"{path} can't be read: {error.strerror}") from None
    except FormatError as problem:
        raise _DamagedError(f"{path} {problem}") from None
    return None if _size(directory / JOURNAL) > manifest.journal_bytes else manifest


def _size(path: Path) -> int:
    """Bytes of the file `path`; 0 if it is gone."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _with_tables(manifest: Manifest, directory: Path) -> Run:
    """The run with its batches, and strips where there is a table of them: since format 4."""
    file = directory / PARQUET
    with _reading(file, manifest.parquet_crc32):
        if manifest.slices_crc32 is None:
            batches = read_batches(file)
            strips = batches.strips if isinstance(batches, StripedBatches) else None
            return dataclasses.replace(manifest.run, batches=batches, strips=strips)
        rows, has_spread = count_batches(file), keeps_spread(file)
    with _reading(directory / SLICES, manifest.slices_crc32):
        strips, conditions = read_strips(directory / SLICES, manifest.version)
        if problem := misfit(manifest.run, strips, conditions, rows):
            raise ParquetError(problem)
    return dataclasses.replace(
        manifest.run,
        batches=striped_batches(file, strips, has_spread),
        strips=strips,
        conditions=conditions,
    )


@contextlib.contextmanager
def _reading(path: Path, crc32: str) -> Iterator[None]:
    """Checks the table at `path` first; turns what goes wrong inside into a _DamagedError."""
    try:
        if _checksum(path) != crc32:
            raise _DamagedError(f"{path} doesn't match {MANIFEST}")
        yield
    except OSError as error:
        raise _DamagedError(f"{path} can't be read: {error.strerror}") from None
    except ParquetError as error:
        raise _DamagedError(f"{path}: {error}") from None
