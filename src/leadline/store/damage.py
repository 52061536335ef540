"""What of a run directory can't be used, and what is said of it."""

from __future__ import annotations

import dataclasses
import errno
from pathlib import Path

from leadline.errors import MachineError
from leadline.files import open_plain
from leadline.record.caveats import Caveat, CaveatKind

_LACKING = {
    errno.EMFILE: "allow more open files: ulimit -n",
    errno.ENFILE: "end what keeps files open on this machine",
    errno.ENOMEM: "free memory, or allow more memory: ulimit -v",
}
"""Remedies for what no file is to blame for."""


class DamagedError(Exception):
    """run.json or a table can't be used; the message says why."""

    def __init__(self, problem: str, file: Path, kind: CaveatKind = CaveatKind.PARQUET) -> None:
        """Which `kind` of caveat it makes, whose remedy is about `file`."""
        self.file, self.kind = file, kind
        self.closed: Path | None = None
        """The file that is as whole as it was for who may read it."""
        super().__init__(problem)

    @classmethod
    def of(cls, path: Path, error: OSError, file: Path) -> DamagedError:
        """That `path` can't be opened; `file` is what is to go, unless rights are all it lacks.

        MachineError where this process lacks something.
        """
        if error.errno in _LACKING:
            raise MachineError(f"{path}: can't be read: {error.strerror}; {_LACKING[error.errno]}")
        damaged = cls(f"{path} can't be read: {error.strerror}", file)
        damaged.closed = path if isinstance(error, PermissionError) else None
        return damaged

    def caveat(self, whole: bool) -> Caveat:
        """What is said where the journal was read; `whole`: it has all that was measured."""
        found = self.kind.because(f"{self}; the journal was read instead", file=self.file)
        if self.closed is not None:
            return dataclasses.replace(found, remedy=f"make {self.closed} readable")
        if whole or self.kind is not CaveatKind.PARQUET:
            return found
        keep = (
            f"keep {self.file}: the journal lacks lines too; put back whichever you have a copy of"
        )
        return dataclasses.replace(found, remedy=keep)


def foreign(path: Path) -> DamagedError:
    """That the file `path` is of another run."""
    return DamagedError(f"{path} is of another run", path, CaveatKind.OTHER_RUN)


def journal_caveats(path: Path) -> list[Caveat]:
    """That what lies at `path` is no journal; one that is gone, or closed to others, may be."""
    try:
        open_plain(path).close()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []
    except OSError as error:
        cause = f"{path} can't be read: {error.strerror}; the tables were read instead"
        return [CaveatKind.JOURNAL.because(cause, file=path)]
    return []
