"""Names, colours and markers of variants and curves, the same in all charts and figures."""

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
"""Number of distinct colours and markers; variants that share one have different strokes."""
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
    """How often its style was used before: selects the stroke, for raw ones also the marker."""
    origin: Origin = Origin.MEASURED
    """Values that weren't measured have hollow markers and a broken line."""

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
    """A row's time with the interval of its blocks, or else the one that came with the value."""
    if row.stated is None:
        return row.time
    low, high = row.stated
    return replace(row.time, low=low, high=high)


def series_name(runs: Sequence[Run], label: str, run: int) -> str:
    """The label of a variant, with the name of its run (by number) if there are several."""
    return label if len(runs) == 1 else in_run(label, run_names(runs)[run])


def series_of(runs: Sequence[Run]) -> Mapping[str, SeriesStyle]:
    """Styles of all variants by name, in the order of runs and configurations."""
    named = {
        series_name(runs, labelled(configuration.variant, configuration.origin), i): configuration
        for i, run in enumerate(runs)
        for configuration in run.configurations
    }
    libraries = {
        name: configuration
        for name, configuration in named.items()
        if not is_raw(configuration.backend)
    }
    raw = [name for name in named if name not in libraries]
    styles = _styles_of(libraries) | {name: (RAW, turn) for turn, name in enumerate(raw)}
    return {
        name: SeriesStyle(name, *styles[name], configuration.origin)
        for name, configuration in named.items()
    }


def _styles_of(libraries: Mapping[str, Configuration]) -> dict[str, tuple[str, int]]:
    """Style and turn of each variant, so that a library looks the same in every report.

    The first variant of a kind of library has the style of that kind, which for an unknown kind
    follows from its name. For others the variant's name decides where to begin to look for a style
    that is not used yet, or else for one that is used least. A variant in several runs has one
    style, with another stroke in each.
    """
    kinds = [kind for kind in KINDS if not is_raw(kind)]
    homes = {
        kind: (kinds.index(kind) if kind in kinds else crc32(kind.encode())) % STYLES
        for kind in (library.backend for library in libraries.values())
    }
    uses = Counter[int]()
    found: dict[str, tuple[str, int]] = {}
    at_home: set[str] = set()
    known: dict[tuple[str, Origin], int] = {}
    for name, configuration in libraries.items():
        home = homes[configuration.backend]
        label = configuration.variant, configuration.origin
        if label in known:
            home = known[label]
        elif configuration.backend in at_home:
            start = crc32(configuration.variant.encode())
            places = [(start + step) % STYLES for step in range(STYLES)]
            home = min(places, key=lambda place: max(uses[place], place in homes.values()))
        at_home.add(configuration.backend)
        known[label] = home
        found[name] = f"s{home}", uses[home]
        uses[home] += 1
    return found


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
