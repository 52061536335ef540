"""Where ranks are that don't answer: asked of relays, looked up here, asked of other hosts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leadline.hosts.schedulers import Door
from leadline.kernels import progress
from leadline.kernels.clock import SYSTEM_CLOCK, Clock
from leadline.kernels.connection import Connection
from leadline.kernels.messages import Hello, Missing, ProtocolError
from leadline.measure.outages import Outage, host_down
from leadline.measure.system import OPERATING_SYSTEM, System
from leadline.processes import Ending

RELAY_ANSWERS_S = 1.0
HOST_ANSWERS_S = 10.0
"""All are asked at the same time."""

Lines = Mapping[Connection, Sequence[int]]
"""By connection the ranks at its other end: one, or those of a relay."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """How the ranks of a launch are looked for."""

    pages: Path
    """Their progress pages are the files PAGES.RANK, on hosts where the folder is."""
    doors: Mapping[str, Door] = field(default_factory=dict)
    """By which other hosts are asked, by what they call themselves; empty: none can be."""
    system: System = OPERATING_SYSTEM

    def states(self, hellos: Iterable[Hello]) -> list[progress.RankState]:
        """The states of the ranks that said `hellos`, by rank.

        Each host that has a door is asked once; of ranks on this one, where it has none, /proc is.
        """
        here, found = self.system.site(), list[progress.RankState]()
        on_hosts: dict[str, list[Hello]] = {}
        for one in hellos:
            if one.host not in self.doors and here.is_that_of(one.host, one.machine):
                found.append(self._looked_up(one))
            else:
                on_hosts.setdefault(one.host, []).append(one)
        answers = self._answers(on_hosts)
        for host, mine in on_hosts.items():
            found += _states_on(host, [one.rank for one in mine], answers.get(host))
        return sorted(found, key=lambda state: state.rank)

    def outages(self, hosts: Iterable[str]) -> list[Outage]:
        """Which of `hosts` are down; this one isn't, nor those that there is no way to ask."""
        here = self.system.site().name
        answers = self._answers({host: [] for host in hosts if host != here})
        return [
            host_down(host, silence)
            for host, said in sorted(answers.items())
            if (silence := _silence(said))
        ]

    def _looked_up(self, one: Hello) -> progress.RankState:
        page = self.pages.with_name(f"{self.pages.name}.{one.rank}")
        return self.system.rank_state(one.rank, page, one.pid)

    def _answers(self, on_hosts: Mapping[str, Sequence[Hello]]) -> dict[str, Ending]:
        """What each host says of its ranks; of those without a door nothing."""
        asked = [host for host in on_hosts if host in self.doors]
        commands = []
        for host in asked:
            pids = {one.rank: one.pid for one in on_hosts[host]}
            commands.append(self._into(host, progress.question(str(self.pages), pids)))
        return dict(zip(asked, self.system.ask(commands, HOST_ANSWERS_S), strict=True))

    def _into(self, host: str, question: tuple[str, ...]) -> tuple[str, ...]:
        """The words that put `question` to `host`, which may be this one."""
        return question if host == self.system.site().name else self.doors[host].into(question)


def _states_on(host: str, ranks: Sequence[int], said: Ending | None) -> list[progress.RankState]:
    if said is None:
        return [progress.elsewhere(rank, host) for rank in ranks]
    if silence := _silence(said):
        return [progress.elsewhere(rank, host, silence) for rank in ranks]
    return progress.answered(said.output, host, ranks)


def _silence(said: Ending) -> str:
    """Why what a host `said` is no answer; empty: it is one."""
    if progress.is_answer(said.output):
        return ""
    return f"doesn't answer ({said.first_complaint()[:200]})"


def missing(lines: Lines, clock: Clock = SYSTEM_CLOCK) -> set[int]:
    """The ranks that haven't answered, as their relays say; all of a relay that doesn't.

    Relays are waited for by `clock`.
    """
    found: set[int] = set()
    for connection, ranks in lines.items():
        connection.send("missing")
        found.update(_said_to_be_missing(connection, ranks, clock))
    return found


def _said_to_be_missing(relay: Connection, ranks: Sequence[int], clock: Clock) -> Sequence[int]:
    with contextlib.suppress(ProtocolError):
        while (said := relay.next_within(RELAY_ANSWERS_S, clock)) is not None:
            if isinstance(said, Missing):
                return said.ranks
    return ranks
