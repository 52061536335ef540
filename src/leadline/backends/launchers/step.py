"""What a launcher is given, what it answers, and what every launcher can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from leadline.hosts.placement import THIS_HOST, Hosts


@dataclass(frozen=True, slots=True)
class JobStep:
    """One executable on a number of ranks (Slurm's term: a job starts one step or several)."""

    executable: str
    arguments: tuple[str, ...]
    ranks: int
    environment: Mapping[str, str]
    """Variables that must reach every rank."""
    launcher_arguments: tuple[str, ...] = ()
    """The user's own words for the launcher, passed as they are."""
    hosts: Hosts = THIS_HOST
    """Where the ranks run."""
    confidential: frozenset[str] = frozenset()
    """The names of those of its variables that no command line may show."""
    oversubscribed: bool = False
    """Whether there are more ranks than cores, which some launchers refuse unless told."""
    buffer_bytes: int = 0
    """The longest of the buffers for messages that a rank will make; 0: not known."""
    folder: str = ""
    """A directory of the step's own, for what a launcher must keep in files."""
    starter: int = 0
    """The process that starts it; no daemon outlives it. This and what follows is found by
    preparation.prepare."""
    superuser: bool = False
    """Whether root starts it."""
    inherited: frozenset[str] = frozenset()
    """Names of the variables that its processes take over from this one."""
    rendezvous: str = ""
    """Where ranks meet that find each other by themselves: HOST:PORT."""


@dataclass(frozen=True, slots=True)
class Command:
    """One process to start."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    """Additions to this process's own environment."""
    role: str = ""
    """What runs in it, for messages ("rank 1", "pvmd"); empty where a launcher starts ranks."""
    read: str = ""
    """What it reads on its standard input."""
    bound: bool = True
    """Whether it is killed with its starter; a kernel, which a thousand may be, looks itself that
    it doesn't stay."""
    lingers: bool = False
    """Whether it ends by itself, behind its ranks, when its starter has been killed: killed with it
    it would leave files of its own, and end ranks that remove theirs. A guard sees that it ends."""

    def keeping_in(self, folder: str, step: JobStep, scheduled: bool = False) -> Command:
        """The same, its temporary files in `folder`, which is removed with the step.

        As it is where ranks of `step` are on other machines, which may have no such folder, or
        where a scheduler knows where (`scheduled`).
        """
        if scheduled or (step.hosts.names and not step.hosts.emulated):
            return self
        return replace(self, environment={**self.environment, "TMPDIR": folder})


class Launcher(Protocol):
    """Makes commands of a step. None of them binds ranks: kernels bind themselves."""

    name: str
    rank_variable: str
    """Environment variable that tells a rank its number before the library is initialised."""

    def commands(self, step: JobStep) -> list[Command]:
        """The processes to start for a prepared `step`: one launcher, or one process a rank."""
