"""Who is told how a campaign gets on."""

from __future__ import annotations

from typing import Protocol

from leadline.hosts.remains import Swept
from leadline.measure.allotment import Allotment
from leadline.record.run import Cell, Failure


class Observer(Protocol):
    """Who is told how the campaign gets on."""

    def swept(self, swept: Swept) -> None:
        """What killed front-ends had left was removed before the first block, if there was any."""

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """All launches of `block` with `ranks` ranks are about to start."""

    def planned_anew(self, allotment: Allotment) -> None:
        """What is left is divided otherwise than before, by what the blocks so far showed."""

    def slice_done(self, variant: str, cell: Cell) -> None:
        """One more slice was recorded."""

    def failed(self, failure: Failure) -> None:
        """A cell or a launch failed; the campaign goes on."""

    def close(self) -> None:
        """The campaign is over."""
