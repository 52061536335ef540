"""`leadline import`: the output of other programs as a run, for `show` and `compare`."""  # noqa: N999 (named as the command)

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from leadline import __version__
from leadline.errors import RecordError, UsageError, printable
from leadline.files import read_bytes, real
from leadline.record.foreign import FORMATS, read_tables
from leadline.record.terms import Origin

if TYPE_CHECKING:
    from leadline.record.foreign.collection import ImportedTables, Source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline import`."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="text that a benchmark printed, or Extra-P's; several of one benchmark are blocks",
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="DIR",
        help="directory for the run (default: leadline-DATE-TIME)",
    )
    parser.add_argument(
        "--name",
        metavar="VARIANT",
        help="name of the variant: letters, digits and . _ @ + # - (default: from Extra-P's call "
        "paths, or the beginning that the files' names share)",
    )
    parser.add_argument(
        "--ranks",
        metavar="N,...",
        help="number of ranks where the files don't state it, as OSU's collectives: one for all "
        "of them, or one for each in order",
    )
    parser.add_argument(
        "--date",
        metavar="DATE",
        help="date of the measurement for history, e.g. 2026-11-21 or 2026-11-21T14:30 "
        "(default: none, and part of no history)",
    )
    parser.add_argument(
        "--origin",
        choices=[str(one) for one in Origin if one is not Origin.MEASURED],
        default=str(Origin.IMPORTED),
        help="simulated: the benchmark ran under a simulator; predicted: a model says it "
        "(default: imported)",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="osu, imb, netpipe, nccl, extrap (JSON Lines), extrap-text or extrap-json (default: "
        "by the content)",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Writes the run and names its directory; 0."""
    from leadline.measure.spec import check_name
    from leadline.record.foreign.collection import ImportedTables, with_ranks
    from leadline.report.text.closed_forms import ranks_words
    from leadline.store import check_unused

    ranks = None if arguments.ranks is None else _ranks(arguments.ranks)
    started = _started(arguments.date) if arguments.date is not None else None
    name = check_name(arguments.name) if arguments.name else _name_after(arguments.files)
    directory = Path(arguments.out or time.strftime("leadline-%Y%m%d-%H%M%S"))
    check_unused(directory)
    named: set[Path] = set()
    for file in arguments.files:
        path = real(file)
        if path in named:  # it would count as a repetition
            raise UsageError(
                f"{printable(file)} is given twice: a repetition is an output of its own; leave "
                "one out"
            )
        named.add(path)
    sources = _under_name(
        arguments.name, [_read(file, arguments.format) for file in arguments.files]
    )
    tables = ImportedTables(name, Origin(arguments.origin))
    tables.take(sources if ranks is None else with_ranks(sources, ranks))
    values = sum(len(table.cells) for table in tables.stated)
    if values == 0:
        raise UsageError(f"no value above zero in {' '.join(arguments.files)}")
    _write(directory, started, sources, tables)
    ranks_known = ranks_words(
        sorted({configuration.ranks for configuration in tables.configurations})
    )
    number = f"{values} {arguments.origin} value{'s' * (values != 1)}"
    blocks = f"in {tables.blocks} repetitions, each a block"
    times = "without intervals" if tables.blocks == 1 else blocks
    print(f"{printable(str(directory))}: {number}, {times}, on {ranks_known}")
    return 0


def _name_after(files: Sequence[str]) -> str:
    """A variant's name: what the names of all files begin with, else that of the first file."""
    from leadline.measure.spec import name_from

    stems = [Path(file).stem for file in files]
    letters = takewhile(lambda each: len(set(each)) == 1, zip(*stems, strict=False))
    alike = "".join(each[0] for each in letters).rstrip("0123456789._+-")
    return name_from(alike if len(files) > 1 and alike else stems[0])


def _ranks(text: str) -> list[int]:
    """The numbers of ranks in the order given; UsageError for a word that is none."""
    words = [word.strip() for word in text.split(",")]
    if not all(re.fullmatch("[0-9]{1,10}", word) and 0 < int(word) < 2**31 for word in words):
        raise UsageError(
            f"--ranks {text}: give a whole number from 1 up, or one for each file, such as 4,8,16"
        )
    return [int(word) for word in words]


def _started(date: str) -> str:
    """The time of measurement in ISO 8601 with its zone; UsageError where `date` is none."""
    try:
        return datetime.fromisoformat(date).astimezone().isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        raise UsageError(
            f"--date {date!r} is no date; write 2026-11-21, or 2026-11-21T14:30"
        ) from None


def _read(file: str, form: str | None) -> Source:
    """The tables in `file`; RecordError where it can't be read or isn't text."""
    from leadline.record.foreign.collection import Source

    if not file.isprintable():
        raise UsageError(f"the name {file!r} can't be shown, and every report would; rename it")
    try:
        text = read_bytes(file).decode()
    except OSError as error:
        raise RecordError(file, None, f"can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise RecordError(file, line, "isn't text in UTF-8; give what was printed") from None
    return Source(file, *read_tables(text, file, form))


def _under_name(name: str | None, sources: list[Source]) -> list[Source]:
    """`sources` with `name` in place of their own labels; None: with labels made names."""
    from leadline.measure.spec import name_from

    named = {table.variant for source in sources for table in source.tables if table.variant}
    if name is not None and len(named) > 1:
        raise UsageError(
            f"--name {name} is one name for the {len(named)} variants that the files name: "
            f"{', '.join(sorted(named))}; leave it out"
        )
    # "torus_simulated" of "torus (simulated)", as an export calls it
    names = {label: None if name else name_from(label.rstrip(")")) for label in named}
    return [
        replace(
            source,
            tables=tuple(
                replace(table, variant=names[table.variant] if table.variant else None)
                for table in source.tables
            ),
        )
        for source in sources
    ]


def _write(
    directory: Path, started: str | None, sources: list[Source], tables: ImportedTables
) -> None:
    """Writes a complete run: a journal alone, as there are no batches to tabulate."""
    from leadline.record.provenance import ImportedFile, Provenance
    from leadline.store import Journal

    files = tuple(ImportedFile(source.file, source.form) for source in sources)
    provenance = Provenance(leadline=__version__, started=started, imported=files)
    with Journal.create(directory, provenance.as_json()) as journal:
        for configuration in tables.configurations:
            journal.add_configuration(configuration)
        journal.add_cells(tuple(tables.cells))
        for table in tables.stated:
            journal.add_stated(table)
        for warning in tables.warnings:
            journal.add_warning(warning)
        journal.close(True)
