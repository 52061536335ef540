"""What all figures for papers look like: colours, markers, strokes, letters; and their files."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from leadline.report.series import RAW, STYLES, SeriesStyle

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

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
BAND_SHADE = 0.18

_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "leadline", "svg.fonttype": "none", "pdf.fonttype": 42, "font.size": 8,
    "axes.linewidth": 0.6, "lines.linewidth": 1.1, "lines.markersize": 4,
    "text.parse_math": False,
}  # fmt: skip
UNDATED: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None},
}  # fmt: skip
"""Metadata without which the same figure is the same file."""


def rendered(draw: Callable[[Canvas], None], form: str, size_in: tuple[float, float]) -> bytes:
    """What `draw` puts on a canvas as "svg", "pdf" or "png": of the same the same bytes."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    with mpl.rc_context(_SETTINGS):
        canvas = Canvas(figsize=size_in, layout="constrained")
        FigureCanvasAgg(canvas)
        draw(canvas)
        image = io.BytesIO()
        canvas.savefig(image, format=form, dpi=300, metadata=UNDATED[form])
    return image.getvalue()


def look(series: SeriesStyle) -> tuple[str, str, Any]:
    """Colour, marker and stroke; eight colours and five strokes make forty libraries differ.

    What wasn't measured has a broken line.
    """
    if series.style == RAW:
        return RAW_COLOUR, RAW_MARKERS[series.turn % len(RAW_MARKERS)], ":"
    style = int(series.style[1:])
    stroke = STROKES[(series.turn * STYLES + style) % len(STROKES)]
    return COLOURS[style], MARKERS[style], UNMEASURED_STROKE if series.hollow else stroke
