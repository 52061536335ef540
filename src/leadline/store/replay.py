"""Replay of the lines of a journal to a Run: good lines count, each bad one becomes a warning."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from leadline.errors import RecordError
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.fields import FormatError, field, in_lines, list_of, of_type, text, whole
from leadline.record.run import (
    FORMAT_VERSION,
    HOST_DOWN,
    Cell,
    ClockFit,
    Configuration,
    Failure,
    Host,
    Run,
    Stated,
)
from leadline.record.slices import Slice
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.store.bounds import TOO_HIGH, counted_to, repeated_too_often
from leadline.store.lines import (
    Record,
    check_stated,
    check_version,
    decode,
    decode_cell,
    decode_configuration,
    decode_stated,
    decode_warning,
    identity,
    index,
    unseal,
    with_origins,
)
from leadline.store.slice_lines import decode_slice

T = TypeVar("T", Slice, Failure)

_any_line = whole(1, 2**53)


class Replay:
    """Content of the lines read so far; feed it the lines in order, the first being the header."""

    def __init__(self, file: str) -> None:
        """Begin with nothing known; `file` is the journal's name in messages."""
        self.file = file
        self.version = FORMAT_VERSION
        self.id = ""
        """Id of the run; before format 8 it has none."""
        self.metadata: Mapping[str, Any] = {}
        self.configurations: list[Configuration] = []
        self.cells: list[Cell] = []
        self.slices: list[Slice] = []
        self._slice_lines: list[int] = []
        self.stated: list[Stated] = []
        self._stated_lines: list[int] = []
        self.hosts: list[Host] = []
        self.clock_fits: list[ClockFit] = []
        self.failures: list[Failure] = []
        self.warnings: list[RunWarning] = []
        self.complete = False
        self.lines = 0
        """Number of lines seen, good or bad."""
        self.last = 0
        """Number in the last good line."""
        self.bad: dict[str, list[int]] = {}
        """Numbers of the lines with each problem."""
        self._bad_since_last = 0
        self._configuration_at: dict[int, int] = {}
        """Index in the Run by that in the journal; they differ after a definition that is lost."""
        self._transports: dict[int, str] = {}
        """Transports that replace the configurations' own, by index in the Run."""
        self._cell_at: dict[int | None, int | None] = {None: None}
        self._kinds: Mapping[str, Callable[[Record], None]] = {
            "configuration": self._configuration,
            "transport": self._transport,
            "cells": self._cells,
            "slice": self._slice,
            "imported": self._state,
            "stated": self._state,
            "host": lambda record: self.hosts.append(decode(Host, record)),
            "clock_fit": lambda record: self.clock_fits.append(decode(ClockFit, record)),
            "failure": lambda record: self.failures.append(self._placed(decode(Failure, record))),
            "warning": lambda record: self.warnings.append(decode_warning(record)),
            "end": self._end,
        }

    def feed(self, line: bytes) -> None:
        """Take in one line, without its newline.

        Raises:
            RecordError: it is the header and bad.
        """
        self.lines += 1
        try:
            record = unseal(line)
            if self.lines > 1:
                self._take(record)
                return
            if record.get("kind") != "run":
                raise FormatError("is missing: this is not the journal of a run")
            self.version = field(record, "format", check_version)
            self.id = field(record, "id", identity) if self.version >= 8 else ""
            self.metadata = field(record, "metadata", of_type(dict))
            self.last = 1
        except FormatError as problem:
            if self.lines == 1:
                raise RecordError(self.file, 1, f"the header {problem}") from None
            self.bad.setdefault(str(problem), []).append(self.lines)
            self._bad_since_last += 1

    def _take(self, record: Record) -> None:
        """Take in the record of a line after the header."""
        kind = field(record, "kind", of_type(str))
        number = field(record, "line", _any_line)
        if number <= self.last:
            raise FormatError("is a copy of an earlier line")
        if kind not in self._kinds:
            raise FormatError(f"has the unknown kind {kind[:20]!r}")
        self.complete = False  # unless this is the end
        self._kinds[kind](record)
        missing = number - self.last - 1 - self._bad_since_last
        if missing > 0:
            self.bad.setdefault(f"comes after {missing} missing", []).append(self.lines)
        self.last, self._bad_since_last = number, 0

    def _configuration(self, record: Record) -> None:
        new = field(record, "index", index)
        if new in self._configuration_at:
            raise FormatError(f"defines configuration {new} again")
        self._check_next(record, "configuration", new, len(self._configuration_at))
        self.configurations.append(decode_configuration(record))
        self._configuration_at[new] = len(self.configurations) - 1

    def _transport(self, record: Record) -> None:
        of = field(record, "configuration", index)
        if of not in self._configuration_at:
            raise FormatError(f"is of configuration {of}, which isn't defined")
        self._transports[self._configuration_at[of]] = field(record, "transport", text)

    def _check_next(self, record: Record, what: str, new: int, defined: int) -> None:
        """Check that nothing was to be defined before, unless a line is lost.

        Behind a line that is lost any definition may be missing, and a line of another journal
        can't be told from the rest.

        Raises:
            FormatError: others were to be defined before, and no line is lost: the line is alien.
        """
        is_lost = self.bad or field(record, "line", _any_line) > self.last + 1
        if new > defined and not is_lost:
            raise FormatError(f"defines {what} {new}, and no line before defines {defined}")

    def _cells(self, record: Record) -> None:
        first = field(record, "first", index)
        cells = field(record, "cells", list_of(decode_cell))
        new = {first + i: len(self.cells) + i for i in range(len(cells))}
        if not new.keys().isdisjoint(self._cell_at):
            raise FormatError(f"defines cell {first} or a later one again")
        self._check_next(record, "cell", first, len(self._cell_at) - 1)
        self.cells += cells
        self._cell_at |= new

    def _slice(self, record: Record) -> None:
        placed = self._placed(decode_slice(record))
        ranks = np.append(placed.ranks, placed.others)
        if ranks.max(initial=0) >= self.configurations[placed.configuration].ranks:
            raise FormatError("has a rank that its configuration doesn't have")
        self.slices.append(placed)
        self._slice_lines.append(self.lines)
        # a host that was down is up again: it was measured
        places = (placed.configuration, None), (placed.configuration, placed.cell)
        self.failures = [
            failure
            for failure in self.failures
            if failure.code != HOST_DOWN or (failure.configuration, failure.cell) not in places
        ]

    def _state(self, record: Record) -> None:
        stated = decode_stated(record)
        if stated.configuration not in self._configuration_at:
            unknown = f"configuration {stated.configuration}"
        elif not self._cell_at.keys() >= set(stated.cells):
            unknown = "a cell"
        else:
            configuration = self._configuration_at[stated.configuration]
            check_stated(self.configurations[configuration], self.version)
            cells: Any = tuple(self._cell_at[cell] for cell in stated.cells)
            placed = dataclasses.replace(stated, configuration=configuration, cells=cells)
            self.stated.append(placed)
            self._stated_lines.append(self.lines)
            return
        raise FormatError(f"refers to {unknown}, which no line before defines")

    def _placed(self, item: T) -> T:
        """The `item` with the Run's indices."""
        if item.configuration not in self._configuration_at:
            unknown = f"configuration {item.configuration}"
        elif item.cell not in self._cell_at:
            unknown = f"cell {item.cell}"
        else:
            configuration = self._configuration_at[item.configuration]
            cell: Any = self._cell_at[item.cell]
            return dataclasses.replace(item, configuration=configuration, cell=cell)
        raise FormatError(f"refers to {unknown}, which no line before defines")

    def _end(self, record: Record) -> None:
        self.complete = field(record, "complete", of_type(bool))

    def leave_out(self) -> None:
        """Leave out what, once all is known, is numbered too high for the rest."""
        pairs = len(self.configurations) * len(self.cells)
        # where there are slices no stated values are repetitions
        kept = [
            not (repeated_too_often(table, pairs) or (table.block and self.slices))
            for table in self.stated
        ]
        if not all(kept):
            lines = [at for at, stays in zip(self._stated_lines, kept, strict=True) if not stays]
            self.bad["has a block that is too high for stated values"] = lines
            self.stated = [stated for stated, stays in zip(self.stated, kept, strict=True) if stays]
        numbers = np.array(
            [
                (
                    slice_.block,
                    slice_.visit,
                    slice_.attempt,
                    np.append(slice_.ranks, slice_.others).max(initial=0),
                )
                for slice_ in self.slices
            ],
            np.int64,
        ).reshape(-1, 4)
        kept = counted_to(numbers, pairs).tolist()
        if not all(kept):
            lines = [line for line, stays in zip(self._slice_lines, kept, strict=True) if not stays]
            self.bad[TOO_HIGH] = lines
            self.slices = [slice_ for slice_, stays in zip(self.slices, kept, strict=True) if stays]

    # -- results -----------------------------------------------------------------------------------

    @property
    def lost_definition(self) -> bool:
        """Whether a configuration or cell is missing between others."""
        places = (*self._configuration_at.items(), *self._cell_at.items())
        return any(old != new for old, new in places)

    def damage(self) -> list[RunWarning]:
        """Warnings, one for each problem, naming the lines that have it."""
        warnings: list[RunWarning] = []
        for problem, numbers in self.bad.items():
            if len(numbers) == 1:
                where: dict[str, object] = {"line": numbers[0]}
            else:
                where = {"lines": in_lines(numbers)}
            warnings.append(
                warning_of(WarningKind.JOURNAL_LINE, file=self.file, problem=problem, **where)
            )
        return warnings

    def run(self, path: str) -> Run:
        """The Run in `path` as far as the lines were read."""
        carried = [
            dataclasses.replace(
                configuration, transport=self._transports.get(i, configuration.transport)
            )
            for i, configuration in enumerate(self.configurations)
        ]
        return Run(
            path=path,
            complete=self.complete,
            metadata=self.metadata,
            configurations=with_origins(carried, self.stated, self.version),
            cells=tuple(self.cells),
            batches=batches_of(self.slices),
            failures=tuple(self.failures),
            warnings=tuple(dict.fromkeys([*self.warnings, *self.damage()])),
            stated=tuple(self.stated),
            strips=strips_of(self.slices),
            conditions=conditions_of(self.slices),
            hosts=tuple(self.hosts),
            clock_fits=tuple(self.clock_fits),
            id=self.id,
        )
