"""Runs to be damaged, and what a run holds, so that nothing of it can go unseen."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from harness.blocks import configuration
from harness.many_ranks import CELLS, LEVEL_NS, RANKS, drawn, kept
from harness.places import DATA
from harness.synthetic import BARRIER, Campaign, pingpong
from hypothesis.vendor.pretty import RepresentationPrinter

from leadline.record.run import Failure, Host, Run
from leadline.record.slices import COLUMNS, SPREAD, StripConditions
from leadline.record.warnings import WarningKind, warning_of
from leadline.store import Journal, finish, load

FORMATS = sorted(DATA.glob("format-*"))
IDS = tuple(f"{number:032x}" for number in range(1, 9))
"""Of the runs that are written here, the same each time: positions in their files are drawn."""


@dataclass(frozen=True, slots=True)
class Intact:
    """A run as it was written."""

    name: str
    files: Mapping[str, bytes]
    """By their names."""
    content: Content
    warnings: frozenset[str]
    """That it has of its own."""
    id: str
    """Empty of older formats, whose files can't be told from another run's."""

    def _repr_pretty_(self, printer: RepresentationPrinter, _: bool) -> None:
        """In an example that fails: its name."""
        printer.text(f"<{self.name}>")


@dataclass(frozen=True, slots=True)
class Content:
    """All that a run holds, each value with how often it is there."""

    batches: Counter[tuple[Any, ...]]
    """With its configuration and cell in words."""
    conditions: Counter[tuple[Any, ...]]
    facts: Counter[str]
    complete: bool

    def lost(self, found: Content) -> list[str]:
        """What of it `found` hasn't, in words; empty: nothing."""
        none: Counter[Any] = Counter()  # formats before 4 have none where they have tables
        pairs: tuple[tuple[str, Counter[Any], Counter[Any]], ...] = (
            ("batches", self.batches, found.batches),
            ("conditions", self.conditions if found.conditions else none, found.conditions),
            ("facts", self.facts, found.facts),
        )
        return [
            f"{len(gone)} {name} gone, first {next(iter(gone))}"[:200]
            for name, mine, others in pairs
            if (gone := mine - others)
        ]


def content_of(run: Run) -> Content:
    """What `run` holds."""
    facts = (*run.configurations, *run.cells, *run.stated, *run.failures, *run.hosts)
    of_whom = [repr(run.configurations[i]) for i in run.batches.configuration]
    of_what = [repr(run.cells[i]) for i in run.batches.cell]
    columns = _columns(run.batches, set(COLUMNS) - {"configuration", "cell"})
    spread = [] if run.batches.spread is None else _columns(run.batches.spread, SPREAD)
    conditions: list[list[Any]] = []
    if run.conditions is not None and run.strips is not None:
        of_strips = _columns(run.conditions, [one.name for one in fields(StripConditions)])
        conditions = _columns(run.strips, ("block", "visit", "attempt", "rank"))
        conditions += [list(map(str, column)) for column in of_strips]  # nan is itself
    return Content(
        Counter(zip(of_whom, of_what, *columns, *spread, strict=True)),
        Counter(zip(*conditions, strict=True)),
        Counter(map(repr, (*facts, *run.clock_fits, dict(run.metadata)))),
        run.complete,
    )


def _columns(table: object, names: Iterable[str]) -> list[list[Any]]:
    return [getattr(table, name).tolist() for name in sorted(names)]


@cache
def intact_runs() -> list[Intact]:
    """One of each kind: finished and not, of few ranks and many, imported, of older formats."""
    with tempfile.TemporaryDirectory(prefix="leadline-fuzz-") as folder:
        return _intact_runs(Path(folder))


def _intact_runs(folder: Path) -> list[Intact]:
    with patch.object(uuid, "uuid4", side_effect=map(uuid.UUID, IDS)):
        _write_runs(folder)
    for path in FORMATS:
        shutil.copytree(path, folder / path.name)
    return [_intact(path) for path in sorted(folder.iterdir())]


def _write_runs(folder: Path) -> None:
    campaign = Campaign(
        ("mpich", "impi"), (pingpong(8), pingpong(4096), BARRIER), 3, 4,
        hosts=(Host("node01", "boot-1", "boot-1:0", (0, 1)),),
    )  # fmt: skip
    beside = [warning_of(WarningKind.OVERSUBSCRIBED)]
    campaign.write(folder / "running", [Failure(1, 2, 2, "hang", "rank 1 stuck")], beside)
    shutil.copytree(folder / "running", folder / "finished")
    finish(folder / "finished")
    _write_many(folder / "many")


def _write_many(directory: Path) -> None:
    """Of many ranks, whose slowest one's batches are kept, with all that is watched."""
    with Journal.create(directory, {"leadline": "1"}) as journal:
        journal.add_cells(CELLS)
        for name in LEVEL_NS:
            journal.add_configuration(configuration(name, ranks=RANKS))
        for taken in kept(drawn(1, blocks=1, visits=1)):
            journal.add_slice(replace(taken, ranks=taken.ranks.astype(np.int32)))
        journal.close(True)
    finish(directory)


def _intact(directory: Path) -> Intact:
    run = load(directory)
    files = {path.name: path.read_bytes() for path in sorted(directory.iterdir())}
    warnings = frozenset(one.cause for one in run.warnings)
    return Intact(directory.name, files, content_of(run), warnings, run.id)
