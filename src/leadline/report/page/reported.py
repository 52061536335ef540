"""What a page is made of, and which line of its charts belongs to whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.backend import RAW_BACKENDS
from leadline.compare import in_run, run_names
from leadline.contrasts import Contrasts
from leadline.distributions import Distribution
from leadline.record import Caveat, Run
from leadline.report.measured import Measured
from leadline.summaries import Summary

STYLES = 8
"""Colours and markers that can be told apart; a ninth series is dashed."""
GLYPHS = "●■▲◆▼★⬟✚"
"""The markers as characters, in the order of the styles."""
RAW = "raw"
"""The style of raw transports, which are limits, not competitors."""

CurveKey = tuple[str, int, str, str]
"""Pattern, ranks, buffers and cadence."""


@dataclass(frozen=True, slots=True)
class Reported:
    """Everything that was computed from one run or several."""

    measured: tuple[Measured, ...]
    """One for each run."""
    contrasts: Contrasts
    distributions: tuple[tuple[Distribution, ...], ...]
    """For each run those of its cells."""
    threshold: float

    @property
    def runs(self) -> tuple[Run, ...]:
        """In the order given."""
        return tuple(one.run for one in self.measured)

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Each once: the runs', then those of comparing them."""
        across = [held.result.caveats for held in self.contrasts.held if held.run is None]
        found = [one.caveats for one in self.measured] + across + [self.contrasts.caveats]
        return tuple(dict.fromkeys(caveat for caveats in found for caveat in caveats))

    @property
    def keys(self) -> tuple[CurveKey, ...]:
        """What tells the curves apart, each once."""
        return tuple(dict.fromkeys(curve_key(row) for one in self.measured for row in one.rows))

    def name(self, variant: str, run: int | None) -> str:
        """What a variant of a run is called in charts; None: it has its run's name already."""
        if run is None or len(self.measured) == 1:
            return variant
        return in_run(variant, run_names(self.runs)[run])


@dataclass(frozen=True, slots=True)
class Series:
    """A variant of a run, as all charts show it."""

    name: str
    style: str
    """RAW, or s0, s1 ...: a colour and a marker."""
    turn: int
    """How often the styles were used before."""

    @property
    def glyph(self) -> str:
        """Its marker as a character."""
        return "○" if self.style == RAW else GLYPHS[int(self.style[1:])]


def all_series(reported: Reported) -> Mapping[str, Series]:
    """By name, in the order of runs and configurations."""
    backends = {
        reported.name(one.variant, i): one.backend
        for i, run in enumerate(reported.runs)
        for one in run.configurations
    }
    libraries = [name for name, backend in backends.items() if backend not in RAW_BACKENDS]
    return {
        name: Series(name, f"s{libraries.index(name) % STYLES}", libraries.index(name) // STYLES)
        if name in libraries
        else Series(name, RAW, 0)
        for name in backends
    }


def curve_key(row: Summary) -> CurveKey:
    """What the points of one chart share."""
    return row.pattern, row.ranks, row.buffers, row.cadence


def curve_title(key: CurveKey, keys: Sequence[CurveKey]) -> str:
    """E.g. "pingpong, 2 ranks"; what all `keys` share besides is left out."""
    pattern, ranks, buffers, cadence = key
    words = [pattern, f"{ranks} rank{'s' * (ranks != 1)}"]
    if any(other[:2] == key[:2] and other != key for other in keys):
        words += [f"{buffers} buffers", cadence]
    return ", ".join(words)
