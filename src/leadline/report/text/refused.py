"""What models say nothing of, and why: each reason once, with all that it holds for."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.models.model import NotFitted
from leadline.report.text.phrases import listed


def refused_notes(refused: Sequence[NotFitted]) -> tuple[str, ...]:
    """E.g. "shm and mpich, barrier: needs at least 3 numbers of ranks"."""
    by_reason: dict[str, list[NotFitted]] = {}
    for one in refused:
        by_reason.setdefault(one.reason, []).append(one)
    return tuple(f"{_whose(each)}: {reason}" for reason, each in by_reason.items())


def _whose(refused: Sequence[NotFitted]) -> str:
    """Variants that lack the same patterns together: "shm and mpich, barrier; impi, scan"."""
    patterns: dict[str, list[str]] = {}
    for one in refused:
        patterns.setdefault(one.variant, []).append(one.pattern)
    together: dict[tuple[str, ...], list[str]] = {}
    for variant, each in patterns.items():
        together.setdefault(tuple(dict.fromkeys(each)), []).append(variant)
    return "; ".join(f"{listed(who)}, {listed(what)}" for what, who in together.items())
