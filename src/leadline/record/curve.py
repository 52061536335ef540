"""What tells the curves of a run apart."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.record.run import Cell, Configuration


@dataclass(frozen=True, slots=True, order=True)
class CurveKey:
    """What all points of one curve share: they differ in the size alone."""

    pattern: str
    """With its options."""
    ranks: int
    buffers: str
    cadence: str
    threads: int = 0
    """Of each rank, as Configuration.threads."""

    @classmethod
    def of(cls, cell: Cell, configuration: Configuration) -> CurveKey:
        """That of one cell under one configuration."""
        return cls(
            cell.pattern,
            configuration.ranks,
            str(cell.buffers),
            str(cell.cadence),
            configuration.threads,
        )


class OnCurve:
    """Gives what lies on a curve the parts of its key by name."""

    __slots__ = ()

    curve: CurveKey

    @property
    def pattern(self) -> str:
        """With its options."""
        return self.curve.pattern

    @property
    def ranks(self) -> int:
        """How many."""
        return self.curve.ranks

    @property
    def buffers(self) -> str:
        """Which memory successive messages use."""
        return self.curve.buffers

    @property
    def cadence(self) -> str:
        """Streaming or isolated."""
        return self.curve.cadence
