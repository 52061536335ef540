"""How each library's ranks are started: one small class a launcher; nothing is started here.

This module: what a launcher is given, what it answers, and how a command is sent to another host.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from leadline.hosts.placement import THIS_HOST, Hosts

READ_VARIABLES = (
    'while [ "$1" != -- ]; do IFS= read -r "$1" && export "$1" && shift || '
    '{ echo "leadline: no $1 on standard input; have the agent pass it on (no ssh -n)" >&2; '
    "exit 1; }; done; shift; "
)
READING = ("sh", "-c", f'{READ_VARIABLES}exec "$@"', "sh")
"""Reads the values of variables, whose names are the words before "--", one a line from standard
input, then becomes the command after "--": no list of processes shows the values."""
READING_AFAR = ("sh", "-c", f'{READ_VARIABLES}"$@"; exit', "sh")
"""The same, but waits for the command: ssh passes on an exit status, and not which signal it was
that ended a process."""


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
    """Names of variables in `environment` whose values no command line may show."""
    oversubscribed: bool = False
    """Whether there are more ranks than cores, which some launchers refuse unless told."""
    buffer_bytes: int = 0
    """Size of the longest message buffer that a rank will make; 0: not known."""
    folder: str = ""
    """A directory of the step's own, for files that a launcher needs."""
    starter: int = 0
    """Id of the process that starts the step, which no daemon outlives. This field and those that
    follow are filled in by preparation.prepare."""
    superuser: bool = False
    """Whether root starts it."""
    inherited: frozenset[str] = frozenset()
    """Names of the variables that its processes inherit from this one."""
    rendezvous: str = ""
    """Where ranks meet that find each other by themselves: HOST:PORT."""


@dataclass(frozen=True, slots=True)
class Command:
    """One process to start."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    """Additions to this process's own environment."""
    role: str = ""
    """Name of its task for messages ("rank 1", "pvmd"); empty where a launcher starts ranks."""
    read: str = ""
    """Text that it reads from its standard input."""
    bound: bool = True
    """Whether it is killed with its starter. False for kernels, of which there may be a thousand:
    each of them sees to it by itself that it doesn't outlive its starter."""
    lingers: bool = False
    """Whether it ends by itself, after its ranks, when its starter has been killed: killed with the
    starter it would leave files behind, and end ranks that remove theirs. A guard checks that it
    does end."""

    def keeping_in(self, folder: str, step: JobStep, scheduled: bool = False) -> Command:
        """The same command with its temporary files in `folder`, which is removed with the step.

        Unchanged where ranks of `step` are on other machines, which may have no such folder, or
        where a scheduler chooses the place (`scheduled`).
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


def sent(step: JobStep, host: str, command: Command) -> Command:
    """`command` as the words of `step`'s agent, quoted for the shell that ssh starts on `host`.

    On emulated hosts the shell becomes the command, so that the started process is a child of the
    process that starts it.
    """
    reading = READING if step.hosts.emulated else READING_AFAR
    hidden = [name for name in command.environment if name in step.confidential]
    shown = [f"{n}={value}" for n, value in command.environment.items() if n not in hidden]
    words = "exec " + shlex.join([*reading, *hidden, "--", "env", *shown, *command.argv])
    lines = "".join(f"{command.environment[name]}\n" for name in hidden)
    role = f"{command.role} on {host}" if command.role else ""
    return Command(
        (step.hosts.agent, host, words), {}, role, lines + command.read, lingers=command.lingers
    )


def beside_ranks(step: JobStep, command: Command) -> Command:
    """`command`, which starts ranks; sent to the first of emulated hosts.

    These can't reach this host.
    """
    return sent(step, step.hosts.names[0], command) if step.hosts.emulated else command
