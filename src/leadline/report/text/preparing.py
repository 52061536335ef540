"""What is said while kernels are compiled, before there is a plan."""

from __future__ import annotations

import sys
from collections.abc import Sequence

CLEARED = "\r\x1b[K"
"""The terminal's line, empty."""


def say_compiling(names: Sequence[str], done: int) -> None:
    """On a terminal a line on stderr for which of `names`, cleared when all are; else one line.

    Args:
        names: All that are compiled for.
        done: How many of these are.
    """
    if sys.stderr.isatty():
        text = (
            f"compiling for {names[done]} ({done + 1} of {len(names)}) ..."
            if done < len(names)
            else ""
        )
        print(CLEARED + text, end="", file=sys.stderr, flush=True)
    elif done == 0:
        print(f"compiling for {', '.join(names)} ...", file=sys.stderr, flush=True)
