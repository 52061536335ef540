"""From round to round until every host is decided: who is measured next, and what came out."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from leadline.health.diagnosis import (
    ERROR,
    FEWEST_SOUND,
    Deviation,
    SlowPath,
    deviations,
    diagnosed,
    error_of,
    rounds_needed,
    slow_paths,
)
from leadline.health.matchings import (
    HostPair,
    Matching,
    disjoint,
    matchings,
    met_least,
    with_partners,
)
from leadline.health.observations import Observation, Round, Symptom, Tolerances, undrifted
from leadline.health.silence import CUT_ROUNDS, failing_hosts, silent_hosts, silent_paths

ROUNDS_A_LOOK = 3
"""Rounds between later looks: each may err less often, and needs more values to be as sure."""
MOST_LOOKS = 12
MOST_AT_FIRST = 2
"""Multiple of the rounds that the first look needs, after which it is made with what there is."""
Looks = dict[tuple[str, Symptom], Deviation]


@dataclass(slots=True)
class Examination:
    """A cluster under examination; `next_pairs` and `take` in turn, until there are none."""

    hosts: tuple[str, ...]
    """Hosts that answered when they were first asked."""
    tolerances: Tolerances
    seed: int = 0
    gone: set[str] = field(default_factory=set)
    """Hosts of them that didn't answer when they were asked again."""
    rounds: list[Round] = field(default_factory=list)
    slow: Looks = field(default_factory=dict)
    """Deviations of hosts that some look found to be certainly slow."""
    known: Looks = field(default_factory=dict)
    """Deviations of the other hosts, each by the look that left the least room for slowness."""
    _looks: int = 0
    _looked_at: int = 0
    _undrifted: tuple[int, list[Observation]] = field(default=(0, []))
    """Number of rounds, and their observations without drift."""
    _cycle: tuple[frozenset[str], Iterator[Matching]] | None = None

    def next_pairs(self) -> Matching:
        """The pairs of the next round; none: all is decided, or nothing more can be."""
        if len(self.alive) < 2:
            return ()
        if self._looks == 0:
            return self._all_of(self.alive)
        return self._doubtful()

    def take(self, seen: Round) -> None:
        """Adds the round that was asked for, and looks at all values when it is time."""
        self.rounds.append(seen)
        if self._looks:
            due = len(self.rounds) - self._looked_at >= ROUNDS_A_LOOK and bool(self._retested())
        else:
            first = self.rounds_at_first
            due = self._fewest() >= first or len(self.rounds) >= MOST_AT_FIRST * first
        if due:
            self.look()

    def look(self) -> None:
        """Judges all hosts by what there is; spends part of the error that is allowed.

        Where it finds more slow hosts, those found before are compared again with the hosts that
        are left. Their new values count also where they are too few for an interval: the old one
        was beside slow hosts, too.
        """
        confidence = self._confidence(0)
        diagnosis = diagnosed(self.observations, self._sound(), self.tolerances, confidence)
        self._looks, self._looked_at = self._looks + 1, len(self.rounds)
        before = set(self.blamed)
        for deviation in diagnosis.slow:
            self.slow.setdefault((deviation.host, deviation.symptom), deviation)
        for other in diagnosis.others:
            key = other.host, other.symptom
            if key not in self.known or _room(other) < _room(self.known[key]):
                self.known[key] = other
        self.known = {
            k: deviation for k, deviation in self.known.items() if k[0] not in self.blamed
        }
        if not before or before == self.blamed:
            return
        for deviation in deviations(
            self.observations, self.blamed, self._sound(), self._confidence(1)
        ):
            unsure = deviation.log_slowness.bounds is None
            if (deviation.host, deviation.symptom) in self.slow and (
                unsure or deviation.beyond(self.tolerances)
            ):
                self.slow[deviation.host, deviation.symptom] = deviation

    def conclude(self) -> None:
        """Looks once more at what came since the last look, or for the first time at too little."""
        unseen = bool(self.rounds) and self._looked_at < len(self.rounds)
        if unseen and (not self._looks or self._retested()):
            self.look()

    @property
    def rounds_at_first(self) -> int:
        """Rounds before the first look: log2 of the number of hosts, and a constant."""
        return rounds_needed(self._tests, error_of(0))

    @property
    def observations(self) -> list[Observation]:
        """Observations of all rounds, less what changed for all hosts from one to another."""
        if self._undrifted[0] != len(self.rounds):
            self._undrifted = len(self.rounds), undrifted(self.rounds)
        return self._undrifted[1]

    @property
    def down(self) -> set[str]:
        """The hosts that went silent."""
        return silent_hosts(self.rounds) | self.gone

    @property
    def failing(self) -> dict[str, float]:
        """The hosts that fail now and then, with the share of their pairs that didn't."""
        return failing_hosts(self.rounds, ERROR)

    @property
    def alive(self) -> list[str]:
        """The hosts that aren't down."""
        down = self.down
        return [host for host in self.hosts if host not in down]

    @property
    def blamed(self) -> set[str]:
        """The hosts that are certainly slow."""
        return {host for host, _ in self.slow}

    @property
    def doubtful(self) -> list[str]:
        """The hosts that are neither certainly slow nor certainly not; none before the first look.

        Those with the most room left for slowness first. None where too few are left to say who is
        slow beside whom.
        """
        if not self._looks:
            return []
        if len(self._sound()) < FEWEST_SOUND:
            return []
        left = {
            host: max(_room(self.known.get((host, q))) for q in open_)
            for host in self.alive
            if host not in self.blamed and (open_ := self._open(host))
        }
        return sorted(left, key=lambda host: (-left[host], host))

    def _open(self, host: str) -> list[Symptom]:
        """The symptoms in which `host` isn't cleared."""
        known = ((q, self.known.get((host, q))) for q in Symptom)
        return [
            q
            for q, deviation in known
            if deviation is None or not deviation.within(self.tolerances)
        ]

    @property
    def paths(self) -> list[SlowPath]:
        """Pairs of sound hosts that were slow whenever they were looked at; none before a look."""
        if not self._looks:
            return []
        return list(slow_paths(self.observations, self.hosts, self._sound(), self.tolerances))

    @property
    def cut_paths(self) -> list[HostPair]:
        """Pairs of hosts that hear others and never each other."""
        return [pair for pair, times in self._silent_paths().items() if times >= CUT_ROUNDS]

    def _silent_paths(self) -> dict[HostPair, int]:
        return silent_paths(self.rounds, set(self.alive).difference(self.failing))

    def _sound(self) -> set[str]:
        return set(self.alive) - self.blamed

    def _confidence(self, ago: int) -> float:
        """Confidence of each test of the next look, or of one so many looks `ago`."""
        return 1 - 2 * error_of(self._looks - ago) / self._tests

    @property
    def _tests(self) -> int:
        return len(self.hosts) * len(Symptom)

    def _all_of(self, hosts: Collection[str]) -> Matching:
        """The next round in which all `hosts` have a partner, but one of an odd number."""
        whom = frozenset(hosts)
        if self._cycle is None or self._cycle[0] != whom:
            self._cycle = whom, matchings(whom, self.seed + len(self.rounds))
        return next(self._cycle[1], ())

    def _retested(self) -> list[str]:
        """The doubtful hosts, as long as another look at them is allowed."""
        return self.doubtful if self._looks <= MOST_LOOKS else []

    def _doubtful(self) -> Matching:
        """Doubtful hosts beside sound partners, doubtful paths of hosts that are left over.

        Then all that are left with each other: whatever becomes of a machine or a network meanwhile
        is seen of everybody, not of some of the doubtful alone.
        """
        doubtful, sound = self._retested(), self._sound()
        partners = sound.difference(self.doubtful)
        if doubtful and not partners:  # nobody is cleared yet: all go on with each other
            return self._all_of(sound)
        met = [pair for round_ in self.rounds for pair in round_.pairs]
        beside = with_partners(doubtful, partners, met)
        silent = [pair for pair, times in self._silent_paths().items() if times < CUT_ROUNDS]
        paths = [*silent, *(path.pair for path in self.paths if not path.certain)]
        wanted = (*beside, *disjoint(paths, _hosts_of(beside)))
        return (*wanted, *met_least(sound - _hosts_of(wanted), met)) if wanted else ()

    def _fewest(self) -> int:
        """Number of values of the host and symptom that have the fewest."""
        counts = {(host, q): 0 for host in self.alive for q in Symptom}
        for observation in self.observations:
            for host in observation.pair:
                if (host, observation.symptom) in counts:
                    counts[host, observation.symptom] += 1
        return min(counts.values(), default=0)


def _hosts_of(pairs: Matching) -> set[str]:
    return {host for pair in pairs for host in pair}


def _room(deviation: Deviation | None) -> float:
    """How much slowness isn't ruled out; infinite without an interval."""
    return math.inf if deviation is None or deviation.most is None else deviation.most
