"""Plans for machines, patterns and orders that a test makes up."""

from __future__ import annotations

from dataclasses import replace

from leadline.hosts.cores import Site
from leadline.measure.spec import Request
from leadline.patterns.pattern import OptionKind, Pattern, PatternOption


def pattern(name: str, **changed: object) -> Pattern:
    usual = Pattern(name, "", "native", 0, 1, 1, 0, False, 1, 1, "slowest rank", "isolated")
    return replace(usual, **changed)  # type: ignore[arg-type]


def words(**choices: str) -> dict[str, PatternOption]:
    return {
        key: PatternOption(key, OptionKind.WORD, tuple(text.split()))
        for key, text in choices.items()
    }


def cores(number: int) -> tuple[Site]:
    """One host with so many."""
    return (Site("n", "m", tuple(range(number))),)


def request(*patterns: str, **changed: object) -> Request:
    return replace(Request(patterns=patterns), **changed)  # type: ignore[arg-type]
