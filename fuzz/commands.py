"""Commands of leadline in this process, and what no output of theirs may have."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from fuzz.bounds import RawTextError, SilentLossError
from leadline.cli import main

RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
"""What a terminal would obey."""


class Said(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    def refuses(self) -> bool:
        """Whether it does; SilentLossError if without a word."""
        if self.status and not self.err.strip():
            raise SilentLossError(f"refused without a word: {self}")
        return bool(self.status)


def said(*words: str) -> Said:
    """What `leadline WORDS` says here; raises what it lets through, and RawTextError."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = _status(words)
    found = Said(status, out.getvalue(), err.getvalue())
    raw = RAW.search(text := found.out + found.err)
    if raw is not None:
        around = text[max(0, raw.start() - 40) : raw.end() + 20]
        raise RawTextError(f"leadline {words[0]} prints {around!r}")
    return found


def _status(words: Sequence[str]) -> int:
    try:
        return main(words)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
