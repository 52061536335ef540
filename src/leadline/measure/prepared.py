"""A campaign that could begin now: its plan, its variants, and where their ranks go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from leadline.hosts.cores import Site, seated
from leadline.hosts.schedulers import BatchJob, Door, doors_of
from leadline.measure.order import Order
from leadline.measure.plan import Group, Plan
from leadline.measure.variants import Variant, carriers
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.machine import UNKNOWN_HOST, HostFacts
from leadline.record.run import Configuration, Origin


@dataclass(frozen=True, slots=True)
class Prepared:
    """Kernels are built and the plan is made; nothing is written or started yet."""

    order: Order
    variants: tuple[Variant, ...]
    plan: Plan
    sites: tuple[Site, ...]
    """Of each host."""
    job: BatchJob | None = None
    """Whose scheduler starts ranks; None: the libraries' own launchers do."""
    machine: HostFacts = UNKNOWN_HOST
    machine_caveats: tuple[Caveat, ...] = ()
    """What about the machine makes measurements less than they could be."""
    caveats: tuple[Caveat, ...] = ()
    """Which variants were left out, and what is to be known of the others."""

    @property
    def first_caveats(self) -> tuple[Caveat, ...]:
        """What the run says from its beginning; whether its blocks are too few, its end knows."""
        found = (*self.machine_caveats, *self.caveats, *self.plan.caveats)
        return tuple(one for one in found if one.code != CaveatKind.FEW_FOR_TESTS.code)

    @property
    def loaded(self) -> tuple[int, ...]:
        """The core of each process of background load."""
        return self.order.loaded(self.sites[0].cores)

    def variants_of(self, group: Group) -> list[Variant]:
        """The variants that have anything to measure in `group`."""
        names = {name for planned in group.cells for name in planned.variants}
        return [variant for variant in self.variants if variant.name in names]

    def launched(self, group: Group) -> int:
        """How many of these have launches of their own."""
        return len(set(carriers(self.variants_of(group)).values()))

    def of(self, variant: Variant) -> Prepared:
        """This, as it is for `variant`: on the hosts alone that it has of its own."""
        if not variant.hosts:
            return self
        asked = {site.asked: site for site in self.sites}
        hosts = replace(self.order.hosts, names=variant.hosts)
        order, sites = replace(self.order, hosts=hosts), [asked[name] for name in variant.hosts]
        return replace(self, order=order, sites=tuple(sites))

    def sites_of(self, ranks: int) -> list[Site]:
        """The site of each rank."""
        return self.order.hosts.spread(self.sites, ranks)

    @property
    def doors(self) -> dict[str, Door]:
        """How each host is asked for something, by what it calls itself; empty: this host alone."""
        doors = doors_of(self.order.hosts, self.job)
        return {site.name: door for site, door in zip(self.sites, doors, strict=False)}

    def binding(self, ranks: int, threads: int = 1) -> tuple[int, ...]:
        """The core of each rank, then of each rank's second thread; () where they aren't bound."""
        return seated(self.sites_of(ranks), threads).cores if self.order.bind else ()

    def configuration(self, variant: Variant, group: Group) -> Configuration:
        """The configuration of `variant` with the ranks of `group`, for the record."""
        there = self.of(variant)
        return Configuration(
            variant=variant.name,
            backend=variant.backend.name,
            version=variant.backend.version or "unknown",
            ranks=group.ranks,
            binding=() if variant.simulated_on else there.binding(group.ranks),
            environment=dict(variant.environment),
            arguments=variant.arguments,
            algorithms=dict(_algorithms(variant)),
            transport=variant.transport,
            oversubscribed=group.oversubscribed and not variant.simulated_on,
            hosts=there.order.hosts.names,
            threads=group.threads,
            placement=group.placements.get(variant.name, ()),
            origin=Origin.SIMULATED if variant.simulated_on else Origin.MEASURED,
        )

    def configurations(self) -> dict[tuple[str, tuple[int, int]], Configuration]:
        """All that the plan measures, by the variant's name and the group's key."""
        return {
            (variant.name, group.key): self.configuration(variant, group)
            for group in self.plan.groups
            for variant in self.variants_of(group)
        }

    def hosts_of_configurations(self) -> dict[tuple[str, tuple[int, int]], frozenset[str]]:
        """Those that the ranks of each are on, by the same keys; simulated ones are on none."""
        return {
            (variant.name, group.key): frozenset(
                site.name for site in self.of(variant).sites_of(group.ranks)
            )
            for group in self.plan.groups
            for variant in self.variants_of(group)
            if not variant.simulated_on
        }


def _algorithms(variant: Variant) -> Iterator[tuple[str, str]]:
    """By pattern that of `variant`, or that which its simulator was told to take."""
    told = variant.simulated_on.algorithms if variant.simulated_on else {}
    for name, pattern in variant.capability.patterns.items():
        absent = variant.map and not pattern.axes
        yield name, "absent" if absent else told.get(name, pattern.algorithm)
