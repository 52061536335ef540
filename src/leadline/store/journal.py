"""Journal of a campaign that is running."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.errors import RecordError, UsageError
from leadline.record.fields import FormatError
from leadline.record.run import FORMAT_VERSION, Cell, ClockFit, Configuration, Failure, Host, Stated
from leadline.record.slices import Slice
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.store.directory import JOURNAL, check_own, read_file, replay, unreadable
from leadline.store.durable import append, lock, sync, writing
from leadline.store.lines import encode, encode_all, seal, unseal
from leadline.store.replay import Replay
from leadline.store.slice_lines import encode_slice


class Journal:
    """Append what a campaign records, line by line; a context manager that releases the file.

    Leaving the context without `close` leaves the run incomplete, which `--resume` can go on with.
    """

    def __init__(self, path: Path, descriptor: int, known: Replay) -> None:
        """Take over an open, locked file; use `create` or `reopen`. `known`: its replay."""
        self.path = path
        self.id = known.id
        """Id of the run."""
        self._descriptor = descriptor
        self._lines = max(known.last, known.lines)
        self._configurations = list(known.configurations)
        self._hosts = list(known.hosts)
        self._cells = {cell: index for index, cell in enumerate(known.cells)}
        self.next_block = max((slice_.block for slice_ in known.slices), default=-1) + 1
        """Number of the first block of which nothing was recorded when the file was opened."""
        self.next_launch = max((slice_.launch for slice_ in known.slices), default=-1) + 1
        """Number of the first launch of which nothing was recorded by then."""

    @classmethod
    def create(cls, directory: str | Path, metadata: Mapping[str, Any]) -> Journal:
        """Begin a run in `directory`.

        Raises:
            UsageError: `directory` exists and isn't empty.
        """
        directory = Path(directory)
        check_unused(directory)
        path = directory / JOURNAL
        with writing(path):
            directory.mkdir(parents=True, exist_ok=True)
            try:
                new = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND
                descriptor = os.open(path, new, mode=0o666)
            except FileExistsError:
                raise _used(directory) from None
        known = Replay(str(path))
        known.id = uuid.uuid4().hex
        journal = cls(path, descriptor, known)
        try:
            locked = lock(descriptor, path)
            journal._add(
                "run", format=FORMAT_VERSION, id=known.id, leadline=__version__, metadata=metadata
            )
            journal._warn_unless(locked)
            sync(directory)
        except BaseException:
            path.unlink()
            journal.release()
            raise
        return journal

    @classmethod
    def reopen(cls, directory: str | Path) -> Journal:
        """Go on with the journal in `directory`.

        A last line that was cut short by a kill is removed (without its end it can't be read) with
        a warning; whole lines, good or bad, stay as they are.

        Raises:
            UsageError: another campaign writes to it.
        """
        path = Path(directory) / JOURNAL
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise unreadable(path, error, "written") from None
        try:
            return cls._resumed(path, descriptor)
        except BaseException:
            os.close(descriptor)
            raise

    @classmethod
    def _resumed(cls, path: Path, descriptor: int) -> Journal:
        """The journal at `path`, open as `descriptor`, locked and without a torn last line."""
        locked = lock(descriptor, path)
        content = read_file(path)
        # the last line is torn if it was cut short, not if only its newline is missing
        end = content.rfind(b"\n") + 1
        kept, torn = content, b""
        try:
            unseal(content[end:])
        except FormatError:
            kept, torn = content[:end], content[end:]
        known = replay(path, kept)
        check_own(path.parent, known.id)
        if known.lost_definition:
            raise RecordError(
                str(path), None, "a line that defines a configuration or cell is lost, so this run "
                "can't go on; what else it holds can still be read. Start another run",
            )  # fmt: skip
        if torn:
            with writing(path):
                os.ftruncate(descriptor, len(kept))
        elif not kept.endswith(b"\n"):
            append(descriptor, b"\n", path)
        journal = cls(path, descriptor, known)
        journal._warn_unless(locked)
        if torn:
            journal.add_warning(
                warning_of(WarningKind.TORN_LINE, file=path, line=known.lines + 1, length=len(torn))
            )
        return journal

    def _warn_unless(self, locked: bool) -> None:
        """Warn where the file system has no locks."""
        if not locked:
            self.add_warning(warning_of(WarningKind.NO_LOCK, file=self.path))

    def _add(self, kind: str, **fields: Any) -> None:
        """Append one sealed line."""
        record = {"kind": kind, "line": self._lines + 1} | fields
        append(self._descriptor, seal(record) + b"\n", self.path)
        self._lines += 1

    def add_configuration(self, configuration: Configuration) -> int:
        """Write `configuration` unless the journal has it already; returns its index."""
        if configuration in self._configurations:
            return self._configurations.index(configuration)
        index = len(self._configurations)
        self._add("configuration", index=index, **encode(configuration))
        self._configurations.append(configuration)
        return index

    def add_transport(self, configuration: int, transport: str) -> None:
        """Write the transport that stands for that of the configuration with this index."""
        self._add("transport", configuration=configuration, transport=transport)

    def add_cells(self, cells: Sequence[Cell]) -> tuple[int, ...]:
        """Write those of `cells` that the journal doesn't have; returns the index of each."""
        first = len(self._cells)
        places = tuple(self._cells.setdefault(cell, len(self._cells)) for cell in cells)
        new = list(self._cells)[first:]
        if new:
            self._add("cells", first=first, cells=encode_all(new))
        return places

    def add_slice(self, slice_: Slice) -> None:
        """Write what one visit to one cell recorded."""
        self._add("slice", **encode_slice(slice_))

    def add_stated(self, stated: Stated) -> None:
        """Write values that weren't measured here."""
        self._add("stated", **encode(stated))

    def add_host(self, host: Host) -> None:
        """Write what the ranks on a host reported of it, unless the journal has that already."""
        if host not in self._hosts:
            self._add("host", **encode(host))
            self._hosts.append(host)

    def add_clock_fit(self, fit: ClockFit) -> None:
        """Write the fit of a host's clock to the first host's."""
        self._add("clock_fit", **encode(fit))

    def add_failure(self, failure: Failure) -> None:
        """Write that a cell or a launch failed."""
        self._add("failure", **encode(failure))

    def add_warning(self, warning: RunWarning) -> None:
        """Write a warning that every report on this run will show."""
        self._add("warning", **encode(warning))

    def end(self, complete: bool) -> None:
        """Write whether the campaign did all that was asked; the file stays locked."""
        self._add("end", complete=complete)

    def close(self, complete: bool) -> None:
        """Write what `end` writes, and release the file."""
        self.end(complete)
        self.release()

    def release(self) -> None:
        """Release the file and its lock, writing nothing more."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Journal:
        """The journal itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Release the file."""
        self.release()


def check_unused(directory: Path) -> None:
    """Check that a run can begin in `directory`.

    Raises:
        UsageError: it exists and isn't empty, or can't be used.
    """
    try:
        str(directory).encode()
    except UnicodeEncodeError:
        raise UsageError(f"--out {str(directory)!r} isn't UTF-8; give another name") from None
    try:
        if (directory / JOURNAL).exists():
            raise _used(directory)
        other = next(directory.iterdir(), None)
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"--out {directory}: {error.strerror}; give another") from None
    if other is not None:
        raise UsageError(
            f"--out {directory} isn't empty (it holds {other.name}); give a new directory"
        )


def _used(directory: Path) -> UsageError:
    return UsageError(
        f"{directory} already holds a run; go on with it by `leadline run --resume {directory}`, "
        "or give another --out"
    )
