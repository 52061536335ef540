"""The result of an examination: who is suspect, and how slow the others may be at most."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from types import MappingProxyType

from leadline.health.diagnosis import ERROR, FEWEST_SOUND
from leadline.health.examination import Examination
from leadline.health.observations import Symptom, Tolerances
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.statistics.estimate import Estimate

NOBODY: Mapping[str, str] = MappingProxyType({})
JOINT = "+"
"""Between the names of two hosts whose path is suspect."""


class Silence(Enum):
    """How a host is silent that says nothing of it itself."""

    NO_MESSAGE = auto()
    """It answers when it is asked, but no message reaches it."""
    CUT = auto()
    """Both of two hosts hear others, and no message passes between them."""


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
    """Its speed over the median's, 0.5: half as fast; None: unknown."""
    why: str | Silence = ""
    """Reason of a host that is down, in its words where it has any."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The one host, or both ends of the path."""
        return tuple(self.name.split(JOINT))


@dataclass(frozen=True, slots=True)
class Bound:
    """How slow those that aren't suspect may be at most."""

    symptom: Symptom
    factor: float
    """Their least speed over the median's."""
    level: float
    """Confidence of that, for all symptoms and hosts together."""


@dataclass(frozen=True, slots=True)
class Health:
    """The result of an examination."""

    hosts: tuple[str, ...]
    rounds: int
    pairs: int
    """Pairs measured, over all rounds; one that was measured twice counts twice."""
    tolerances: Tolerances
    suspects: tuple[Suspect, ...]
    bounds: tuple[Bound, ...]
    """Bounds of the symptoms that have one."""
    undecided: tuple[str, ...]
    """Hosts that are neither certainly slower than tolerated nor certainly not."""
    runs: tuple[str, ...] = ()
    """The directory of each round."""
    warnings: tuple[RunWarning, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """The hosts that are neither suspect nor an end of a suspect path."""
        named = {host for suspect in self.suspects for host in suspect.hosts}
        return tuple(host for host in self.hosts if host not in named)

    @property
    def too_few_to_compare(self) -> bool:
        """Whether the others have no bounds, whatever was measured."""
        return len(self.others) < FEWEST_SOUND

    @property
    def healthy(self) -> bool:
        """Whether nothing is suspect; `bounds` say how much that means."""
        return not self.suspects


def health_of(
    examination: Examination,
    down: Mapping[str, str] = NOBODY,
    runs: Sequence[str] = (),
    warnings: Sequence[RunWarning] = (),
) -> Health:
    """The result of `examination`, with warnings of what it left open.

    Args:
        examination: An examination of the hosts that answered when it began.
        down: Hosts that didn't answer by name, then or later, with what they said.
        runs: The directory of each round.
        warnings: Other warnings.
    """
    suspects = tuple(_suspects(examination, down))
    named = {suspect.name for suspect in suspects}
    undecided = tuple(host for host in examination.doubtful if host not in named)
    warnings = [*warnings]
    if undecided:
        warnings.append(
            warning_of(WarningKind.UNDECIDED_HOSTS, number=len(undecided), hosts=undecided)
        )
    silent = Counter(pair for round_ in examination.rounds for pair in round_.silent)
    unexplained = [
        pair for pair in sorted(silent) if not named.intersection((*pair, JOINT.join(pair)))
    ]
    if unexplained:
        warnings.append(
            warning_of(
                WarningKind.SILENT_PAIRS,
                number=sum(silent[pair] for pair in unexplained),
                pairs=list(map(JOINT.join, unexplained)),
            )
        )
    return Health(
        hosts=tuple(dict.fromkeys((*examination.hosts, *down))),
        rounds=len(examination.rounds),
        pairs=sum(len(round_.pairs) for round_ in examination.rounds),
        tolerances=examination.tolerances,
        suspects=suspects,
        bounds=tuple(_bounds(examination)),
        undecided=undecided,
        runs=tuple(runs),
        warnings=tuple(warnings),
    )


def _suspects(examination: Examination, down: Mapping[str, str]) -> Iterator[Suspect]:
    """Hosts that are down, cut paths, hosts that fail now and then, slow hosts, slow paths.

    A slow host comes once for each symptom; where it stalls, the others follow from that.
    """
    for name in sorted(examination.down | down.keys()):
        yield Suspect(FaultKind.DOWN, name, None, None, down.get(name, Silence.NO_MESSAGE))
    for pair in examination.cut_paths:
        yield Suspect(FaultKind.DOWN, JOINT.join(pair), None, None, Silence.CUT)
    for name, share in examination.failing.items():
        yield Suspect(FaultKind.HOST, name, None, Estimate(share))
    stalled = {host for host, symptom in examination.slow if symptom is Symptom.STALLS}
    for (host, symptom), deviation in sorted(examination.slow.items()):
        if host not in stalled:
            yield Suspect(FaultKind.LINK, host, symptom, _factor(deviation.log_slowness))
        elif symptom is Symptom.STALLS:
            yield Suspect(FaultKind.HOST, host, symptom, _factor(deviation.log_slowness))
    for path in examination.paths:
        if path.certain:
            name = JOINT.join(path.pair)
            yield Suspect(FaultKind.LINK, name, path.symptom, _factor(path.log_slowness))


def _factor(log_slowness: Estimate) -> Estimate:
    """The speed over the median's, from the logarithm of a slowness."""
    return log_slowness.exp().inverse()


def _bounds(examination: Examination) -> Iterator[Bound]:
    """The least speed that a host which isn't suspect may have, for each symptom.

    A symptom has none where not every such host is known in it.
    """
    tests = len(examination.hosts) * len(Symptom)
    others = set(examination.alive) - examination.blamed
    for symptom in Symptom:
        known = {
            host: deviation for (host, q), deviation in examination.known.items() if q is symptom
        }
        if not others or not others <= known.keys():
            continue
        each = [known[host] for host in others]
        fewest = min(deviation.log_slowness.n for deviation in each)
        bounded = all(deviation.most is not None for deviation in each)
        level = 1 - ERROR if bounded else 1 - tests / 2.0**fewest
        most = max(
            deviation.largest if deviation.most is None else deviation.most for deviation in each
        )
        if level > 0:
            yield Bound(symptom, math.exp(-most), level)
