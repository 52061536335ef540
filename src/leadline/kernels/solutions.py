"""What an application says of the solutions that a slice timed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from leadline.kernels.words import count, finite
from leadline.record.slices import Verified


@dataclass(frozen=True, slots=True)
class Solved:
    """Of one rank: what its repetitions took, those recorded for times, and what came of them."""

    communication_ns: int
    elapsed_ns: int
    """Communication and all else."""
    verified: Verified | None = None
    """None: this rank checked no real number, as where messages carry nothing."""


def parse_solved(said: Mapping[str, str]) -> Solved | None:
    """What `spent` and `verified` of a result say; None: it is no application's.

    ValueError: they aren't what a kernel writes.
    """
    if "spent" not in said:
        return None
    communication_ns, elapsed_ns = map(count, said["spent"].split(":"))
    return Solved(communication_ns, elapsed_ns, _verified(said))


def _verified(said: Mapping[str, str]) -> Verified | None:
    if "verified" not in said:
        return None
    quantity, expected, seen = said["verified"].split(":")
    return Verified(quantity, finite(expected), finite(seen))
