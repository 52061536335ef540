"""Reads the runs that a command names: what isn't complete is reported, and may set the status.

Also runs beside these, which show how far runs lie apart where nothing was changed, and runs of
studies below a directory.
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
from leadline.record.warnings import UNMEASURED
from leadline.units import parse_share

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.compare.between import RunsApart
    from leadline.record.run import Run
    from leadline.record.warnings import RunWarning
    from leadline.store import Stored

MOST_MODEL_BYTES = 2**24
"""Size of a file that is examined for being a model, in bytes."""
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
    """Reads runs; prints once on stderr what of them is damaged, missing or left out."""

    def __init__(self, strict: bool = False) -> None:
        """`strict`: as --strict has it."""
        self._strict = strict
        self._warnings: dict[RunWarning, None] = {}
        self._objections: set[str] = set()

    def run(self, path: str | Path, beside: bool = False) -> Run:
        """The run at `path`; RecordError where it can't be read.

        `beside`: the run wasn't named on the command line. It may be incomplete without a message;
        damage of it is reported, and doesn't count for --strict.
        """
        return self.stored(path, beside).run

    def stored(self, path: str | Path, beside: bool = False) -> Stored:
        """Like `run`, with the place of the run's tables."""
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
        """Marks the run in the directory `run`, which was read, as not asked for.

        What was reported of it doesn't count for --strict.
        """
        self._objections.discard(run)

    @contextlib.contextmanager
    def leaving_out(self, beside: bool = False) -> Iterator[None]:
        """A context: a run that can't be read in it is left out and reported; `beside`: see run."""
        from leadline.store import left_out

        try:
            yield
        except RecordError as error:
            self.say([left_out(error)], beside)

    def say(self, warnings: Iterable[RunWarning], beside: bool = False) -> None:
        """Prints warnings on stderr, each once; those of runs `beside` don't count."""
        self._tell("", warnings, beside)

    def _tell(self, run: str, warnings: Iterable[RunWarning], beside: bool) -> None:
        """Like `say`, about the directory `run`; "": about no run that could be read."""
        for warning in warnings:
            if not beside:
                self._objections.add(run)
            if warning not in self._warnings:
                self._warnings[warning] = None
                line = printable(f"{warning.code}: {warning.cause} ({warning.remedy})", kept="")
                say(line)

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """All warnings so far, in order."""
        return tuple(self._warnings)

    def status(self, otherwise: int = 0) -> int:
        """The command's exit status: `otherwise`, unless --strict has a run to object to."""
        return NOT_WHOLE if self._strict and self._objections else otherwise


def _refuse_model(path: str) -> None:
    """RecordError where `path` is a model; it names the command that takes models."""
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
    analyses = [Analysis(reader.run(path)) for path in paths]
    if not any(analysis.summaries for analysis in analyses):
        raise UsageError(
            f"nothing was measured in {' '.join(paths)}; `leadline show` says what failed"
        )
    return analyses


MOST_BESIDE = 40
"""Runs beside those that are compared; of more, the latest written."""
OF_TWO = "spread between runs where nothing was changed, to compare two runs"


def add_between(parser: argparse.ArgumentParser, what: str = OF_TWO) -> None:
    """The option `--between`; `what` begins its help text."""
    parser.add_argument(
        "--between",
        metavar="SHARE",
        help=f"{what}, as a standard deviation (default: that of comparable runs beside)",
    )


def runs_apart(paths: Sequence[str], stated: str | None, reader: Reader) -> RunsApart:
    """How far runs lie apart: as `stated`, else by the runs that lie beside those in `paths`.

    Runs beside that `reader` can't read are left out. UsageError where `stated` is no share.
    """
    from leadline.compare.analysis import Analysis
    from leadline.compare.between import RunsApart
    from leadline.store import runs_beside

    if stated is not None:
        return RunsApart(parse_share(stated))
    own = {real(path) for path in paths}
    beside = dict.fromkeys(run for path in paths for run in runs_beside(path) if run not in own)
    found = []
    for directory in list(beside)[:MOST_BESIDE]:
        with reader.leaving_out(beside=True):
            found.append(Analysis(reader.run(directory, beside=True)))
    return RunsApart(beside=tuple(found))


StudyRuns = dict[str, dict[str, "Run"]]
"""By study, then by stage."""


def runs_of(
    directories: Iterable[Path], studies: Collection[str], option: str, reader: Reader
) -> StudyRuns:
    """Runs below `directories` that belong to one of `studies`, all stages of a study together.

    Runs that `reader` can't read are left out.

    Raises:
        UsageError: A study is there twice; the message names the `option`.
        RecordError: There is no run below a directory.
    """
    from leadline.store import runs_below

    found = StudyRuns()
    for directory in dict.fromkeys(directories):
        for path in runs_below(directory, reader.say, "leadline study"):
            with reader.leaving_out():
                run = reader.run(path)
                study = run.provenance.study
                name = study.name if study else None
                if not name or name not in studies:
                    reader.pass_over(run.path)
                    continue
                stages = found.setdefault(name, {})
                if path.name in stages:
                    raise UsageError(
                        f"{option} {directory}: several studies are below it; name one of them"
                    )
                stages[path.name] = run
    return found


def lost(run: Run) -> bool:
    """Whether a cell failed that had a core for each rank, or a variant was left out."""
    alone = (not run.configurations[f.configuration].oversubscribed for f in run.failures)
    return any(alone) or any(warning.code in UNMEASURED for warning in run.warnings)
