"""From tables of other benchmarks to the configurations, cells and values of a run.

Tables that are repetitions of one benchmark are its blocks. Tables that don't state a number of
ranks get it here from the command line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from leadline.errors import RecordError, UsageError
from leadline.record.fields import in_lines
from leadline.record.foreign.table import PrintedTable
from leadline.record.run import Buffers, Cadence, Cell, Configuration, Origin, Stated
from leadline.record.warnings import RunWarning, WarningKind, warning_of

_MOST_NAMED = 3
"""Sizes that a message lists at most."""


@dataclass(slots=True)
class _Part:
    """Sizes of a benchmark that are printed together."""

    sizes: frozenset[int]
    file: str
    """File of its first table."""
    line: int
    """Line of its first table."""
    times: int = 0
    """Number of tables of it so far."""


@dataclass(slots=True)
class RepeatedTables:
    """The benchmarks of an import, by configuration, and how often each was repeated."""

    _parts: dict[tuple[int, str], list[_Part]] = field(default_factory=dict)

    def block_of(self, configuration: int, table: PrintedTable, file: str, remedy: str) -> int:
        """The number of the repetition that `table` of `file` is, from 0.

        It repeats the tables of the same benchmark and sizes, or has none of the sizes known so
        far; else RecordError, whose text offers `remedy` besides making all tables alike.
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
        """The largest number of repetitions of any benchmark; 1: nothing was repeated."""
        return max((part.times for parts in self._parts.values() for part in parts), default=0)

    def check_even(self) -> None:
        """RecordError where benchmarks weren't all repeated as often, on every number of ranks."""
        parts = [(benchmark, part) for (_, benchmark), some in self._parts.items() for part in some]
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


MOST_PLACES = 2**20
"""The most cells times configurations times blocks: readers of a run keep some numbers for each."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file and what was parsed from it."""

    file: str
    form: str
    """One of FORMATS."""
    tables: tuple[PrintedTable, ...]
    ranks_given: bool = False
    """Whether the command line gave the number of ranks of some table, as the text doesn't."""


@dataclass(slots=True)
class ImportedTables:
    """The contents of a run of values that other benchmarks printed; `take` adds to them."""

    variant: str
    """Name for tables that don't state a variant."""
    origin: Origin = Origin.IMPORTED
    configurations: list[Configuration] = field(default_factory=list)
    cells: dict[Cell, int] = field(default_factory=dict)
    """Cells with their indices."""
    stated: list[Stated] = field(default_factory=list)
    warnings: list[RunWarning] = field(default_factory=list)
    _numbers: dict[tuple[str, int], int] = field(default_factory=dict)
    """Index of the configuration by (variant, ranks)."""
    _repetitions: RepeatedTables = field(default_factory=RepeatedTables)

    @property
    def blocks(self) -> int:
        """Number of repetitions of the benchmarks; 1: each stands once."""
        return self._repetitions.most

    def take(self, sources: Iterable[Source]) -> None:
        """Adds all tables of `sources`, each repetition of a benchmark as a block.

        RecordError where one has two values of a cell, or doesn't fit the others.
        """
        for source in sources:
            self._add(source)
        self._repetitions.check_even()

    def _add(self, source: Source) -> None:
        file = source.file
        for table in source.tables:
            configuration = self._configuration(file, table)
            rows = [row for row in table.rows if row.seconds > 0]
            _check_once(table, file)
            ranks = self.configurations[configuration].ranks
            remedy = source.ranks_given * (
                f"if not both ran on {ranks} ranks, give --ranks a number for each file, such as "
                "4,8,16; else "
            )
            block = self._repetitions.block_of(configuration, table, file, remedy)
            unstated = Buffers.UNSTATED, Cadence.UNSTATED
            cells = tuple(
                self.cells.setdefault(
                    Cell(table.benchmark, row.size_bytes, *unstated, 1, table.whose_time),
                    len(self.cells),
                )
                for row in rows
            )
            self._check_places(file, table)
            self.stated.append(
                Stated(
                    configuration, file, cells,
                    tuple(row.seconds for row in rows), tuple(row.line for row in rows),
                    block=block,
                )
            )  # fmt: skip
            zeros = [row.line for row in table.rows if row.seconds == 0]
            if zeros:
                self.warnings.append(warning_of(WarningKind.ZERO, file=file, lines=in_lines(zeros)))
        self._note_reduction(source)

    def _check_places(self, file: str, table: PrintedTable) -> None:
        """RecordError where the run would be too large to be read."""
        places = len(self.configurations) * len(self.cells) * self.blocks
        if places > MOST_PLACES:
            raise RecordError(
                file, table.line, f"with this table there are {len(self.configurations):,} "
                f"configurations times {len(self.cells):,} cells times {self.blocks:,} block"
                f"{'s' * (self.blocks > 1)}, and a run has {MOST_PLACES:,} places at most; import "
                "a part into an --out of its own",
            )  # fmt: skip

    def _configuration(self, file: str, table: PrintedTable) -> int:
        if table.ranks is None:
            raise RecordError(
                file, table.line, f"the output of {table.benchmark} doesn't say on how many ranks "
                "it ran; give --ranks, one number for all files or one for each, such as 4,8,16",
            )  # fmt: skip
        variant, backend = table.variant or self.variant, str(self.origin)
        configuration = Configuration(
            variant, backend, "unknown", table.ranks, (), origin=self.origin
        )
        number = self._numbers.setdefault((variant, table.ranks), len(self._numbers))
        if number == len(self.configurations):
            self.configurations.append(configuration)
        return number

    def _note_reduction(self, source: Source) -> None:
        """Warns of what a file has and the run hasn't: repetitions at a point, other metrics."""
        repetitions = max((table.repetitions for table in source.tables), default=1)
        if repetitions > 1:
            several = warning_of(WarningKind.REPETITIONS, file=source.file, most=repetitions)
            self.warnings.append(several)
        others = sorted({name for table in source.tables for name in table.other_metrics})
        if others:
            self.warnings.append(
                warning_of(WarningKind.OTHER_METRICS, file=source.file, metrics=others)
            )


def _check_once(table: PrintedTable, file: str) -> None:
    """RecordError where `table` has two values of one size."""
    lines: dict[int, int] = {}
    for row in table.rows:
        first = lines.setdefault(row.size_bytes, row.line)
        if first != row.line:
            raise RecordError(
                file, row.line, f"the same cell has a value already, from {file}:{first}; leave "
                "one of them out, or give a repetition a heading of its own",
            )  # fmt: skip


_Place = tuple[int, int]
"""Index of a source, and of a table in it."""
_Silent = Mapping[tuple[str, str | None], Sequence[_Place]]
"""The tables that don't state a number of ranks, by benchmark and variant."""


def with_ranks(sources: Sequence[Source], numbers: Sequence[int]) -> list[Source]:
    """`sources` with one of the `numbers` of `--ranks` for each table that doesn't state its own.

    One number holds for all. Several are for each benchmark's tables in the order in which they
    stand, or else for the files. UsageError where neither fits, or a file states another number.
    """
    given = _given(sources, numbers)
    _check_names(sources, given)
    return [
        replace(
            source,
            tables=tuple(
                replace(table, ranks=given.get((file, place), table.ranks))
                for place, table in enumerate(source.tables)
            ),
            ranks_given=any(table.ranks is None for table in source.tables),
        )
        for file, source in enumerate(sources)
    ]


def _given(sources: Sequence[Source], numbers: Sequence[int]) -> dict[_Place, int]:
    """The number of ranks of each table that doesn't state it."""
    benchmarks: dict[tuple[str, str | None], list[_Place]] = {}
    for file, source in enumerate(sources):
        for place, table in enumerate(source.tables):
            if table.ranks is None:
                key = table.benchmark, table.variant
                benchmarks.setdefault(key, []).append((file, place))
    places = [place for found in benchmarks.values() for place in found]
    if not places:
        _check_ranks(sources, numbers)
    if len(numbers) == 1:
        _check_one(sources, numbers[0], benchmarks)
        return dict.fromkeys(places, numbers[0])
    if all(len(found) == len(numbers) for found in benchmarks.values()):
        by_order = (zip(found, numbers, strict=True) for found in benchmarks.values())
        return {place: number for pairs in by_order for place, number in pairs}
    if len(sources) != len(numbers):
        raise _neither(sources, numbers, benchmarks)
    for source, number in zip(sources, numbers, strict=True):
        _check_ranks([source], [number])
    return {place: numbers[place[0]] for place in places}


def _check_one(sources: Sequence[Source], number: int, benchmarks: _Silent) -> None:
    """UsageError where files would be repetitions, but are named after different numbers of ranks.

    Repetitions are numbered one after the other; allreduce-4 and allreduce-8 aren't, on 4 ranks.
    """
    for found in benchmarks.values():
        files = list(dict.fromkeys(sources[file].file for file, _ in found))
        every = [_in_name(file) for file in files]
        differing = [one - set[int]().union(*every[:1]).intersection(*every) for one in every]
        named = [min(one) for one in differing if len(one) == 1]
        in_turn = sorted(named) == [*range(min(named, default=0), max(named, default=0) + 1)]
        if len(named) == len(files) > 1 and number in named and not in_turn:
            raise UsageError(
                f"--ranks {number} is one number for all of {', '.join(files)}, whose names say "
                f"{_spelled(named)}: give --ranks a number for each, or if they are repetitions, "
                "number them 1, 2, 3"
            )


def _check_ranks(sources: Sequence[Source], numbers: Sequence[int]) -> None:
    """UsageError where all `sources` state a number of ranks, and one of `numbers` isn't theirs."""
    stated = {table.ranks for source in sources for table in source.tables}
    if None not in stated and not stated.issuperset(numbers):
        files = ", ".join(source.file for source in sources)
        raise UsageError(
            f"--ranks {_spelled(numbers)}: the text of {files} says itself on how many it ran: "
            f"{_spelled(sorted(filter(None, stated)))}; --ranks is for tables that don't say theirs"
        )


def _neither(sources: Sequence[Source], numbers: Sequence[int], benchmarks: _Silent) -> UsageError:
    """The error for a number of `numbers` that fits nothing, with the numbers that would fit."""
    (name, _), found = next(
        (key, found) for key, found in benchmarks.items() if len(found) != len(numbers)
    )
    first = [f"{sources[file].file}:{sources[file].tables[t].line}" for file, t in found[:2]]
    lines = ", ".join([*first, *["..."] * (len(found) > len(first))])
    times = {len(places) for places in benchmarks.values()}
    counts = sorted({1, len(sources)} | (times if len(times) == 1 else set()))
    return UsageError(
        f"--ranks {_spelled(numbers)}: {len(numbers)} numbers for {len(sources)} "
        f"file{'s' * (len(sources) != 1)}, in which {name} stands {len(found)} "
        f"time{'s' * (len(found) != 1)} ({lines}); give {' or '.join(map(str, counts))}: one for "
        "all, one for each file, or one for each time that a benchmark stands there"
    )


def _check_names(sources: Sequence[Source], given: Mapping[_Place, int]) -> None:
    """UsageError where files are named after each other's numbers: shells sort 16 before 4."""
    by_file: dict[int, set[int]] = {}
    for (file, _), number in given.items():
        by_file.setdefault(file, set()).add(number)
    numbers = set(given.values())
    named = {file: numbers & _in_name(sources[file].file) for file in by_file}
    alone = [one for found in named.values() if len(found) == 1 for one in found]
    wrong = [file for file, found in named.items() if not found & by_file[file]]
    if wrong and len(set(alone)) == len(by_file):
        raise UsageError(
            f"--ranks gives {sources[wrong[0]].file} {_spelled(sorted(by_file[wrong[0]]))} ranks, "
            f"and its name says {_spelled(sorted(named[wrong[0]]))}: shells sort names in an order "
            f"of their own; give --ranks {_spelled(alone)}, or files with other names"
        )


def _in_name(file: str) -> set[int]:
    """The whole numbers in the last part of a path."""
    return {int(digits) for digits in re.findall(r"\d+", re.split(r"[/\\]", file)[-1])}


def _spelled(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
