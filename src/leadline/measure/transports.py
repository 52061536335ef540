"""What carries messages: asked again where launches contradict what was found before them.

Libraries choose at every start. One that finds /dev/shm full sends another way, without a word and
many times as slowly; what was found before then says nothing of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leadline.backends.backend import UNKNOWN
from leadline.measure.disturbed import is_disturbed
from leadline.measure.launch import Launch
from leadline.measure.prepared import Prepared
from leadline.measure.system import System
from leadline.measure.usual_times import UsualTimes
from leadline.measure.variants import Variant
from leadline.record.caveats import CaveatKind
from leadline.record.slices import Slice
from leadline.store import Journal

MOST_ASKED = 3
"""Times that a variant is asked for what it took: a machine can be slow for other reasons."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What a launch was seen to have for its messages when it was up."""

    short: bool
    """Whether /dev/shm had little room."""
    segments: bool
    """Whether its ranks map what their library makes there."""


@dataclass(slots=True)
class Transports:
    """The transports of a campaign's variants on this host, held to what is seen of their launches.

    That is their memory, and the times of their operations.
    """

    prepared: Prepared
    journal: Journal
    configurations: Mapping[tuple[str, tuple[int, int]], int]
    """Index in the journal, by variant and group."""
    system: System
    _short: bool = field(init=False)
    """When the transports were found."""
    _first: dict[str, Sign] = field(default_factory=dict)
    """Of each variant's launches."""
    _agreed: set[tuple[str, Sign]] = field(default_factory=set)
    """Signs under which a variant said the same again."""
    _given_up: set[str] = field(default_factory=set)
    """Variants that said another thing once: what carried their messages is unknown."""
    _times: UsualTimes = field(default_factory=UsualTimes)
    _asked: Counter[str] = field(default_factory=Counter)
    """How often each variant was, for its times."""

    def __post_init__(self) -> None:
        """Looks how much room there is to begin with."""
        self._short = self.system.shared_memory_is_short()

    def check(self, launches: Sequence[Launch], block: int) -> None:
        """Asks the variants anew whose `launches` show other signs than when they were asked.

        Where the answer is another one, what carried their messages is unknown, and a warning says
        both. Not of hosts, whose shared memory isn't seen from here.
        """
        short = self.system.shared_memory_is_short()
        for launch in launches:
            variant = next(v for v in self.prepared.variants if v.name == launch.label)
            if launch.note is not None and self._may_be_asked(variant):
                self._hold(variant, Sign(short, bool(launch.note.segments)), block)

    def took(self, taken: Slice, step_s: float) -> None:
        """Takes note of what operations took, unless others took cores from them.

        A batch of the slice follows the one before after `step_s` seconds.
        """
        if not is_disturbed(taken):
            self._times.add(taken.configuration, taken.cell, step_s / taken.repetitions)

    def end_block(self, block: int) -> None:
        """Asks the variants anew whose times were of another kind in `block` than before."""
        factors = self._times.end_block()
        for variant in self.prepared.variants:
            own = [factors[one] for one in self._of(variant.name) if one in factors]
            if own and self._asked[variant.name] < MOST_ASKED and self._may_be_asked(variant):
                self._asked[variant.name] += 1
                self._ask(
                    variant,
                    f"in block {block + 1} its operations took {own[0]:.2g} times as long as "
                    "before",
                    silent=variant.transport,
                )

    def _hold(self, variant: Variant, sign: Sign, block: int) -> None:
        before = self._first.setdefault(variant.name, Sign(self._short, sign.segments))
        if sign == before or (variant.name, sign) in self._agreed:
            return
        self._agreed.add((variant.name, sign))
        room = "little" if sign.short else "enough"
        ranks = "map files of theirs there" if sign.segments else "have nothing there"
        self._ask(
            variant,
            f"when block {block + 1} began, /dev/shm had {room} room, and its ranks {ranks}",
        )

    def _ask(self, variant: Variant, contradiction: str, silent: str = UNKNOWN) -> None:
        """Asks `variant` anew, whose transport is unknown where it says another one.

        Where it says none, that is taken for `silent`: a machine so busy that operations take
        several times as long may let no answer come either.
        """
        said = self.system.transport_of(variant, self.prepared.job)
        now = silent if said == UNKNOWN else said
        if now == variant.transport:
            return
        for index in self._of(variant.name):
            self.journal.add_transport(index, UNKNOWN)
        self.journal.add_warning(
            CaveatKind.TRANSPORT.because(
                f"{variant.name} was found to send by {variant.transport}, and by {now} later: "
                f"{contradiction}"
            )
        )
        self._given_up.add(variant.name)

    def _of(self, name: str) -> list[int]:
        return [index for (one, _), index in self.configurations.items() if one == name]

    def _may_be_asked(self, variant: Variant) -> bool:
        """Whether it says what it sends by, and that is seen from here."""
        seen = variant.simulated_on is None and not self.prepared.order.hosts.names
        return seen and variant.transport != UNKNOWN and variant.name not in self._given_up
