"""Runs in which not every configuration was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.synthetic import Campaign, configuration

from leadline.record.run import Cell, Configuration, Origin, Run, Stated
from leadline.store import Journal


@dataclass(frozen=True)
class Word:
    """What one variant that wasn't measured says of every cell."""

    variant: str
    origin: Origin
    seconds: Callable[[Cell], float]
    reach: float | None = None
    """Half width of the interval that comes with it, relative."""
    backend: str = "mpich"
    ranks: int = 2
    more_cells: Sequence[Cell] = ()
    """That nobody measured."""

    @property
    def configuration(self) -> Configuration:
        one = configuration(self.backend, self.ranks)
        return replace(one, variant=self.variant, origin=self.origin, version="unknown")

    def stated(self, index: int, cells: Sequence[Cell]) -> Stated:
        seconds = tuple(self.seconds(cell) for cell in cells)
        reach = () if self.reach is None else (1 + self.reach,)
        return Stated(
            configuration=index,
            source="a model",
            cells=tuple(range(len(cells))),
            seconds=seconds,
            low=tuple(one / by for by in reach for one in seconds),
            high=tuple(one * by for by in reach for one in seconds),
        )


def constant(seconds: float) -> Callable[[Cell], float]:
    return lambda cell: seconds


FASTEST = Word("torus", Origin.SIMULATED, constant(1e-9))
"""Faster than anything that could be measured."""


def with_words(run: Run, *words: Word) -> Run:
    """`run`, and beside what was measured what others say."""
    for word in words:
        cells = (*run.cells, *(c for c in word.more_cells if c not in run.cells))
        index = len(run.configurations)
        run = replace(
            run,
            cells=cells,
            configurations=(*run.configurations, word.configuration),
            stated=(*run.stated, word.stated(index, cells)),
        )
    return run


def write_mixed(directory: Path, campaign: Campaign, *words: Word) -> None:
    """Journals `campaign` in `directory`, and beside it what others say of its cells."""
    campaign.write(directory)
    with Journal.reopen(directory) as journal:
        _add(journal, campaign.cells, words)
        journal.close(True)


def write_words(directory: Path, cells: Sequence[Cell], *words: Word) -> None:
    """Journals a run in which nothing was measured."""
    with Journal.create(directory, {}) as journal:
        journal.add_cells(tuple(cells))
        _add(journal, cells, words)
        journal.close(True)


def _add(journal: Journal, cells: Sequence[Cell], words: Sequence[Word]) -> None:
    for word in words:
        index = journal.add_configuration(word.configuration)
        journal.add_stated(word.stated(index, cells))
