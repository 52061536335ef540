"""What a launcher is given, what it answers, and what every launcher can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from leadline.errors import UsageError
from leadline.hosts.placement import THIS_HOST, Hosts


@dataclass(frozen=True, slots=True)
class Job:
    """One executable on a number of ranks."""

    executable: str
    arguments: tuple[str, ...]
    ranks: int
    cores: int
    """Cores that the ranks of a host may use; more ranks than these oversubscribe."""
    environment: Mapping[str, str]
    """Variables that must reach every rank."""
    launcher_arguments: tuple[str, ...] = ()
    """The user's own words for the launcher, passed as they are."""
    hosts: Hosts = THIS_HOST
    """Where the ranks run; `cores` are those of each."""
    buffer_bytes: int = 0
    """The longest of the buffers for messages that a rank will make; 0: not known."""
    folder: str = ""
    """A directory of the job's own, for what a launcher must keep in files."""

    @property
    def crowded(self) -> bool:
        """Whether a host has more ranks than cores."""
        return self.hosts.share(self.ranks) > self.cores


def refuse_hosts(job: Job, kind: str) -> None:
    """UsageError where the ranks of `job` are to be on hosts, but those of `kind` stay on one."""
    if job.hosts.names:
        raise UsageError(f"{kind} reaches one host only; leave it out, or --hosts")


@dataclass(frozen=True, slots=True)
class Command:
    """One process to start."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    """Additions to this process's own environment."""
    role: str = ""
    """What runs in it, for messages ("rank 1", "pvmd"); empty where a launcher starts ranks."""


class Launcher(Protocol):
    """Makes commands of a job. None of them binds ranks: kernels bind themselves."""

    name: str
    rank_variable: str
    """Environment variable that tells a rank its number before the library is initialised."""

    def commands(self, job: Job) -> list[Command]:
        """The processes to start for `job`: one launcher, or one process a rank."""
