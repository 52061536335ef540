"""`leadline export`: the medians of all blocks, as rows for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.parsing.files import check_new, write_new
from leadline.cli.parsing.forms import say
from leadline.cli.parsing.reading import Reader, add_strict
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.query.tables import FlatRow

FORMS = {
    "csv": "CSV",
    "parquet": "Parquet, which needs --out",
    "json": "JSON",
    "extrap": "Extra-P's JSON Lines",
    "extrap-text": "Extra-P's text format",
    "extrap-json": "Extra-P's JSON",
}
"""What is written, by the name of the option."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline export`."""
    parser.add_argument("run", metavar="RUN", help="a directory that `leadline run` wrote")
    forms = parser.add_mutually_exclusive_group(required=True)
    for name, what in FORMS.items():
        forms.add_argument(
            f"--{name}", action="store_const", const=name, dest="form", help=f"write {what}"
        )
    parser.add_argument("-o", "--out", metavar="FILE", help="new file (default: stdout)")
    add_strict(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Writes the rows; 0, also where there are none, unless --strict objects."""
    from leadline.compare.analysis import Analysis
    from leadline.query.tables import BLOCKS, block_rows
    from leadline.report.formats.csv_text import csv_text
    from leadline.report.formats.json_text import document_text
    from leadline.report.programs.selection import block_records, blocks_content

    if arguments.form == "parquet" and not arguments.out:
        raise UsageError("--parquet can't go to a terminal or pipe; give --out FILE")
    if arguments.out:
        check_new(arguments.out, "--out")
    reader = Reader(arguments.strict)
    rows = list(block_rows(Analysis(reader.run(arguments.run))))
    if arguments.form == "parquet":
        from leadline.query.database import write_rows

        write_rows(Path(arguments.out), BLOCKS, rows)
        return reader.status()
    if arguments.form == "csv":
        text = csv_text(block_records(rows)) + "\n"
    elif arguments.form == "json":
        text = document_text(blocks_content(rows, reader.warnings), indent=1) + "\n"
    else:
        text = _for_extrap(arguments.form, rows)
    if arguments.out is None:
        print(text, end="")
    else:
        write_new(arguments.out, text, "--out")
    return reader.status()


def _for_extrap(form: str, rows: Sequence[FlatRow]) -> str:
    """The rows that Extra-P can model, in a format of its own; on stderr what it can't model."""
    from leadline.compare.origins import labelled
    from leadline.report.formats.extrap import (
        FEWEST,
        extrap_curves,
        extrap_json,
        extrap_lines,
        extrap_text,
    )

    curves = extrap_curves(
        [{**row, "variant": labelled(row["variant"], row["origin"])} for row in rows]
    )
    if not curves.values:
        raise UsageError("Extra-P wants points above 0 bytes that all patterns have: there is none")
    if curves.values < len(rows):
        say(
            f"left out {len(rows) - curves.values} of {len(rows)} rows: Extra-P wants the same "
            "points of all patterns, and none at 0 bytes"
        )
    few = [f"{name} has {n}" for name, n in curves.values_of_parameters.items() if n < FEWEST]
    if few:
        say(
            f"Extra-P makes no model of fewer than {FEWEST} values of a parameter: "
            f"{' and '.join(few)}"
        )
    formats = {"extrap": extrap_lines, "extrap-text": extrap_text, "extrap-json": extrap_json}
    return formats[form](curves)
