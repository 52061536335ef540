"""From the lines of a journal to a Run: good lines count, each bad one becomes a warning."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from leadline.errors import RecordError
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.caveats import Caveat, CaveatKind
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
from leadline.store.bounds import TOO_HIGH, counted_to, repeated_too_often
from leadline.store.lines import (
    Record,
    check_stated,
    check_version,
    decode,
    decode_caveat,
    decode_configuration,
    decode_stated,
    identity,
    index,
    unseal,
    with_origins,
)
from leadline.store.slice_lines import decode_slice

T = TypeVar("T", Slice, Failure)

_any_line = whole(1, 2**53)


class Replay:
    """What the lines read so far say; feed it the lines in order, the first being the header."""

    def __init__(self, file: str) -> None:
        """Begins with nothing known; `file` is the journal's name in messages."""
        self.file = file
        self.version = FORMAT_VERSION
        self.id = ""
        """The run's; before format 8 it has none."""
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
        self.warnings: list[Caveat] = []
        self.complete = False
        self.lines = 0
        """Lines seen, good or bad."""
        self.last = 0
        """Number that the last good line says it has."""
        self.bad: dict[str, list[int]] = {}
        """Problem -> the lines that have it."""
        self._bad_since_last = 0
        self._configuration_at: dict[int, int] = {}
        """Index in the journal -> index in the Run; they differ after a definition that is lost."""
        self._transports: dict[int, str] = {}
        """By index in the Run: what a configuration was found to have instead of its own."""
        self._cell_at: dict[int | None, int | None] = {None: None}
        self._kinds: Mapping[str, Callable[[Record], None]] = {
            "configuration": self._configuration,
            "transport": self._transport,
            "cells": self._cells,
            "slice": self._slice,
            "imported": self._state,
            "stated": self._state,
            "host": self._host,
            "clock_fit": self._clock_fit,
            "failure": self._failure,
            "warning": self._warning,
            "end": self._end,
        }

    def feed(self, line: bytes) -> None:
        """Takes in one line, without its newline; RecordError if it is the header and bad."""
        self.lines += 1
        try:
            if self.lines == 1:
                self._header(unseal(line))
            else:
                self._take(unseal(line))
        except FormatError as problem:
            if self.lines == 1:
                raise RecordError(self.file, 1, f"the header {problem}") from None
            self.bad.setdefault(str(problem), []).append(self.lines)
            self._bad_since_last += 1

    def _header(self, record: Record) -> None:
        if record.get("kind") != "run":
            raise FormatError("is missing: this is not the journal of a run")
        self.version = field(record, "format", check_version)
        self.id = field(record, "id", identity) if self.version >= 8 else ""
        self.metadata = field(record, "metadata", of_type(dict))
        self.last = 1

    def _take(self, record: Record) -> None:
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
        """FormatError where others were to be defined before, and no line is lost: it is alien.

        Behind a line that is lost any may be missing, and an alien one can't be told from the rest.
        """
        is_lost = self.bad or field(record, "line", _any_line) > self.last + 1
        if new > defined and not is_lost:
            raise FormatError(f"defines {what} {new}, and no line before defines {defined}")

    def _cells(self, record: Record) -> None:
        first = field(record, "first", index)
        found = field(record, "cells", list_of(lambda entry: decode(Cell, entry)))
        new = {first + i: len(self.cells) + i for i in range(len(found))}
        if not new.keys().isdisjoint(self._cell_at):
            raise FormatError(f"defines cell {first} or a later one again")
        self._check_next(record, "cell", first, len(self._cell_at) - 1)
        self.cells += found
        self._cell_at |= new

    def _slice(self, record: Record) -> None:
        found = self._placed(decode_slice(record))
        ranks = np.append(found.ranks, found.others)
        if ranks.max(initial=0) >= self.configurations[found.configuration].ranks:
            raise FormatError("has a rank that its configuration doesn't have")
        self.slices.append(found)
        self._slice_lines.append(self.lines)
        self._made_good(found)

    def _state(self, record: Record) -> None:
        found = decode_stated(record)
        if found.configuration not in self._configuration_at:
            unknown = f"configuration {found.configuration}"
        elif not self._cell_at.keys() >= set(found.cells):
            unknown = "a cell"
        else:
            configuration = self._configuration_at[found.configuration]
            check_stated(self.configurations[configuration], self.version)
            cells: Any = tuple(self._cell_at[cell] for cell in found.cells)
            self.stated.append(dataclasses.replace(found, configuration=configuration, cells=cells))
            self._stated_lines.append(self.lines)
            return
        raise FormatError(f"refers to {unknown}, which no line before defines")

    def _failure(self, record: Record) -> None:
        self.failures.append(self._placed(decode(Failure, record)))

    def _made_good(self, found: Slice) -> None:
        """Takes back that the host of `found` is down: it was measured when that was back."""
        mine = (found.configuration, None), (found.configuration, found.cell)
        self.failures = [
            failure
            for failure in self.failures
            if failure.code != HOST_DOWN or (failure.configuration, failure.cell) not in mine
        ]

    def _placed(self, item: T) -> T:
        """`item` with the Run's indices."""
        if item.configuration not in self._configuration_at:
            unknown = f"configuration {item.configuration}"
        elif item.cell not in self._cell_at:
            unknown = f"cell {item.cell}"
        else:
            configuration = self._configuration_at[item.configuration]
            cell: Any = self._cell_at[item.cell]
            return dataclasses.replace(item, configuration=configuration, cell=cell)
        raise FormatError(f"refers to {unknown}, which no line before defines")

    def _host(self, record: Record) -> None:
        self.hosts.append(decode(Host, record))

    def _clock_fit(self, record: Record) -> None:
        self.clock_fits.append(decode(ClockFit, record))

    def _warning(self, record: Record) -> None:
        self.warnings.append(decode_caveat(record))

    def _end(self, record: Record) -> None:
        self.complete = field(record, "complete", of_type(bool))

    def leave_out(self) -> None:
        """Leaves out what, once all is known, is numbered too high for the rest."""
        self._leave_out_stated()
        numbers = np.array(
            [
                (one.block, one.visit, one.attempt, np.append(one.ranks, one.others).max(initial=0))
                for one in self.slices
            ],
            np.int64,
        ).reshape(-1, 4)
        kept = counted_to(numbers, len(self.configurations) * len(self.cells)).tolist()
        if not all(kept):
            lines = [line for line, stays in zip(self._slice_lines, kept, strict=True) if not stays]
            self.bad[TOO_HIGH] = lines
            self.slices = [one for one, stays in zip(self.slices, kept, strict=True) if stays]

    def _leave_out_stated(self) -> None:
        """Likewise values; where there are slices none are repetitions."""
        pairs = len(self.configurations) * len(self.cells)
        kept = [
            not (repeated_too_often(one, pairs) or (one.block and self.slices))
            for one in self.stated
        ]
        if not all(kept):
            lines = [at for at, stays in zip(self._stated_lines, kept, strict=True) if not stays]
            self.bad["has a block that is too high for stated values"] = lines
            self.stated = [one for one, stays in zip(self.stated, kept, strict=True) if stays]

    # -- results -----------------------------------------------------------------------------------

    @property
    def lost_definition(self) -> bool:
        """Whether a configuration or cell is missing between others."""
        places = (*self._configuration_at.items(), *self._cell_at.items())
        return any(old != new for old, new in places)

    def caveats(self) -> list[Caveat]:
        """One for each problem, naming the lines that have it."""
        return [
            CaveatKind.JOURNAL_LINE.because(f"{self.file}{_lines(numbers)} {problem}")
            for problem, numbers in self.bad.items()
        ]

    def _carried(self) -> list[Configuration]:
        return [
            dataclasses.replace(one, transport=self._transports.get(i, one.transport))
            for i, one in enumerate(self.configurations)
        ]

    def run(self, path: str) -> Run:
        """The Run in `path` as far as the lines told."""
        return Run(
            path=path,
            complete=self.complete,
            metadata=self.metadata,
            configurations=with_origins(self._carried(), self.stated, self.version),
            cells=tuple(self.cells),
            batches=batches_of(self.slices),
            failures=tuple(self.failures),
            warnings=tuple(dict.fromkeys([*self.warnings, *self.caveats()])),
            stated=tuple(self.stated),
            strips=strips_of(self.slices),
            conditions=conditions_of(self.slices),
            hosts=tuple(self.hosts),
            clock_fits=tuple(self.clock_fits),
            id=self.id,
        )


def _lines(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f":{numbers[0]}:"
    return f", {in_lines(numbers)}: each"
