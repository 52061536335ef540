"""Relays: kernel processes, one a host, that pass messages between its ranks and the front-end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from leadline.backends.launchers import Command, JobStep, sent
from leadline.hosts.cores import Site
from leadline.hosts.schedulers import BatchJob

MOST_CONNECTIONS = 32
"""The most ranks of a launch on one host that each connect to the front-end themselves."""
LONGEST_PATH_BYTES = 107
"""Longest path of a Unix socket (sun_path of unix(7))."""


def relayed(
    step: JobStep,
    front_end: str,
    processes: int,
    sites: Sequence[Site],
    job: BatchJob | None = None,
) -> tuple[JobStep, list[Command]]:
    """`step`, its ranks given the address of their host's relay, and the commands of the relays.

    The step as it was, and no commands, where few ranks share a host, where it isn't known which
    do, or where the path of a relay's socket (channel/control.h) is too long.

    Args:
        step: Not yet prepared.
        front_end: The address that ranks connect to otherwise.
        processes: Number of processes that play the ranks.
        sites: Where each rank is to be; empty where the user's own words for a launcher decide it.
        job: Whose scheduler starts processes on its nodes; None: the agent does.
    """
    if step.hosts.share(processes) <= MOST_CONNECTIONS:
        return step, []
    paths = {f"{step.folder}.{site.name}/socket" for site in sites}
    lengths = [len(path.encode(errors="surrogateescape")) for path in paths]
    if not paths or max(lengths) > LONGEST_PATH_BYTES:
        return step, []
    address = {"LEADLINE_CONTROL": f"relay:{step.folder}"}
    counts = Counter(step.hosts.place(rank, step.ranks) for rank in range(step.ranks))
    variables = {"LEADLINE_CONTROL": front_end, "LEADLINE_RELAY": step.folder}
    relays = []
    for host, count in sorted(counts.items()):
        argv = (step.executable, "--relay", str(count), str(step.ranks))
        relay = Command(argv, dict(step.environment) | variables, "relay", bound=False)
        if job is not None and step.hosts.names:
            # the scheduler's launcher passes on the whole environment
            name = step.hosts.names[host]
            started = (*job.entrance(name), *argv)
            relay = replace(relay, argv=started, role=f"relay on {name}", bound=True)
        elif step.hosts.names:
            relay = sent(step, step.hosts.names[host], relay)
        relays.append(relay)
    return replace(step, environment=dict(step.environment) | address), relays
