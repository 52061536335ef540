"""The health of hosts, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.health.observations import Symptom
from leadline.health.outcome import FaultKind, Health, Suspect
from leadline.record.warnings import RunWarning
from leadline.report.programs.rows import comments, row_of
from leadline.report.records import Records, records_of
from leadline.report.text.health import statement, why_words


class SuspectRow(TypedDict):
    """A host or link that is shown to be slower than tolerated, or doesn't answer."""

    kind: FaultKind
    """link: messages are slow or late; host: its processes stall; down: no answer."""
    name: str
    """The host's name; A+B: the path between two hosts that are sound with other partners."""
    symptom: Symptom | None
    """The symptom that shows it; null: it doesn't answer."""
    factor: float | None
    """Its speed over the median: 0.5 is half as fast, or twice as late. Null: it has none."""
    low: float | None
    """Lower bound of the factor. Each bound holds for all suspects together with 95 % confidence;
    null: there is no factor."""
    high: float | None
    """Upper bound of the factor, as `low`."""
    why: str
    """The error of a host that is down; else empty."""


class BoundRow(TypedDict):
    """A bound on how slow hosts and links that aren't suspects may be."""

    symptom: Symptom
    factor: float
    """Lower bound of their speed over the median."""
    level: float
    """Confidence level of the bound, for all of them together."""


class TolerancesRow(TypedDict):
    """The least tolerated speeds, over the median."""

    latency: float
    rate: float
    stalls: float


class HealthContent(TypedDict):
    """Hosts and links that are slow or down, and bounds for the others."""

    healthy: bool
    """Whether there is no suspect; `bounds` tell how much that means."""
    statement: str
    """The result in words, with its bound."""
    hosts: Sequence[str]
    rounds: int
    """Number of rounds, each of disjoint pairs of hosts."""
    pairs: int
    """Number of pairs measured in all rounds."""
    suspects: Sequence[SuspectRow]
    bounds: Sequence[BoundRow]
    """A bound for each symptom; those that nothing is known about yet are missing."""
    tolerances: TolerancesRow
    undecided: Sequence[str]
    """Hosts that are shown neither to be slower than tolerated nor not to be."""
    runs: Sequence[str]
    """The directory of each round."""
    warnings: Sequence[RunWarning]


def health_content(health: Health) -> HealthContent:
    """Everything that the rounds found."""
    return {
        "healthy": health.healthy,
        "statement": statement(health),
        "hosts": health.hosts,
        "rounds": health.rounds,
        "pairs": health.pairs,
        "suspects": [_suspect(suspect) for suspect in health.suspects],
        "bounds": [row_of(BoundRow, bound) for bound in health.bounds],
        "tolerances": {
            "latency": 1 / health.tolerances.latency,
            "rate": 1 / health.tolerances.rate,
            "stalls": 1 / health.tolerances.stalls,
        },
        "undecided": health.undecided,
        "runs": health.runs,
        "warnings": health.warnings,
    }


def health_records(health: Health) -> Records:
    """One row for each suspect."""
    rows = [_suspect(suspect) for suspect in health.suspects]
    notes = [statement(health), *comments([], health.warnings)]
    return records_of(tuple(SuspectRow.__annotations__), rows, notes)


def _suspect(suspect: Suspect) -> SuspectRow:
    return {
        "kind": suspect.kind,
        "name": suspect.name,
        "symptom": suspect.symptom,
        "factor": suspect.factor.value if suspect.factor else None,
        "low": suspect.factor.low if suspect.factor else None,
        "high": suspect.factor.high if suspect.factor else None,
        "why": why_words(suspect),
    }
