"""Output of other benchmarks, and what Extra-P reads, as tables of times; their names; no files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from leadline.errors import RecordError
from leadline.record.foreign import extrap_json, extrap_lines, extrap_text, imb, nccl, netpipe, osu
from leadline.record.foreign.table import ForeignError, PrintedRow, PrintedTable


@dataclass(frozen=True, slots=True)
class Format:
    """How a text is told, and read."""

    recognises: Callable[[Sequence[str]], bool]
    """Whether its lines are of this format."""
    parse: Callable[[Sequence[str]], tuple[PrintedTable, ...]]
    """Its tables; ForeignError names the line of what is wrong."""
    closed: bool = False
    """The text itself says where it ends; else a last line without its end was cut short."""


_VALUES = re.compile(r"\s*[0-9]+(?:\s+[0-9]+(?:\.[0-9]+)?)+\s*")
"""A line of a size and values, as benchmarks print them."""
FORMATS = {
    "osu": Format(osu.recognises, osu.parse),
    "imb": Format(imb.recognises, imb.parse),
    "netpipe": Format(netpipe.recognises, netpipe.parse),
    "nccl": Format(nccl.recognises, nccl.parse),
    "extrap": Format(extrap_lines.recognises, extrap_lines.parse, closed=True),
    "extrap-text": Format(extrap_text.recognises, extrap_text.parse),
    "extrap-json": Format(extrap_json.recognises, extrap_json.parse, closed=True),
}
"""By name, in the order in which a text is tried."""

__all__ = ["FORMATS", "PrintedRow", "PrintedTable", "read_tables"]


def read_tables(
    text: str, file: str, form: str | None = None
) -> tuple[str, tuple[PrintedTable, ...]]:
    """The format of `text` and its tables; `form` None: told by the content.

    RecordError names `file` and the line of what is missing, foreign or cut short.
    """
    lines = text.split("\n")
    cut = lines.pop()  # "" after the last newline
    if cut:
        lines.append(cut)
    form = form or next((name for name, one in FORMATS.items() if one.recognises(lines)), None)
    if form is None or not FORMATS[form].recognises(lines):
        raise RecordError(
            file, max(len(lines), 1), f"none of the lines up to here is {_heading(form)}; give the "
            "text that the program printed, whole"
        )  # fmt: skip
    try:
        tables = FORMATS[form].parse(lines)
        if cut and not FORMATS[form].closed:
            raise ForeignError(
                len(lines), "ends without a newline: cut short? If it is whole, add one"
            )
        if not tables:
            raise ForeignError(len(lines), "the text ends without a table")
        _check_before(lines, min(table.line for table in tables))
    except ForeignError as error:
        raise RecordError(file, error.line, f"as output of {form}: {error}") from None
    return form, tables


def _check_before(lines: Sequence[str], first: int) -> None:
    """ForeignError for values before the line `first`, where the first table begins."""
    for number, line in enumerate(lines[: first - 1], 1):
        if _VALUES.fullmatch(line):
            raise ForeignError(
                number, "values stand before the first heading: theirs is missing; leave the line "
                "out if it is another program's"
            )  # fmt: skip


def _heading(form: str | None) -> str:
    return f"the heading of {form}" if form else f"a heading of {', '.join(FORMATS)}"
