"""Text output of other benchmarks, parsed into tables of times; nothing here touches a file."""

from __future__ import annotations

from leadline.errors import RecordError
from leadline.record.foreign import imb, nccl, netpipe, osu
from leadline.record.foreign.table import ForeignError, PrintedRow, PrintedTable

FORMATS = {"osu": osu, "imb": imb, "netpipe": netpipe, "nccl": nccl}

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
            "text that the benchmark printed, whole"
        )  # fmt: skip
    try:
        tables = FORMATS[form].parse(lines)
        if cut:
            raise ForeignError(
                len(lines), "ends without a newline: cut short? If it is whole, add one"
            )
        if not tables:
            raise ForeignError(len(lines), "the text ends without a table")
    except ForeignError as error:
        raise RecordError(file, error.line, f"as output of {form}: {error}") from None
    return form, tables


def _heading(form: str | None) -> str:
    return f"the heading of {form}" if form else f"a heading of {', '.join(FORMATS)}"
