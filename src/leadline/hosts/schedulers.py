"""Batch systems, and the doors to hosts: what starts a process there, with a scheduler or without.

The job in whose allocation a process runs is known by its environment.
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
    """A batch system, by what it tells the processes of a job."""

    title: str
    launcher: str
    """What starts a job's steps, as it is called on PATH."""
    number: str
    """The variable that has the job's number: set inside an allocation, and nowhere else."""
    nodes: str
    """The variable that lists the nodes of the allocation."""
    node: str
    """The variable that has this host's name among them, where a daemon started this process."""
    entrance: tuple[str, ...]
    """The launcher's words to run a command on {node} once, beside all else."""
    remedy: str
    """What gets an allocation."""
    switches: tuple[str, ...]
    """The command that tells which switches join its nodes."""


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
"""The launcher that a library brings along, whatever scheduler there is."""
LAUNCHERS = (OWN, *(scheduler.launcher for scheduler in SCHEDULERS))
"""Who may be asked to start ranks."""


@dataclass(frozen=True, slots=True)
class BatchJob:
    """The job in whose allocation ranks are to run, each launch a step of it."""

    scheduler: Scheduler
    number: str
    launcher: str
    """Path of what starts its steps."""
    nodes: tuple[str, ...]
    node: str
    """This host among them; empty where it is none of them, as where salloc was called."""

    def nodes_for(self, hosts: Hosts) -> tuple[str, ...]:
        """The nodes that ranks are spread over: `hosts`, or where none are named, this host.

        UsageError where the allocation hasn't got them, or has them in another order.
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
        """The words that run what follows them on `node`."""
        return (self.launcher, *(word.format(node=node) for word in self.scheduler.entrance))

    def __str__(self) -> str:
        """In a message."""
        nodes = ", ".join(self.nodes[:3]) + ", ..." * (len(self.nodes) > 3)
        return f"{self.scheduler.title}'s job {self.number} ({nodes})"


def job_for(
    asked: str | None, environment: Mapping[str, str], host: str, find: Callable[[str], str | None]
) -> BatchJob | None:
    """The job by whose scheduler ranks are to be started; None: by their libraries' own launchers.

    Args:
        asked: A word of LAUNCHERS; None: the scheduler's inside an allocation, else the own.
        environment: Of this process.
        host: What this host calls itself.
        find: The path of a program on PATH, or None.

    Raises:
        UsageError: A scheduler's was asked for outside an allocation.
    """
    candidates = [one for one in SCHEDULERS if asked in (None, one.launcher)]
    for scheduler in candidates:
        number, launcher = environment.get(scheduler.number), find(scheduler.launcher)
        if number and launcher:
            nodes = _nodes(scheduler, environment)
            node = environment.get(scheduler.node) or _called(host, nodes)
            return BatchJob(scheduler, number, launcher, nodes, node)
    if asked and candidates:
        raise _outside(candidates[0], environment)
    return None


def _nodes(scheduler: Scheduler, environment: Mapping[str, str]) -> tuple[str, ...]:
    text = environment.get(scheduler.nodes, "")
    return tuple(expand_hosts(text, NumberedLine(scheduler.nodes, 1, (text,)))) if text else ()


def _called(host: str, nodes: tuple[str, ...]) -> str:
    """The node that is `host`, which may know itself by its full name; empty: none."""
    return next((node for node in nodes if node in (host, host.partition(".")[0])), "")


def _outside(scheduler: Scheduler, environment: Mapping[str, str]) -> UsageError:
    """That a launcher works only inside an allocation, or isn't there."""
    if environment.get(scheduler.number):
        missing = f"{scheduler.launcher} isn't on PATH; add its folder"
    else:
        missing = f"{scheduler.number} isn't set; start this inside one ({scheduler.remedy})"
    return UsageError(
        f"--launcher {scheduler.launcher} needs an allocation of {scheduler.title}, and {missing}, "
        f"or give --launcher {OWN}"
    )


@dataclass(frozen=True, slots=True)
class Door:
    """The way into one host."""

    host: str
    """As --hosts names it."""
    words: tuple[str, ...]
    """They run what follows them there."""
    by_shell: bool
    """Whether a shell there splits what follows, as that of ssh does; else it is taken as it is."""

    def into(self, command: Sequence[str]) -> tuple[str, ...]:
        """The words that run `command` there."""
        return (*self.words, shlex.join(command)) if self.by_shell else (*self.words, *command)


def doors_of(hosts: Hosts, job: BatchJob | None = None) -> tuple[Door, ...]:
    """The door of each of `hosts`; of a `job`, its scheduler's launcher opens them, not the agent.

    None, where none are named. UsageError where the job hasn't got one of them.
    """
    if not hosts.names:
        return ()
    entrances = [job.entrance(node) for node in job.nodes_for(hosts)] if job else hosts.entrances
    return tuple(
        Door(name, words, by_shell=job is None)
        for name, words in zip(hosts.names, entrances, strict=True)
    )
