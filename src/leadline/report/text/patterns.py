"""Patterns: a list with a line each, or everything that is known about some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from leadline.measure.known_patterns import KnownPattern
from leadline.measure.suites import SUITES
from leadline.record.foreign.names import ForeignName
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.phrases import listed, plural

HEADINGS: Mapping[str, str] = {
    "p2p": "between two ranks, or in pairs",
    "collectives": "among all ranks",
    "onesided": "one-sided",
    "mapping": "neighbours on a grid",
}
"""Headings of groups whose name doesn't say what they measure."""
MEANING = (
    "In parentheses what MPI, OSU or IMB call it, where the name doesn't say it. "
    "`leadline patterns NAME` says more, by such a name too: alltoall, osu_latency, PingPong."
)
BUFFERS = "For figures like OSU's and IMB's: leadline run --buffers separate."


def patterns_document(known: Sequence[KnownPattern]) -> Document:
    """A line each, by groups."""
    sections: list[Section] = []
    for group, members in groupby(known, key=lambda one: one.group):
        title = HEADINGS.get(group, group)
        heading = f"{title}{SEPARATOR}--suite {group}" if group in SUITES else title
        rows: list[tuple[str, ...]] = []
        for one in members:
            names = _telling(one)
            elsewhere = f" ({', '.join(names)})" if names else ""
            rows.append((one.pattern.name, one.pattern.summary.split(";")[0] + elsewhere))
        sections.append(Section(heading, Table(("pattern", "measures"), tuple(rows), prose=True)))
    return [*sections[:-1], replace(sections[-1], notes=(MEANING, BUFFERS))]


def _telling(one: KnownPattern) -> list[str]:
    """Names elsewhere that add to the pattern's own, one a vocabulary; of equal ones the first."""
    same = [each for each in one.elsewhere if not each.differs]
    others = [each for each in same if not each.words[-1].startswith(one.pattern.name)]
    stems = {each.words[-1]: each for each in reversed(others)}
    first = {each.vocabulary: each.name for each in reversed(others) if each in stems.values()}
    return list(reversed(first.values()))


def pattern_document(known: Sequence[KnownPattern]) -> Document:
    """A section each, with options, suites, and how what is called so elsewhere differs."""
    sections: list[Section] = []
    for one in known:
        pattern = one.pattern
        who = f"{plural(pattern.participants, 'rank')} take part" if pattern.participants else ""
        whose = f"the time is the {pattern.whose_time}'s"
        notes = [f"{SEPARATOR.join(filter(None, [f'{pattern.cadence} cadence', whose, who]))}."]
        for option in pattern.options.values():
            usual = ", the first by default" if option.words else ""
            notes.append(f"Option {option.key}: {option.allowed}{usual}.")
        if same := [each for each in one.elsewhere if not each.differs]:
            notes.append(f"Elsewhere it is {listed(map(_named, same))}.")
        others = [each for each in one.elsewhere if each.differs]
        notes += [f"Near is {_named(each)}: {each.differs}." for each in others]
        if one.suites:
            notes.append(f"Part of {listed(f'--suite {name}' for name in one.suites)}.")
        sections.append(Section(f"{pattern.name}: {pattern.summary}", notes=tuple(notes)))
    return sections


def _named(name: ForeignName) -> str:
    return f"{name.name} ({name.vocabulary})"
