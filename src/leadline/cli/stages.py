"""Running a study: its stages, each a campaign, one after the other, over the networks they need.

Hosts of a stage are joined by emulated networks, or are named.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends, of_wrappers
from leadline.backends.kinds import KINDS, title_of
from leadline.cli.outcome import print_plan, resuming
from leadline.cli.parsing.forms import compiling_for, observer_for, say
from leadline.cli.parsing.options import hosts_of, words
from leadline.errors import BudgetError, MachineError, UsageError
from leadline.hosts.emulated.cluster import hosts_of as hosts_of_cluster
from leadline.hosts.emulated.lifecycle import hosts_up
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.placement import Hosts
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Order, rate_of
from leadline.papers.study import Stage, StageNetwork, Study
from leadline.record.provenance import StudyFacts
from leadline.store import check_unused
from leadline.units import parse_duration


def hosts_for(study: Study, arguments: argparse.Namespace) -> Hosts:
    """Those named in the place of emulated ones; UsageError where `study` can't be made on them."""
    hosts = hosts_of(arguments.hosts, arguments.agent)
    if not hosts.names:
        if arguments.agent:
            raise UsageError("--agent starts processes on hosts; name them: --hosts")
        return hosts
    if study.hosts is None:
        raise UsageError(f"--hosts: the study {study.name} says itself where it runs; leave it out")
    least, most = min(study.hosts), max(study.hosts)
    if len(hosts) not in study.hosts:
        raise UsageError(
            f"--hosts names {len(hosts)}; for the study {study.name} name {least} to {most}"
        )
    return hosts


@contextlib.contextmanager
def networks_up(
    study: Study, stages: Sequence[Stage], named: Hosts
) -> Iterator[Mapping[StageNetwork, Hosts]]:
    """The hosts of each network of `stages`: those `named`, else emulated ones.

    Emulated ones are gone at the end, however it comes. MachineError where this machine, or this
    user, can't emulate hosts.
    """
    networks = list(dict.fromkeys(stage.network for stage in stages if stage.network))
    if named.names:
        yield dict.fromkeys(networks, named)
        return
    with contextlib.ExitStack() as stack:
        yield {network: stack.enter_context(_up(study, network)) for network in networks}


@contextlib.contextmanager
def _up(study: Study, network: StageNetwork) -> Iterator[Hosts]:
    with contextlib.ExitStack() as stack:
        made = hosts_up(network.hosts, parse_link(network.link), network.prefix)
        try:
            hosts = hosts_of_cluster(stack.enter_context(made))
        except MachineError as error:
            others = "hosts that are there: --hosts; " if study.hosts else ""
            raise MachineError(
                f"{error}; {others}what was measured elsewhere answers without hosts: --from DIR"
            ) from None
        say(f"hosts {hosts.names[0]} to {hosts.names[-1]}: {network.link}")
        yield hosts


def words_up(network: StageNetwork) -> str:
    """The command that makes the hosts of `network`, for whoever goes on with a stage."""
    return (
        f"leadline hosts up --count {network.hosts} --link {network.link} --prefix {network.prefix}"
    )


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage that could begin now; its run is called after it."""

    stage: Stage
    prepared: Prepared


def measured(study: Study, arguments: argparse.Namespace, out: Path) -> bool:
    """Whether all stages were measured below `out`; False: interrupted, which leaves out the rest.

    With --dry-run the plan is printed, and that is all.
    """
    check_unused(out)  # what is below it would be taken for stages of this study
    backends = find_backends(arguments.mpicc)
    names = _names(study, arguments, backends)
    cores = len(os.sched_getaffinity(0))
    stages = study.stages(_budget_s(study, arguments), arguments.quick, cores)
    taking = [stage for stage in stages if stage.takes(names)]
    hosts = hosts_for(study, arguments)
    with networks_up(study, taking, hosts) as networks:
        planned = _planned(study, taking, names, arguments, networks)
        if arguments.dry_run:
            return True
        facts = StudyFacts(study.name, _missing(backends))
        emulates = not hosts.names
        return all(_measured(one, out, facts, emulates, arguments) for one in planned)


def _planned(
    study: Study,
    stages: Sequence[Stage],
    names: Sequence[str],
    arguments: argparse.Namespace,
    networks: Mapping[StageNetwork, Hosts],
) -> list[PlannedStage]:
    """The `stages`, which could begin now; their plan is printed on stderr."""
    found: list[PlannedStage] = []
    short: list[tuple[Stage, float]] = []
    for stage in stages:
        order = stage.over(names, arguments.mpicc)
        if stage.network:
            order = _over(order, stage.network, networks[stage.network])
        try:
            prepared = prepare(order, compiling=compiling_for(arguments.quiet))
        except BudgetError as error:
            short.append((stage, error.least_s))
        else:
            found.append(PlannedStage(stage, prepared))
    if short:
        raise _too_short(short, _budget_s(study, arguments))
    if arguments.dry_run or not arguments.quiet:
        _print_plans(found)
    return found


def _print_plans(found: Sequence[PlannedStage]) -> None:
    for one in found:
        say(f"stage {one.stage.name}:")
        print_plan(one.prepared)
    total_s = sum(one.prepared.plan.estimate_s for one in found)
    say(f"all stages: about {total_s:.0f} s")


def _over(order: Order, network: StageNetwork, hosts: Hosts) -> Order:
    return replace(order, hosts=hosts, link_bound=rate_of(hosts) if network.watched else None)


def _measured(
    planned: PlannedStage,
    out: Path,
    facts: StudyFacts,
    emulates: bool,
    arguments: argparse.Namespace,
) -> bool:
    """Whether the stage was measured to its end; else says how it goes on."""
    observer = observer_for(planned.prepared.plan.estimate_s, arguments)
    run = conduct(planned.prepared, out / planned.stage.name, observer, facts)
    if not run.complete:
        network = planned.stage.network if emulates else None
        resume = resuming(run.path)
        words = f"{words_up(network)} && {resume}" if network else resume
        why = "hosts went down" if run.awaits_hosts else "interrupted"
        say(f"{why}; this stage goes on with: {words}")
    return run.complete


def _budget_s(study: Study, arguments: argparse.Namespace) -> float:
    """Of the whole study."""
    usual = study.quick_s if arguments.quick else study.full_s
    return parse_duration(arguments.budget) if arguments.budget else usual


def _too_short(stages: Sequence[tuple[Stage, float]], budget_s: float) -> UsageError:
    """What budget all of these `stages` have room in, each with the seconds that it takes at least.

    Named is the one that lacks most; with a budget that is enough for it the others have room too.
    """
    stage, least_s = max(stages, key=lambda short: short[1] / short[0].order.budget_s)
    part_s = stage.order.budget_s
    return UsageError(
        f"stage {stage.name} has {part_s:.2g} s of the study's time and takes {least_s:.2g} s "
        f"at least; give --budget {math.ceil(least_s * budget_s / part_s)}s"
    )


def _names(study: Study, arguments: argparse.Namespace, backends: Sequence[Backend]) -> list[str]:
    """The backends asked for, else the study's, else all that a run takes by itself."""
    if arguments.backends:
        return words(arguments.backends, "--backends")
    if study.kinds:
        named = of_wrappers(backends, arguments.mpicc)  # rather than what the machine has
        first = {b.kind: b.name for b in reversed([*named, *backends]) if b.usable}
        return [first[kind] for kind in study.kinds if kind in first]
    return [b.name for b in backends if b.usable and _taken(study, b.kind)]


def _taken(study: Study, kind: str) -> bool:
    """Whether `study`, which names no libraries, takes those of this `kind`."""
    return kind in study.also or not KINDS[kind].only_by_name


def _missing(backends: Sequence[Backend]) -> dict[str, str]:
    """The kinds that this machine lacks, and how to get them."""
    usable = {backend.kind for backend in backends if backend.usable}
    return {
        b.kind: f"{title_of(b.kind)}: {b.reason}; {b.remedy}"
        for b in backends
        if b.kind not in usable
    }
