"""Words for numbers, sizes, times and links, which all reports share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from leadline.record.terms import Origin
from leadline.report.text.catalogue import PlaceWords, ValueWords
from leadline.units import format_bit_rate, format_rough_size, format_size, format_time

if TYPE_CHECKING:  # commands that measure nothing, e.g. map, load neither
    from leadline.compare.summaries import Summary
    from leadline.record.provenance import LinkFacts
    from leadline.statistics.estimate import Estimate

MISSING = "-"
WIDE = 0.5
"""From this relative half width on an interval isn't symmetric enough for a single number."""


def share(value: float) -> str:
    """A share as per cent, e.g. "8 %", "0.4 %", "0.003 %"; "0 %" only for exactly 0."""
    percent = 100 * value
    if percent == 0:
        return "0 %"
    return f"{percent:.{0 if percent >= 0.95 else max(1, -math.floor(math.log10(percent)))}f} %"


def stated_share(value: float) -> str:
    """A share that was chosen, not measured, without rounding: "2 %", "2.5 %", "0.01 %"."""
    return f"{100 * value:.12g} %"


def measured_time(row: Summary) -> str:
    """A cell's time with its interval, or with the number of blocks where they are too few.

    E.g. "0.410 us ±8 %"; bounds where they lie far apart. Values that weren't measured show their
    origin, and the interval that came with them: "4.1 us, predicted (3.8 us to 4.4 us)".
    """
    if row.origin is Origin.MEASURED:
        return _time(row)
    if row.stated is None:
        return f"{_time(row)}, {row.origin}" if row.blocks else _time(row)
    low, high = map(format_time, row.stated)
    return f"{_time(row)} ({low} to {high})"


def _time(row: Summary) -> str:
    return estimated(row.time, format_time, rests_on(row.blocks, (row.origin,)))


def bare_time(row: Summary) -> str:
    """E.g. "0.410 us": as `measured_time`, without the interval or the blocks."""
    origin = f", {row.origin}" * (row.origin is not Origin.MEASURED and row.blocks > 0)
    return format_time(row.time.value) + origin


FINEST = 1e-4
"""Relative errors and widths below this are as good as none."""
FARTHEST_APART = 1000.0
"""An interval whose bounds differ by a larger factor says nothing; only JSON and CSV have it."""


def estimated(estimate: Estimate, words: Callable[[float], str], basis: str) -> str:
    """E.g. "0.410 us ±8 %"; bounds where they lie far apart; the `basis` where there are none.

    A value that is nothing beside its interval is given as zero, one that is all but exact with
    the width `FINEST`.

    Args:
        estimate: In the unit that `words` takes.
        words: The text of a value.
        basis: What the value rests on, shown if there is no interval; "": nothing is shown.
    """
    if estimate.bounds is None:
        return f"{words(estimate.value)}, {basis}" if basis else words(estimate.value)
    if estimate.holds(0) and abs(estimate.value) < estimate.half_width / FARTHEST_APART:
        return f"{words(0.0)} ({bounds_words(estimate, words)})"
    half_width = estimate.half_width / estimate.value if estimate.value > 0 else math.inf
    if half_width < WIDE:
        return f"{words(estimate.value)} {give_or_take(half_width)}"
    return f"{words(estimate.value)} ({bounds_words(estimate, words)})"


def give_or_take(half_width: float) -> str:
    """E.g. "±8 %", from half an interval's width over its value; no finer than `FINEST`."""
    return f"±{share(max(half_width, FINEST) if half_width else 0)}"


def bounds_words(estimate: Estimate, words: Callable[[float], str]) -> str:
    """E.g. "0.380 us to 0.610 us"; "no useful interval" for one that is too wide."""
    assert estimate.bounds is not None
    if says_nothing(estimate):
        return ValueWords.USELESS()
    low, high = estimate.bounds
    return f"{words(low)} to {words(high)}"


def says_nothing(estimate: Estimate) -> bool:
    """Whether there is an interval that is too wide to conclude anything from."""
    low, high = estimate.bounds or (0.0, 0.0)
    return low > 0 and high > FARTHEST_APART * low


def rests_on(number: int, origins: Iterable[Origin]) -> str:
    """E.g. "8 blocks"; the origins where there are none: "imported", "simulated and predicted"."""
    others = [origin for origin in origins if origin is not Origin.MEASURED]
    return listed(others) if others and not number else plural(number, "block")


def listed(words: Iterable[str]) -> str:
    """Words in a sentence, each once: "a", "a and b", "a, b and c"; at least one."""
    *most, last = dict.fromkeys(map(str, words))
    return f"{', '.join(most)} and {last}" if most else last


def linked(link: LinkFacts) -> str:
    """Medium, framing, delay, shaper and rates of a link between emulated hosts."""
    return ValueWords.LINK(
        medium=link.medium,
        framing=link.framing,
        mtu=link.mtu,
        delay=format_time(link.delay_s) if link.delay_s else None,
        kernel=link.shaper == "kernel",
        rate=format_bit_rate(link.rated_bits_per_s / 8),
        payload=format_bit_rate(link.payload_bits_per_s / 8),
    )


def minute(timestamp: str) -> str:
    """An ISO 8601 time to the minute, e.g. "2026-01-13 10:11"; "" of ""."""
    return timestamp[:16].replace("T", " ")


def plural(number: int, noun: str) -> str:
    """E.g. "1 block", "8 blocks", "4 launches"."""
    ending = "es" if noun.endswith(("ch", "ss")) else "s"
    return f"{number:,} {noun}{ending * (number != 1)}"


def size(size_bytes: int | None, sizes: int) -> str:
    """A row's first cell; "-" for a pattern that was measured at zero bytes alone.

    Args:
        size_bytes: None: all sizes.
        sizes: Number of sizes in the table.
    """
    if size_bytes is None:
        return "all sizes"
    return MISSING if sizes == 1 and size_bytes == 0 else format_size(size_bytes)


def rough_size(estimate: Estimate) -> str:
    """A computed size with its bounds, if it has any, e.g. "45 KiB (41 KiB to 52 KiB)"."""
    value = format_rough_size(estimate.value)
    if estimate.bounds is None:
        return value
    low, high = map(format_rough_size, estimate.bounds)
    return f"{value} ({low} to {high})"


def where(first: int | None, last: int | None, smallest: int, largest: int) -> str:
    """Where a range of sizes lies, e.g. " up to 512 B", " from 1 KiB on"; "" if there is only one.

    Args:
        first: Least size of the range, in bytes; None: all sizes together.
        last: Greatest size of the range.
        smallest: Least size measured.
        largest: Greatest size measured.
    """
    if smallest == largest:
        return ""
    if first is None or last is None or (first, last) == (smallest, largest):
        return PlaceWords.EVERYWHERE() if first is not None else PlaceWords.TOGETHER()
    if first == last:
        return PlaceWords.AT(first=first)
    if first == smallest:
        return PlaceWords.UP_TO(last=last)
    if last == largest:
        return PlaceWords.FROM_ON(first=first)
    return PlaceWords.FROM_TO(first=first, last=last)
