"""No launcher, but a place to meet: processes that find each other, started one by one."""

from __future__ import annotations

import shlex
from dataclasses import replace

from leadline.backends.launchers.direct import Direct
from leadline.backends.launchers.step import Command, JobStep

READ_VARIABLES = (
    'while [ "$1" != -- ]; do IFS= read -r "$1" && export "$1" && shift || exit; done; '
    'shift; exec "$@"'
)
READING = ("sh", "-c", READ_VARIABLES, "sh")
"""Takes the values of variables, named up to "--", from lines that it reads, and becomes the rest:
no list of processes shows them."""


class Mesh(Direct):
    """One process a rank; all find each other at rank 0, whose address is in the environment."""

    name = "mesh"

    def commands(self, step: JobStep) -> list[Command]:
        """The processes, on this host or sent to theirs."""
        meeting = dict(step.environment) | {"LEADLINE_RENDEZVOUS": step.rendezvous}
        local = super().commands(replace(step, environment=meeting))
        if not step.hosts.names:
            return local
        return [self._sent(step, rank, command) for rank, command in enumerate(local)]

    def _sent(self, step: JobStep, rank: int, command: Command) -> Command:
        """`command` as the agent's words, quoted for the shell that ssh starts over there."""
        host = step.hosts.names[step.hosts.place(rank, step.ranks)]
        hidden = [name for name in command.environment if name in step.confidential]
        shown = [f"{n}={value}" for n, value in command.environment.items() if n not in hidden]
        words = shlex.join([*READING, *hidden, "--", "env", *shown, *command.argv])
        lines = "".join(f"{command.environment[name]}\n" for name in hidden)
        return Command((step.hosts.agent, host, words), {}, read=lines)
