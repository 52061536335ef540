"""What joins the hosts of a study's stages: emulated networks, or hosts that are named."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Mapping, Sequence

from leadline.cli.options import hosts_of
from leadline.cli.saying import say
from leadline.errors import MachineError, UsageError
from leadline.hosts.emulated.cluster import hosts_of as hosts_of_cluster
from leadline.hosts.emulated.lifecycle import hosts_up
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.placement import Hosts
from leadline.studies.stage import Stage, StageNetwork
from leadline.studies.study import Study


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
