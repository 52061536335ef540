"""What an examination comes to: who is suspect, and how slow the others may be at most."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from leadline.health.diagnosis import ERROR, FEWEST_SOUND, Deviation
from leadline.health.examination import Examination
from leadline.health.observations import Symptom, Tolerances
from leadline.record.caveats import Caveat, CaveatKind
from leadline.statistics.estimate import Estimate

NOBODY: Mapping[str, str] = MappingProxyType({})
NO_MESSAGE = "it answers when it is asked, but no message reaches it"
CUT = "both hear others, and no message passes between them"
JOINT = "+"
"""Between the names of two hosts whose path is suspect."""


class FaultKind(StrEnum):
    """What is wrong with a suspect."""

    LINK = "link"
    """Messages of its host, or between two hosts, are slow or late."""
    HOST = "host"
    """Its processes stand still again and again, or start now and then only."""
    DOWN = "down"
    """It doesn't answer, or no message reaches it; or none passes between two hosts."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A host, or the path between two."""

    kind: FaultKind
    name: str
    """The host's, or "A+B"."""
    symptom: Symptom | None
    """Symptom by which it is known; None: by its silence."""
    factor: Estimate | None
    """Its speed over the median's, 0.5: half as fast; None: it has none."""
    why: str = ""
    """Reason of a host that is down, in its words."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The one host, or both ends of the path."""
        return tuple(self.name.split(JOINT))


@dataclass(frozen=True, slots=True)
class Bound:
    """How slow those that aren't suspect may be at most."""

    symptom: Symptom
    factor: float
    """Their speed over the median's is no less."""
    level: float
    """How sure that is, for all symptoms and hosts together."""


@dataclass(frozen=True, slots=True)
class Health:
    """All that an examination says."""

    hosts: tuple[str, ...]
    rounds: int
    pairs: int
    """Measured, over all rounds; one that was measured twice counts twice."""
    tolerances: Tolerances
    suspects: tuple[Suspect, ...]
    bounds: tuple[Bound, ...]
    """Bounds of the symptoms that have one."""
    undecided: tuple[str, ...]
    """Hosts that are neither certainly slower than tolerated nor certainly not."""
    runs: tuple[str, ...] = ()
    """The directory of each round."""
    caveats: tuple[Caveat, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """The hosts that are no suspect, nor an end of one."""
        named = {host for one in self.suspects for host in one.hosts}
        return tuple(host for host in self.hosts if host not in named)

    @property
    def too_few_to_compare(self) -> bool:
        """Whether the others have no bounds, whatever was measured."""
        return len(self.others) < FEWEST_SOUND

    @property
    def healthy(self) -> bool:
        """Whether nobody is suspect; how much that says is in `bounds`."""
        return not self.suspects


def health_of(
    examination: Examination,
    down: Mapping[str, str] = NOBODY,
    runs: Sequence[str] = (),
    caveats: Sequence[Caveat] = (),
) -> Health:
    """What `examination` comes to.

    Args:
        examination: Of those that answered when it began.
        down: Hosts that didn't, then or later, when they were asked by name, and what they said.
        runs: The directory of each round.
        caveats: What else is to be known.
    """
    suspects = (*_down(examination, down), *_failing(examination), *_slow(examination))
    suspects += tuple(_paths(examination))
    named = {suspect.name for suspect in suspects}
    undecided = tuple(host for host in examination.doubtful if host not in named)
    return Health(
        hosts=tuple(dict.fromkeys((*examination.hosts, *down))),
        rounds=len(examination.rounds),
        pairs=sum(len(one.pairs) for one in examination.rounds),
        tolerances=examination.tolerances,
        suspects=suspects,
        bounds=tuple(_bounds(examination)),
        undecided=undecided,
        runs=tuple(runs),
        caveats=(*caveats, *_undecided(undecided), *_unexplained(examination, named)),
    )


def _undecided(hosts: Sequence[str]) -> Iterator[Caveat]:
    if hosts:
        yield CaveatKind.UNDECIDED_HOSTS.because(
            f"{len(hosts)} host{'s' * (len(hosts) != 1)} may be slower than tolerated: "
            f"{', '.join(hosts)}"
        )


def _unexplained(examination: Examination, named: set[str]) -> Iterator[Caveat]:
    """Silent pairs that aren't any suspect's."""
    silent = Counter(pair for one in examination.rounds for pair in one.silent)
    left = [pair for pair in sorted(silent) if not named.intersection((*pair, JOINT.join(pair)))]
    if left:
        yield CaveatKind.SILENT_PAIRS.because(
            f"nothing came of {sum(silent[pair] for pair in left)} of the pairs measured: "
            f"{', '.join(map(JOINT.join, left))}"
        )


def _down(examination: Examination, down: Mapping[str, str]) -> Iterator[Suspect]:
    for name in sorted(examination.down | down.keys()):
        yield Suspect(FaultKind.DOWN, name, None, None, down.get(name, NO_MESSAGE))
    for pair in examination.cut_paths:
        yield Suspect(FaultKind.DOWN, JOINT.join(pair), None, None, CUT)


def _paths(examination: Examination) -> Iterator[Suspect]:
    for one in examination.paths:
        if one.certain:
            name = JOINT.join(one.pair)
            yield Suspect(FaultKind.LINK, name, one.symptom, _factor(one.log_slowness))


def _failing(examination: Examination) -> Iterator[Suspect]:
    for name, share in examination.failing.items():
        yield Suspect(FaultKind.HOST, name, None, Estimate(share))


def _slow(examination: Examination) -> Iterator[Suspect]:
    """Each slow host once for each symptom; of one that stalls, the rest follows from that."""
    stalled = {host for host, symptom in examination.slow if symptom is Symptom.STALLS}
    for (host, symptom), one in sorted(examination.slow.items()):
        if host not in stalled:
            yield Suspect(FaultKind.LINK, host, symptom, _factor(one.log_slowness))
        elif symptom is Symptom.STALLS:
            yield Suspect(FaultKind.HOST, host, symptom, _factor(one.log_slowness))


def _factor(log_slowness: Estimate) -> Estimate:
    return log_slowness.exp().inverse()


def _bounds(examination: Examination) -> Iterator[Bound]:
    """For each symptom the least speed that a host which isn't suspect may have.

    None of a symptom of which not every such host is known.
    """
    tests = len(examination.hosts) * len(Symptom)
    others = set(examination.alive) - examination.blamed
    for symptom in Symptom:
        known = {host: one for (host, q), one in examination.known.items() if q is symptom}
        if others and others <= known.keys():
            yield from _bound(symptom, [known[host] for host in others], tests)


def _bound(symptom: Symptom, known: Sequence[Deviation], tests: int) -> Iterator[Bound]:
    fewest = min(one.log_slowness.n for one in known)
    bounded = all(one.most is not None for one in known)
    level = 1 - ERROR if bounded else 1 - tests / 2.0**fewest
    most = max(one.largest if one.most is None else one.most for one in known)
    if level > 0:
        yield Bound(symptom, math.exp(-most), level)
