"""No launcher, but a place to meet: the processes of tcp, started one by one."""

from __future__ import annotations

import secrets
import shlex
import socket
from dataclasses import replace

from leadline.backends.launchers.direct import Direct
from leadline.backends.launchers.job import Command, Job


class Mesh(Direct):
    """One process a rank; all find each other at rank 0, whose address is in the environment."""

    name = "mesh"

    def commands(self, job: Job) -> list[Command]:
        """The processes; each job meets at an address of its own."""
        names = job.hosts.names
        address = port_at(names[0]) if names else loopback_address()
        meeting = dict(job.environment) | {"LEADLINE_RENDEZVOUS": address}
        local = super().commands(replace(job, environment=meeting))
        if not names:
            return local
        return [self._sent(job, rank, command) for rank, command in enumerate(local)]

    def _sent(self, job: Job, rank: int, command: Command) -> Command:
        """`command` as the agent's words, quoted for the shell that ssh starts over there."""
        host, _ = job.hosts.place(rank, job.ranks)
        variables = [f"{name}={value}" for name, value in command.environment.items()]
        return Command((job.hosts.agent, host, shlex.join(["env", *variables, *command.argv])), {})


def port_at(host: str) -> str:
    """A port of another host, free as far as one can tell from here.

    Below those that Linux gives out itself; where it is taken, rank 0 says so and the launch is
    started anew with another.
    """
    return f"{host}:{20_000 + secrets.randbelow(10_000)}"


def loopback_address() -> str:
    """A free port of an address below 127.0.0.0/8, all of which is this host (Linux).

    The port is free a moment before rank 0 takes it. On an address that nobody else knows it stays
    so, which it wouldn't on 127.0.0.1, where every connection that goes out takes a port too.
    """
    host = ".".join(["127", *(str(1 + secrets.randbelow(254)) for _ in range(3))])
    with socket.create_server((host, 0)) as taken:
        return f"{host}:{taken.getsockname()[1]}"
