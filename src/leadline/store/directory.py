"""Reading a run directory, and finishing one."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from leadline.errors import RecordError
from leadline.files import open_plain, read_plain, real
from leadline.record.batches import StripedBatches
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.fields import FormatError
from leadline.record.run import Run
from leadline.store.bounds import beyond, crowded, misfit
from leadline.store.damage import DamagedError, foreign, journal_caveats
from leadline.store.durable import alone, refused, replacing, writing
from leadline.store.manifest import Manifest, read_manifest, write_manifest
from leadline.store.parquet import (
    ParquetError,
    extents_of,
    read_batches,
    read_strips,
    rows_of,
    run_of,
    striped_batches,
    write_batches,
    write_strips,
)
from leadline.store.replay import Replay

JOURNAL, PARQUET, SLICES = "journal.jsonl", "batches.parquet", "slices.parquet"
MANIFEST = "run.json"
PIECE_BYTES = 2**20
LONGEST_HEADER = 2**26
"""Of a journal's first line that is looked at for the run's id."""


@dataclasses.dataclass(frozen=True, slots=True)
class Stored:
    """A run, and where its tables lie for those who read them in place."""

    run: Run
    tables: Mapping[str, Path]
    """The whole Parquet files, "batches" and since format 4 "slices"; none: as the journal says."""


def load(directory: str | Path) -> Run:
    """The run in `directory`: from its Parquet where that is whole, else from the journal.

    Bad lines and a damaged Parquet become warnings of the Run, its `damage`. RecordError: neither
    can be read.
    """
    return stored(directory).run


def stored(directory: str | Path) -> Stored:
    """What `load` reads, and from which tables: the only way in which runs are read."""
    directory = Path(directory)
    try:
        return _load_finished(directory) or _journalled(directory)
    except DamagedError as damaged:
        damage = damaged
    try:
        return _journalled(directory, damage)
    except RecordError as error:
        problem = f"can't be read: {damage}; {error}"
        raise RecordError(str(directory), None, problem) from None


def _journalled(directory: Path, damage: DamagedError | None = None) -> Stored:
    """What the journal says, read where there is nothing else, or because of the `damage`."""
    known = read_journal(directory)
    run = known.run(str(directory))
    caveats = []
    if damage:
        caveats.append(damage.caveat(known.complete and not known.bad))
    for path in (directory / PARQUET, directory / SLICES):
        whose = _tables_run(path)
        if whose not in (None, run.id) and (damage is None or path != damage.file):
            caveats.append(CaveatKind.OTHER_RUN.because(f"{path} is of another run", file=path))
        elif whose is None and damage is None and (problem := _tables_problem(path)):
            unread = DamagedError(f"{path} can't be read: {problem}", path)
            caveats.append(unread.caveat(not known.bad))
    return Stored(dataclasses.replace(run, warnings=(*run.warnings, *caveats)), {})


def finish(directory: str | Path) -> None:
    """Writes batches.parquet and run.json from the journal, replacing older ones.

    RecordError: the journal can't be read, or run.json or a table is another run's; MachineError:
    the disk is full. Until both are there, `load` goes on reading the journal.
    """
    directory = Path(directory)
    content = read_file(directory / JOURNAL)
    run = replay(directory / JOURNAL, content).run(str(directory))
    check_own(directory, run.id)
    tabulate(directory, run, len(content))


def finish_ended(directory: str | Path) -> None:
    """Does what `finish` does, for a campaign that ended before; UsageError while one goes on."""
    with alone(Path(directory) / JOURNAL):
        finish(directory)


def tabulate(directory: Path, run: Run, journal_bytes: int) -> None:
    """Writes `run`, read from a journal of that length, as finish does; it must have strips."""
    if run.strips is None or run.conditions is None:
        raise ValueError("only runs whose strips are known can be tabulated")
    tables = run.strips, run.conditions
    checksums = (
        _tabulated(directory / PARQUET, lambda path: write_batches(path, run.batches, run.id)),
        _tabulated(directory / SLICES, lambda path: write_strips(path, *tables, run.id)),
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


def runs_below(
    directory: str | Path, say: Callable[[list[Caveat]], object], made_by: str = "leadline run"
) -> list[Path]:
    """The run directories anywhere below `directory`, itself included, by path.

    What can't be looked into `say` is told. RecordError: there is no run, or `directory` isn't one;
    it names the command that such runs are `made_by`.
    """

    def pass_over(error: OSError) -> None:
        if isinstance(error, PermissionError) or error.filename != str(directory):
            say([left_out(f"{error.filename}: can't be looked into: {error.strerror}")])

    walk = os.walk(directory, onerror=pass_over)
    found = [Path(path) for path, _, files in walk if not {JOURNAL, MANIFEST}.isdisjoint(files)]
    if not found:
        raise RecordError(str(directory), None, f"there is no run below it; see `{made_by}`")
    return sorted(found)


def left_out(error: RecordError | str) -> Caveat:
    """The caveat of a run that isn't read because of `error`."""
    return CaveatKind.UNREADABLE.because(str(error))


def runs_beside(directory: str | Path) -> list[Path]:
    """The other run directories in the folder that has `directory`, the latest written first."""
    own = real(directory)
    found = {
        path.parent: path.stat().st_mtime
        for name in (JOURNAL, MANIFEST)
        for path in own.parent.glob(f"*/{name}")
        if path.parent != own
    }
    return sorted(found, key=lambda path: (-found[path], path))


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
    known.leave_out()
    return known


def read_file(path: Path) -> bytes:
    """The content of `path`, a file of a run; RecordError if there is none."""
    try:
        return read_plain(path)
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: OSError, what: str = "read") -> RecordError:
    """The RecordError for the file `path` of a run, which couldn't be opened to be `what`."""
    directory = str(path.parent)
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        return RecordError(str(path), None, f"can't be {what}: {error.strerror}")
    if not path.parent.exists():
        return RecordError(directory, None, "no such run directory")
    return RecordError(
        directory, None, f"not a run: there is no {path.name} in it; give a directory that "
        "`leadline run` wrote",
    )  # fmt: skip


def check_own(directory: Path, run: str) -> None:
    """RecordError where run.json, or a table, in `directory` isn't of the `run` with that id.

    That id is the journal's.
    """
    try:
        manifest = _manifest(directory)
    except DamagedError:
        manifest = None
    runs = {path: _tables_run(path) for path in (directory / PARQUET, directory / SLICES)}
    for path, found in {directory / MANIFEST: manifest and manifest.run.id, **runs}.items():
        if found not in (None, run):
            raise RecordError(
                str(path), None, f"is of another run than {JOURNAL} beside it, and would be "
                "written over; move one of them to where its own run is",
            )  # fmt: skip


def _checksum(path: Path) -> str:
    """Of the whole file, which is never in memory as one."""
    known = 0
    with open_plain(path) as file:
        while piece := file.read(PIECE_BYTES):
            known = zlib.crc32(piece, known)
    return f"{known:08x}"


def _load_finished(directory: Path) -> Stored | None:
    """None: never finished, or gone on since. DamagedError: what finish wrote is damaged."""
    manifest = _manifest(directory)
    if manifest is None:
        return None
    journal = directory / JOURNAL
    beside = _journals_run(journal)
    if beside is not None and beside != manifest.run.id:
        return _beside_a_stranger(manifest, directory, beside)
    if _size(journal) > manifest.journal_bytes:
        return None
    run = _with_tables(manifest, directory)
    caveats = journal_caveats(journal)
    told = dataclasses.replace(run, warnings=(*run.warnings, *caveats)) if caveats else run
    return Stored(told, _tables(manifest, directory))


def _beside_a_stranger(manifest: Manifest, directory: Path, beside: str) -> Stored:
    """What `manifest` and its tables say, where the journal is of the run `beside`.

    DamagedError: the tables are of that run as well. RecordError: they can't be used.
    """
    journal, tables = directory / JOURNAL, _tables(manifest, directory)
    try:
        run = _with_tables(manifest, directory)
    except DamagedError as damage:
        if beside in map(_tables_run, tables.values()):
            raise foreign(directory / MANIFEST) from None
        problem = f"can't be read: {damage}; {journal} is of another run: put its own back"
        raise RecordError(str(directory), None, problem) from None
    cause = f"{journal} is of another run than {MANIFEST} and the tables, which were read"
    caveat = CaveatKind.OTHER_RUN.because(cause, file=journal)
    return Stored(dataclasses.replace(run, warnings=(*run.warnings, caveat)), tables)


def _tables(manifest: Manifest, directory: Path) -> dict[str, Path]:
    """Those that `manifest` knows, by their name in SQL."""
    sums = {PARQUET: manifest.parquet_crc32, SLICES: manifest.slices_crc32}
    files = [directory / name for name, crc32 in sums.items() if crc32 is not None]
    return {path.stem: path for path in files}


def _journals_run(path: Path) -> str | None:
    """The id in the first line of the journal `path`; None: it is gone, or doesn't say."""
    known = Replay(str(path))
    try:
        with open_plain(path) as file:
            known.feed(file.readline(LONGEST_HEADER).removesuffix(b"\n"))
    except (OSError, RecordError):
        return None
    return known.id


def _tables_run(path: Path) -> str | None:
    """The id in the table `path`; None: it is gone, or doesn't say."""
    try:
        return run_of(path)
    except OSError:
        return None


def _tables_problem(path: Path) -> str | None:
    """Why what lies at `path` is no table of anybody's; None where nothing does."""
    try:
        open_plain(path).close()
        rows_of(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return error.strerror or str(error)
    except ParquetError as error:
        return str(error)
    return None


def _manifest(directory: Path) -> Manifest | None:
    """What run.json says; None: there is none. DamagedError: it can't be used."""
    path = directory / MANIFEST
    try:
        return read_manifest(read_plain(path), str(directory))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return None
        raise DamagedError.of(path, error, path) from None
    except FormatError as problem:
        raise DamagedError(f"{path} {problem}", path) from None


def _size(path: Path) -> int:
    """Bytes of the file `path`; 0 if it is gone."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _with_tables(manifest: Manifest, directory: Path) -> Run:
    """The run with its batches, and strips where there is a table of them: since format 4."""
    file = directory / PARQUET
    with _reading(file, manifest.parquet_crc32, manifest.run):
        extents = extents_of(file)
        if problem := beyond(manifest.run, extents):
            raise ParquetError(problem)
        if manifest.slices_crc32 is None:
            batches = read_batches(file)
            strips = batches.strips if isinstance(batches, StripedBatches) else None
            if problem := crowded(manifest.run, strips or batches):
                raise ParquetError(problem)
            return dataclasses.replace(manifest.run, batches=batches, strips=strips)
    with _reading(directory / SLICES, manifest.slices_crc32, manifest.run):
        strips, conditions = read_strips(directory / SLICES, manifest.version)
        if problem := misfit(manifest.run, strips, conditions, extents.rows):
            raise ParquetError(problem)
    with _reading(file, None, manifest.run):
        batches = striped_batches(file, strips, extents.has_spread)
    return dataclasses.replace(
        manifest.run,
        batches=batches,
        strips=strips,
        conditions=conditions,
    )


@contextlib.contextmanager
def _reading(path: Path, crc32: str | None, run: Run) -> Iterator[None]:
    """Checks the table at `path` of `run` first; turns what goes wrong inside into a DamagedError.

    It can be had again from the journal, so that run.json is what is to go. `crc32` None: checked.
    """
    manifest = path.parent / MANIFEST
    try:
        if run_of(path) not in (None, run.id):
            raise foreign(path)
        if crc32 is not None and _checksum(path) != crc32:
            raise DamagedError(f"{path} doesn't match {MANIFEST}", manifest)
        yield
    except OSError as error:
        raise DamagedError.of(path, error, manifest) from None
    except ParquetError as error:
        raise DamagedError(f"{path}: {error}", manifest) from None
