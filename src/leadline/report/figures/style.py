"""The look that all figures share: colours, markers, strokes, letters, axes; and their files."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from leadline.patterns.powers_of_two import is_power_of_two
from leadline.report.series import RAW, STYLES, SeriesStyle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

COLOURS = (
    "#2175d5", "#c84f07", "#0b765a", "#8f0c6c", "#6f502f", "#8d6195", "#0b403c", "#5c1912",
)  # fmt: skip
"""Those of the page's light theme; in black and white, markers and strokes tell lines apart."""
MARKERS = "os^Dv*pP"
STROKES = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)))
UNMEASURED_STROKE = (0, (2, 3))
"""The stroke of what wasn't measured, whose markers are hollow."""
RAW_COLOUR = "#777c80"
RAW_MARKERS = ".Xh"
QUIET = "#d9d9d9"
BAND_SHADE = 0.18

SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "leadline", "svg.fonttype": "none", "pdf.fonttype": 42, "font.size": 8,
    "axes.linewidth": 0.6, "lines.linewidth": 1.1, "lines.markersize": 4,
    "text.parse_math": False,
}  # fmt: skip
"""matplotlib's rcParams for figures in papers."""
_UNDATED: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None},
}  # fmt: skip
"""Metadata that would make two files of the same figure differ."""

MOST_TICKS = 5
"""Most ticks on an axis of sizes, so that their names don't touch in a journal's column."""
NEAR = 0.06
"""Share of an axis within which the names of two values would touch."""
DIGIT_SHARE = 0.03
"""Share of the axis of such a column that a digit of a number of ranks takes, with its margin."""


def rendered(
    draw: Callable[[Canvas], None],
    form: str,
    size_in: tuple[float, float],
    settings: dict[Any, Any] = SETTINGS,
    dpi: int = 300,
) -> bytes:
    """What `draw` puts on a canvas as a file; the same drawing gives the same bytes.

    Args:
        draw: Draws on an empty canvas.
        form: "svg", "pdf" or "png".
        size_in: Width and height in inches.
        settings: matplotlib's rcParams while it is drawn and saved.
        dpi: Resolution of pixels, in dots per inch.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    with mpl.rc_context(settings):
        canvas = Canvas(figsize=size_in, layout="constrained")
        FigureCanvasAgg(canvas)
        draw(canvas)
        image = io.BytesIO()
        canvas.savefig(image, format=form, dpi=dpi, metadata=_UNDATED[form])
    return image.getvalue()


def look(series: SeriesStyle) -> tuple[str, str, Any]:
    """Colour, marker and stroke; eight colours and five strokes tell forty libraries apart.

    What wasn't measured has a broken line.
    """
    if series.style == RAW:
        return RAW_COLOUR, RAW_MARKERS[series.turn % len(RAW_MARKERS)], ":"
    style = int(series.style[1:])
    stroke = STROKES[(series.turn * STYLES + style) % len(STROKES)]
    return COLOURS[style], MARKERS[style], UNMEASURED_STROKE if series.hollow else stroke


# -- axes: sizes by powers of two with zero beside them, values by powers of ten -------------------


def places(values: Collection[int]) -> Callable[[float], float]:
    """Logarithm to base 2 as a position on the x axis; zero is left of the least positive value."""
    positive = [value for value in values if value > 0] or [1]
    least, most = math.log2(min(positive)), math.log2(max(positive))
    zero = least - max(1.5, 0.08 * (most - least))
    return lambda x: math.log2(x) if x > 0 else zero


def size_ticks(values: Collection[int]) -> list[int]:
    """Powers of two at equal steps, and zero if `values` has it; a single value is the tick."""
    if len(values) < 2:
        return list(values)
    largest = max(values).bit_length() - 1
    smallest = max(0, min((x for x in values if x), default=1).bit_length() - 1)
    step = max(1, math.ceil((largest - smallest) / (MOST_TICKS - 1)))
    powers = [2**power for power in range(smallest, largest + 1, step)]
    return [0, *powers[1:]] if 0 in values else powers


def rank_ticks(values: Collection[int]) -> list[int]:
    """Those of `values` whose names fit beside each other, powers of two before others."""
    if len(values) < 2:
        return list(values)
    width = math.log2(max(values) / min(values))
    apart = DIGIT_SHARE * len(str(max(values))) * width
    kept: list[int] = []
    for value in sorted(values, key=lambda one: (not is_power_of_two(one), one)):
        if all(abs(math.log2(value / other)) >= apart for other in kept):
            kept.append(value)
    return sorted(kept)


def set_zero_apart(axes: Axes, values: Collection[int]) -> None:
    """Marks the break in the logarithmic x axis between zero and the least positive value."""
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

    Where the ends are less than a factor of five apart, round values so near to the marked one that
    their names would touch it have none.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    low, high = axes.get_ylim()
    decades = math.log10(high / low)
    subs = (1.0, 2.0, 5.0) if decades < 3 else (1.0,)
    if decades > 0.7:
        axes.yaxis.set_major_locator(LogLocator(subs=subs, numticks=12))
    else:
        ticks = [tick for tick in MaxNLocator(5).tick_values(low, high) if low <= tick <= high]
        if marked is not None:
            near = NEAR * math.log(high / low)
            ticks = [tick for tick in ticks if abs(math.log(tick / marked)) > near] + [marked]
        axes.set_yticks(ticks)
        axes.set_yticks([], minor=True)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: name(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def name_linear(axes: Axes, name: Callable[[float], str]) -> None:
    """Starts both axes at 0; names values of the y axis by `name`, of the x axis as integers."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(MOST_TICKS, integer=True))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: name(value)))


def quieten(axes: Axes) -> None:
    """Puts a light grid behind what is drawn, and removes the frame where there is no axis."""
    axes.grid(color=QUIET, linewidth=0.4)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
