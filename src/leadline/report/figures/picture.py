"""A mapping as a picture: before and after side by side, loads below."""

from __future__ import annotations

import colorsys
import io
import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from leadline.mapping import METRICS
from leadline.mapping.scenes import Plane, Scene, Tile
from leadline.report.text.mapping import LABELS, Mapped, number
from leadline.topology.communication import Grid
from leadline.topology.job import Job, label_of
from leadline.topology.networks import Torus

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

NOBODY = (0.95, 0.95, 0.95)
UNUSED = "#d9d9d9"
QUIET = "#555555"
WIDTH_IN, MOST_HEIGHT_IN, BELOW_IN, TITLE_IN = 12.0, 7.5, 2.4, 0.6
SMALLEST_POINTS = 3.5
"""Smaller numbers can't be read, so none are shown."""
STATE_COLOURS = ("#b0413e", "#2a6f97")


def picture(mapped: Mapped, scenes: Sequence[Scene], form: str) -> bytes:
    """The picture of a mapping, the same bytes for the same arguments.

    Args:
        mapped: The job and its metrics.
        scenes: What is where, before and after.
        form: "svg" or "png".
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    planes = scenes[0].planes
    rows, columns = layout_of(planes)
    above = height_in(planes[0], rows, columns)
    with mpl.rc_context({"svg.hashsalt": "leadline", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(WIDTH_IN, above + BELOW_IN + TITLE_IN), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(_title(mapped), fontsize=13, fontweight="bold")
        parts = figure.add_gridspec(2, 1, height_ratios=[above, BELOW_IN])
        _draw_states(figure.add_subfigure(parts[0]), mapped, scenes, (rows, columns))
        _draw_loads(figure.add_subfigure(parts[1]).subplots(), mapped, scenes)
        return _rendered(figure, form)


def layout_of(planes: Sequence[Plane]) -> tuple[int, int]:
    """Rows and columns that have room for so many."""
    columns = math.ceil(math.sqrt(len(planes)))
    return math.ceil(len(planes) / columns), columns


def height_in(plane: Plane, rows: int, columns: int) -> float:
    """Of all planes of one state, so that they are about square to their places."""
    width = (WIDTH_IN / 2 - 0.4) / columns
    return max(1.2, min(MOST_HEIGHT_IN, rows * (width * plane.height / plane.width + 0.3)))


def _rendered(figure: Figure, form: str) -> bytes:
    image = io.BytesIO()
    undated: dict[str, str | None] = {"Date": None} if form == "svg" else {"Software": None}
    figure.savefig(image, format=form, dpi=120, metadata=undated)
    return image.getvalue()


def _title(mapped: Mapped) -> str:
    return f"{label_of(mapped.job.pattern)} on {mapped.job.allocation.name}"


# -- above: who is where ---------------------------------------------------------------------------


def _draw_states(
    figure: SubFigure, mapped: Mapped, scenes: Sequence[Scene], grid: tuple[int, int]
) -> None:
    draw_scenes(figure, _captions(mapped), scenes, grid)
    figure.supxlabel(legend_of(mapped.job), fontsize=8.5, color=QUIET)


def draw_scenes(
    figure: SubFigure, captions: Sequence[str], scenes: Sequence[Scene], grid: tuple[int, int]
) -> None:
    """Each scene under its caption, side by side, its planes in so many rows and columns."""
    links = [link.load for scene in scenes for plane in scene.planes for link in plane.links]
    busiest = max(links, default=0.0)
    sides = figure.add_gridspec(1, len(scenes))
    for i, (caption, scene) in enumerate(zip(captions, scenes, strict=True)):
        side = figure.add_subfigure(sides[i])
        side.suptitle(caption, fontsize=10)
        places = side.subplots(*grid, squeeze=False).flat
        for axes, plane in zip_longest(places, scene.planes):
            axes.axis("off")
            if plane is not None:
                _draw_plane(axes, plane, busiest, grid[1])


def _captions(mapped: Mapped) -> tuple[str, str]:
    name = METRICS[mapped.metric]
    return (
        f"before: ranks in order, {LABELS[name]} {number(name, mapped.before[name])}",
        f"after: {mapped.mapping.method}, {LABELS[name]} {number(name, mapped.after[name])}",
    )


def legend_of(job: Job) -> str:
    """What the places of a scene are."""
    if isinstance(job.allocation.network, Torus):
        return (
            "Nodes with the number of their first rank, x across, y down; like colours are near "
            "in the pattern. Thicker, darker lines: busier links."
        )
    if isinstance(job.pattern, Grid):
        return "Ranks of the grid in the colour of the node that holds them."
    return "Traffic from each node (down) to each other node (across); darker is more."


def _draw_plane(axes: Axes, plane: Plane, busiest: float, columns: int) -> None:
    axes.set_title(plane.title, fontsize=8, color=QUIET, pad=2)
    axes.set_xlim(-0.6, plane.width - 0.4)
    axes.set_ylim(plane.height - 0.4, -0.6)
    axes.set_aspect("equal")
    pitch = 72 * (WIDTH_IN / 2 - 0.4) / columns / max(plane.width, plane.height)
    side = 0.64 if plane.links else 1.0
    _draw_links(axes, plane, busiest, pitch)
    _draw_tiles(axes, plane, side)
    if 0.4 * side * pitch >= SMALLEST_POINTS:
        for tile in plane.tiles:
            axes.text(
                tile.across, tile.down, tile.text, ha="center", va="center_baseline",
                fontsize=min(0.4 * side * pitch, 10), color=_ink(tile),
            )  # fmt: skip


def _draw_links(axes: Axes, plane: Plane, busiest: float, pitch: float) -> None:
    """Lines of at most a quarter of `pitch`, the points from one tile to the next."""
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection

    shades, widest = colormaps["YlOrRd"], min(4.0, pitch / 4)
    shares = [link.load / busiest if busiest else 0.0 for link in plane.links]
    axes.add_collection(
        LineCollection(
            [(link.start, link.end) for link in plane.links],
            colors=[shades(0.25 + 0.75 * s) if s else UNUSED for s in shares],
            linewidths=[widest * (0.2 + s) for s in shares],
            zorder=1,
        )
    )


def _draw_tiles(axes: Axes, plane: Plane, side: float) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    squares = [
        Rectangle((tile.across - side / 2, tile.down - side / 2), side, side)
        for tile in plane.tiles
    ]
    axes.add_collection(
        PatchCollection(
            squares,
            facecolors=[_rgb(tile) for tile in plane.tiles],
            edgecolors="white" if not plane.links else UNUSED,
            linewidths=0.2,
            zorder=2,
        )
    )


def _rgb(tile: Tile) -> tuple[float, float, float]:
    """One number is a shade of blue, two are hue and lightness, three red, green and blue."""
    match tile.colour:
        case ():
            return NOBODY
        case (level,):
            return 0.85 - 0.75 * level, 0.88 - 0.6 * level, 0.95 - 0.35 * level
        case (hue, lightness):
            return colorsys.hls_to_rgb(0.85 * hue, 0.42 + 0.38 * lightness, 0.62)
        case (red, green, blue, *_):
            return 0.2 + 0.75 * red, 0.2 + 0.75 * green, 0.2 + 0.75 * blue
    raise AssertionError("unreachable")


def _ink(tile: Tile) -> str:
    red, green, blue = _rgb(tile)
    return "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white"


# -- below: loads ----------------------------------------------------------------------------------


def _draw_loads(axes: Axes, mapped: Mapped, scenes: Sequence[Scene]) -> None:
    from matplotlib.ticker import MaxNLocator

    torus = isinstance(mapped.job.allocation.network, Torus)
    for scene, name, colour in zip(scenes, ("before", "after"), STATE_COLOURS, strict=True):
        if scene.loads:
            counts, loads = zip(*scene.loads, strict=True)
            across, up = [0, *counts, counts[-1]], [loads[0], *loads, 0]
            axes.fill_between(across, up, step="pre", color=colour, alpha=0.15, linewidth=0)
            axes.step(across, up, where="pre", label=name, color=colour)
    axes.set_xlabel("directed links, busiest first" if torus else "nodes, busiest first")
    axes.set_ylabel("load" if torus else "sent to other nodes")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    if axes.lines:
        axes.legend(frameon=False, loc="upper right")
