"""Which tables of an import are repetitions of one benchmark: each of them is a block."""

from __future__ import annotations

from dataclasses import dataclass, field

from leadline.errors import RecordError
from leadline.record.foreign.table import PrintedTable

_MOST_NAMED = 3
"""Sizes in a message."""


@dataclass(slots=True)
class _Part:
    """Sizes of a benchmark that are printed together."""

    sizes: frozenset[int]
    file: str
    """Of its first table, as the next."""
    line: int
    times: int = 0
    """Tables of it so far."""


@dataclass(slots=True)
class RepeatedTables:
    """The benchmarks of an import, by configuration, and how often each was repeated."""

    _parts: dict[tuple[int, str], list[_Part]] = field(default_factory=dict)

    def block_of(self, configuration: int, table: PrintedTable, file: str, remedy: str) -> int:
        """Which repetition `table` of `file` is, from 0.

        It repeats the tables of the same benchmark and sizes, or has none of the sizes known so
        far; else RecordError, whose `remedy` is one besides that all tables be alike.
        """
        sizes = frozenset(row.size_bytes for row in table.rows)
        parts = self._parts.setdefault((configuration, table.benchmark), [])
        part = next((one for one in parts if one.sizes & sizes), None)
        if part is None:
            part = _Part(sizes, file, table.line)
            parts.append(part)
        elif part.sizes != sizes:
            raise RecordError(
                file, table.line, f"{table.benchmark} was repeated with other sizes than at "
                f"{part.file}:{part.line} ({_apart(sizes, part.sizes)}); {remedy}leave one of them "
                "out, or import each into an --out of its own",
            )  # fmt: skip
        part.times += 1
        return part.times - 1

    @property
    def most(self) -> int:
        """Of any benchmark; 1: nothing was repeated."""
        return max((one.times for parts in self._parts.values() for one in parts), default=0)

    def check_even(self) -> None:
        """RecordError where benchmarks weren't all repeated as often, on every number of ranks."""
        parts = [(benchmark, one) for (_, benchmark), some in self._parts.items() for one in some]
        if not parts:
            return
        fewest, few = min(parts, key=lambda part: part[1].times)
        most, many = max(parts, key=lambda part: part[1].times)
        if few.times < many.times:
            raise RecordError(
                few.file, few.line, f"{fewest} stands {_times(few.times)}, and {most} "
                f"{_times(many.times)} ({many.file}:{many.line}, ...): repetitions are blocks of "
                "all; leave some of them out, or import each benchmark into an --out of its own",
            )  # fmt: skip


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _apart(sizes: frozenset[int], first: frozenset[int]) -> str:
    """E.g. "it lacks 4 B and 8 B"."""
    lacks, has = sorted(first - sizes), sorted(sizes - first)
    words = [
        f"{word} {', '.join(f'{size} B' for size in some[:_MOST_NAMED])}"
        + f" and {len(some) - _MOST_NAMED} more" * (len(some) > _MOST_NAMED)
        for word, some in (("it lacks", lacks), ("it has in addition", has))
        if some
    ]
    return "; ".join(words)
