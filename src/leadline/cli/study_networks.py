"""The emulated networks of a study: up while its stages are planned and measured."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence

from leadline.errors import MachineError
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.named import hosts_of
from leadline.hosts.emulated.up import hosts_up
from leadline.hosts.placement import Hosts
from leadline.studies.stage import Stage, StageNetwork


@contextlib.contextmanager
def networks_up(stages: Sequence[Stage]) -> Iterator[Mapping[StageNetwork, Hosts]]:
    """The hosts of each network that one of `stages` has; gone at the end, however it comes.

    MachineError where this machine, or this user, can't emulate hosts.
    """
    networks = list(dict.fromkeys(stage.network for stage in stages if stage.network))
    with contextlib.ExitStack() as stack:
        yield {network: stack.enter_context(_up(network)) for network in networks}


@contextlib.contextmanager
def _up(network: StageNetwork) -> Iterator[Hosts]:
    with contextlib.ExitStack() as stack:
        made = hosts_up(network.hosts, parse_link(network.link), network.prefix)
        try:
            hosts = hosts_of(stack.enter_context(made))
        except MachineError as error:
            raise MachineError(
                f"{error}; what was measured elsewhere answers without hosts: --from DIR"
            ) from None
        print(f"hosts {hosts.names[0]} to {hosts.names[-1]}: {network.link}", file=sys.stderr)
        yield hosts


def words_up(network: StageNetwork) -> str:
    """The command that makes the hosts of `network`, for whoever goes on with a stage."""
    return (
        f"leadline hosts up --count {network.hosts} --link {network.link} --prefix {network.prefix}"
    )
