"""What a campaign may use: what kernels can do, cores, memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from leadline.backends.kinds.kind import PROCESS_BYTES
from leadline.hosts.cores import Seating, Site, seated
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.kernels.patterns import Capability, Pattern


@dataclass(frozen=True, slots=True)
class Resources:
    """What the plan needs to know of the machine and the variants on it."""

    capabilities: Mapping[str, Capability]
    """By variant."""
    startup_s: float
    """From starting a launch of every variant together to their readiness."""
    sites: tuple[Site, ...]
    """Of each host."""
    memory_bytes: int
    cache_bytes: int | None
    """Size of the last-level cache; None: not known."""
    hosts: Hosts = THIS_HOST
    carriers: Mapping[str, str] = field(default_factory=dict)
    """By variant the one whose launches it is measured in; empty: all have their own."""
    maps: Mapping[str, str] = field(default_factory=dict)
    """By variant, of those that have one."""
    process_bytes: int = PROCESS_BYTES
    """What a rank of any variant needs besides its messages, at least."""
    bytes_per_s: Mapping[str, float] = field(default_factory=dict)
    """What the variants' libraries move of large messages at least, of those that are slow."""
    raw: Collection[str] = ()
    """The variants of raw backends, which are limits and no competitors."""

    simulated: bool = False
    """Whether the ranks of all variants are, whatever cores there are."""

    @property
    def launched(self) -> int:
        """How many variants have launches of their own."""
        return len(set(self.carriers.values())) or len(self.capabilities)

    @property
    def patterns(self) -> dict[str, Pattern]:
        """Every pattern that some variant has, as the first of them describes it."""
        found: dict[str, Pattern] = {}
        for capability in self.capabilities.values():
            found = dict(capability.patterns) | found
        return found

    def seating(self, ranks: int, threads: int = 1) -> Seating:
        """What so many ranks of so many threads sit on."""
        return seated(self.hosts.spread(self.sites, ranks), threads)
