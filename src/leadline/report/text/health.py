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


def health_document(found: Health) -> list[Section]:
    """Suspect hosts and links, how healthy the others are, and warnings."""
    heading = (
        f"{plural(len(found.hosts), 'host')} · {plural(found.rounds, 'round')}, "
        f"{plural(found.pairs, 'pair')}"
    )
    rows: list[tuple[str, ...]] = []
    for one in found.suspects:
        bounds = one.factor.bounds if one.factor else None
        rows.append(
            (
                one.name,
                WORDS[one.kind],
                one.symptom.value if one.symptom else "-",
                significant(one.factor.value) if one.factor else "-",
                f"{significant(bounds[0])} to {significant(bounds[1])}" if bounds else "-",
            )
        )
    why = tuple(f"{one.name}: {why_words(one)}." for one in found.suspects if one.why)
    table = Table(COLUMNS, tuple(rows)) if rows else None
    first = Section(heading, table, (*why, statement(found)))
    return [first, *note_sections([], found.warnings)]


def why_words(suspect: Suspect) -> str:
    """The reason of a host that is down, or of a path; "" for others."""
    why = suspect.why
    return HealthWords[why.name]() if isinstance(why, Silence) else why


def statement(found: Health) -> str:
    """Whether all are healthy, or how healthy the others are; else why there is no bound for them.

    E.g. "less than 0.97 of the median rate"; bounds are rounded to what holds.
    """
    by_symptom: dict[Symptom, Bound] = {one.symptom: one for one in found.bounds}
    limits: list[str] = []
    if rate := by_symptom.get(Symptom.RATE):
        factor = math.floor(rate.factor * 100) / 100
        limits.append(HealthWords.BOUNDED_RATE(factor=factor))
    if latency := by_symptom.get(Symptom.LATENCY):
        factor = math.ceil(1 / latency.factor * 100) / 100
        limits.append(HealthWords.BOUNDED_LATENCY(factor=factor))
    if limits:
        either, percent = " or ".join(limits), 100 * min(one.level for one in found.bounds)
        if not found.suspects:
            return HealthWords.ALL_HEALTHY(limits=either, percent=percent)
        number = len(found.others)
        return HealthWords.OTHERS_HEALTHY(number=number, limits=either, percent=percent)
    if not found.others:
        return HealthWords.NOBODY_LEFT()
    if found.too_few_to_compare:
        return HealthWords.TOO_FEW(hosts=len(found.others))
    return HealthWords.OTHERS_UNKNOWN() if found.suspects else HealthWords.UNKNOWN()


def round_line(number: int, seen: Round, took_s: float) -> str:
    """One line on a finished round, while others follow.

    Args:
        number: Of the round, from 1.
        seen: Pairs measured, and those that sent no answer.
        took_s: Duration in seconds.
    """
    silent = ", ".join("+".join(pair) for pair in seen.silent)
    return HealthWords.ROUND(number=number, pairs=len(seen.pairs), took_s=took_s, silent=silent)
