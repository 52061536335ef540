"""What a campaign is asked for, and what the machine offers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from leadline.kernels.patterns import Capability, PatternChoice

DEFAULT_SIZES = (0, 8, 104, 512, 1024, 4096, 10_000, 32_768, 65_536, 262_144, 1_048_576, 2_000_000)
"""Powers of two and sizes between them; two lie in 1..2 MB for the intercept's regression."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for."""

    patterns: tuple[PatternChoice, ...]
    sizes: tuple[int, ...]
    ranks: tuple[int, ...]
    buffers: str = "echo"
    cadence: str | None = None
    per_operation: bool = False
    """One repetition per batch, for tails."""
    budget_s: float = 60.0
    precision: float = 0.02
    blocks: int | None = None
    """So many exactly; the budget then only says how often a block visits its cells."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the plan needs to know of the machine and the variants on it."""

    capabilities: Mapping[str, Capability]
    """By variant."""
    startup_s: float
    """From starting a launch of every variant together to their readiness."""
    cores: int
    """Of each host."""
    memory_bytes: int
    cache_bytes: int | None
    """Size of the last-level cache; None: not known."""
    hosts: int = 1

    def crowds(self, ranks: int, threads: int = 1) -> bool:
        """Whether so many ranks of so many threads are more than a host has cores."""
        return -(-ranks // self.hosts) * threads > self.cores
