"""Runs a study: its stages, each a campaign, one after the other, on the networks they need.

A stage's network is emulated, unless --hosts names hosts.
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
from leadline.measure.spec import rate_of
from leadline.papers.study import Stage, StageNetwork, Study
from leadline.record.provenance import StudyFacts
from leadline.store import check_unused
from leadline.units import parse_duration


def hosts_for(study: Study, arguments: argparse.Namespace) -> Hosts:
    """The hosts that --hosts names, else none; UsageError where `study` can't run on them."""
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

    Emulated hosts are removed at the end in any case. MachineError where this machine, or this
    user, can't emulate hosts.
    """
    networks = list(dict.fromkeys(stage.network for stage in stages if stage.network))
    if named.names:
        yield dict.fromkeys(networks, named)
        return
    with contextlib.ExitStack() as stack:
        emulated: dict[StageNetwork, Hosts] = {}
        for network in networks:
            made = hosts_up(network.hosts, parse_link(network.link), network.prefix)
            try:
                hosts = hosts_of_cluster(stack.enter_context(made))
            except MachineError as error:
                others = "hosts that are there: --hosts; " if study.hosts else ""
                raise MachineError(
                    f"{error}; {others}what was measured elsewhere answers without hosts: "
                    "--from DIR"
                ) from None
            say(f"hosts {hosts.names[0]} to {hosts.names[-1]}: {network.link}")
            emulated[network] = hosts
        yield emulated


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage that is ready to begin; its run is named after it."""

    stage: Stage
    prepared: Prepared


def measured(study: Study, arguments: argparse.Namespace, out: Path) -> bool:
    """Measures all stages of `study` below `out`; False: interrupted, which leaves out the rest.

    With --dry-run only the plan is printed, on stderr.
    """
    check_unused(out)  # what is below it would be taken for stages of this study
    backends = find_backends(arguments.mpicc)
    names = _names(study, arguments, backends)
    usual_s = study.quick_s if arguments.quick else study.full_s
    budget_s = parse_duration(arguments.budget) if arguments.budget else usual_s
    stages = study.stages(budget_s, arguments.quick, len(os.sched_getaffinity(0)))
    taking = [stage for stage in stages if stage.takes(names)]
    hosts = hosts_for(study, arguments)
    with networks_up(study, taking, hosts) as networks:
        planned = _planned(taking, names, budget_s, arguments, networks)
        if arguments.dry_run or not arguments.quiet:
            for one in planned:
                say(f"stage {one.stage.name}:")
                print_plan(one.prepared)
            total_s = sum(stage.prepared.plan.estimate_s for stage in planned)
            say(f"all stages: about {total_s:.0f} s")
        if arguments.dry_run:
            return True
        usable = {backend.kind for backend in backends if backend.usable}
        missing = {
            b.kind: f"{title_of(b.kind)}: {b.reason}; {b.remedy}"
            for b in backends
            if b.kind not in usable
        }
        facts = StudyFacts(study.name, missing)
        emulates = not hosts.names
        return all(_measured(stage, out, facts, emulates, arguments) for stage in planned)


def _planned(
    stages: Sequence[Stage],
    names: Sequence[str],
    budget_s: float,
    arguments: argparse.Namespace,
    networks: Mapping[StageNetwork, Hosts],
) -> list[PlannedStage]:
    """The `stages`, each planned on the hosts of its network.

    UsageError where stages have too little of the study's `budget_s` seconds. It names the one that
    lacks most: a budget that is enough for it gives the others room too.
    """
    planned: list[PlannedStage] = []
    short: list[tuple[Stage, float]] = []
    for stage in stages:
        request = stage.over(names, arguments.mpicc)
        if stage.network:
            hosts = networks[stage.network]
            link_bound = rate_of(hosts) if stage.network.watched else None
            request = replace(request, hosts=hosts, link_bound=link_bound)
        try:
            prepared = prepare(request, compiling=compiling_for(arguments.quiet))
        except BudgetError as error:
            short.append((stage, error.least_s))
        else:
            planned.append(PlannedStage(stage, prepared))
    if short:
        stage, least_s = max(short, key=lambda one: one[1] / one[0].request.budget_s)
        part_s = stage.request.budget_s
        raise UsageError(
            f"stage {stage.name} has {part_s:.2g} s of the study's time and takes {least_s:.2g} s "
            f"at least; give --budget {math.ceil(least_s * budget_s / part_s)}s"
        )
    return planned


def _measured(
    planned: PlannedStage,
    out: Path,
    facts: StudyFacts,
    emulates: bool,
    arguments: argparse.Namespace,
) -> bool:
    """Whether the stage was measured to its end; otherwise prints the command that goes on.

    Where its hosts were emulated, that command makes them again first.
    """
    observer = observer_for(planned.prepared.plan.estimate_s, arguments)
    run = conduct(planned.prepared, out / planned.stage.name, observer, facts)
    if not run.complete:
        network = planned.stage.network
        command = resuming(run.path)
        if network and emulates:
            command = (
                f"leadline hosts up --count {network.hosts} --link {network.link} --prefix "
                f"{network.prefix} && {command}"
            )
        why = "hosts went down" if run.awaits_hosts else "interrupted"
        say(f"{why}; this stage goes on with: {command}")
    return run.complete


def _names(study: Study, arguments: argparse.Namespace, backends: Sequence[Backend]) -> list[str]:
    """The backends asked for, else the study's, else those that a run takes when none is named."""
    if arguments.backends:
        return words(arguments.backends, "--backends")
    if study.kinds:
        named = of_wrappers(backends, arguments.mpicc)  # rather than what the machine has
        first = {b.kind: b.name for b in reversed([*named, *backends]) if b.usable}
        return [first[kind] for kind in study.kinds if kind in first]
    return [
        b.name
        for b in backends
        if b.usable and (b.kind in study.also or not KINDS[b.kind].only_by_name)
    ]
