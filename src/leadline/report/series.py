"""Which line belongs to whom: names, colours and markers, the same in all charts and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from leadline.backends.kinds import KINDS, is_raw
from leadline.compare.origins import in_run, labelled
from leadline.compare.sides import run_names
from leadline.compare.summaries import Summary
from leadline.models.sampling import SweepKind
from leadline.record.curve import CurveKey
from leadline.record.run import Configuration, Origin, Run
from leadline.statistics.estimate import Estimate
from leadline.units import format_size

STYLES = 8
"""Colours and markers that can be told apart; what shares one has another stroke."""
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
    origin: Origin = Origin.MEASURED
    """What wasn't measured has hollow markers and a broken line."""

    @property
    def hollow(self) -> bool:
        """Whether it wasn't measured."""
        return self.origin is not Origin.MEASURED

    @property
    def competes(self) -> bool:
        """Whether it is a measured library, not a limit."""
        return self.style != RAW and not self.hollow

    @property
    def glyph(self) -> str:
        """Its marker as a character."""
        return "○" if self.style == RAW else GLYPHS[int(self.style[1:])]


def time_drawn(row: Summary) -> Estimate:
    """With the interval of its blocks, or else with the one that came with the value."""
    if row.stated is None:
        return row.time
    low, high = row.stated
    return replace(row.time, low=low, high=high)


def series_name(runs: Sequence[Run], label: str, run: int) -> str:
    """What the label of a variant of the run with this number becomes among `runs`."""
    return label if len(runs) == 1 else in_run(label, run_names(runs)[run])


def series_of(runs: Sequence[Run]) -> Mapping[str, SeriesStyle]:
    """By name, in the order of runs and configurations."""
    named = {
        series_name(runs, labelled(one.variant, one.origin), i): one
        for i, run in enumerate(runs)
        for one in run.configurations
    }
    libraries = {name: one for name, one in named.items() if not is_raw(one.backend)}
    raw = [name for name in named if name not in libraries]
    styles = _styles_of(libraries) | {name: (RAW, turn) for turn, name in enumerate(raw)}
    return {name: SeriesStyle(name, *styles[name], one.origin) for name, one in named.items()}


def _styles_of(libraries: Mapping[str, Configuration]) -> dict[str, tuple[str, int]]:
    """Style and turn of each, so that a library looks the same in every report.

    One of several runs has the same style in all of them, in each another stroke. The first of a
    kind has its kind's style. Of others the variant's name says where to begin to
    look for one that nobody has, or else for one that the fewest have.
    """
    homes = {one.backend: _home(one.backend) for one in libraries.values()}
    uses = Counter[int]()
    found: dict[str, tuple[str, int]] = {}
    at_home: set[str] = set()
    known: dict[tuple[str, Origin], int] = {}
    for name, one in libraries.items():
        home = homes[one.backend]
        label = one.variant, one.origin
        if label in known:
            home = known[label]
        elif one.backend in at_home:
            start = crc32(one.variant.encode())
            places = [(start + step) % STYLES for step in range(STYLES)]
            home = min(places, key=lambda place: max(uses[place], place in homes.values()))
        at_home.add(one.backend)
        known[label] = home
        found[name] = f"s{home}", uses[home]
        uses[home] += 1
    return found


def _home(backend: str) -> int:
    """The style of a kind of library; of one that isn't known, as its name says."""
    kinds = [kind for kind in KINDS if not is_raw(kind)]
    return (kinds.index(backend) if backend in kinds else crc32(backend.encode())) % STYLES


def curve_title(key: CurveKey, keys: Sequence[CurveKey]) -> str:
    """E.g. "pingpong, 2 ranks"; buffers and cadence only where other `keys` differ in them."""
    words = [key.pattern, f"{key.ranks} rank{'s' * (key.ranks != 1)}"]
    alike = (other for other in keys if (other.pattern, other.ranks) == (key.pattern, key.ranks))
    if any(other != key for other in alike):
        words += [f"{key.buffers} buffers", key.cadence]
    return ", ".join(words)


def sweep_title(kind: SweepKind, kinds: Collection[SweepKind]) -> str:
    """E.g. "bcast, 64 KiB", "barrier"; buffers and cadence only where other `kinds` differ."""
    sized = any(other.pattern == kind.pattern and other.size_bytes for other in kinds)
    words = [kind.pattern, *[format_size(kind.size_bytes)] * sized]
    if any(other != kind and other[:2] == kind[:2] for other in kinds):
        words += [f"{kind.buffers} buffers", kind.cadence]
    return ", ".join(words)
