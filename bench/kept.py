"""Rows of a long benchmark, kept line by line: interrupted, it goes on where it was."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

Key = tuple[str | int, ...]
Row = dict[str, object]


RESULTS = Path("bench/results")


def is_short(name: str, about: str | None, short: str, whole: str) -> bool:
    """Whether `python -m NAME` is asked for its short form.

    `short` and `whole` are the files of the two forms; what was kept is forgotten where that is
    asked for as well.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=about)
    parser.add_argument("--short", action="store_true", help="only to see that it works")
    parser.add_argument("--anew", action="store_true", help="forget what was measured before")
    arguments = parser.parse_args()
    if arguments.anew:
        (RESULTS / (short if arguments.short else whole)).unlink(missing_ok=True)
    return bool(arguments.short)


class Kept:
    """Rows in a file of JSON lines, by what they are of."""

    def __init__(self, path: Path) -> None:
        """Reads what is there; a line cut short by a kill is none."""
        self._path = path
        self._rows: dict[Key, Row] = {}
        if path.exists():
            whole = [
                line for line in path.read_text().splitlines(keepends=True) if line[-1] == "\n"
            ]
            path.write_text("".join(whole))
            for line in whole:
                row = json.loads(line)
                self._rows[tuple(row.pop("of"))] = row

    def row(self, of: Key, measure: Callable[[], Row]) -> Row:
        """The row that is kept, or else measured, and kept from now on."""
        if of not in self._rows:
            self._rows[of] = measure()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a") as file:
                file.write(json.dumps({"of": of, **self._rows[of]}) + "\n")
        return self._rows[of]
