"""A figure for a paper: lines with intervals that can be told apart in black and white."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leadline.report.series import RAW, STYLES, SeriesStyle
from leadline.units import format_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = (
    "#2175d5", "#c84f07", "#0b765a", "#8f0c6c", "#6f502f", "#8d6195", "#0b403c", "#5c1912",
)  # fmt: skip
"""The page's, of its light theme; black and white leave markers and strokes."""
MARKERS = "os^Dv*pP"
STROKES = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)))
UNMEASURED_STROKE = (0, (2, 3))
"""With hollow markers."""
RAW_COLOUR = "#777c80"
RAW_MARKERS = ".Xh"
QUIET = "#d9d9d9"
MOST_TICKS = 6
"""Of sizes, so that their names don't touch in a journal's column."""


MOST_INSIDE = 4
"""Names in the legend that find room among the lines."""


@dataclass(frozen=True, slots=True)
class PlottedPoint:
    """A value and its 95 % interval; None: it has none."""

    x: int
    y: float
    low: float | None
    high: float | None
    crowded: bool = False
    """More ranks than cores."""


@dataclass(frozen=True, slots=True)
class PlottedLine:
    """One name in the legend."""

    name: str
    series: SeriesStyle
    """Gives it colour, marker and stroke."""
    points: Sequence[PlottedPoint]
    hollow: bool = False
    """Not a curve of its own kind but the other part of one: other numbers of ranks."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What is drawn, and how its axes are called."""

    x_label: str
    y_label: str
    lines: Sequence[PlottedLine]
    value: Callable[[float], str]
    """Names a tick of the y axis."""
    ranks: bool = False
    """The x axis counts ranks, else bytes."""
    threshold: float | None = None
    """Half width of the band around 1, for ratios."""


def drawn(figure: Figure, form: str, size_in: tuple[float, float]) -> bytes:
    """The figure as "svg", "pdf" or "png", the same bytes for the same arguments."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    settings: dict[Any, Any] = {
        "svg.hashsalt": "leadline", "svg.fonttype": "none", "pdf.fonttype": 42, "font.size": 8,
        "axes.linewidth": 0.6, "lines.linewidth": 1.1, "lines.markersize": 4,
    }  # fmt: skip
    with mpl.rc_context(settings):
        canvas = Canvas(figsize=size_in, layout="constrained")
        FigureCanvasAgg(canvas)
        _draw(canvas.subplots(), figure)
        image = io.BytesIO()
        canvas.savefig(image, format=form, dpi=300, metadata=_UNDATED[form])
    return image.getvalue()


_UNDATED: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None},
}  # fmt: skip


def _draw(axes: Axes, figure: Figure) -> None:
    place = _places(figure)
    if figure.threshold is not None:
        axes.axhspan(1 - figure.threshold, 1 + figure.threshold, color=QUIET, linewidth=0)
        axes.axhline(1, color="black", linewidth=0.5)
    crowded = [point.x for line in figure.lines for point in line.points if point.crowded]
    axes.set_yscale("log")
    for line in figure.lines:
        _draw_line(axes, line, place)
    if crowded:
        left, right = axes.get_xlim()
        axes.axvspan(place(min(crowded)) - 0.1, right, color="#eeeeee", linewidth=0, zorder=0)
        axes.set_xlim(left, right)
    _name_axes(axes, figure, place)


def _places(figure: Figure) -> Callable[[int], float]:
    """Logarithms to base 2; nought stands to the left of the smallest size."""
    positive = [point.x for line in figure.lines for point in line.points if point.x > 0] or [1]
    least, most = math.log2(min(positive)), math.log2(max(positive))
    nought = least - max(1.5, 0.08 * (most - least))
    return lambda x: math.log2(x) if x > 0 else nought


def _draw_line(axes: Axes, line: PlottedLine, place: Callable[[int], float]) -> None:
    colour, marker, stroke = _look(line.series)
    axes.plot(
        [place(point.x) for point in line.points],
        [point.y for point in line.points],
        color=colour,
        linestyle=":" if line.hollow else stroke,
        marker=marker,
        markerfacecolor="white" if line.hollow or line.series.hollow else colour,
        label=line.name,
    )
    sure = [p for p in line.points if p.low is not None and p.high is not None]
    lows, highs = [p.low or p.y for p in sure], [p.high or p.y for p in sure]
    across = [place(point.x) for point in sure]
    axes.fill_between(across, lows, highs, color=colour, alpha=0.18, linewidth=0)
    axes.vlines(across, lows, highs, color=colour, linewidth=0.6)


def _look(series: SeriesStyle) -> tuple[str, str, Any]:
    """Colour, marker and stroke; eight colours and five strokes make forty libraries differ.

    What wasn't measured has a broken line.
    """
    if series.style == RAW:
        return RAW_COLOUR, RAW_MARKERS[series.turn % len(RAW_MARKERS)], ":"
    style = int(series.style[1:])
    stroke = STROKES[(series.turn * STYLES + style) % len(STROKES)]
    return COLOURS[style], MARKERS[style], UNMEASURED_STROKE if series.hollow else stroke


def _name_axes(axes: Axes, figure: Figure, place: Callable[[int], float]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    ticks = _ticks(sorted({point.x for line in figure.lines for point in line.points}), figure)
    axes.set_xticks(
        [place(x) for x in ticks], [str(x) if figure.ranks else _size(x) for x in ticks]
    )
    low, high = axes.get_ylim()
    decades = math.log10(high / low)
    subs = (1.0, 2.0, 5.0) if decades < 3 else (1.0,)
    if decades > 0.7:
        axes.yaxis.set_major_locator(LogLocator(subs=subs, numticks=12))
    else:
        _linear_ticks(axes, low, high)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: figure.value(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(figure.y_label)
    axes.grid(color=QUIET, linewidth=0.4)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    _add_legend(axes, len(figure.lines))


def _add_legend(axes: Axes, lines: int) -> None:
    """Among the lines where they leave room for it, else above them."""
    if lines <= MOST_INSIDE:
        axes.legend(frameon=False, handlelength=2.6)
    else:
        axes.figure.legend(
            loc="outside upper center", ncols=2, fontsize=7, frameon=False, handlelength=2.6
        )


def _linear_ticks(axes: Axes, low: float, high: float) -> None:
    """Round values between ends that are less than a factor of five apart."""
    from matplotlib.ticker import MaxNLocator

    inside = [tick for tick in MaxNLocator(5).tick_values(low, high) if low <= tick <= high]
    axes.set_yticks(inside)
    axes.set_yticks([], minor=True)


def _ticks(values: Sequence[int], figure: Figure) -> list[int]:
    """All numbers of ranks; of sizes powers of two at equal steps, and nought."""
    if figure.ranks or len(values) < 2:
        return list(values)
    largest = max(values).bit_length() - 1
    smallest = max(0, min((x for x in values if x), default=1).bit_length() - 1)
    step = max(1, math.ceil((largest - smallest) / (MOST_TICKS - 1)))
    powers = [2**power for power in range(smallest, largest + 1, step)]
    return [0, *powers[1:]] if 0 in values else powers


def _size(size_bytes: int) -> str:
    """On two lines, for want of room."""
    return format_size(size_bytes).replace(" ", "\n")
