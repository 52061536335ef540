"""What a kernel can measure, as `kernel --describe` says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from leadline.errors import UsageError, unknown_name
from leadline.record import Buffers, Cadence, Cell, WhoseTime

OPERATORS = ("sum", "max")
TYPES = ("double", "int64")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern over one backend."""

    name: str
    summary: str
    algorithm: str
    """"native", the fallback's name, or "absent"."""
    participants: int
    """Ranks that take part; 0: all."""
    messages_per_repetition: int
    granularity: int
    """Sizes are multiples of this many bytes; 0: the pattern has no size."""
    least_bytes: int
    keeps_input: bool
    """Its input and output never share memory, also under the echo policy."""
    reduces: bool
    """Takes an operator and an element type."""
    per_rank: bool
    """Its messages lie in blocks, one of the size for each rank."""
    whose_time: str
    cadence: str


@dataclass(frozen=True, slots=True)
class Capability:
    """What one kernel can do."""

    backend: str
    carries_payload: bool
    max_message_bytes: int
    patterns: Mapping[str, Pattern]


def parse_description(text: str) -> Capability:
    """The Capability in the JSON that `kernel --describe` prints."""
    described = json.loads(text)
    patterns = {entry["name"]: Pattern(**entry) for entry in described.pop("patterns")}
    return Capability(**described, patterns=patterns)


@dataclass(frozen=True, slots=True)
class PatternChoice:
    """A pattern with its options: "allreduce:max:int64"."""

    name: str
    operator: str = "sum"
    element_type: str = "double"

    @property
    def label(self) -> str:
        """The name, and the options that differ from the default."""
        options = [self.operator] * (self.operator != "sum")
        options += [self.element_type] * (self.element_type != "double")
        return ":".join([self.name, *options])


def parse_choice(text: str, patterns: Mapping[str, Pattern]) -> PatternChoice:
    """The PatternChoice in "NAME[:sum|max][:double|int64]"; UsageError names the nearest one."""
    name, *options = text.split(":")
    if name not in patterns:
        raise unknown_name("pattern", name, patterns)
    if options and not patterns[name].reduces:
        raise UsageError(f"pattern {text!r}: {name} takes no options, found {options[0]!r}")
    chosen = {"operator": "sum", "element_type": "double"}
    for option in options:
        if option not in (*OPERATORS, *TYPES):
            raise unknown_name(f"option of {name}", option, (*OPERATORS, *TYPES))
        chosen["operator" if option in OPERATORS else "element_type"] = option
    return PatternChoice(name, **chosen)


def cell_of(
    choice: PatternChoice, pattern: Pattern, size_bytes: int, buffers: str, cadence: str | None
) -> Cell:
    """The cell of `choice` at `size_bytes`; cadence None: the pattern's own."""
    return Cell(
        choice.label,
        size_bytes,
        Buffers(buffers),
        Cadence(cadence or pattern.cadence),
        pattern.messages_per_repetition,
        WhoseTime(pattern.whose_time),
    )
