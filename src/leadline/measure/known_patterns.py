"""Which patterns there are: what each measures, takes for options, and is called elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.measure.preparation import built_variants
from leadline.measure.spec import Request
from leadline.patterns.names import (
    FOREIGN_NAMES,
    LISTED,
    ForeignName,
    foreign_name,
    unknown_pattern,
)
from leadline.patterns.pattern import Pattern
from leadline.patterns.suites import SUITES
from leadline.record.terms import current_label

BACKEND = "null"
"""The backend whose kernel has every pattern, and needs no library."""
APPLICATIONS, OTHERS = "applications", "others"
"""Groups of patterns that no suite has."""
BROAD = ("quick", "all")
"""Suites that say nothing of a pattern's kind."""


@dataclass(frozen=True, slots=True)
class KnownPattern:
    """One pattern, as somebody who looks for it wants to know it."""

    pattern: Pattern
    suites: tuple[str, ...]
    """Suites that have it, with any options."""
    elsewhere: tuple[ForeignName, ...]
    """The names that lead to it."""

    @property
    def group(self) -> str:
        """The group that lists it: the first suite that says its kind, APPLICATIONS or OTHERS."""
        kinds = [name for name in self.suites if name not in BROAD]
        return kinds[0] if kinds else APPLICATIONS if self.pattern.application else OTHERS


def known_patterns(words: Sequence[str] = ()) -> tuple[KnownPattern, ...]:
    """All patterns in the order of the suites, or those that `words` ask for.

    A word is a pattern's name, its beginning, or a name that it has elsewhere.

    Raises:
        UsageError: A word leads to no pattern.
        BuildError: The kernel that describes them can't be built.
        MachineError: There is no C compiler.
    """
    _, (variant,), _ = built_variants(Request(patterns=(), backends=(BACKEND,)), None)
    known = []
    for pattern in variant.capability.patterns.values():
        suites = tuple(
            name
            for name, suite in SUITES.items()
            if any(label.split(":")[0] == pattern.name for label in suite.patterns)
        )
        elsewhere = tuple(name for name in FOREIGN_NAMES if name.pattern == pattern.name)
        known.append(KnownPattern(pattern, suites, elsewhere))
    groups = [*SUITES, APPLICATIONS, OTHERS]  # patterns keep their order within one
    known.sort(key=lambda one: groups.index(one.group))
    every = {one.pattern.name: one for one in known}
    asked = dict.fromkeys(name for word in words for name in names_for(word, every))
    return tuple(every[name] for name in asked) if words else tuple(every.values())


def names_for(word: str, known: Mapping[str, object]) -> list[str]:
    """The names among `known` that `word` leads to; UsageError: none."""
    base = current_label(word).partition(":")[0]
    meant = foreign_name(base)
    beginning = [name for name in known if name.startswith(base)]
    if base in known or beginning:
        return [base] if base in known else beginning
    if meant is None or meant.pattern not in known:
        raise unknown_pattern(base, known, LISTED)
    return [meant.pattern]
