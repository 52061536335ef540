"""Which patterns there are: a line each, or all that is to be known of some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from leadline.kernels.patterns import Pattern
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
"""By group, where its name doesn't say it."""
MEANING = (
    "In parentheses what MPI, OSU or IMB call it, where the name doesn't say it. "
    "`leadline patterns NAME` says more, by such a name too: alltoall, osu_latency, PingPong."
)
BUFFERS = "For figures like OSU's and IMB's: leadline run --buffers separate."


def patterns_document(known: Sequence[KnownPattern]) -> Document:
    """A line each, by groups."""
    *others, last = (
        Section(_heading(name), Table(("pattern", "measures"), tuple(map(_row, group)), prose=True))
        for name, group in groupby(known, key=lambda one: one.group)
    )
    return [*others, replace(last, notes=(MEANING, BUFFERS))]


def pattern_document(known: Sequence[KnownPattern]) -> Document:
    """A section each, with options, suites, and how what is called so elsewhere differs."""
    return [Section(_title(one), notes=tuple(_told(one))) for one in known]


def _heading(group: str) -> str:
    title = HEADINGS.get(group, group)
    return f"{title}{SEPARATOR}--suite {group}" if group in SUITES else title


def _row(one: KnownPattern) -> tuple[str, str]:
    shown = f" ({', '.join(names)})" if (names := _telling(one)) else ""
    return one.pattern.name, one.pattern.summary.split(";")[0] + shown


def _telling(one: KnownPattern) -> list[str]:
    """Names that say more than the pattern's own: of "alltoall" in all vocabularies the first."""
    same = [each for each in one.elsewhere if not each.differs]
    others = [each for each in same if not each.words[-1].startswith(one.pattern.name)]
    stems = {each.words[-1]: each for each in reversed(others)}
    first = {each.vocabulary: each.name for each in reversed(others) if each in stems.values()}
    return list(reversed(first.values()))


def _title(one: KnownPattern) -> str:
    return f"{one.pattern.name}: {one.pattern.summary}"


def _told(one: KnownPattern) -> Iterator[str]:
    pattern = one.pattern
    who = f"{plural(pattern.participants, 'rank')} take part" if pattern.participants else ""
    whose = f"the time is the {pattern.whose_time}'s"
    yield f"{SEPARATOR.join(filter(None, [f'{pattern.cadence} cadence', whose, who]))}."
    yield from _options(pattern)
    if same := [each for each in one.elsewhere if not each.differs]:
        yield f"Elsewhere it is {listed(map(_named, same))}."
    yield from (
        f"Near is {_named(each)}: {each.differs}." for each in one.elsewhere if each.differs
    )
    if one.suites:
        yield f"Part of {listed(f'--suite {name}' for name in one.suites)}."


def _options(pattern: Pattern) -> Iterator[str]:
    for option in pattern.options.values():
        usual = ", the first by default" if option.words else ""
        yield f"Option {option.key}: {option.allowed}{usual}."


def _named(name: ForeignName) -> str:
    return f"{name.name} ({name.vocabulary})"
