"""Patterns: a list with a line each, or everything that is known about some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from leadline.measure.known_patterns import KnownPattern
from leadline.patterns.names import ForeignName
from leadline.patterns.suites import SUITES
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.catalogue import PatternWords
from leadline.report.text.phrases import listed

HEADINGS: Mapping[str, str] = {
    "p2p": "between two ranks, or in pairs",
    "collectives": "among all ranks",
    "onesided": "one-sided",
    "mapping": "neighbours on a grid",
}
"""Headings of groups whose name doesn't say what they measure."""


def patterns_document(known: Sequence[KnownPattern]) -> Document:
    """A line each, by groups."""
    sections: list[Section] = []
    for group, members in groupby(known, key=lambda one: one.group):
        title = HEADINGS.get(group, group)
        heading = f"{title}{SEPARATOR}--suite {group}" if group in SUITES else title
        rows: list[tuple[str, ...]] = []
        for member in members:
            names = _telling(member)
            elsewhere = f" ({', '.join(names)})" if names else ""
            rows.append((member.pattern.name, member.pattern.summary.split(";")[0] + elsewhere))
        sections.append(Section(heading, Table(("pattern", "measures"), tuple(rows), prose=True)))
    return [
        *sections[:-1],
        replace(sections[-1], notes=(PatternWords.MEANING(), PatternWords.BUFFERS())),
    ]


def _telling(pattern: KnownPattern) -> list[str]:
    """Names elsewhere that add to the pattern's own, one a vocabulary; of equal ones the first."""
    same = [each for each in pattern.elsewhere if not each.differs]
    others = [each for each in same if not each.words[-1].startswith(pattern.pattern.name)]
    stems = {each.words[-1]: each for each in reversed(others)}
    first = {each.vocabulary: each.name for each in reversed(others) if each in stems.values()}
    return list(reversed(first.values()))


def pattern_document(known: Sequence[KnownPattern]) -> Document:
    """A section each, with options, suites, and how what is called so elsewhere differs."""
    sections: list[Section] = []
    for one in known:
        pattern = one.pattern
        who = ""
        if pattern.participants:
            who = PatternWords.TAKE_PART(number=pattern.participants)
        whose = PatternWords.WHOSE_TIME(whose=pattern.whose_time)
        notes = [f"{SEPARATOR.join(filter(None, [f'{pattern.cadence} cadence', whose, who]))}."]
        for option in pattern.options.values():
            notes.append(
                PatternWords.OPTION(
                    key=option.key, allowed=option.allowed, default=bool(option.words)
                )
            )
        if same := [each for each in one.elsewhere if not each.differs]:
            notes.append(PatternWords.ELSEWHERE(names=listed(map(_named, same))))
        others = [each for each in one.elsewhere if each.differs]
        notes += [PatternWords.NEAR(name=_named(each), differs=each.differs) for each in others]
        if one.suites:
            suites = listed(f"--suite {name}" for name in one.suites)
            notes.append(PatternWords.SUITES(suites=suites))
        sections.append(Section(f"{pattern.name}: {pattern.summary}", notes=tuple(notes)))
    return sections


def _named(name: ForeignName) -> str:
    return f"{name.name} ({name.vocabulary})"
