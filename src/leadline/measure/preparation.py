"""From an order to a campaign that could begin: variants found, kernels built, the plan made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends, of_wrappers, select
from leadline.backends.discovery.probe import transport_used
from leadline.backends.kinds import KINDS, Kind, is_raw
from leadline.backends.preparation import batch_job
from leadline.errors import BuildError, LaunchError, UsageError
from leadline.hosts.cores import Site
from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import OWN, BatchJob
from leadline.hosts.survey import survey, this_site
from leadline.hosts.this_host import describe_machine, machine_caveats, shared_memory_is_short
from leadline.kernels.build import build_kernel, describe, is_built
from leadline.measure.background_load import load_caveats
from leadline.measure.budget import LAUNCH_S
from leadline.measure.order import Order
from leadline.measure.placing import placed, slots_in_files
from leadline.measure.plan import make_plan
from leadline.measure.prepared import Prepared
from leadline.measure.resources import Resources
from leadline.measure.simulated import BLOCKS, lack_caveats, machine_for
from leadline.measure.variants import (
    SimulatedMachine,
    Variant,
    VariantSpec,
    built_alike,
    carriers,
    distinct,
    process_bytes,
    transport_caveats,
)
from leadline.native.compiler import c_compiler
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.machine import HostFacts

UNKNOWN_MEMORY_BYTES = 2**62
"""Where the system doesn't say: nothing is refused then."""


NO_MACHINES: Mapping[str, SimulatedMachine] = MappingProxyType({})


Compiling = Callable[[Sequence[str], int], None]
"""Told of all backends that are compiled for, by name, and how many of these are done."""


def _untold(names: Sequence[str], done: int) -> None:
    """For who needn't know."""


def prepare(
    order: Order,
    built: Sequence[Variant] = (),
    machines: Mapping[str, SimulatedMachine] = NO_MACHINES,
    compiling: Compiling = _untold,
) -> Prepared:
    """What `order` comes to on this machine now; starts no campaign and writes no run.

    Args:
        order: What is asked for.
        built: Variants to measure, their kernels built, instead of those that `order` names.
        machines: By variant's name, of those whose ranks are simulated.
        compiling: Told how that goes on, which may take half a minute.

    Raises:
        UsageError: Nothing of the order can be measured, a map is neither metric nor file, or a
            scheduler is to start ranks outside of its allocation.
        BuildError: No variant's kernel can be built.
        LaunchError: A scheduler starts the ranks of none.
        MachineError: There is no C compiler.
    """
    job = batch_job(order.launcher)
    slots = slots_in_files(built or order.variants)
    sites = survey(order.hosts, order.cores, job)
    loaded = _loaded(order, sites)
    machine = describe_machine()
    specs, variants, left_out = order.variants, list(built), list[Caveat]()
    if not built:
        specs, variants, left_out = built_variants(order, job, machines, compiling)
    order = _counted(order, variants)
    resources = resources_for(order, variants, sites, machine)
    plan = placed(make_plan(order, resources), order.hosts, variants, slots)
    launcher = job.scheduler.launcher if job else OWN
    return Prepared(
        replace(order, backends=(), variants=specs, launcher=launcher),
        tuple(variants),
        plan,
        sites,
        job,
        machine,
        () if resources.simulated else tuple(machine_caveats(machine)),
        (*left_out, *_caveats(variants), *load_caveats(loaded)),
    )


def built_variants(
    order: Order,
    job: BatchJob | None,
    machines: Mapping[str, SimulatedMachine] = NO_MACHINES,
    compiling: Compiling = _untold,
) -> tuple[tuple[VariantSpec, ...], list[Variant], list[Caveat]]:
    """What the variants that can be measured are made of, those variants, and who was left out.

    Ranks are to be started in the allocation of `job`; None: by the libraries' own launchers;
    `machines` are those of variants whose ranks are simulated, by name; `compiling` is told.
    """
    c_compiler()  # missing: said once, not for every backend
    backends = find_backends((*order.wrappers, *_paths(order)))
    of_wrappers(backends, order.wrappers)
    built: dict[VariantSpec, Variant] = {}
    failures: dict[VariantSpec, BuildError | LaunchError] = {}
    specs = _specs(order, backends)
    chosen = {spec: select(backends, [spec.backend])[0] for spec in specs}
    kernels = _built({backend.name: backend for backend in chosen.values()}, compiling)
    for spec, backend in chosen.items():
        try:
            if isinstance(kernel := kernels[backend.name], BuildError):
                raise kernel
            twin = next((built[other] for other in built if built_alike(other, spec)), None)
            built[spec] = (
                replace(twin, name=spec.name, map=spec.map, hosts=spec.hosts)
                if twin
                else _variant(spec, backend, kernel, order.hosts, job, machines)
            )
        except (BuildError, LaunchError) as error:
            failures[spec] = error
    if not built:
        raise next(iter(failures.values()))
    left_out = [_left_out(spec.name, error) for spec, error in failures.items()]
    return tuple(built), list(built.values()), left_out


def _built(backends: Mapping[str, Backend], compiling: Compiling) -> dict[str, Path | BuildError]:
    """The kernel of each backend, or why it has none; `compiling` is told of those to be made."""
    new = [name for name, backend in backends.items() if not is_built(backend)]
    found: dict[str, Path | BuildError] = {}
    for done, name in enumerate(new):
        compiling(new, done)
        found[name] = _kernel(backends[name])
    if new:
        compiling(new, len(new))
    return {name: found.get(name) or _kernel(backend) for name, backend in backends.items()}


def _kernel(backend: Backend) -> Path | BuildError:
    try:
        return build_kernel(backend)
    except BuildError as error:
        return error


def _counted(order: Order, variants: Sequence[Variant]) -> Order:
    """`order` with BLOCKS where nothing but simulated variants is measured and nobody counted."""
    if order.blocks is not None or not all(variant.simulated_on for variant in variants):
        return order
    return replace(order, blocks=BLOCKS)


def _caveats(variants: Sequence[Variant]) -> list[Caveat]:
    """What is to be known of `variants` beside each other."""
    return [*transport_caveats(variants), *lack_caveats(variants)]


def _left_out(name: str, error: BuildError | LaunchError) -> Caveat:
    what = f"{name} is left out: {error}"
    if isinstance(error, BuildError):
        return CaveatKind.BUILD.because(what)
    return CaveatKind.LAUNCHER.because(what)


def _variant(
    spec: VariantSpec,
    backend: Backend,
    kernel: Path,
    hosts: Hosts,
    job: BatchJob | None,
    machines: Mapping[str, SimulatedMachine],
) -> Variant:
    simulated_on = machine_for(spec, backend, machines)
    environment = dict(backend.environment) | dict(spec.environment)
    changed = bool(spec.environment or spec.arguments or hosts.names or job)
    changed |= shared_memory_is_short()  # what was remembered was found where it wasn't
    return Variant(
        spec.name,
        backend,
        str(kernel),
        describe(kernel, environment),
        environment,
        spec.arguments,
        simulated_on.network
        if simulated_on
        else transport_used(backend, environment, spec.arguments, hosts, job)
        if changed
        else backend.shared_memory,
        spec.map,
        simulated_on,
        spec.hosts,
    )


def _specs(order: Order, backends: Sequence[Backend]) -> list[VariantSpec]:
    """Those of the named backends (default: all that don't have to be named), then the variants."""
    names = order.backends
    if not names and not order.variants:
        taken = (b for b in backends if b.usable and _taken(KINDS[b.kind], order.hosts))
        names = tuple(b.name for b in taken)
    plain = [VariantSpec(_label(name, backends), name) for name in names]
    return distinct([*plain, *order.variants])


def _paths(order: Order) -> list[str]:
    """Compiler wrappers that stand where a backend's name may."""
    named = (*order.backends, *(spec.backend for spec in order.variants))
    return [name for name in named if "/" in name]


def _taken(kind: Kind, hosts: Hosts) -> bool:
    """Whether a run over `hosts` takes backends of `kind` that nobody named."""
    return not kind.only_by_name and not (kind.one_host and hosts.names)


def _label(name: str, backends: Sequence[Backend]) -> str:
    """A backend's own name, also where it is given by its compiler wrapper or its version."""
    return select(backends, [name])[0].name


def resources_for(
    order: Order, variants: Sequence[Variant], sites: tuple[Site, ...], machine: HostFacts
) -> Resources:
    """What a plan for `order` over `variants` may use on `sites`; `machine` is this host."""
    slowest_s = max(KINDS[v.backend.kind].startup_s for v in variants)
    carried_by = carriers(variants)
    return Resources(
        capabilities={v.name: v.capability for v in variants},
        startup_s=slowest_s + LAUNCH_S * len(set(carried_by.values())),
        sites=sites,
        hosts=order.hosts,
        memory_bytes=available_bytes(machine),
        cache_bytes=machine.last_level_cache_bytes,
        carriers=carried_by,
        maps={v.name: v.map for v in variants if v.map},
        process_bytes=process_bytes(variants),
        bytes_per_s={v.name: KINDS[v.backend.kind].bytes_per_s for v in variants},
        raw=[v.name for v in variants if is_raw(v.backend.kind)],
        simulated=all(v.simulated_on for v in variants),
    )


def available_bytes(machine: HostFacts) -> int:
    """The memory that may be allocated now."""
    return machine.memory_available_bytes or UNKNOWN_MEMORY_BYTES


def _loaded(order: Order, sites: Sequence[Site]) -> tuple[int, ...]:
    """Cores that are kept busy; UsageError if they are another machine's."""
    loaded = order.loaded(sites[0].cores)
    if loaded and sites[0].machine != this_site().machine:
        raise UsageError(
            f"--load keeps cores of this host busy, and ranks begin on {sites[0].name!r}; leave it "
            "out, or name this host first in --hosts"
        )
    return loaded
