"""Words that a run has for how its values came about; without numpy, as command lines need them."""

from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """Where the values of a configuration come from. Only measured ones compete with each other."""

    MEASURED = "measured"
    IMPORTED = "imported"
    """Another benchmark printed them."""
    SIMULATED = "simulated"
    PREDICTED = "predicted"
    """A model fitted to others says so."""


class Buffers(StrEnum):
    """Which memory successive messages use; results are never compared across policies."""

    ECHO = "echo"
    SEPARATE = "separate"
    COLD = "cold"
    UNSTATED = "unstated"
    """Only of imported values: their source doesn't say."""


class Cadence(StrEnum):
    """Streaming: batches back to back. Isolated: one operation per common deadline."""

    STREAMING = "streaming"
    ISOLATED = "isolated"
    UNSTATED = "unstated"
    """Only of imported values: their source doesn't say."""


class WhoseTime(StrEnum):
    """Whose clock a sample is read from."""

    ROOT = "root"
    SLOWEST = "slowest rank"
    MEAN = "mean of ranks"
    """Only of imported values."""
    UNSTATED = "unstated"
    """Likewise: their source doesn't say."""
