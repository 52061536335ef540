"""Who is told how a campaign gets on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from leadline.hosts.cleanup.sweep import Swept
from leadline.hosts.this_host import Load
from leadline.measure.budget import Allotment
from leadline.measure.schedule import Shortfall
from leadline.record.run import Cell, Failure


class Observer(Protocol):
    """Who is told how the campaign gets on."""

    def swept(self, swept: Swept) -> None:
        """What killed front-ends had left was removed before the first block, if there was any."""

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """All launches of `block` with `ranks` ranks are about to start."""

    def launched(self, variant: str, command: Sequence[str]) -> None:
        """The ranks of `variant` were started by `command`; told of every launch."""

    def expected(self, left_s: float) -> None:
        """The blocks from the next one on take about so long."""

    def planned_anew(self, allotment: Allotment) -> None:
        """What is left is divided otherwise than before, by what the blocks so far showed."""

    def falls_short(self, shortfall: Shortfall, load: Load) -> None:
        """At its pace the campaign ends with fewer blocks than it needs, or late, under `load`."""

    def slice_done(self, variant: str, cell: Cell) -> None:
        """One more slice was recorded."""

    def failed(self, failure: Failure) -> None:
        """A cell or a launch failed; the campaign goes on."""

    def close(self) -> None:
        """The campaign is over."""


class Unwatched:
    """An observer that pays no attention, and what others are made of that watch one thing."""

    def swept(self, swept: Swept) -> None:
        """Nothing."""

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """Nothing."""

    def launched(self, variant: str, command: Sequence[str]) -> None:
        """Nothing."""

    def expected(self, left_s: float) -> None:
        """Nothing."""

    def planned_anew(self, allotment: Allotment) -> None:
        """Nothing."""

    def falls_short(self, shortfall: Shortfall, load: Load) -> None:
        """Nothing."""

    def slice_done(self, variant: str, cell: Cell) -> None:
        """Nothing."""

    def failed(self, failure: Failure) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""
