"""What a round changed for all pairs at once, taken out: machines and networks drift.

Hosts and pairs that are looked at late would else differ from those that aren't by what changed
meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from leadline.health.observations import Observation, Round, Symptom

FEWEST_PAIRS = 3
"""Pairs of which a single slow one isn't the median; rounds of fewer stand as they are."""
OWN_SHARE = 4
"""One part of so many of what was seen of a host is faster than what it counts as by itself: a
sound one's faster quarter is its own even where half of its partners are slow."""


def undrifted(rounds: Sequence[Round]) -> list[Observation]:
    """All that was observed, less what its round changed: the median over the round's pairs.

    Of how far each lies from the slower of its two hosts, so that slow hosts change nothing.
    """
    found: list[Observation] = []
    for symptom in Symptom:
        by_round = [[o for o in one.observations if o.symptom is symptom] for one in rounds]
        own = _own(by_round)
        for observed in by_round:
            change = _change(observed, own)
            found += (replace(one, log_slowness=one.log_slowness - change) for one in observed)
    return found


def _own(by_round: Sequence[Sequence[Observation]]) -> dict[str, float]:
    seen: dict[str, list[float]] = {}
    for one in (one for observed in by_round for one in observed):
        for host in one.pair:
            seen.setdefault(host, []).append(one.log_slowness)
    return {host: sorted(values)[len(values) // OWN_SHARE] for host, values in seen.items()}


def _change(observed: Sequence[Observation], own: Mapping[str, float]) -> float:
    if len(observed) < FEWEST_PAIRS:
        return 0.0
    beyond = [one.log_slowness - max(own[host] for host in one.pair) for one in observed]
    return median(beyond)
