"""`leadline predict`: what operations, or a whole program, will take by the models of a run."""

from __future__ import annotations

import argparse
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.parsing.forms import Report, add_forms, print_report
from leadline.cli.parsing.reading import Reader
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.models.file import ModelFile

MOST_RANKS = 2**24
"""Largest number of ranks that can be asked for; more is a slip of the keyboard."""
MOST_NUMBERS = 2**16
"""Largest number of ranks in one range."""
_RANGE = re.compile(r"(\d+)(?:\.\.(\d+))?")
OF_POINTS, OF_PROGRAMS = ("pattern", "size"), ("work", "calls", "serial")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline predict`."""
    parser.add_argument("model", metavar="MODEL", help="a file that `leadline fit --out` wrote")
    parser.add_argument("--variant", metavar="NAME", help="a single variant (default: all)")
    parser.add_argument("--pattern", metavar="P", help="operation with its options, as in the run")
    parser.add_argument(
        "--ranks", metavar="N,...", help="numbers of ranks, 2 or more; 2..64 is all from 2 to 64"
    )
    parser.add_argument(
        "--size",
        metavar="S,...",
        help="message sizes, e.g. 8,64KiB; none for a pattern without sizes",
    )
    parser.add_argument(
        "--work",
        metavar="TIME",
        help="computing time of a program on one rank, in place of --pattern",
    )
    parser.add_argument(
        "--calls",
        metavar="FILE",
        help="with --work: TOML file with the operations of a step",
    )
    parser.add_argument(
        "--serial",
        metavar="SHARE",
        help="with --work: share of it that isn't divided over ranks (default: 0)",
    )
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Predicts and prints; 0."""
    _check(arguments)
    report = _points if arguments.work is None else _program
    print_report(report(arguments), arguments.form)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """UsageError for options that exclude each other, or are missing."""
    given = [
        [f"--{name}" for name in names if getattr(arguments, name) is not None]
        for names in (OF_POINTS, OF_PROGRAMS)
    ]
    if all(given):
        points, programs = (" and ".join(names) for names in given)
        raise UsageError(
            f"an operation is predicted by {points}, a program by {programs}; leave out the one or "
            "the other"
        )
    for names, needed, what in zip(
        given, ("--pattern", "--work"), ("P, the operation", "TIME of a program"), strict=True
    ):
        if names and needed not in names:
            raise UsageError(f"{names[0]} needs {needed} {what}; give both")
    if not any(given):
        raise UsageError("what is to be predicted? give --pattern P, or --work TIME of a program")
    if arguments.ranks is None:
        raise UsageError("on how many ranks? give --ranks, e.g. 64 or 2..64")


def _points(arguments: argparse.Namespace) -> Report:
    """Times of one operation at the sizes and numbers of ranks asked for."""
    from leadline.cli.parsing.options import sizes_of
    from leadline.models.points import models_of, points_of
    from leadline.report.programs.predicted import predicted_content, predicted_records
    from leadline.report.text.predicted import Predicted, predicted_document

    ranks, file = _ranks(arguments.ranks), _read(arguments.model)
    models, _ = models_of(file, arguments.pattern, arguments.variant)
    fitted = sorted({size for model in models for size in model.sizes_bytes})
    if arguments.size is not None:
        sizes = sizes_of(arguments.size, "--size")
    elif fitted == [0]:  # a pattern without a size
        sizes = (0,)
    else:
        example = "64KiB or 0,8,1MiB" if len(fitted) > 1 else f"{fitted[0]}, the only one measured"
        raise UsageError(f"{arguments.pattern} has sizes; give --size, e.g. {example}")
    points = points_of(file, models[0].pattern, arguments.variant, ranks, sizes)
    predicted = Predicted(arguments.model, file.run, points, file.damage)
    return Report(
        document=lambda: predicted_document(predicted),
        content=lambda: predicted_content(predicted),
        records=lambda: predicted_records(predicted),
    )


def _ranks(text: str) -> tuple[int, ...]:
    """The numbers of ranks in `text`, in rising order, each once; UsageError for a wrong one."""
    from leadline.cli.parsing.options import whole_number, words

    numbers: set[int] = set()
    for word in words(text, "--ranks"):
        match = _RANGE.fullmatch(word)
        if match is None:
            raise UsageError(
                f"--ranks {word[:20]!r} is no number; write 64, or 2..64 for all between"
            )
        ends = [whole_number(group[:12], "--ranks", 2) for group in match.groups() if group]
        if ends[0] > ends[-1]:
            raise UsageError(f"--ranks {word!r} falls; write {ends[-1]}..{ends[0]}")
        if max(ends) > MOST_RANKS or ends[-1] - ends[0] >= MOST_NUMBERS:
            raise UsageError(
                f"--ranks {word!r}: give numbers up to {MOST_RANKS:,}, or FEWEST..MOST of at most "
                f"{MOST_NUMBERS:,} numbers"
            )
        numbers.update(range(ends[0], ends[-1] + 1))
    return tuple(sorted(numbers))


def _read(path: str) -> ModelFile:
    """The models in `path`; prints on stderr what the run they were fitted to had lost."""
    from leadline.files import read_text
    from leadline.models.file import read_models

    if Path(path).is_dir():
        fit = f"leadline fit {shlex.quote(path)} --out MODEL.json"
        raise UsageError(f"{path} is a directory; {fit} makes a model of a run")
    file = read_models(read_text(path), path)
    Reader().say(file.damage)
    return file


def _program(arguments: argparse.Namespace) -> Report:
    """Times of a program over each variant that has models of all its calls; UsageError: none."""
    from leadline.files import read_text
    from leadline.models.calls import Calls, parse_calls
    from leadline.models.points import by_variant, pattern_of
    from leadline.models.program import programs
    from leadline.report.programs.predicted import program_content, program_records
    from leadline.report.text.program import program_document
    from leadline.units import parse_duration, parse_share

    ranks, work_s = _ranks(arguments.ranks), parse_duration(arguments.work)
    serial = 0.0 if arguments.serial is None else parse_share(arguments.serial)
    path, variant, file = arguments.calls, arguments.variant, _read(arguments.model)

    def known(name: str) -> str:
        return pattern_of(file, name, variant)

    calls = Calls() if path is None else parse_calls(read_text(path), path, known)
    variants = by_variant(file, variant)
    found = replace(programs(variants, work_s, serial, calls, ranks), damage=file.damage)
    return Report(
        document=lambda: program_document(found),
        content=lambda: program_content(found),
        records=lambda: program_records(found),
    )
