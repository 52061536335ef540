"""Axes of figures: sizes by powers of two with nought beside them, and values by powers of ten."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from leadline.models.forms import is_power_of_two
from leadline.report.figures.style import QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_TICKS = 5
"""Of sizes, so that their names don't touch in a journal's column."""
NEAR = 0.06
"""Of an axis: names of values that are closer together would touch."""
DIGIT_SHARE = 0.03
"""Of such a column's axis that a digit of a number of ranks takes, and what is beside it."""


def places(values: Collection[int]) -> Callable[[float], float]:
    """Logarithms to base 2; nought stands to the left of the least of the positive `values`."""
    positive = [value for value in values if value > 0] or [1]
    least, most = math.log2(min(positive)), math.log2(max(positive))
    nought = least - max(1.5, 0.08 * (most - least))
    return lambda x: math.log2(x) if x > 0 else nought


def size_ticks(values: Collection[int]) -> list[int]:
    """Powers of two at equal steps, and nought; of a single size itself."""
    if len(values) < 2:
        return list(values)
    largest = max(values).bit_length() - 1
    smallest = max(0, min((x for x in values if x), default=1).bit_length() - 1)
    step = max(1, math.ceil((largest - smallest) / (MOST_TICKS - 1)))
    powers = [2**power for power in range(smallest, largest + 1, step)]
    return [0, *powers[1:]] if 0 in values else powers


def rank_ticks(values: Collection[int]) -> list[int]:
    """Those of `values` whose names have room beside each other, powers of two before others."""
    if len(values) < 2:
        return list(values)
    width = math.log2(max(values) / min(values))
    apart = DIGIT_SHARE * len(str(max(values))) * width
    kept: list[int] = []
    for value in sorted(values, key=lambda one: (not is_power_of_two(one), one)):
        if all(abs(math.log2(value / other)) >= apart for other in kept):
            kept.append(value)
    return sorted(kept)


def set_nought_apart(axes: Axes, values: Collection[int]) -> None:
    """A gap in the x axis, which is logarithmic, between nought and the least of other `values`."""
    positive = [value for value in values if value > 0]
    if 0 not in values or not positive:
        return
    place = places(values)
    axes.text(
        (place(0) + place(min(positive))) / 2,
        0,
        "//",
        transform=axes.get_xaxis_transform(),
        ha="center",
        va="center",
        fontsize=6,
        bbox={"facecolor": "white", "linewidth": 0, "pad": 0.6},
    )


def name_values(axes: Axes, name: Callable[[float], str], marked: float | None = None) -> None:
    """Names round values of a logarithmic y axis, however few decades it spans, and one `marked`.

    Round values so near to that one that their names would touch have none.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axes.get_ylim()
    decades = math.log10(high / low)
    subs = (1.0, 2.0, 5.0) if decades < 3 else (1.0,)
    if decades > 0.7:
        axes.yaxis.set_major_locator(LogLocator(subs=subs, numticks=12))
    else:
        _linear_ticks(axes, low, high, marked)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: name(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def name_linear(axes: Axes, name: Callable[[float], str]) -> None:
    """Both axes from 0 on, the y axis named by `name`, the x axis in whole numbers."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(MOST_TICKS, integer=True))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: name(value)))


def _linear_ticks(axes: Axes, low: float, high: float, marked: float | None) -> None:
    """Round values between ends that are less than a factor of five apart, and one `marked`."""
    from matplotlib.ticker import MaxNLocator

    inside = [tick for tick in MaxNLocator(5).tick_values(low, high) if low <= tick <= high]
    if marked is not None:
        near = NEAR * math.log(high / low)
        inside = [tick for tick in inside if abs(math.log(tick / marked)) > near] + [marked]
    axes.set_yticks(inside)
    axes.set_yticks([], minor=True)


def quieten(axes: Axes) -> None:
    """A grid behind what is drawn, and no frame where there is no axis."""
    axes.grid(color=QUIET, linewidth=0.4)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
