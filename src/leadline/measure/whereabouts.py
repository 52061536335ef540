"""Where ranks are that don't answer: asked of relays, looked up here, asked of other hosts."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leadline.hosts.doors import Door
from leadline.hosts.survey import this_site
from leadline.kernels import progress
from leadline.kernels.connection import Connection
from leadline.kernels.messages import Hello, Missing, ProtocolError
from leadline.processes import Ending, run_together

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

    def states(self, hellos: Iterable[Hello]) -> list[progress.RankState]:
        """The states of the ranks that said `hellos`, by rank; each other host is asked once."""
        here = this_site()
        by_host: dict[tuple[str, bool], list[Hello]] = {}
        for one in hellos:
            local = here.is_that_of(one.host, one.machine)
            by_host.setdefault((one.host, local), []).append(one)
        afar = {host: mine for (host, local), mine in by_host.items() if not local}
        found = [self._asked(host, afar[host], said) for host, said in self._answers(afar).items()]
        found += [self._looked_up(mine) for (_, local), mine in by_host.items() if local]
        return sorted(itertools.chain.from_iterable(found), key=lambda state: state.rank)

    def _looked_up(self, mine: Sequence[Hello]) -> list[progress.RankState]:
        return [
            progress.read_state(
                one.rank, self.pages.with_name(f"{self.pages.name}.{one.rank}"), one.pid
            )
            for one in mine
        ]

    def _answers(self, afar: Mapping[str, Sequence[Hello]]) -> dict[str, Ending | None]:
        """What each host says of its ranks; None: there is no way to ask it."""
        open_doors = [host for host in afar if host in self.doors]
        commands = [
            self.doors[host].into(
                progress.question(str(self.pages), {one.rank: one.pid for one in afar[host]})
            )
            for host in open_doors
        ]
        said = run_together(commands, HOST_ANSWERS_S)
        return dict.fromkeys(afar) | dict(zip(open_doors, said, strict=True))

    def _asked(
        self, host: str, mine: Sequence[Hello], said: Ending | None
    ) -> list[progress.RankState]:
        ranks = [one.rank for one in mine]
        if said is None:
            return [progress.elsewhere(rank, host) for rank in ranks]
        if progress.is_answer(said.output):
            return progress.answered(said.output, host, ranks)
        silence = f"doesn't answer ({said.first_complaint()[:200]})"
        return [progress.elsewhere(rank, host, silence) for rank in ranks]


def missing(lines: Lines) -> set[int]:
    """The ranks that haven't answered, as their relays say; all of a relay that doesn't."""
    found: set[int] = set()
    for connection, ranks in lines.items():
        connection.send("missing")
        found.update(_said_to_be_missing(connection, ranks))
    return found


def _said_to_be_missing(relay: Connection, ranks: Sequence[int]) -> Sequence[int]:
    with contextlib.suppress(ProtocolError):
        while (said := relay.next_within(RELAY_ANSWERS_S)) is not None:
            if isinstance(said, Missing):
                return said.ranks
    return ranks
