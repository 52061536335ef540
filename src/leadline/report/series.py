"""Which line belongs to whom: names, colours and markers, the same in all charts and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.backends.kinds import is_raw
from leadline.compare.sides import in_run, run_names
from leadline.record.curve import CurveKey
from leadline.record.run import Run

STYLES = 8
"""Colours and markers that can be told apart; a ninth series has another stroke."""
GLYPHS = "●■▲◆▼★⬟✚"
"""The markers as characters, in the order of the styles."""
RAW = "raw"
"""The style of raw transports, which are limits, not competitors."""


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """A variant of a run, as all charts show it."""

    name: str
    style: str
    """RAW, or s0, s1 ...: a colour and a marker."""
    turn: int
    """How often its style was used before: another stroke, and of raw transports another marker."""

    @property
    def glyph(self) -> str:
        """Its marker as a character."""
        return "○" if self.style == RAW else GLYPHS[int(self.style[1:])]


def series_name(runs: Sequence[Run], variant: str, run: int) -> str:
    """What a variant of the run with this number is called among `runs`."""
    return variant if len(runs) == 1 else in_run(variant, run_names(runs)[run])


def series_of(runs: Sequence[Run]) -> Mapping[str, SeriesStyle]:
    """By name, in the order of runs and configurations."""
    backends = {
        series_name(runs, one.variant, i): one.backend
        for i, run in enumerate(runs)
        for one in run.configurations
    }
    libraries = [name for name, backend in backends.items() if not is_raw(backend)]
    raw = [name for name in backends if name not in libraries]
    found = {
        name: SeriesStyle(name, f"s{i % STYLES}", i // STYLES) for i, name in enumerate(libraries)
    }
    found |= {name: SeriesStyle(name, RAW, turn) for turn, name in enumerate(raw)}
    return {name: found[name] for name in backends}


def curve_title(key: CurveKey, keys: Sequence[CurveKey]) -> str:
    """E.g. "pingpong, 2 ranks"; buffers and cadence only where other `keys` differ in them."""
    words = [key.pattern, f"{key.ranks} rank{'s' * (key.ranks != 1)}"]
    alike = (other for other in keys if (other.pattern, other.ranks) == (key.pattern, key.ranks))
    if any(other != key for other in alike):
        words += [f"{key.buffers} buffers", key.cadence]
    return ", ".join(words)
