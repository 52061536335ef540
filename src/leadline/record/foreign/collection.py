"""From tables of other benchmarks to the configurations, cells and values of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from leadline.errors import RecordError
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.fields import in_lines
from leadline.record.foreign.repetitions import RepeatedTables
from leadline.record.foreign.table import PrintedRow, PrintedTable
from leadline.record.run import Buffers, Cadence, Cell, Configuration, Origin, Stated

MOST_PLACES = 2**20
"""Cells times configurations times blocks: what reads a run keeps some numbers for each."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file and what was parsed from it."""

    file: str
    form: str
    """One of FORMATS."""
    tables: tuple[PrintedTable, ...]
    ranks_given: bool = False
    """Whether the command says on how many ranks some of them ran, as the text doesn't."""


@dataclass(slots=True)
class ImportedTables:
    """What a run of values that others printed consists of; `add` grows it."""

    variant: str
    """Of tables that don't say theirs."""
    origin: Origin = Origin.IMPORTED
    configurations: list[Configuration] = field(default_factory=list)
    cells: dict[Cell, int] = field(default_factory=dict)
    """Each with its index."""
    stated: list[Stated] = field(default_factory=list)
    caveats: list[Caveat] = field(default_factory=list)
    _numbers: dict[tuple[str, int], int] = field(default_factory=dict)
    """(variant, ranks) -> configuration."""
    _repetitions: RepeatedTables = field(default_factory=RepeatedTables)

    @property
    def blocks(self) -> int:
        """RepeatedTables of a benchmark; 1: each stands once."""
        return self._repetitions.most

    def take(self, sources: Iterable[Source]) -> None:
        """Takes in all tables of `sources`, each repetition of a benchmark as a block.

        RecordError where one has two values of a cell, or doesn't fit the others.
        """
        for source in sources:
            self._add(source)
        self._repetitions.check_even()

    def _add(self, source: Source) -> None:
        for table in source.tables:
            configuration = self._configuration(source.file, table)
            rows = [row for row in table.rows if row.seconds > 0]
            _check_once(table, source.file)
            remedy = self._other_ranks(source, configuration)
            block = self._repetitions.block_of(configuration, table, source.file, remedy)
            cells = tuple(self._cell(table, row) for row in rows)
            self._check_places(source.file, table)
            self.stated.append(
                Stated(
                    configuration, source.file, cells,
                    tuple(row.seconds for row in rows), tuple(row.line for row in rows),
                    block=block,
                )
            )  # fmt: skip
            self._note_noughts(source.file, table)
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

    def _other_ranks(self, source: Source, configuration: int) -> str:
        """What else to do where the command said how many ranks a file ran on; "": it didn't."""
        ranks = self.configurations[configuration].ranks
        return source.ranks_given * (
            f"if not both ran on {ranks} ranks, give --ranks a number for each file, such as "
            "4,8,16; else "
        )

    def _configuration(self, file: str, table: PrintedTable) -> int:
        if table.ranks is None:
            raise RecordError(
                file, table.line, f"the output of {table.benchmark} doesn't say on how many ranks "
                "it ran; give --ranks, one number for all files or one for each, such as 4,8,16",
            )  # fmt: skip
        variant, backend = table.variant or self.variant, str(self.origin)
        one = Configuration(variant, backend, "unknown", table.ranks, (), origin=self.origin)
        number = self._numbers.setdefault((variant, table.ranks), len(self._numbers))
        if number == len(self.configurations):
            self.configurations.append(one)
        return number

    def _cell(self, table: PrintedTable, row: PrintedRow) -> int:
        cell = Cell(
            table.benchmark, row.size_bytes, Buffers.UNSTATED, Cadence.UNSTATED, 1, table.whose_time
        )
        return self.cells.setdefault(cell, len(self.cells))

    def _note_noughts(self, file: str, table: PrintedTable) -> None:
        lines = [row.line for row in table.rows if row.seconds == 0]
        if lines:
            cause = f"{file}, {in_lines(lines)}: printed as nought, which is no measurement"
            self.caveats.append(CaveatKind.NOUGHT.because(cause))

    def _note_reduction(self, source: Source) -> None:
        """Says what a file has and the run hasn't."""
        repetitions = max((table.repetitions for table in source.tables), default=1)
        if repetitions > 1:
            cause = f"{source.file}: up to {repetitions} values at a point"
            self.caveats.append(CaveatKind.REPETITIONS.because(cause))
        others = sorted({name for table in source.tables for name in table.other_metrics})
        if others:
            cause = f"{source.file}: {', '.join(others)}"
            self.caveats.append(CaveatKind.OTHER_METRICS.because(cause))


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
