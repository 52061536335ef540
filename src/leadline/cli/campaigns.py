"""Starting and resuming campaigns: from options to a finished run directory."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends, select
from leadline.backends.discovery.probe import transport_used
from leadline.backends.kinds import KINDS, Kind
from leadline.cli import parser_for
from leadline.cli.options import Options, read_options, request_of
from leadline.errors import BuildError, LeadlineError, UsageError
from leadline.hosts.placement import Hosts
from leadline.hosts.this_host import describe_machine, machine_caveats
from leadline.kernels.build import build_kernel, describe
from leadline.kernels.patterns import Pattern
from leadline.measure.background_load import background_load, described, load_caveats
from leadline.measure.budget import LAUNCH_S
from leadline.measure.campaign import Campaign
from leadline.measure.plan import Plan, make_plan
from leadline.measure.request import Place
from leadline.measure.resumption import blocks_done, check_unchanged
from leadline.measure.setting import Setting
from leadline.measure.variants import Variant, VariantSpec, distinct, transport_caveats
from leadline.native.compiler import c_compiler
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.machine import HostFacts
from leadline.record.run import Run
from leadline.report.text.plan import plan_lines
from leadline.report.text.progress import progress_for
from leadline.store import Journal, check_unused, finish, load

COMPLETE, SOME_FAILED, INTERRUPTED = 0, 1, 130

UNKNOWN_MEMORY_BYTES = 2**62
"""Where the system doesn't say: nothing is refused then."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A campaign that could begin now: kernels are built, the plan is made."""

    directory: Path
    options: Options
    machine: HostFacts
    variants: Sequence[Variant]
    plan: Plan
    caveats: Sequence[Caveat]
    """What was left out, and what is to be known of the variants."""
    stored: Mapping[str, Any]
    """The words of the command line, for --resume."""

    def print_plan(self) -> None:
        """Prints on stderr what will be measured and how long it takes."""
        print("\n".join(plan_lines(self.plan, self.variants, self.caveats)), file=sys.stderr)


def start(arguments: argparse.Namespace) -> int:
    """A new campaign; returns the exit status."""
    prepared = prepare_campaign(arguments)
    prepared.print_plan()
    if arguments.dry_run:
        return COMPLETE
    return conclude(prepared.directory, conduct(prepared))


def prepare_campaign(arguments: argparse.Namespace) -> Prepared:
    """What `arguments` of `leadline run` ask for, ready to begin; nothing is written yet."""
    options = read_options(arguments)
    directory = Path(arguments.out or time.strftime("leadline-%Y%m%d-%H%M%S"))
    check_unused(directory)
    loaded = _loaded_cores(options)
    machine = replace(describe_machine(), background_load=described(loaded))
    variants, caveats = prepare(options, arguments.mpicc)
    caveats += [*transport_caveats(variants), *load_caveats(loaded)]
    plan = _plan(options, variants, machine)
    stored = _stored_options(arguments)
    return Prepared(directory, options, machine, variants, plan, caveats, stored)


def conduct(prepared: Prepared, more_metadata: Mapping[str, Any] | None = None) -> bool:
    """Measures into the directory, with `more_metadata` beside the usual; False: interrupted."""
    plan, options = prepared.plan, prepared.options
    metadata = {
        "leadline": __version__,
        "started": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "options": prepared.stored,
        "machine": prepared.machine.as_json(),
        "plan": {
            "blocks": plan.blocks,
            "slice_s": plan.slice_s,
            "launches": {group.label: group.launches for group in plan.groups},
            "together": plan.together,
        },
    }
    metadata |= dict(more_metadata or {})
    loaded = _loaded_cores(options)
    with Journal.create(prepared.directory, metadata) as journal, background_load(loaded):
        for caveat in (*machine_caveats(prepared.machine), *prepared.caveats, *plan.caveats):
            journal.add_warning(caveat)
        setting = _setting(options, prepared.variants, plan)
        campaign = Campaign(setting, journal, progress_for(plan.estimate_s))
        complete = _measure(campaign, options.budget_s, 0, plan.blocks)
        journal.close(complete)
    return complete


def resume(arguments: argparse.Namespace) -> int:
    """Goes on with the interrupted campaign in `arguments.resume`."""
    _refuse_other_options(arguments)
    directory = Path(arguments.resume)
    run = load(directory)
    if run.complete:
        print(f"{directory}: already complete; nothing to do", file=sys.stderr)
        return status_of(run)
    if "options" not in run.metadata:
        raise UsageError(f"{directory}: not a campaign but an import; import its files again")
    stored = argparse.Namespace(**(vars(arguments) | dict(run.metadata["options"])))
    options = read_options(stored)
    variants, _ = prepare(options, stored.mpicc)
    plan = _plan(options, variants, describe_machine())
    setting = _setting(options, variants, plan)
    check_unchanged(run, setting)
    done, first_block = blocks_done(run, plan)
    left = int(run.metadata["plan"]["blocks"]) - done
    print(f"{directory}: {done} blocks are complete, {left} to go", file=sys.stderr)
    with Journal.reopen(directory) as journal, background_load(_loaded_cores(options)):
        campaign = Campaign(setting, journal, progress_for(plan.estimate_s))
        campaign.recall(run)
        budget = options.budget_s * left / int(run.metadata["plan"]["blocks"])
        complete = _measure(campaign, budget, first_block, left, done)
        journal.close(complete)
    return conclude(directory, complete)


def _refuse_other_options(arguments: argparse.Namespace) -> None:
    usual = vars(parser_for("run").parse_args(["run"]))
    changed = [k for k, v in vars(arguments).items() if k != "resume" and v != usual.get(k)]
    if changed:
        option = changed[0].replace("_", "-")
        raise UsageError(
            f"--resume goes on with the options that the run was started with; leave --{option} out"
        )


def prepare(options: Options, mpicc: Sequence[str]) -> tuple[list[Variant], list[Caveat]]:
    """The variants that can be measured, kernels built; and what was left out, as warnings."""
    c_compiler()  # missing: said once, not for every backend
    backends = find_backends(mpicc)
    variants: list[Variant] = []
    caveats: list[Caveat] = []
    failures: list[BuildError] = []
    for spec in _specs(options, backends):
        try:
            backend = select(backends, [spec.backend])[0]
            variants.append(_variant(spec, backend, options.hosts))
        except BuildError as error:
            failures.append(error)
            caveats.append(CaveatKind.BUILD.because(f"{spec.name} is left out: {error}"))
    if not variants:
        raise failures[0]
    return variants, caveats


def _variant(spec: VariantSpec, backend: Backend, hosts: Hosts) -> Variant:
    kernel = build_kernel(backend)
    environment = dict(backend.environment) | dict(spec.environment)
    changed = bool(spec.environment or spec.arguments or hosts.names)
    return Variant(
        spec.name,
        backend,
        str(kernel),
        describe(kernel, environment),
        environment,
        spec.arguments,
        transport_used(backend, environment, spec.arguments, hosts)
        if changed
        else backend.shared_memory,
    )


def _specs(options: Options, backends: Sequence[Backend]) -> list[VariantSpec]:
    """Those of --backends (default: all that don't have to be named), then the variants."""
    names = options.backends
    if not names and not options.variants:
        taken = (b for b in backends if b.usable and _taken(KINDS[b.kind], options.hosts))
        names = tuple(b.name for b in taken)
    plain = [VariantSpec(_label(name), name) for name in names]
    return distinct([*plain, *options.variants])


def _taken(kind: Kind, hosts: Hosts) -> bool:
    """Whether a run over `hosts` takes backends of `kind` that nobody named."""
    return not kind.only_by_name and not (kind.one_host and hosts.names)


def _label(name: str) -> str:
    """A backend given as the path of its compiler wrapper is called after its prefix."""
    path = Path(name)
    return path.resolve().parent.parent.name if "/" in name else name


def _plan(options: Options, variants: Sequence[Variant], machine: HostFacts) -> Plan:
    patterns: dict[str, Pattern] = {}
    for variant in variants:
        patterns = dict(variant.capability.patterns) | patterns
    startup = max(KINDS[v.backend.kind].startup_s for v in variants) + LAUNCH_S * len(variants)
    place = Place(
        capabilities={v.name: v.capability for v in variants},
        startup_s=startup,
        cores=len(set(_cores(options))),
        hosts=len(options.hosts),
        memory_bytes=machine.memory_available_bytes or UNKNOWN_MEMORY_BYTES,
        cache_bytes=machine.last_level_cache_bytes,
    )
    return make_plan(request_of(options, patterns), place)


def _setting(options: Options, variants: Sequence[Variant], plan: Plan) -> Setting:
    return Setting(
        variants=variants,
        plan=plan,
        cores=_cores(options),
        bind=options.bind != "none",
        per_operation=options.per_operation,
        seed=options.seed,
        slice_patience_s=options.patience_s,
        blocks_fixed=options.blocks is not None,
        precision=options.precision,
        hosts=options.hosts,
    )


def _cores(options: Options) -> tuple[int, ...]:
    """The cores that ranks may use, in order; UsageError for one that this process may not."""
    allowed = sorted(os.sched_getaffinity(0))
    asked = options.bind if isinstance(options.bind, tuple) else tuple(allowed)
    wrong = [core for core in asked if core not in allowed]
    if wrong:
        choice = ",".join(map(str, allowed))
        raise UsageError(f"--bind: core {wrong[0]} may not be used here; choose from {choice}")
    return asked


def _loaded_cores(options: Options) -> tuple[int, ...]:
    """The core of each process of background load: the ranks' own, in turn."""
    cores = _cores(options)
    number = len(cores) if options.load is None else options.load
    return tuple(cores[i % len(cores)] for i in range(number))


def _measure(
    campaign: Campaign, budget_s: float, first_block: int, blocks: int, whole_blocks: int = 0
) -> bool:
    """Runs the blocks; False if the user interrupted them."""
    try:
        campaign.run(budget_s, first_block, blocks, whole_blocks)
    except KeyboardInterrupt:
        return False
    finally:
        campaign.observer.close()
    return True


def _stored_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The command line's words as they were given, for --resume."""
    skipped = ("command", "resume", "dry_run", "out")
    return {name: value for name, value in vars(arguments).items() if name not in skipped}


def conclude(directory: Path, complete: bool) -> int:
    """Writes the run's final files, prints its tables, and returns the exit status."""
    from leadline.cli.show import print_run

    try:
        finish(directory)
        run = load(directory)
        print_run(run)
    except LeadlineError as error:
        print(f"leadline run: {error}", file=sys.stderr)
        return error.exit_status
    print(f"\nrun directory: {directory}", file=sys.stderr)
    if not complete:
        print(f"interrupted; go on with: leadline run --resume {directory}", file=sys.stderr)
        return INTERRUPTED
    return status_of(run)


def status_of(run: Run) -> int:
    """0: every cell was measured; 1: some failed, or a variant couldn't be built."""
    lost = any(caveat.code == CaveatKind.BUILD.code for caveat in run.warnings)
    return SOME_FAILED if run.failures or lost else COMPLETE
