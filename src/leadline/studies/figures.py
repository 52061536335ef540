"""A figure in a paper's layout: curves against the size or the PEs, and the points it printed."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.statistics.estimate import Estimate
from leadline.studies.units import Unit


@dataclass(frozen=True, slots=True)
class StudyPoint:
    """A value on a curve."""

    at: int
    """Bytes of a message, or PEs, as the figure's x axis has it."""
    estimate: Estimate
    """In the SI unit of the figure's."""
    crowded: bool = False
    """Measured with more PEs than cores."""


@dataclass(frozen=True, slots=True)
class StudyCurve:
    """One name in the legend."""

    name: str
    library: str
    """Curves of one look alike, but for their strokes."""
    network: str
    """Curves of one have the same stroke."""
    points: tuple[StudyPoint, ...]
    raw: bool = False
    """Of a raw transport, which is a limit and no competitor."""
    published: bool = False
    """What the paper printed."""


@dataclass(frozen=True, slots=True)
class StudyFigure:
    """A figure of a paper, made anew."""

    name: str
    """What its file is called."""
    title: str
    quantity: str
    """Of the y axis."""
    unit: Unit
    """As the paper has it."""
    curves: tuple[StudyCurve, ...]
    logarithmic: bool = False
    """Both axes are; else both are linear and begin at 0, as most of 1996 are."""
    against_pes: bool = False
    """The x axis counts PEs, else bytes of a message."""
