"""The health of hosts, in words."""

from __future__ import annotations

import math

from leadline.health.observations import Round, Symptom
from leadline.health.outcome import Bound, FaultKind, Health
from leadline.report.document import Section, Table
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
    why = tuple(f"{one.name}: {one.why}." for one in found.suspects if one.why)
    table = Table(COLUMNS, tuple(rows)) if rows else None
    first = Section(heading, table, (*why, statement(found)))
    return [first, *note_sections([], found.warnings)]


def statement(found: Health) -> str:
    """Whether all are healthy, or how healthy the others are; else why there is no bound for them.

    E.g. "less than 0.97 of the median rate"; bounds are rounded to what holds.
    """
    by_symptom: dict[Symptom, Bound] = {one.symptom: one for one in found.bounds}
    limits: list[str] = []
    if rate := by_symptom.get(Symptom.RATE):
        limits.append(f"less than {math.floor(rate.factor * 100) / 100:.2f} of the median rate")
    if latency := by_symptom.get(Symptom.LATENCY):
        times = math.ceil(1 / latency.factor * 100) / 100
        limits.append(f"more than {times:.2f} times the median latency")
    if limits:
        level = min(one.level for one in found.bounds)
        who = f"The other {len(found.others)}" if found.suspects else "All healthy"
        return f"{who}: no host's link has {' or '.join(limits)} ({100 * level:.3g} %)."
    if not found.others:
        return "Nobody is left to compare them with."
    if found.too_few_to_compare:
        return f"Of {plural(len(found.others), 'host')} nobody can say which is slower than usual."
    if found.suspects:
        return "Too little was measured to say anything of the others."
    return "Nobody is suspect, but too little was measured to say how healthy they are."


def round_line(number: int, seen: Round, took_s: float) -> str:
    """One line on a finished round, while others follow.

    Args:
        number: Of the round, from 1.
        seen: Pairs measured, and those that sent no answer.
        took_s: Duration in seconds.
    """
    silent = f", silent: {', '.join('+'.join(pair) for pair in seen.silent)}" if seen.silent else ""
    return f"round {number}: {plural(len(seen.pairs), 'pair')}, {took_s:.1f} s{silent}"
