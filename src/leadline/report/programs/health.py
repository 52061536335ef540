"""The health of hosts, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.health.observations import Symptom
from leadline.health.outcome import Bound, FaultKind, Health, Suspect
from leadline.record.caveats import Caveat
from leadline.report.programs.notes import comments
from leadline.report.records import Records, records_of
from leadline.report.text.health import statement


class SuspectRow(TypedDict):
    """A host or link that is certainly slower than tolerated, or doesn't answer."""

    kind: FaultKind
    """link: messages are slow or late; host: its processes stand still; down: no answer."""
    name: str
    """The host's; A+B: the path between two hosts that are sound beside others."""
    symptom: Symptom | None
    """By which it is known; null: by its silence."""
    factor: float | None
    """Its speed over the median's: 0.5 is half as fast, or twice as late. Null: it has none."""
    low: float | None
    """The factor is no less, and `high` no more; each bound, of all suspects together, errs in 5 %
    at most."""
    high: float | None
    why: str
    """Of one that is down: what it said; else empty."""


class BoundRow(TypedDict):
    """How slow those that aren't suspect may be at most."""

    symptom: Symptom
    factor: float
    """Their speed over the median's is no less."""
    level: float
    """How sure that is, for all of them together."""


class TolerancesRow(TypedDict):
    """What was still in order; speeds over the median's."""

    latency: float
    rate: float
    stalls: float


class HealthContent(TypedDict):
    """Which hosts and links are slow or dead, and how sure it is that the others aren't."""

    healthy: bool
    """Whether there is no suspect; how much that says is in `bounds`."""
    statement: str
    """In words, with its bound."""
    hosts: Sequence[str]
    rounds: int
    """Of disjoint pairs."""
    pairs: int
    """Measured in all rounds."""
    suspects: Sequence[SuspectRow]
    bounds: Sequence[BoundRow]
    """By symptom; one of which nothing can be said yet is missing."""
    tolerances: TolerancesRow
    undecided: Sequence[str]
    """Hosts that are neither certainly slower than tolerated nor certainly not."""
    runs: Sequence[str]
    """The directory of each round."""
    warnings: Sequence[Caveat]


def health_content(found: Health) -> HealthContent:
    """Everything that the rounds came to."""
    return {
        "healthy": found.healthy,
        "statement": statement(found),
        "hosts": found.hosts,
        "rounds": found.rounds,
        "pairs": found.pairs,
        "suspects": [_suspect(one) for one in found.suspects],
        "bounds": [_bound(one) for one in found.bounds],
        "tolerances": {
            "latency": 1 / found.tolerances.latency,
            "rate": 1 / found.tolerances.rate,
            "stalls": 1 / found.tolerances.stalls,
        },
        "undecided": found.undecided,
        "runs": found.runs,
        "warnings": found.caveats,
    }


def health_records(found: Health) -> Records:
    """A row a suspect."""
    rows = [_suspect(one) for one in found.suspects]
    said = [statement(found), *comments([], found.caveats)]
    return records_of(tuple(SuspectRow.__annotations__), rows, said)


def _suspect(one: Suspect) -> SuspectRow:
    return {
        "kind": one.kind,
        "name": one.name,
        "symptom": one.symptom,
        "factor": one.factor.value if one.factor else None,
        "low": one.factor.low if one.factor else None,
        "high": one.factor.high if one.factor else None,
        "why": one.why,
    }


def _bound(one: Bound) -> BoundRow:
    return {"symptom": one.symptom, "factor": one.factor, "level": one.level}
