"""Batch systems, and remote execution on hosts with a scheduler or without.

The job in whose allocation a process runs is known from its environment.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from leadline.errors import UsageError
from leadline.hosts.placement import Hosts
from leadline.topology.readers.hostlist import expand_hosts
from leadline.topology.readers.lines import NumberedLine


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Batch system, described by what it sets for the processes of a job."""

    title: str
    launcher: str
    """Name on PATH of the program that starts a job's steps."""
    number: str
    """Variable with the job's number: set inside an allocation, and nowhere else."""
    nodes: str
    """Variable with the list of nodes of the allocation."""
    node: str
    """Variable with this host's name among them, where a daemon started this process."""
    entrance: tuple[str, ...]
    """Launcher options to run a command once on {node}, beside all else."""
    remedy: str
    """Command that gets an allocation."""
    switches: tuple[str, ...]
    """Command that reports the switches between its nodes."""


SLURM = Scheduler(
    title="Slurm",
    launcher="srun",
    number="SLURM_JOB_ID",
    nodes="SLURM_JOB_NODELIST",
    node="SLURMD_NODENAME",
    entrance=("--overlap", "--cpu-bind=none", "--nodes=1", "--ntasks=1", "--nodelist={node}"),
    remedy="salloc or sbatch",
    switches=("scontrol", "show", "topology"),
)
SCHEDULERS = (SLURM,)
OWN = "own"
"""Launcher bundled with a library, whatever scheduler there is."""
LAUNCHERS = (OWN, *(scheduler.launcher for scheduler in SCHEDULERS))
"""Launchers that may be requested to start ranks."""


@dataclass(frozen=True, slots=True)
class BatchJob:
    """Job in whose allocation ranks are to run, each launch a step of it."""

    scheduler: Scheduler
    number: str
    launcher: str
    """Path of the program that starts its steps."""
    nodes: tuple[str, ...]
    node: str
    """This host among the nodes; empty where it is none of them, as where salloc was called."""

    def nodes_for(self, hosts: Hosts) -> tuple[str, ...]:
        """Nodes that ranks are spread over: `hosts`, or this host where none are given.

        Raises:
            UsageError: The allocation doesn't have them, or has them in another order.
        """
        strange = [name for name in hosts.names if name not in self.nodes]
        if strange:
            raise UsageError(
                f"--hosts: {strange[0]!r} is no node of {self}; name some of these, or start ranks "
                f"by --launcher {OWN}"
            )
        in_order = [node for node in self.nodes if node in hosts.names]
        if in_order != list(hosts.names):
            raise UsageError(
                f"--hosts: {self.scheduler.title} takes nodes in their order in the allocation; "
                f"name {','.join(in_order)}, or start ranks by --launcher {OWN}"
            )
        if not hosts.names and not self.node:
            raise UsageError(
                f"this host is no node of {self}; name nodes by --hosts, or start ranks here by "
                f"--launcher {OWN}"
            )
        return hosts.names or (self.node,)

    def entrance(self, node: str) -> tuple[str, ...]:
        """Command prefix that runs what follows it on `node`."""
        return (self.launcher, *(word.format(node=node) for word in self.scheduler.entrance))

    def __str__(self) -> str:
        """Text for messages."""
        nodes = ", ".join(self.nodes[:3]) + ", ..." * (len(self.nodes) > 3)
        return f"{self.scheduler.title}'s job {self.number} ({nodes})"


def job_for(
    asked: str | None, environment: Mapping[str, str], host: str, find: Callable[[str], str | None]
) -> BatchJob | None:
    """Job by whose scheduler ranks are to be started; None: by their libraries' own launchers.

    Args:
        asked: One of LAUNCHERS; None: the scheduler's inside an allocation, else the own.
        environment: Environment of this process.
        host: Name that this host gives itself.
        find: Returns the path of a program on PATH, or None.

    Raises:
        UsageError: A scheduler's launcher was requested outside an allocation.
    """
    candidates = [one for one in SCHEDULERS if asked in (None, one.launcher)]
    for scheduler in candidates:
        number, launcher = environment.get(scheduler.number), find(scheduler.launcher)
        if number and launcher:
            nodes: tuple[str, ...] = ()
            if text := environment.get(scheduler.nodes, ""):
                nodes = tuple(expand_hosts(text, NumberedLine(scheduler.nodes, 1, (text,))))
            names = (host, host.partition(".")[0])  # the host may know itself by its full name
            called = next((node for node in nodes if node in names), "")
            node = environment.get(scheduler.node) or called
            return BatchJob(scheduler, number, launcher, nodes, node)
    if not (asked and candidates):
        return None
    scheduler = candidates[0]
    if environment.get(scheduler.number):
        missing = f"{scheduler.launcher} isn't on PATH; add its folder"
    else:
        missing = f"{scheduler.number} isn't set; start this inside one ({scheduler.remedy})"
    raise UsageError(
        f"--launcher {scheduler.launcher} needs an allocation of {scheduler.title}, and {missing}, "
        f"or give --launcher {OWN}"
    )


@dataclass(frozen=True, slots=True)
class RemoteShell:
    """Remote execution on one host."""

    host: str
    """Name of the host in --hosts."""
    words: tuple[str, ...]
    """Command prefix that runs what follows it there."""
    by_shell: bool
    """Whether a shell there splits what follows, as with ssh; else it is taken as it is."""

    def into(self, command: Sequence[str]) -> tuple[str, ...]:
        """Command that runs `command` there."""
        return (*self.words, shlex.join(command)) if self.by_shell else (*self.words, *command)


def remote_shells_of(hosts: Hosts, job: BatchJob | None = None) -> tuple[RemoteShell, ...]:
    """Remote execution on each of `hosts`: by the agent, or by the scheduler's launcher in a `job`.

    Empty where no hosts are given.

    Raises:
        UsageError: The job doesn't have one of them.
    """
    if not hosts.names:
        return ()
    entrances = [job.entrance(node) for node in job.nodes_for(hosts)] if job else hosts.entrances
    return tuple(
        RemoteShell(name, words, by_shell=job is None)
        for name, words in zip(hosts.names, entrances, strict=True)
    )
