"""Reading a run directory, and finishing one."""

from __future__ import annotations

import dataclasses
import zlib
from pathlib import Path

from leadline.errors import RecordError
from leadline.record.caveats import CaveatKind
from leadline.record.run import Batches, Run
from leadline.store.durable import refused, replacing, writing
from leadline.store.lines import BadLineError
from leadline.store.manifest import Manifest, read_manifest, write_manifest
from leadline.store.parquet import ParquetError, read_batches, write_batches
from leadline.store.replay import Replay

JOURNAL, PARQUET, MANIFEST = "journal.jsonl", "batches.parquet", "run.json"
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
    run = replay(directory / JOURNAL, content).run(str(directory))
    with replacing(directory / PARQUET) as temporary:
        try:
            write_batches(temporary, run.batches)
        except ParquetError as error:
            raise refused(directory / PARQUET, str(error)) from None
        checksum = _checksum(temporary)
    manifest = Manifest(run, len(content), checksum)
    with replacing(directory / MANIFEST) as temporary, writing(temporary):
        temporary.write_bytes(write_manifest(manifest))


def runs_below(directory: str | Path) -> list[Path]:
    """The run directories anywhere below `directory`, itself included, by path.

    RecordError: there is none, or `directory` isn't one.
    """
    files = [path for name in (JOURNAL, MANIFEST) for path in Path(directory).rglob(name)]
    found = sorted({path.parent for path in files})
    if not found:
        raise RecordError(str(directory), None, "there is no run below it; see `leadline run`")
    return found


def whole_parquet(directory: str | Path) -> Path | None:
    """The Parquet of a finished run whose files fit each other; None: only `load` can read it."""
    directory = Path(directory)
    path = directory / PARQUET
    try:
        manifest = _finished(directory)
        if manifest is None or _checksum(path) != manifest.parquet_crc32:
            return None
    except (_DamagedError, OSError):
        return None
    return path


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
    return dataclasses.replace(manifest.run, batches=_batches(directory / PARQUET, manifest))


def _finished(directory: Path) -> Manifest | None:
    """What run.json says; None and _DamagedError as in _load_finished."""
    path = directory / MANIFEST
    try:
        manifest = read_manifest(path.read_bytes(), str(directory))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _DamagedError(f"{path} can't be read: {error.strerror}") from None
    except BadLineError as problem:
        raise _DamagedError(f"{path} {problem}") from None
    return None if _size(directory / JOURNAL) > manifest.journal_bytes else manifest


def _size(path: Path) -> int:
    """Bytes of the file `path`; 0 if it is gone."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _batches(path: Path, manifest: Manifest) -> Batches:
    try:
        if _checksum(path) != manifest.parquet_crc32:
            raise _DamagedError(f"{path} doesn't match {MANIFEST}")
        return read_batches(path)
    except OSError as error:
        raise _DamagedError(f"{path} can't be read: {error.strerror}") from None
    except ParquetError as error:
        raise _DamagedError(f"{path}: {error}") from None
