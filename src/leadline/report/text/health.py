"""The health of hosts, in words."""

from __future__ import annotations

import math

from leadline.health.observations import Round, Symptom
from leadline.health.outcome import Bound, FaultKind, Health, Silence, Suspect
from leadline.report.document import Section, Table
from leadline.report.text.catalogue import HealthWords
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import plural
from leadline.units import significant

COLUMNS = ("suspect", "what", "by", "speed, of the median's", "95 %")
WORDS = {
    FaultKind.LINK: "link",
    FaultKind.HOST: "host",
    FaultKind.DOWN: "down",
}


def health_document(health: Health) -> list[Section]:
    """Suspect hosts and links, how healthy the others are, and warnings."""
    heading = (
        f"{plural(len(health.hosts), 'host')} · {plural(health.rounds, 'round')}, "
        f"{plural(health.pairs, 'pair')}"
    )
    rows: list[tuple[str, ...]] = []
    for suspect in health.suspects:
        bounds = suspect.factor.bounds if suspect.factor else None
        rows.append(
            (
                suspect.name,
                WORDS[suspect.kind],
                suspect.symptom.value if suspect.symptom else "-",
                significant(suspect.factor.value) if suspect.factor else "-",
                f"{significant(bounds[0])} to {significant(bounds[1])}" if bounds else "-",
            )
        )
    why = tuple(
        f"{suspect.name}: {why_words(suspect)}." for suspect in health.suspects if suspect.why
    )
    table = Table(COLUMNS, tuple(rows)) if rows else None
    first = Section(heading, table, (*why, statement(health)))
    return [first, *note_sections([], health.warnings)]


def why_words(suspect: Suspect) -> str:
    """The reason of a host that is down, or of a path; "" for others."""
    why = suspect.why
    return HealthWords[why.name]() if isinstance(why, Silence) else why


def statement(health: Health) -> str:
    """Whether all are healthy, or how healthy the others are; else why there is no bound for them.

    E.g. "less than 0.97 of the median rate"; bounds are rounded to what holds.
    """
    by_symptom: dict[Symptom, Bound] = {bound.symptom: bound for bound in health.bounds}
    limits: list[str] = []
    if rate := by_symptom.get(Symptom.RATE):
        factor = math.floor(rate.factor * 100) / 100
        limits.append(HealthWords.BOUNDED_RATE(factor=factor))
    if latency := by_symptom.get(Symptom.LATENCY):
        factor = math.ceil(1 / latency.factor * 100) / 100
        limits.append(HealthWords.BOUNDED_LATENCY(factor=factor))
    if limits:
        either, percent = " or ".join(limits), 100 * min(bound.level for bound in health.bounds)
        if not health.suspects:
            return HealthWords.ALL_HEALTHY(limits=either, percent=percent)
        number = len(health.others)
        return HealthWords.OTHERS_HEALTHY(number=number, limits=either, percent=percent)
    if not health.others:
        return HealthWords.NOBODY_LEFT()
    if health.too_few_to_compare:
        return HealthWords.TOO_FEW(hosts=len(health.others))
    return HealthWords.OTHERS_UNKNOWN() if health.suspects else HealthWords.UNKNOWN()


def round_line(number: int, seen: Round, took_s: float) -> str:
    """One line on a finished round, while others follow.

    Args:
        number: Of the round, from 1.
        seen: Pairs measured, and those that sent no answer.
        took_s: Duration in seconds.
    """
    silent = ", ".join("+".join(pair) for pair in seen.silent)
    return HealthWords.ROUND(number=number, pairs=len(seen.pairs), took_s=took_s, silent=silent)
