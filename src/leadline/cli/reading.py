"""The runs that a command names, all read in one way: what isn't whole is said, and may count."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.saying import say
from leadline.errors import FileError, RecordError, UsageError, printable

if TYPE_CHECKING:
    from leadline.record.caveats import Caveat
    from leadline.record.run import Run
    from leadline.store import Stored

MOST_MODEL_BYTES = 2**24
"""Of a file that is looked at for being a model."""
NOT_WHOLE = 4
"""The exit status under --strict where a run isn't whole, or was left out."""


def add_strict(parser: argparse.ArgumentParser) -> None:
    """The option `--strict`."""
    parser.add_argument(
        "--strict",
        action="store_true",
        help=f"exit status {NOT_WHOLE} where a run that is read isn't whole",
    )


class Reader:
    """Reads runs, and says once on stderr what of them is damaged, missing or left out."""

    def __init__(self, strict: bool = False) -> None:
        """`strict`: as --strict has it."""
        self._strict = strict
        self._said: dict[Caveat, None] = {}
        self._objections: set[str] = set()

    def run(self, path: str | Path, beside: bool = False) -> Run:
        """The run at `path`; RecordError where it can't be read.

        `beside`: none that was named, which may have been interrupted without a word, and whose
        damage is said, but isn't one of what was asked.
        """
        return self.stored(path, beside).run

    def stored(self, path: str | Path, beside: bool = False) -> Stored:
        """Likewise, and where its tables lie."""
        from leadline.compare.warnings import named, not_whole
        from leadline.store import stored

        try:
            found = stored(path)
        except RecordError:
            _refuse_model(str(path))
            raise
        run = found.run
        self._tell(run.path, named(run, run.damage) if beside else not_whole(run), beside)
        return found

    def pass_over(self, run: str) -> None:
        """Says that the directory `run`, which was read, turned out to be none of what was asked.

        What was said of it stays said, and doesn't count.
        """
        self._objections.discard(run)

    @contextlib.contextmanager
    def leaving_out(self, beside: bool = False) -> Iterator[None]:
        """A run that can't be read inside is left out, and that is said; `beside`: see run."""
        from leadline.store import left_out

        try:
            yield
        except RecordError as error:
            self.say([left_out(error)], beside)

    def say(self, caveats: Iterable[Caveat], beside: bool = False) -> None:
        """Prints on stderr those that weren't said yet; those of runs `beside` don't count."""
        self._tell("", caveats, beside)

    def _tell(self, run: str, caveats: Iterable[Caveat], beside: bool) -> None:
        """Likewise of the directory `run`; "": of none that could be read."""
        for one in caveats:
            if not beside:
                self._objections.add(run)
            if one not in self._said:
                self._said[one] = None
                said = printable(f"{one.code}: {one.cause} ({one.remedy})", kept="")
                say(said)

    @property
    def said(self) -> tuple[Caveat, ...]:
        """All so far, in order."""
        return tuple(self._said)

    def status(self, otherwise: int = 0) -> int:
        """The command's exit status: `otherwise`, unless --strict has a run to object to."""
        return NOT_WHOLE if self._strict and self._objections else otherwise


def _refuse_model(path: str) -> None:
    """A RecordError where `path` is a model, with the command that takes it."""
    from leadline.files import read_text
    from leadline.models.reading import read_models

    if not Path(path).is_file():
        return
    try:
        run = read_models(read_text(path, MOST_MODEL_BYTES), path).run
    except (FileError, UsageError):
        return
    raise RecordError(
        path, None, f"not a run: it is a model of {run}, for `leadline predict`; give a directory "
        "that `leadline run` wrote",
    )  # fmt: skip
