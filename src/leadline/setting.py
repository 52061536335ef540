"""What stays the same throughout a campaign: variants, places, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leadline.backend import Backend
from leadline.capability import Capability
from leadline.plan import Group, Plan
from leadline.record import Configuration

SLICE_PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True)
class Variant:
    """A backend with settings, under the name that tables show."""

    name: str
    backend: Backend
    kernel: str
    """Path of the executable."""
    capability: Capability
    environment: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    """Words for the launcher's command line."""
    transport: str = "unknown"
    """What really carries its messages on one host, from a diagnostic launch."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A plan, the variants it names, and how their ranks are placed and watched."""

    variants: Sequence[Variant]
    plan: Plan
    cores: Sequence[int]
    """Cores that ranks are bound to, in order; more ranks than these start over at the first."""
    bind: bool = True
    per_operation: bool = False
    """One repetition per batch, for tails."""
    seed: int = 0
    slice_patience_s: float = SLICE_PATIENCE_S
    """How long a slice of small messages may take before a rank counts as hung."""
    blocks_fixed: bool = False
    """Neither budget nor precision ends the campaign before its last block."""
    precision: float = 0.02
    """Relative half width of all intervals at which sampling stops before the budget is spent."""

    def variants_of(self, group: Group) -> list[Variant]:
        """The variants that have anything to measure in `group`."""
        names = {name for entry in group.entries for name in entry.variants}
        return [variant for variant in self.variants if variant.name in names]

    def binding(self, ranks: int) -> tuple[int, ...]:
        """The core of each rank; () where ranks aren't bound."""
        if not self.bind:
            return ()
        return tuple(self.cores[rank % len(self.cores)] for rank in range(ranks))

    def configuration(self, variant: Variant, group: Group) -> Configuration:
        """The configuration of `variant` with the ranks of `group`, for the record."""
        return Configuration(
            variant=variant.name,
            backend=variant.backend.name,
            version=variant.backend.version or "unknown",
            ranks=group.ranks,
            binding=self.binding(group.ranks),
            environment=dict(variant.environment),
            arguments=variant.arguments,
            algorithms={n: p.algorithm for n, p in variant.capability.patterns.items()},
            transport=variant.transport,
            oversubscribed=group.oversubscribed,
        )
