"""The runs that a command names, all read in one way: what isn't whole is said, and may count.

Also runs of studies below a directory, and whether something of them failed.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.parsing.forms import say
from leadline.errors import FileError, RecordError, UsageError, printable
from leadline.files import real
from leadline.record.caveats import UNMEASURED

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
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
    from leadline.models.file import read_models

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


def load_measured(paths: Sequence[str], reader: Reader) -> list[Analysis]:
    """The analyses of the runs in `paths`, as `reader` reads them.

    UsageError for a run that is named twice, and if none measured anything.
    """
    from leadline.compare.analysis import Analysis

    places = [real(path) for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            raise UsageError(f"{path} is given twice; name each run once")
    found = [Analysis(reader.run(path)) for path in paths]
    if not any(one.summaries for one in found):
        raise UsageError(
            f"nothing was measured in {' '.join(paths)}; `leadline show` says what failed"
        )
    return found


StudyRuns = dict[str, dict[str, "Run"]]
"""By study, then by stage."""


def runs_of(
    directories: Iterable[Path], studies: Collection[str], option: str, reader: Reader
) -> StudyRuns:
    """Those below `directories` that belong to one of `studies`, all stages of a study together.

    Those that `reader` can't read are left out. UsageError, about the `option` that named the
    directory: a study is there twice. RecordError: there is no run below one.
    """
    from leadline.store import runs_below

    found = StudyRuns()
    for directory in dict.fromkeys(directories):
        for path in runs_below(directory, reader.say, "leadline study"):
            with reader.leaving_out():
                run = reader.run(path)
                if (name := _study_of(run)) in studies:
                    _add(found.setdefault(name, {}), path.name, run, f"{option} {directory}")
                else:
                    reader.pass_over(run.path)
    return found


def _study_of(run: Run) -> str:
    """The name of the study that it was measured for; "": none."""
    belongs = run.provenance.study
    return belongs.name or "" if belongs else ""


def _add(stages: dict[str, Run], stage: str, run: Run, where: str) -> None:
    if stage in stages:
        raise UsageError(f"{where}: several studies are below it; name one of them")
    stages[stage] = run


def lost(run: Run) -> bool:
    """Whether a cell failed that had a core for each rank, or a variant was left out."""
    alone = (not run.configurations[f.configuration].oversubscribed for f in run.failures)
    return any(alone) or any(caveat.code in UNMEASURED for caveat in run.warnings)
