"""A campaign that could begin now, and the same as plain values, which lie beside the journal.

It has a plan, variants, and where their ranks go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from leadline.hosts.cores import Site, seated
from leadline.hosts.schedulers import BatchJob, RemoteShell, remote_shells_of
from leadline.measure.plan import Group, Plan
from leadline.measure.spec import Request, Variant, carriers
from leadline.record.decoding import decoded
from leadline.record.fields import FormatError
from leadline.record.machine import UNKNOWN_HOST, HostFacts
from leadline.record.provenance import PlanFacts
from leadline.record.run import Configuration, Origin
from leadline.record.warnings import RunWarning, WarningKind


@dataclass(frozen=True, slots=True)
class Prepared:
    """Kernels are built and the plan is made; nothing is written or started yet."""

    request: Request
    variants: tuple[Variant, ...]
    plan: Plan
    sites: tuple[Site, ...]
    """The site of each host."""
    job: BatchJob | None = None
    """The allocation whose scheduler starts ranks; None: the libraries' own launchers do."""
    machine: HostFacts = UNKNOWN_HOST
    machine_warnings: tuple[RunWarning, ...] = ()
    """Warnings of what makes measurements on this machine worse than they could be."""
    warnings: tuple[RunWarning, ...] = ()
    """Warnings of variants that were left out, and of what the others are."""

    @property
    def first_warnings(self) -> tuple[RunWarning, ...]:
        """Warnings that the run has from its beginning; too few blocks show at its end."""
        warnings = (*self.machine_warnings, *self.warnings, *self.plan.warnings)
        return tuple(
            warning for warning in warnings if warning.code != WarningKind.FEW_FOR_TESTS.code
        )

    @property
    def loaded(self) -> tuple[int, ...]:
        """The core of each process of background load."""
        return self.request.loaded(self.sites[0].cores)

    def variants_of(self, group: Group) -> list[Variant]:
        """The variants that have anything to measure in `group`."""
        names = {name for planned in group.cells for name in planned.variants}
        return [variant for variant in self.variants if variant.name in names]

    def launched(self, group: Group) -> int:
        """How many variants of `group` have launches of their own."""
        return len(set(carriers(self.variants_of(group)).values()))

    def of(self, variant: Variant) -> Prepared:
        """This campaign as it is for `variant`: only on the hosts that it has of its own."""
        if not variant.hosts:
            return self
        asked = {site.asked: site for site in self.sites}
        hosts = replace(self.request.hosts, names=variant.hosts)
        request, sites = replace(self.request, hosts=hosts), [asked[name] for name in variant.hosts]
        return replace(self, request=request, sites=tuple(sites))

    def sites_of(self, ranks: int) -> list[Site]:
        """The site of each rank."""
        return self.request.hosts.spread(self.sites, ranks)

    @property
    def remote_shells(self) -> dict[str, RemoteShell]:
        """How each host is asked for something, by its own name; empty: this is the only host."""
        shells = remote_shells_of(self.request.hosts, self.job)
        return {site.name: shell for site, shell in zip(self.sites, shells, strict=False)}

    def binding(self, ranks: int, threads: int = 1) -> tuple[int, ...]:
        """The core of each rank, then of each rank's second thread; () where they aren't bound."""
        return seated(self.sites_of(ranks), threads).cores if self.request.bind else ()

    def configuration(self, variant: Variant, group: Group) -> Configuration:
        """The configuration of `variant` with the ranks of `group`, for the record.

        Each pattern's algorithm is the variant's, or the one that its simulator was told to take.
        """
        prepared = self.of(variant)
        algorithms = variant.simulated_on.algorithms if variant.simulated_on else {}
        return Configuration(
            variant=variant.name,
            backend=variant.backend.name,
            version=variant.backend.version or "unknown",
            ranks=group.ranks,
            binding=() if variant.simulated_on else prepared.binding(group.ranks),
            environment=dict(variant.environment),
            arguments=variant.arguments,
            algorithms={
                name: "absent"
                if variant.map and not pattern.axes
                else algorithms.get(name, pattern.algorithm)
                for name, pattern in variant.capability.patterns.items()
            },
            transport=variant.transport,
            oversubscribed=group.oversubscribed and not variant.simulated_on,
            hosts=prepared.request.hosts.names,
            threads=group.threads,
            placement=group.placements.get(variant.name, ()),
            origin=Origin.SIMULATED if variant.simulated_on else Origin.MEASURED,
        )

    def configurations(self) -> dict[tuple[str, tuple[int, int]], Configuration]:
        """All configurations that are measured, by the variant's name and the group's key."""
        return {
            (variant.name, group.key): self.configuration(variant, group)
            for group in self.plan.groups
            for variant in self.variants_of(group)
        }

    def hosts_of_configurations(self) -> dict[tuple[str, tuple[int, int]], frozenset[str]]:
        """The hosts of each configuration's ranks, by the same keys, without simulated ones."""
        return {
            (variant.name, group.key): frozenset(
                site.name for site in self.of(variant).sites_of(group.ranks)
            )
            for group in self.plan.groups
            for variant in self.variants_of(group)
            if not variant.simulated_on
        }


PLAN_FORMAT = 5
"""Format of the stored plan; another one can't be read."""


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """What a campaign goes on with after an interruption."""

    format: int
    request: Request
    plan: Plan
    sites: tuple[Site, ...]
    kernels: tuple[tuple[str, str], ...]
    """Name of each variant and key of its kernel, which depends on all that it is built of."""
    warnings: tuple[RunWarning, ...] = ()
    """Warnings that the run begins with; plans stored before they were kept here have none."""


def stored_plan(prepared: Prepared) -> StoredPlan:
    """The part of `prepared` that is stored beside the journal."""
    return StoredPlan(
        PLAN_FORMAT,
        prepared.request,
        prepared.plan,
        prepared.sites,
        kernels_of(prepared.variants),
        prepared.first_warnings,
    )


def kernels_of(variants: Sequence[Variant]) -> tuple[tuple[str, str], ...]:
    """Name and kernel's key of each of `variants`."""
    return tuple((variant.name, variant.kernel.split("/")[-2]) for variant in variants)


def facts_of(plan: Plan) -> PlanFacts:
    """The part of `plan` that is in the run's own metadata."""
    return PlanFacts(
        blocks=plan.blocks,
        slice_s=plan.slice_s,
        launches={group.label: group.launches for group in plan.groups},
        together=plan.together,
    )


def encoded(stored: StoredPlan) -> dict[str, Any]:
    """`stored` as plain values, ready for JSON."""
    return asdict(stored)


def decoded_plan(record: Mapping[str, Any]) -> StoredPlan:
    """The StoredPlan in plain values.

    Raises:
        FormatError: It isn't as this leadline has it; the message says where.
    """
    if record.get("format") != PLAN_FORMAT:
        raise FormatError(f"has format {record.get('format')!r}, this leadline reads {PLAN_FORMAT}")
    plan = decoded(record, StoredPlan)
    if len(plan.sites) != len(plan.request.hosts) or not all(s.cores for s in plan.sites):
        raise FormatError("has no core for some rank")
    return plan


def request_in(options: Mapping[str, Any]) -> Request:
    """The Request in a run's `options`, parts that it hasn't as usual; FormatError: it is none."""
    if not {"patterns", "variants"} <= options.keys() or "suite" in options:
        raise FormatError("has no request of a campaign")
    return decoded(options, Request)
