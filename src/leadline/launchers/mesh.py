"""No launcher, but a place to meet: the processes of tcp, started one by one."""

from __future__ import annotations

import secrets
import socket
from dataclasses import replace

from leadline.launchers.direct import Direct
from leadline.launchers.job import Command, Job


class Mesh(Direct):
    """One process a rank; all find each other at rank 0, whose address is in the environment."""

    name = "mesh"

    def commands(self, job: Job) -> list[Command]:
        """The processes; each job meets at an address of its own."""
        meeting = dict(job.environment) | {"LEADLINE_RENDEZVOUS": loopback_address()}
        return super().commands(replace(job, environment=meeting))


def loopback_address() -> str:
    """A free port of an address below 127.0.0.0/8, all of which is this host (Linux).

    The port is free a moment before rank 0 takes it. On an address that nobody else knows it stays
    so, which it wouldn't on 127.0.0.1, where every connection that goes out takes a port too.
    """
    host = ".".join(["127", *(str(1 + secrets.randbelow(254)) for _ in range(3))])
    with socket.create_server((host, 0)) as taken:
        return f"{host}:{taken.getsockname()[1]}"
