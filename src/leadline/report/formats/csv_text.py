"""CSV by RFC 4180, but with lines that end in LF; comments follow the rows, each behind a "#"."""

from __future__ import annotations

import csv
import io

from leadline.errors import CELLS, printable
from leadline.report.formats.json_text import json_text
from leadline.report.records import Records


def csv_text(records: Records) -> str:
    """A header, then a line per row: missing values are empty, lists and objects are JSON.

    Characters that can't be printed are escaped, except tabs and line ends, which are quoted.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_field, records.columns))
    writer.writerows([_field(value) for value in row] for row in records.rows)
    comments = (f"# {' '.join(printable(comment).split())}" for comment in records.comments)
    return "\n".join([text.getvalue().rstrip("\n"), *comments])


def _field(value: object) -> object:
    if isinstance(value, list | dict):
        return json_text(value, indent=None)
    return printable(value, CELLS) if isinstance(value, str) else value
