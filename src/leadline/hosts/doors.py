"""How a host is asked for something: the words of what starts processes there."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import BatchJob


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
