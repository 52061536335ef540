"""The health of hosts, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from leadline.health.observations import Round, Symptom
from leadline.health.outcome import Bound, FaultKind, Health, Suspect
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
    """What is suspect, what can be said of the rest, and warnings."""
    heading = (
        f"{plural(len(found.hosts), 'host')} · {plural(found.rounds, 'round')}, "
        f"{plural(found.pairs, 'pair')}"
    )
    rows = tuple(map(_row, found.suspects))
    why = tuple(f"{one.name}: {one.why}." for one in found.suspects if one.why)
    table = Table(COLUMNS, rows) if rows else None
    first = Section(heading, table, (*why, statement(found)))
    return [first, *note_sections([], found.caveats)]


def statement(found: Health) -> str:
    """Whether all are healthy, or how healthy the others are; its bound follows from the rounds."""
    said = " or ".join(_bounded(found))
    level = min((one.level for one in found.bounds), default=0.0)
    who = f"The other {len(found.others)}" if found.suspects else "All healthy"
    if not said:
        return _unsaid(found)
    return f"{who}: no host's link has {said} ({100 * level:.3g} %)."


def _unsaid(found: Health) -> str:
    """Why there is no bound for the others."""
    if not found.others:
        return "Nobody is left to compare them with."
    if found.too_few_to_compare:
        return f"Of {plural(len(found.others), 'host')} nobody can say which is slower than usual."
    if found.suspects:
        return "Too little was measured to say anything of the others."
    return "Nobody is suspect, but too little was measured to say how healthy they are."


def _bounded(found: Health) -> Iterator[str]:
    """E.g. "less than 0.97 of the median rate"; bounds are rounded to what holds."""
    by_symptom: dict[Symptom, Bound] = {one.symptom: one for one in found.bounds}
    if rate := by_symptom.get(Symptom.RATE):
        yield f"less than {_down(rate.factor)} of the median rate"
    if latency := by_symptom.get(Symptom.LATENCY):
        yield f"more than {_up(1 / latency.factor)} times the median latency"


def _down(value: float) -> str:
    return f"{math.floor(value * 100) / 100:.2f}"


def _up(value: float) -> str:
    return f"{math.ceil(value * 100) / 100:.2f}"


def _row(one: Suspect) -> tuple[str, ...]:
    factor = significant(one.factor.value) if one.factor else "-"
    bounds = one.factor.bounds if one.factor else None
    interval = f"{significant(bounds[0])} to {significant(bounds[1])}" if bounds else "-"
    return one.name, WORDS[one.kind], one.symptom.value if one.symptom else "-", factor, interval


def round_line(number: int, seen: Round, took_s: float) -> str:
    """How a round went, while others follow."""
    silent = f", silent: {', '.join('+'.join(pair) for pair in seen.silent)}" if seen.silent else ""
    return f"round {number}: {plural(len(seen.pairs), 'pair')}, {took_s:.1f} s{silent}"
