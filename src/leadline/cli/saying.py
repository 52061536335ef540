"""What a command says beside its answer."""

from __future__ import annotations

import sys

from leadline.errors import CELLS, printable


def say(text: str) -> None:
    """Prints `text` on stderr at once; names in it, of folders or hosts, steer no terminal."""
    print(printable(text, CELLS), file=sys.stderr, flush=True)
