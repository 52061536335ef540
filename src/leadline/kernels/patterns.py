"""What a kernel can measure, as `kernel --describe` says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from leadline.errors import MachineError, UsageError, unknown_name
from leadline.record.run import Buffers, Cadence, Cell, WhoseTime
from leadline.record.slices import BatchFlag

SKEWED = ("counts", "skewed")
"""The option that gives the last rank more than others."""
NO_WINDOWS = "none"


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
    blocks: int
    """Of the size that a message has room for, 0: one for each rank."""
    largest_share: int
    """What skewed counts give the last rank, in mean shares, at most."""
    whose_time: str
    cadence: str
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words to choose from by the option's key, the default first; no word has two keys."""
    threads: int = 0
    """Of each rank that send, under MPI_THREAD_MULTIPLE; 0: the library needn't know of threads."""
    stretch: float = 1.0
    """Bytes of memory for each byte of payload: above 1 where a message has gaps."""
    in_pairs: bool = False
    """It takes an even number of ranks."""
    messages_in_flight: int = 1
    """Of a repetition at a time, each in a buffer of its own."""
    one_buffer: bool = False
    """Its operations are bound to their buffers, which can't rotate."""
    windows: str = NO_WINDOWS
    """Of messages under way together, in a repetition: "none", "one", or one for each "pair"."""


@dataclass(frozen=True, slots=True)
class Capability:
    """What one kernel can do."""

    backend: str
    carries_payload: bool
    max_message_bytes: int
    phases: tuple[str, ...]
    """Of a slice, by their number on the progress page."""
    patterns: Mapping[str, Pattern]


def parse_description(text: str) -> Capability:
    """The Capability in the JSON that `kernel --describe` prints.

    MachineError where its batches are flagged otherwise than the record's.
    """
    described = json.loads(text)
    flags = {str(flag.name).lower(): flag.value for flag in BatchFlag}
    if (seen := described.pop("flags")) != flags:
        raise MachineError(
            f"the kernel flags batches by {seen}, the record by {flags}: they are of different "
            "versions; install leadline anew"
        )
    phases, patterns = tuple(described.pop("phases")), map(_pattern, described.pop("patterns"))
    return Capability(**described, phases=phases, patterns={one.name: one for one in patterns})


def _pattern(described: Mapping[str, Any]) -> Pattern:
    options = {key: tuple(words) for key, words in described["options"].items()}
    return Pattern(**dict(described) | {"options": options})


@dataclass(frozen=True, slots=True)
class PatternChoice:
    """A pattern with its options: "allreduce:max:int64"."""

    name: str
    options: tuple[tuple[str, str], ...] = ()
    """Key and word of each option that differs from its default, in the pattern's order."""
    root: int = 0
    """The root where it is fixed; 0 for patterns without one."""

    @property
    def label(self) -> str:
        """The name, and the options that differ from the default."""
        words = [word for _, word in self.options] + [f"root={self.root}"] * bool(self.root)
        return ":".join([self.name, *words])

    def rooted_at(self, root: int, patterns: Mapping[str, Pattern]) -> PatternChoice:
        """The same with a fixed root of `root`, if its pattern has one that isn't rotating."""
        fixed = "root" in patterns[self.name].options and "root" not in dict(self.options)
        return replace(self, root=root) if fixed else self

    def blocks(self, pattern: Pattern, ranks: int) -> int:
        """How many blocks of the cell's size a message of `pattern` has room for."""
        return (pattern.blocks or ranks) * (pattern.largest_share if SKEWED in self.options else 1)


def parse_choice(text: str, patterns: Mapping[str, Pattern]) -> PatternChoice:
    """The PatternChoice in "NAME[:WORD...]"; UsageError names the nearest word."""
    name, *words = text.split(":")
    if name not in patterns:
        raise unknown_name("pattern", name, patterns)
    options = patterns[name].options
    keys = {word: key for key, choices in options.items() for word in choices}
    if words and not keys:
        raise UsageError(f"pattern {text!r}: {name} takes no options, found {words[0]!r}")
    for word in words:
        if word not in keys:
            raise unknown_name(f"option of {name}", word, keys)
    chosen = {keys[word]: word for word in words}
    return PatternChoice(
        name,
        tuple(
            (k, chosen[k]) for k, (usual, *_) in options.items() if chosen.get(k, usual) != usual
        ),
    )


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
