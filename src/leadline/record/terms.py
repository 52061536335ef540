"""How values came about, and what patterns were called; no numpy, as command lines need them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Origin(StrEnum):
    """Where values of a configuration come from; only measured ones are compared for a verdict."""

    MEASURED = "measured"
    IMPORTED = "imported"
    """Another benchmark printed them."""
    SIMULATED = "simulated"
    PREDICTED = "predicted"
    """By a model that was fitted to others."""


class Buffers(StrEnum):
    """Which memory successive messages use; results are never compared across policies."""

    ECHO = "echo"
    SEPARATE = "separate"
    COLD = "cold"
    UNSTATED = "unstated"
    """Of imported values only: their source doesn't state it."""


class Cadence(StrEnum):
    """Streaming: batches back to back. Isolated: one operation per common deadline."""

    STREAMING = "streaming"
    ISOLATED = "isolated"
    UNSTATED = "unstated"
    """Of imported values only: their source doesn't state it."""


class WhoseTime(StrEnum):
    """Whose clock a sample is read from."""

    ROOT = "root"
    SLOWEST = "slowest rank"
    MEAN = "mean of ranks"
    """Of imported values only."""
    UNSTATED = "unstated"
    """Of imported values only: their source doesn't state it."""


FORMER_NAMES: Mapping[str, str] = {
    "total_exchange": "alltoall",
    "total_exchangev": "alltoallv",
    "itotal_exchange": "ialltoall",
}
"""Former names of patterns, to format 9, which files, logs and command lines may go on having."""


def current_label(label: str) -> str:
    """The `label` of a pattern, with or without options, by the name that it has now."""
    name, colon, options = label.partition(":")
    return FORMER_NAMES.get(name, name) + colon + options
