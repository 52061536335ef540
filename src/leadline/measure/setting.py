"""What stays the same throughout a campaign: variants, places, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leadline.backends.backend import Backend
from leadline.backends.kinds import is_raw
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.kernels.patterns import Capability
from leadline.measure.plan import Group, Plan
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Configuration

SLICE_PATIENCE_S = 20.0
NETWORKS = frozenset({"tcp", "udp", "verbs", "rc", "ud", "dc", "psm2", "psm3", "efa", "cxi", "opx"})
"""Words in a transport's name that say it leaves shared memory."""


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


def transport_caveats(variants: Sequence[Variant]) -> list[Caveat]:
    """Says so where some variants send through a network stack and others through shared memory.

    Both may be what was asked for; a difference between them then isn't the libraries'. Transports
    that aren't known, and raw ones, which are limits and no competitors, are passed over.
    """
    libraries = [v for v in variants if not is_raw(v.backend.kind)]
    known = [v for v in libraries if v.transport != "unknown"]
    network = [v for v in known if NETWORKS & set(v.transport.lower().split())]
    local = [v for v in known if v not in network]
    if not network or not local:
        return []
    named = [", ".join(f"{v.name} ({v.transport})" for v in side) for side in (network, local)]
    return [
        CaveatKind.HIDDEN_DIFFERENCE.because(
            f"{named[0]} sends through a network stack, {named[1]} through shared memory",
            what="kind of transport",
        )
    ]
