"""What carries messages: asked again where launches contradict what was found before them.

Libraries choose at every start. One that finds /dev/shm full sends another way, without a word and
many times as slowly; what was found before then says nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leadline.backends.backend import UNKNOWN
from leadline.backends.discovery.probe import transport_used
from leadline.hosts.this_host import shared_memory_is_short
from leadline.measure.launch import Launch
from leadline.measure.prepared import Prepared
from leadline.measure.variants import Variant
from leadline.record.caveats import CaveatKind
from leadline.store import Journal


@dataclass(frozen=True, slots=True)
class Sign:
    """What a launch was seen to have for its messages when it was up."""

    short: bool
    """Whether /dev/shm had little room."""
    segments: bool
    """Whether its ranks map what their library makes there."""


@dataclass(slots=True)
class Transports:
    """The transports of a campaign's variants on this host, held to the signs of their launches."""

    prepared: Prepared
    journal: Journal
    configurations: Mapping[tuple[str, tuple[int, int]], int]
    """Index in the journal, by variant and group."""
    _short: bool = field(default_factory=shared_memory_is_short)
    """When the transports were found."""
    _first: dict[str, Sign] = field(default_factory=dict)
    """Of each variant's launches."""
    _agreed: set[tuple[str, Sign]] = field(default_factory=set)
    """Signs under which a variant said the same again, or was given up to be unknown."""

    def check(self, launches: Sequence[Launch], block: int) -> None:
        """Asks the variants anew whose `launches` show other signs than when they were asked.

        Where the answer is another one, what carried their messages is unknown, and a warning says
        both.
        """
        if self.prepared.order.hosts.names:  # whose shared memory isn't seen from here
            return
        short = shared_memory_is_short()
        for launch in launches:
            variant = next(v for v in self.prepared.variants if v.name == launch.label)
            if variant.simulated_on is None and launch.note is not None:
                self._hold(variant, Sign(short, bool(launch.note.segments)), block)

    def _hold(self, variant: Variant, sign: Sign, block: int) -> None:
        before = self._first.setdefault(variant.name, Sign(self._short, sign.segments))
        if variant.transport == UNKNOWN or sign == before or (variant.name, sign) in self._agreed:
            return
        self._agreed.add((variant.name, sign))
        now = transport_used(
            variant.backend, variant.environment, variant.arguments, job=self.prepared.job
        )
        if now != variant.transport:
            self._contradict(variant, now, sign, block)

    def _contradict(self, variant: Variant, now: str, sign: Sign, block: int) -> None:
        for (name, _), index in self.configurations.items():
            if name == variant.name:
                self.journal.add_transport(index, UNKNOWN)
        room = "little" if sign.short else "enough"
        ranks = "map files of theirs there" if sign.segments else "have nothing there"
        self.journal.add_warning(
            CaveatKind.TRANSPORT.because(
                f"{variant.name} was found to send by {variant.transport}, and by {now} when block "
                f"{block + 1} began: /dev/shm has {room} room, and its ranks {ranks}"
            )
        )
