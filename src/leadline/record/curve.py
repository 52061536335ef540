"""The key of a curve, by which the curves of a run differ."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.record.run import Cell, Configuration


@dataclass(frozen=True, slots=True, order=True)
class CurveKey:
    """Properties that all points of one curve share: the points differ in the size only."""

    pattern: str
    """The pattern's label, with its options."""
    ranks: int
    buffers: str
    cadence: str
    threads: int = 0
    """Threads of each rank, as Configuration.threads."""

    @classmethod
    def of(cls, cell: Cell, configuration: Configuration) -> CurveKey:
        """The key of the curve that `cell` under `configuration` is a point of."""
        return cls(
            cell.pattern,
            configuration.ranks,
            str(cell.buffers),
            str(cell.cadence),
            configuration.threads,
        )


class OnCurve:
    """Mixin for points of a curve: the parts of the curve's key as properties."""

    __slots__ = ()

    curve: CurveKey

    @property
    def pattern(self) -> str:
        """The pattern's label, with its options."""
        return self.curve.pattern

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return self.curve.ranks

    @property
    def buffers(self) -> str:
        """Which memory successive messages use."""
        return self.curve.buffers

    @property
    def cadence(self) -> str:
        """Streaming or isolated."""
        return self.curve.cadence
