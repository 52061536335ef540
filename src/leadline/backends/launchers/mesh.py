"""No launcher, but a place to meet: processes that find each other, started one by one."""

from __future__ import annotations

from dataclasses import replace

from leadline.backends.launchers.agents import sent
from leadline.backends.launchers.direct import Direct
from leadline.backends.launchers.step import Command, JobStep


class Mesh(Direct):
    """One process a rank; all find each other at rank 0, whose address is in the environment."""

    name = "mesh"

    def commands(self, step: JobStep) -> list[Command]:
        """The processes, on this host or sent to theirs."""
        meeting = dict(step.environment) | {"LEADLINE_RENDEZVOUS": step.rendezvous}
        local = super().commands(replace(step, environment=meeting))
        if not step.hosts.names:
            return local
        names = step.hosts.names
        places = (step.hosts.place(rank, step.ranks) for rank in range(step.ranks))
        return [sent(step, names[p], command) for p, command in zip(places, local, strict=True)]
