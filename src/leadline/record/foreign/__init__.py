"""Output of other benchmarks, and files for Extra-P, as tables of times; no file is opened here.

A parser a benchmark (`osu`, `imb`, `netpipe`, `nccl`, `extrap`) makes tables of times (`table`);
`collection` makes configurations, cells and values of these, `names` translates their patterns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from leadline.errors import RecordError
from leadline.record.foreign import extrap, imb, nccl, netpipe, osu
from leadline.record.foreign.table import ForeignError, PrintedRow, PrintedTable


@dataclass(frozen=True, slots=True)
class Format:
    """How a text in one format is recognised, and read."""

    recognises: Callable[[Sequence[str]], bool]
    """Whether lines are of this format."""
    parse: Callable[[Sequence[str]], tuple[PrintedTable, ...]]
    """The tables in lines of this format; ForeignError names the line of what is wrong."""
    closed: bool = False
    """Whether the text shows by itself where it ends; else a last line without newline is cut."""


_VALUES = re.compile(r"\s*[0-9]+(?:\s+[0-9]+(?:\.[0-9]+)?)+\s*")
"""A line of a size and values, as benchmarks print it."""
FORMATS = {
    "osu": Format(osu.recognises, osu.parse),
    "imb": Format(imb.recognises, imb.parse),
    "netpipe": Format(netpipe.recognises, netpipe.parse),
    "nccl": Format(nccl.recognises, nccl.parse),
    "extrap": Format(extrap.recognises_lines, extrap.parse_lines, closed=True),
    "extrap-text": Format(extrap.recognises_text, extrap.parse_text),
    "extrap-json": Format(extrap.recognises_json, extrap.parse_json, closed=True),
}
"""Formats by name, in the order in which they are tried."""

__all__ = ["FORMATS", "PrintedRow", "PrintedTable", "read_tables"]


def read_tables(
    text: str, file: str, form: str | None = None
) -> tuple[str, tuple[PrintedTable, ...]]:
    """The format of `text` and its tables; `form` None: recognised by the content.

    RecordError names `file` and the line of what is missing, foreign or cut short.
    """
    lines = text.split("\n")
    cut = lines.pop()  # "" after the last newline
    if cut:
        lines.append(cut)
    form = form or next(
        (name for name, format_ in FORMATS.items() if format_.recognises(lines)), None
    )
    if form is None or not FORMATS[form].recognises(lines):
        heading = f"the heading of {form}" if form else f"a heading of {', '.join(FORMATS)}"
        raise RecordError(
            file, max(len(lines), 1), f"none of the lines up to here is {heading}; give the text "
            "that the program printed, whole"
        )  # fmt: skip
    try:
        tables = FORMATS[form].parse(lines)
        if cut and not FORMATS[form].closed:
            raise ForeignError(
                len(lines), "ends without a newline: cut short? If it is whole, add one"
            )
        if not tables:
            raise ForeignError(len(lines), "the text ends without a table")
        for number, line in enumerate(lines[: min(table.line for table in tables) - 1], 1):
            if _VALUES.fullmatch(line):
                raise ForeignError(
                    number, "values stand before the first heading: theirs is missing; leave the "
                    "line out if it is another program's"
                )  # fmt: skip
    except ForeignError as error:
        raise RecordError(file, error.line, f"as output of {form}: {error}") from None
    return form, tables
