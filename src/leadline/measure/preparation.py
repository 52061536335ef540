"""From a request, or an interrupted run, to a campaign that could begin.

Variants are found, kernels built, the plan is made; an interrupted campaign goes on with the plan
that it was begun with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

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
from leadline.hosts.this_host import describe_machine, machine_warnings, shared_memory_is_short
from leadline.kernels.build import build_kernel, describe, is_built
from leadline.measure.budget import LAUNCH_S, BlockLimits
from leadline.measure.cells import Resources
from leadline.measure.grids import placed, slots_in_files
from leadline.measure.plan import make_plan
from leadline.measure.prepared import Prepared, decoded_plan, facts_of, kernels_of
from leadline.measure.resumption import (
    blocks_done,
    check_kernels,
    check_room,
    check_unchanged,
    found_again,
    nothing_measured,
    spent_s,
    whole_blocks,
)
from leadline.measure.schedule import Pace
from leadline.measure.spec import (
    SIMULATED_BLOCKS,
    Request,
    SimulatedMachine,
    Variant,
    VariantSpec,
    built_alike,
    carriers,
    distinct,
    lack_warnings,
    machine_for,
    process_bytes,
    transport_warnings,
)
from leadline.measure.system import load_warnings
from leadline.native.compiler import c_compiler
from leadline.record.fields import FormatError
from leadline.record.machine import HostFacts
from leadline.record.run import Run
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.store import bad_plan, read_plan

UNKNOWN_MEMORY_BYTES = 2**62
"""Memory where the system doesn't report any: nothing is refused then."""


NO_MACHINES: Mapping[str, SimulatedMachine] = MappingProxyType({})


Compiling = Callable[[Sequence[str], int], None]
"""Called with the names of all backends that are compiled for, and how many of these are done."""


def _untold(names: Sequence[str], done: int) -> None:
    """Reports nothing."""


def prepare(
    request: Request,
    built: Sequence[Variant] = (),
    machines: Mapping[str, SimulatedMachine] = NO_MACHINES,
    compiling: Compiling = _untold,
) -> Prepared:
    """What `request` comes to on this machine now; starts no campaign and writes no run.

    Args:
        request: What is asked for.
        built: Variants to measure, their kernels built, instead of those that `request` names.
        machines: By variant's name, of those whose ranks are simulated.
        compiling: Called as kernels are compiled, which may take half a minute.

    Raises:
        UsageError: Nothing of the request can be measured, a map is neither metric nor file, a
            scheduler is to start ranks outside of its allocation, or cores of another machine
            than this one are to be kept busy.
        BuildError: No variant's kernel can be built.
        LaunchError: A scheduler starts the ranks of none.
        MachineError: There is no C compiler.
    """
    job = batch_job(request.launcher)
    slots = slots_in_files(built or request.variants)
    sites = survey(request.hosts, request.cores, job)
    loaded = request.loaded(sites[0].cores)
    if loaded and sites[0].machine != this_site().machine:
        raise UsageError(
            f"--load keeps cores of this host busy, and ranks begin on {sites[0].name!r}; leave it "
            "out, or name this host first in --hosts"
        )
    machine = describe_machine()
    specs, variants, left_out = request.variants, list(built), list[RunWarning]()
    if not built:
        specs, variants, left_out = built_variants(request, job, machines, compiling)
    if request.blocks is None and all(variant.simulated_on for variant in variants):
        request = replace(request, blocks=SIMULATED_BLOCKS)
    resources = resources_for(request, variants, sites, machine)
    plan = placed(make_plan(request, resources), request.hosts, variants, slots)
    launcher = job.scheduler.launcher if job else OWN
    return Prepared(
        replace(request, backends=(), variants=specs, launcher=launcher),
        tuple(variants),
        plan,
        sites,
        job,
        machine,
        () if resources.simulated else tuple(machine_warnings(machine)),
        (
            *left_out,
            *transport_warnings(variants),
            *lack_warnings(variants),
            *load_warnings(loaded),
        ),
    )


def built_variants(
    request: Request,
    job: BatchJob | None,
    machines: Mapping[str, SimulatedMachine] = NO_MACHINES,
    compiling: Compiling = _untold,
) -> tuple[tuple[VariantSpec, ...], list[Variant], list[RunWarning]]:
    """Specifications of the variants that can be measured, these variants, warnings for the others.

    Ranks are to be started in the allocation of `job`; None: by the libraries' own launchers;
    `machines` are those of variants whose ranks are simulated, by name; `compiling` is called.
    """
    c_compiler()  # missing: said once, not for every backend
    named = (*request.backends, *(spec.backend for spec in request.variants))
    backends = find_backends((*request.wrappers, *(name for name in named if "/" in name)))
    of_wrappers(backends, request.wrappers)
    built: dict[VariantSpec, Variant] = {}
    failures: dict[VariantSpec, BuildError | LaunchError] = {}
    specs = _specs(request, backends)
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
                else _variant(spec, backend, kernel, request.hosts, job, machines)
            )
        except (BuildError, LaunchError) as error:
            failures[spec] = error
    if not built:
        raise next(iter(failures.values()))
    left_out = [
        warning_of(
            WarningKind.BUILD if isinstance(error, BuildError) else WarningKind.LAUNCHER,
            variant=spec.name,
            error=error,
        )
        for spec, error in failures.items()
    ]
    return tuple(built), list(built.values()), left_out


def _built(backends: Mapping[str, Backend], compiling: Compiling) -> dict[str, Path | BuildError]:
    """The kernel of each backend, or why it has none; `compiling` is called meanwhile."""
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


def _specs(request: Request, backends: Sequence[Backend]) -> list[VariantSpec]:
    """One variant for each named backend, then the variants of `request`.

    Without either, all usable backends are taken that needn't be named, and can be where the ranks
    are. A variant has its backend's own name, also where that is given by its compiler wrapper or
    its version. UsageError where two have one name.
    """
    names = request.backends
    if not names and not request.variants:
        taken = (b for b in backends if b.usable and _taken(KINDS[b.kind], request.hosts))
        names = tuple(backend.name for backend in taken)
    plain = [VariantSpec(select(backends, [name])[0].name, name) for name in names]
    return distinct([*plain, *request.variants])


def _taken(kind: Kind, hosts: Hosts) -> bool:
    """Whether a run over `hosts` takes backends of `kind` that nobody named."""
    return not kind.only_by_name and not (kind.one_host and hosts.names)


def resources_for(
    request: Request, variants: Sequence[Variant], sites: tuple[Site, ...], machine: HostFacts
) -> Resources:
    """The resources of a plan for `request` over `variants` on `sites`; `machine` is this host."""
    slowest_s = max(KINDS[v.backend.kind].startup_s for v in variants)
    carried_by = carriers(variants)
    return Resources(
        capabilities={v.name: v.capability for v in variants},
        startup_s=slowest_s + LAUNCH_S * len(set(carried_by.values())),
        sites=sites,
        hosts=request.hosts,
        memory_bytes=available_bytes(machine),
        cache_bytes=machine.last_level_cache_bytes,
        carriers=carried_by,
        maps={v.name: v.map for v in variants if v.map},
        process_bytes=process_bytes(variants),
        bytes_per_s={v.name: KINDS[v.backend.kind].bytes_per_s for v in variants},
        raw=[v.name for v in variants if is_raw(v.backend.kind)],
        simulated=all(v.simulated_on for v in variants),
    )


PAIR_JOINT = "+"
"""Joins the names of two hosts to that of their variant."""
PAIR_SLICE_S = 0.03
"""Longer than a scheduler's turns: a rank that is stopped repeatedly is stopped in most slices."""


def paired(prepared: Prepared, pairs: Sequence[tuple[str, str]], sizes: Sequence[int]) -> Prepared:
    """`prepared` with its first variant on each of `pairs` of its hosts, instead of on all.

    The launches of all pairs are alive together; one pair at a time sends, so that what a slice
    shows is its own, whatever links, switches and cores pairs may share. Each pair has one launch,
    as other rounds have others, and slices last PAIR_SLICE_S. `sizes` are those that are measured.
    """
    first, spec = prepared.variants[0], prepared.request.variants[0]
    names = [(PAIR_JOINT.join(pair), pair) for pair in pairs]
    variants = tuple(replace(first, name=name, hosts=pair) for name, pair in names)
    specs = tuple(replace(spec, name=name, hosts=pair) for name, pair in names)
    request = replace(prepared.request, variants=specs, sizes=tuple(sizes), ranks=(2,))
    plan = make_plan(request, resources_for(request, variants, prepared.sites, prepared.machine))
    plan = replace(
        plan,
        groups=tuple(replace(group, launches=1) for group in plan.groups),
        slice_s=PAIR_SLICE_S,
        allotment=replace(plan.allotment, launches=1),
    )
    return replace(prepared, request=request, variants=variants, plan=plan)


def available_bytes(machine: HostFacts) -> int:
    """The memory that may be allocated now."""
    return machine.memory_available_bytes or UNKNOWN_MEMORY_BYTES


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A run that isn't complete, and what goes on with it."""

    run: Run
    prepared: Prepared
    whole_blocks: int
    """How many blocks measured everything that could be."""
    next_block: int
    """The number of the first new block."""
    untold: tuple[RunWarning, ...] = ()
    """Warnings that the run should have from its beginning, and ended before it had."""

    @property
    def left_s(self) -> float:
        """What is left of the budget.

        What was measured while hosts were down is beside it: all that needs them is still to come.
        """
        whole = whole_blocks(self.run, self.prepared.plan) if self.run.awaits_hosts else None
        return self.prepared.request.budget_s - spent_s(self.run, whole)

    @property
    def blocks_left(self) -> int:
        """How many blocks are still to be measured: as the plan expects, if not counted."""
        pace = Pace(self.prepared.plan)
        return pace.next(self.left_s, self.whole_blocks).allotment.blocks


def restore(run: Run, request_of: Callable[[Mapping[str, Any]], Request]) -> Interrupted:
    """The campaign that measured `run`, which isn't complete, with the plan that it was begun with.

    Args:
        run: What there is.
        request_of: Reads the words of a command line, which runs of older versions have stored
            instead of their plan; such a run is planned again.

    Raises:
        UsageError: What would be measured now isn't what the run has measured so far.
        RecordError: The stored plan is damaged, of another run or gone.
        MachineError: Memory hasn't got room now for what was planned.
    """
    options = run.provenance.options
    if not options:
        raise UsageError(f"{run.path}: not a campaign but an import; import its files again")
    if run.provenance.simulations:
        raise UsageError(
            f"{run.path}: variants of it are simulated, which comes out the same each time; begin "
            "it again"
        )
    record = read_plan(run.path, run.id)
    if record is not None:
        return _interrupted(run, *_as_planned(run, record))
    if "suite" in options:  # planned as it would be begun today, but for the number of blocks
        prepared = prepare(request_of(options))
        check_unchanged(run, prepared)
        begun = run.provenance.plan
        blocks = (begun and begun.blocks) or prepared.plan.blocks
        limits = BlockLimits(blocks, blocks, blocks, blocks)
        plan = replace(prepared.plan, limits=limits)
        return _interrupted(run, replace(prepared, plan=plan))
    if nothing_measured(run):
        raise UsageError(
            f"{run.path} ended before its plan was stored, and nothing was measured; remove it and "
            "start another run"
        )
    raise bad_plan(run.path, "is gone")


def _interrupted(run: Run, prepared: Prepared, first: Sequence[RunWarning] = ()) -> Interrupted:
    """`run` with how much of it is done; `first` is what it should say from its beginning."""
    untold = tuple(warning for warning in first if warning not in run.warnings)
    return Interrupted(run, prepared, *blocks_done(run, prepared.plan), untold)


def _as_planned(run: Run, record: Mapping[str, Any]) -> tuple[Prepared, tuple[RunWarning, ...]]:
    """The campaign in a stored plan, and what its run says from its beginning."""
    try:
        stored = decoded_plan(record)
    except FormatError as problem:
        raise bad_plan(run.path, str(problem)) from None
    if record["request"] != run.provenance.options or facts_of(stored.plan) != run.provenance.plan:
        raise bad_plan(run.path, "is of another run")
    job = batch_job(stored.request.launcher)
    sites = found_again(run, stored.sites, survey(stored.request.hosts, job=job))
    _, variants, _ = built_variants(stored.request, job)
    machine = describe_machine()
    prepared = Prepared(stored.request, tuple(variants), stored.plan, sites, job, machine)
    check_kernels(run, stored.kernels, kernels_of(variants))
    check_unchanged(run, prepared)
    check_room(run, prepared, available_bytes(machine))
    return prepared, stored.warnings
