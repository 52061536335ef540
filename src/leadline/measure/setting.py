"""What stays the same throughout a campaign: variants, places, limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.measure.plan import Group, Plan
from leadline.measure.variants import Variant
from leadline.record.run import Configuration

SLICE_PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True)
class Setting:
    """A plan, the variants it names, and how their ranks are placed and watched."""

    variants: Sequence[Variant]
    plan: Plan
    cores: Sequence[int]
    """Cores that a host's ranks are bound to, in order; more ranks than these start over."""
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
    hosts: Hosts = THIS_HOST

    def variants_of(self, group: Group) -> list[Variant]:
        """The variants that have anything to measure in `group`."""
        names = {name for entry in group.entries for name in entry.variants}
        return [variant for variant in self.variants if variant.name in names]

    def binding(self, ranks: int, threads: int = 1) -> tuple[int, ...]:
        """The core of each rank, then of each rank's second thread; () where they aren't bound."""
        if not self.bind:
            return ()
        numbers = (
            thread * self.hosts.share(ranks) + self.hosts.place(rank, ranks)[1]
            for thread in range(threads)
            for rank in range(ranks)
        )
        return tuple(self.cores[number % len(self.cores)] for number in numbers)

    def configuration(self, variant: Variant, group: Group) -> Configuration:
        """The configuration of `variant` with the ranks of `group`, for the record."""
        return Configuration(
            variant=variant.name,
            backend=variant.backend.name,
            version=variant.backend.version or "unknown",
            ranks=group.ranks,
            binding=self.binding(group.ranks),
            environment=dict(variant.environment) | group.environment,
            arguments=variant.arguments,
            algorithms={n: p.algorithm for n, p in variant.capability.patterns.items()},
            transport=variant.transport,
            oversubscribed=group.oversubscribed,
            hosts=self.hosts.names,
        )
