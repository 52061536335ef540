"""CSV as RFC 4180 has it, but for ends of lines; comments follow the rows, each behind a "#"."""

from __future__ import annotations

import csv
import io

from leadline.report.document import printable
from leadline.report.formats.json_text import json_text
from leadline.report.records import Records


def csv_text(records: Records) -> str:
    """A line of names, then a line a row: nothing where a value is missing, lists as JSON."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(records.columns)
    writer.writerows([_field(value) for value in row] for row in records.rows)
    comments = (f"# {' '.join(printable(comment).split())}" for comment in records.comments)
    return "\n".join([text.getvalue().rstrip("\n"), *comments])


def _field(value: object) -> object:
    return json_text(value, indent=None) if isinstance(value, list | dict) else value
