"""Run directories: which files are in one, reading it, finishing it, and its plan.

The plan of a run is a checksummed file of its own beside the journal.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from leadline.errors import MachineError, RecordError
from leadline.files import open_plain, read_plain, real
from leadline.record.batches import StripedBatches
from leadline.record.fields import FormatError
from leadline.record.run import Run
from leadline.record.warnings import Remedy, RunWarning, WarningKind, warning_of
from leadline.store.bounds import beyond, crowded, misfit
from leadline.store.durable import alone, refused, replacing, writing
from leadline.store.lines import Record, seal, unseal
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
PLAN = "plan.json"
OWN = {JOURNAL, MANIFEST, PARQUET, SLICES, PLAN}
"""Names of a run's own files."""
PIECE_BYTES = 2**20
LONGEST_HEADER = 2**26
"""Number of bytes of a journal's first line that are read for the run's id."""
_LACKING = {
    errno.EMFILE: "allow more open files: ulimit -n",
    errno.ENFILE: "end what keeps files open on this machine",
    errno.ENOMEM: "free memory, or allow more memory: ulimit -v",
}
"""Remedies for errors that no file is to blame for."""


@dataclasses.dataclass(frozen=True, slots=True)
class Stored:
    """A run, and the paths of its tables for code that reads them in place."""

    run: Run
    tables: Mapping[str, Path]
    """Whole Parquet files, "batches" and since format 4 "slices"; empty: the run is from the
    journal."""


def load(directory: str | Path) -> Run:
    """Read the run in `directory`: from its Parquet where that is whole, else from the journal.

    Bad lines and a damaged Parquet become warnings of the Run, its `damage`.

    Raises:
        RecordError: neither can be read.
    """
    return stored(directory).run


def stored(directory: str | Path) -> Stored:
    """Read a run as `load` does, and the paths of its tables: the only way to read runs."""
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
    """The run from its journal, where there is nothing else, or because of the `damage`."""
    known = read_journal(directory)
    run = known.run(str(directory))
    warnings = []
    if damage:
        warnings.append(damage.warning_of(known.complete and not known.bad))
    for path in (directory / PARQUET, directory / SLICES):
        whose = _tables_run(path)
        if whose not in (None, run.id) and (damage is None or path != damage.file):
            warnings.append(warning_of(WarningKind.OTHER_RUN, file=path))
        elif whose is None and damage is None and (problem := _tables_problem(path)):
            unread = DamagedError(f"{path} can't be read: {problem}", path)
            warnings.append(unread.warning_of(not known.bad))
    return Stored(dataclasses.replace(run, warnings=(*run.warnings, *warnings)), {})


def finish(directory: str | Path) -> None:
    """Write batches.parquet and run.json from the journal, replacing older ones.

    Until both are there, `load` goes on reading the journal.

    Raises:
        RecordError: the journal can't be read, or run.json or a table is another run's.
        MachineError: the disk is full.
    """
    directory = Path(directory)
    content = read_file(directory / JOURNAL)
    run = replay(directory / JOURNAL, content).run(str(directory))
    check_own(directory, run.id)
    tabulate(directory, run, len(content))


def finish_ended(directory: str | Path) -> None:
    """Finish a campaign that ended before, as `finish` does.

    Raises:
        UsageError: the campaign still goes on.
    """
    with alone(Path(directory) / JOURNAL):
        finish(directory)


def tabulate(directory: Path, run: Run, journal_bytes: int) -> None:
    """Write the tables and run.json of `run`, read from a journal of that length.

    The run must have strips.
    """
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
    """Write a table to `path` with `write`; returns its checksum."""
    with replacing(path) as temporary:
        try:
            write(temporary)
        except ParquetError as error:
            raise refused(path, str(error)) from None
        return _checksum(temporary)


def runs_below(
    directory: str | Path, say: Callable[[list[RunWarning]], object], made_by: str = "leadline run"
) -> list[Path]:
    """Run directories anywhere below `directory`, itself included, by path.

    `say` receives warnings about what can't be looked into.

    Raises:
        RecordError: there is no run, or `directory` isn't one; the message names the command that
            such runs are `made_by`.
    """

    def pass_over(error: OSError) -> None:
        if isinstance(error, PermissionError) or error.filename != str(directory):
            say([left_out(f"{error.filename}: can't be looked into: {error.strerror}")])

    walk = os.walk(directory, onerror=pass_over)
    runs = [Path(path) for path, _, files in walk if not {JOURNAL, MANIFEST}.isdisjoint(files)]
    if not runs:
        raise RecordError(str(directory), None, f"there is no run below it; see `{made_by}`")
    return sorted(runs)


def left_out(error: RecordError | str) -> RunWarning:
    """Warning about a run that isn't read because of `error`."""
    return warning_of(WarningKind.UNREADABLE, error=error)


def is_own(path: Path) -> bool:
    """Whether `path` is, or would be, a file of the run that lies in its directory."""
    if path.name not in OWN:
        return False
    return any((path.parent / name).is_file() for name in (JOURNAL, MANIFEST))


def runs_beside(directory: str | Path) -> list[Path]:
    """Other run directories in the folder that has `directory`, the latest written first."""
    own = real(directory)
    written = {
        path.parent: path.stat().st_mtime
        for name in (JOURNAL, MANIFEST)
        for path in own.parent.glob(f"*/{name}")
        if path.parent != own
    }
    return sorted(written, key=lambda path: (-written[path], path))


def read_journal(directory: Path) -> Replay:
    """Replay the journal in `directory`.

    Raises:
        RecordError: its header can't be read.
    """
    path = directory / JOURNAL
    return replay(path, read_file(path))


def replay(path: Path, content: bytes) -> Replay:
    """Replay the lines of `content`, a journal called `path`."""
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
    """Content of `path`, a file of a run.

    Raises:
        RecordError: there is none, or it can't be read.
    """
    try:
        return read_plain(path)
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: OSError, what: str = "read") -> RecordError:
    """RecordError for the file `path` of a run that couldn't be opened to be `what`."""
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
    """Check that run.json and the tables in `directory` are of the `run` with that id.

    It is the journal's id.

    Raises:
        RecordError: one of them is of another run.
    """
    try:
        manifest = _manifest(directory)
    except DamagedError:
        manifest = None
    runs = {path: _tables_run(path) for path in (directory / PARQUET, directory / SLICES)}
    for path, its_run in {directory / MANIFEST: manifest and manifest.run.id, **runs}.items():
        if its_run not in (None, run):
            raise RecordError(
                str(path), None, f"is of another run than {JOURNAL} beside it, and would be "
                "written over; move one of them to where its own run is",
            )  # fmt: skip


def _checksum(path: Path) -> str:
    """Checksum of the whole file, which is never in memory as one."""
    known = 0
    with open_plain(path) as file:
        while piece := file.read(PIECE_BYTES):
            known = zlib.crc32(piece, known)
    return f"{known:08x}"


def _load_finished(directory: Path) -> Stored | None:
    """The run from its tables; None: never finished, or gone on since.

    Raises:
        DamagedError: what finish wrote is damaged.
    """
    manifest = _manifest(directory)
    if manifest is None:
        return None
    journal = directory / JOURNAL
    # the id in the journal's first line, unless the journal is gone or has none
    header = Replay(str(journal))
    try:
        with open_plain(journal) as file:
            header.feed(file.readline(LONGEST_HEADER).removesuffix(b"\n"))
    except (OSError, RecordError):
        pass
    else:
        if header.id != manifest.run.id:
            return _beside_a_stranger(manifest, directory, header.id)
    try:
        size = journal.stat().st_size
    except OSError:
        size = 0
    if size > manifest.journal_bytes:
        return None
    run = _with_tables(manifest, directory)
    warnings = journal_warnings(journal)
    if warnings:
        run = dataclasses.replace(run, warnings=(*run.warnings, *warnings))
    return Stored(run, _tables(manifest, directory))


def _beside_a_stranger(manifest: Manifest, directory: Path, beside: str) -> Stored:
    """The run of `manifest` and its tables, where the journal is of the run `beside`.

    Raises:
        DamagedError: the tables are of that run as well.
        RecordError: the tables can't be used.
    """
    journal, tables = directory / JOURNAL, _tables(manifest, directory)
    try:
        run = _with_tables(manifest, directory)
    except DamagedError as damage:
        if beside in map(_tables_run, tables.values()):
            raise foreign(directory / MANIFEST) from None
        problem = f"can't be read: {damage}; {journal} is of another run: put its own back"
        raise RecordError(str(directory), None, problem) from None
    other = warning_of(WarningKind.OTHER_RUN, file=journal, manifest=MANIFEST)
    return Stored(dataclasses.replace(run, warnings=(*run.warnings, other)), tables)


def _tables(manifest: Manifest, directory: Path) -> dict[str, Path]:
    """Tables that `manifest` knows, by their name in SQL."""
    sums = {PARQUET: manifest.parquet_crc32, SLICES: manifest.slices_crc32}
    files = [directory / name for name, crc32 in sums.items() if crc32 is not None]
    return {path.stem: path for path in files}


def _tables_run(path: Path) -> str | None:
    """Id in the table `path`; None: the table is gone, or has none."""
    try:
        return run_of(path)
    except OSError:
        return None


def _tables_problem(path: Path) -> str | None:
    """Reason why what lies at `path` is no table; None also where there is nothing."""
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
    """Content of run.json; None: there is none.

    Raises:
        DamagedError: it can't be used.
    """
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
    """Check the table at `path` of `run`, and turn what goes wrong inside into a DamagedError.

    The table can be recreated from the journal, so that run.json is the file to remove. `crc32`
    None: already checked.
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


# -- damage ----------------------------------------------------------------------------------------


class DamagedError(Exception):
    """run.json or a table that can't be used; the message has the reason."""

    def __init__(self, problem: str, file: Path, kind: WarningKind = WarningKind.PARQUET) -> None:
        """Take the `kind` of warning that it makes, whose remedy is about `file`."""
        self.file, self.kind = file, kind
        self.closed: Path | None = None
        """File that may be whole, but that this user can't read."""
        super().__init__(problem)

    @classmethod
    def of(cls, path: Path, error: OSError, file: Path) -> DamagedError:
        """DamagedError for a `path` that can't be opened.

        `file` is the one to remove, unless rights are all it lacks.

        Raises:
            MachineError: this process lacks something.
        """
        if error.errno in _LACKING:
            raise MachineError(f"{path}: can't be read: {error.strerror}; {_LACKING[error.errno]}")
        damaged = cls(f"{path} can't be read: {error.strerror}", file)
        damaged.closed = path if isinstance(error, PermissionError) else None
        return damaged

    def warning_of(self, whole: bool) -> RunWarning:
        """Warning where the journal was read instead; `whole`: it has all that was measured."""
        warning = warning_of(self.kind, problem=self, file=self.file)
        if self.closed is not None:
            return dataclasses.replace(warning, remedy=Remedy.READABLE(file=self.closed))
        if whole or self.kind is not WarningKind.PARQUET:
            return warning
        return dataclasses.replace(warning, remedy=Remedy.KEEP(file=self.file))


def foreign(path: Path) -> DamagedError:
    """DamagedError for the file `path` of another run."""
    return DamagedError(f"{path} is of another run", path, WarningKind.OTHER_RUN)


def journal_warnings(path: Path) -> list[RunWarning]:
    """Warnings that what lies at `path` is no journal.

    Empty where it is gone, or closed to this user: it may be one.
    """
    try:
        open_plain(path).close()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []
    except OSError as error:
        return [warning_of(WarningKind.JOURNAL, file=path, problem=error.strerror)]
    return []


# -- the plan --------------------------------------------------------------------------------------


def write_plan(directory: str | Path, plan: Mapping[str, Any], run: str) -> None:
    """Write `plan` of the `run` with that id beside its journal in `directory`, durably.

    Raises:
        MachineError: the disk is full.
    """
    with replacing(Path(directory) / PLAN) as temporary, writing(temporary):
        temporary.write_bytes(seal({"id": run, **plan}, indent=1))


def read_plan(directory: str | Path, run: str) -> Record | None:
    """Read what write_plan wrote; None where there is none.

    Raises:
        RecordError: it is damaged, or not of the `run` with that id.
    """
    path = Path(directory) / PLAN
    try:
        plan = unseal(read_plain(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise bad_plan(directory, f"can't be read: {error.strerror}") from None
    except FormatError as problem:
        raise bad_plan(directory, str(problem)) from None
    if plan.pop("id", "") != run:
        raise bad_plan(directory, "is of another run")
    return plan


def bad_plan(directory: str | Path, problem: str) -> RecordError:
    """RecordError for a plan that has the `problem`."""
    return RecordError(
        str(Path(directory) / PLAN),
        None,
        f"{problem}, so this run can't go on; what was measured is in the journal and can still "
        "be read. Start another run, or put a whole copy of the file in its place",
    )
