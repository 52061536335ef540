"""Relays, one a host: processes of the kernel that speak for its ranks with the front-end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from leadline.backends.launchers.agents import sent
from leadline.backends.launchers.step import Command, JobStep
from leadline.hosts.cores import Site
from leadline.hosts.schedulers import BatchJob

MOST_CONNECTIONS = 32
"""Ranks of a launch on one host that each have a connection of their own to the front-end."""
LONGEST_PATH_BYTES = 107
"""Of a Unix socket (sun_path of unix(7))."""


def relayed(
    step: JobStep,
    front_end: str,
    processes: int,
    sites: Sequence[Site],
    job: BatchJob | None = None,
) -> tuple[JobStep, list[Command]]:
    """`step`, its ranks told where the relay of their host is, and what starts the relays.

    As it was, and nothing, where few ranks share a host, or where it isn't known which do.

    Args:
        step: Not yet prepared.
        front_end: The address that ranks connect to otherwise.
        processes: How many play the ranks.
        sites: Where each rank is to be; empty where the user's own words for a launcher say that.
        job: Whose scheduler starts processes on its nodes; None: the agent does.
    """
    if step.hosts.share(processes) <= MOST_CONNECTIONS or not _can_meet(step, sites):
        return step, []
    address = {"LEADLINE_CONTROL": f"relay:{step.folder}"}
    counts = Counter(step.hosts.place(rank, step.ranks) for rank in range(step.ranks))
    relays = [_relay(step, front_end, job, host, count) for host, count in sorted(counts.items())]
    return replace(step, environment=dict(step.environment) | address), relays


def _can_meet(step: JobStep, sites: Sequence[Site]) -> bool:
    """Whether hosts are known, and their relays' sockets (channel/control.h) can be made."""
    paths = {f"{step.folder}.{site.name}/socket" for site in sites}
    lengths = [len(path.encode(errors="surrogateescape")) for path in paths]
    return bool(paths) and max(lengths) <= LONGEST_PATH_BYTES


def _relay(step: JobStep, front_end: str, job: BatchJob | None, host: int, ranks: int) -> Command:
    """Starts the relay for so many `ranks` on host number `host`."""
    variables = {"LEADLINE_CONTROL": front_end, "LEADLINE_RELAY": step.folder}
    argv = (step.executable, "--relay", str(ranks), str(step.ranks))
    command = Command(argv, dict(step.environment) | variables, "relay", bound=False)
    if not step.hosts.names:
        return command
    name = step.hosts.names[host]
    if job is not None:  # which hands on the whole environment
        started = (*job.entrance(name), *argv)
        return replace(command, argv=started, role=f"relay on {name}", bound=True)
    return sent(step, name, command)
