"""Clocks of emulated hosts that are off the machine's, by a namespace of time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.errors import UsageError

_OFFSET = re.compile(r"(?P<host>[^=]+)=(?P<seconds>[+-]?\d{1,9})s?")


def parse_offsets(words: Sequence[str]) -> dict[str, int]:
    """Whole seconds by host in "h2=+3s", which is all that a namespace takes; UsageError."""
    found: dict[str, int] = {}
    for word in words:
        match = _OFFSET.fullmatch(word)
        if match is None:
            raise UsageError(f"--clock {word!r}: write HOST=+3s, or -3s, in whole seconds")
        if match["host"] in found:
            raise UsageError(f"--clock names {match['host']!r} twice")
        found[match["host"]] = int(match["seconds"])
    return found
