"""What a kernel says of itself by `--describe`: the patterns it has, and its limits."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from leadline.errors import MachineError
from leadline.patterns.pattern import Pattern, parse_pattern
from leadline.record.slices import BatchFlag


@dataclass(frozen=True, slots=True)
class Capability:
    """The patterns and limits of one kernel."""

    backend: str
    carries_payload: bool
    max_message_bytes: int
    phases: tuple[str, ...]
    """Phases of a slice, by their number on the progress page."""
    patterns: Mapping[str, Pattern]
    tracing: str = "absent"
    """"native" where it can log its calls."""

    def processes(self, ranks: int) -> int:
        """Processes of a launch of so many ranks: a single one where no message moves a byte."""
        return ranks if self.carries_payload else 1


def parse_description(text: str) -> Capability:
    """The Capability in the JSON that `kernel --describe` prints.

    What a preloaded library prints before is passed over. MachineError where there is none, or its
    batches are flagged otherwise than the record's.
    """
    described = _description(text)
    flags = {str(flag.name).lower(): flag.value for flag in BatchFlag}
    if (seen := described.pop("flags")) != flags:
        raise MachineError(
            f"the kernel flags batches by {seen}, the record by {flags}: they are of different "
            "versions; reinstall leadline"
        )
    phases, patterns = tuple(described.pop("phases")), map(parse_pattern, described.pop("patterns"))
    return Capability(
        **described, phases=phases, patterns={pattern.name: pattern for pattern in patterns}
    )


def _description(text: str) -> dict[str, Any]:
    """The JSON object that begins a line of `text`, and that nothing but blanks follows."""
    for begin in re.finditer(r"^\{", text, re.MULTILINE):
        with contextlib.suppress(ValueError, RecursionError):
            return dict(json.loads(text[begin.start() :]))
    seen = " ".join(text.split())[:200]
    raise MachineError(
        f"a kernel said {seen!r} instead of what it can; programs may print nothing of their own "
        "as they are loaded: see LD_PRELOAD"
    )
