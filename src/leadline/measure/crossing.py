"""Whether messages between hosts that are one machine cross the links between them.

A library that finds memory which such hosts share sends past the links, and its times aren't
theirs. So each launch over them first sends known bytes, and the counters of the hosts' interfaces
are held to these. Hosts on machines of their own can't share memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leadline.errors import LaunchError
from leadline.hosts.cores import Site
from leadline.kernels.messages import Result
from leadline.measure.launch import Launch, SliceError

NEXT_BYTES = 64 * 1024
"""To the next host: libraries send long messages in other ways than short ones."""
OTHER_BYTES = 4096
"""To each other one: all together take less than a second on a link of 10 Mbit/s."""
SLOWEST_BYTES_PER_S = 1000.0
"""Of the links between emulated hosts, at least."""


class ShortcutError(LaunchError):
    """Messages between hosts of a launch don't cross the links between them."""

    code = "shortcut"

    def __init__(self, problem: str) -> None:
        """`problem` has the facts; what was started isn't at fault."""
        super().__init__(problem, (), None, "")
        self.problem = problem

    def __str__(self) -> str:
        """The facts alone."""
        return self.problem


def share_a_machine(sites: Sequence[Site]) -> bool:
    """Whether two of `sites` are hosts of different names on one machine."""
    names: dict[str, set[str]] = {}
    for site in sites:
        names.setdefault(site.machine, set()).add(site.name)
    return any(len(hosts) > 1 for hosts in names.values())


def check_crossing(launch: Launch, patience_s: float) -> None:
    """Sends known bytes between the hosts of `launch`, which is up, if any two share a machine.

    Args:
        launch: With the site of each of its ranks, where that is known; else nothing is sent.
        patience_s: Without an answer before a rank counts as hung, beside what slow links take.

    Raises:
        ShortcutError: Fewer bytes left a host than were sent from it to others.
        LaunchError: A rank ends or hangs.
    """
    if not share_a_machine(launch.sites):
        return
    names = [site.name for site in launch.sites]
    share, hosts = names.count(names[0]), len(set(names))
    least = NEXT_BYTES + OTHER_BYTES * (hosts - 2)
    command = f"crossing share={share} next={NEXT_BYTES} other={OTHER_BYTES}"
    patience_s += least * hosts / SLOWEST_BYTES_PER_S
    try:
        results = launch.measure(
            command, f"{launch.label}: bytes between hosts", launch.ranks, patience_s
        )
    except SliceError as error:
        raise LaunchError(f"{launch.label}: {error}", launch.commands[0].argv, None, "") from error
    problem = shortcut(results, {one.rank: one.host for one in launch.hellos.values()}, least)
    if problem:
        raise ShortcutError(f"{launch.label}: {problem}")


def shortcut(results: Sequence[Result], hosts: Mapping[int, str], least: int) -> str:
    """What is wrong where an interface sent too little, with the remedy; empty: nothing is.

    Args:
        results: Of all ranks; what their hosts' interfaces carried, as far as that can be read.
        hosts: The host of each rank.
        least: Bytes of messages that left each host; headers come on top.
    """
    sent: dict[str, int] = {}
    for result in results:
        out = [link.bytes for link in result.around.links if link.name.endswith(" tx")]
        if out:
            sent[hosts[result.rank]] = max(sum(out), sent.get(hosts[result.rank], 0))
    short = {host: count for host, count in sent.items() if count < least}
    if not short:
        return ""
    found = ", ".join(f"{host} {sent[host]:,} B" for host in sorted(short))
    return (
        f"{least:,} B of messages went from each host to others, but past the interfaces, which "
        f"sent {found}. The hosts are one machine, and the library found memory that they share: "
        "have the agent enter all of a host (nsenter --net --uts --ipc --mount), or tell the "
        "library to take the network (e.g. UCX_TLS=tcp,self)"
    )
