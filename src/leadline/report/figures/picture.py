"""A mapping as a picture: before and after side by side, loads below."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from leadline.mapping import METRICS
from leadline.mapping.scenes import Plane, Scene, Tile
from leadline.report.text.catalogue import PictureWords
from leadline.report.text.mapping import LABELS, Mapped, number
from leadline.topology.communication import Grid
from leadline.topology.job import label_of
from leadline.topology.networks import Torus

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.figure import SubFigure

NOBODY = (0.97, 0.97, 0.97)
"""The colour of a place without ranks."""
UNUSED, EDGE = "#d9d9d9", "#b0b0b0"
QUIET = "#555555"
WIDTH_IN, MOST_HEIGHT_IN, BELOW_IN, TITLE_IN = 12.0, 7.5, 2.4, 0.6
LEAST_LINE = 2.0
"""Least width of the busiest link's line, in points."""
SMALLEST_POINTS = 3.5
"""Least size of a tile's number, in points: smaller ones couldn't be read and are left out."""
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "leadline", "svg.fonttype": "none", "pdf.fonttype": 42, "font.size": 9,
}  # fmt: skip
STATE_COLOURS = ("#b0413e", "#2a6f97")


def picture(mapped: Mapped, scenes: Sequence[Scene], form: str) -> bytes:
    """The picture of a mapping, the same bytes for the same arguments.

    Args:
        mapped: The job and its metrics.
        scenes: Where ranks are, before and after.
        form: "svg", "pdf" or "png".
    """
    from leadline.report.figures.style import rendered

    above = height_in(scenes)
    name, job = METRICS[mapped.metric], mapped.job
    captions = (
        PictureWords.BEFORE(metric=LABELS[name], value=number(name, mapped.before[name])),
        PictureWords.AFTER(
            method=mapped.mapping.method,
            metric=LABELS[name],
            value=number(name, mapped.after[name]),
        ),
    )
    if isinstance(job.allocation.network, Torus):
        legend = PictureWords.NODES(sides=sides_of(scenes), jobs=False)
    elif isinstance(job.pattern, Grid):
        legend = PictureWords.GRID()
    else:
        legend = PictureWords.TRAFFIC()

    def draw(canvas: Canvas) -> None:
        title = f"{label_of(job.pattern)} on {job.allocation.name}"
        canvas.suptitle(title, fontsize=13, fontweight="bold")
        parts = canvas.add_gridspec(2, 1, height_ratios=[above, BELOW_IN])
        states = canvas.add_subfigure(parts[0])
        draw_scenes(states, captions, scenes, busiest_drawn(scenes))
        states.supxlabel(legend, fontsize=8.5, color=QUIET)
        _draw_loads(canvas.add_subfigure(parts[1]).subplots(), mapped, scenes)

    return rendered(draw, form, (WIDTH_IN, above + BELOW_IN + TITLE_IN), _SETTINGS, dpi=120)


def layout_of(planes: Sequence[Plane]) -> tuple[int, int]:
    """Rows and columns of a grid, about square, that holds all planes."""
    columns = math.ceil(math.sqrt(len(planes)))
    return math.ceil(len(planes) / columns), columns


def height_in(scenes: Sequence[Scene]) -> float:
    """Height in inches of scenes side by side, at which their places are about square."""
    heights = []
    for scene in scenes:
        rows, columns = layout_of(scene.planes)
        width = (WIDTH_IN / 2 - 0.4) / columns
        of_plane = max(plane.height / plane.width for plane in scene.planes)
        heights.append(max(1.2, min(MOST_HEIGHT_IN, rows * (width * of_plane + 0.3))))
    return max(heights)


# -- above: where ranks are ------------------------------------------------------------------------


def busiest_drawn(scenes: Sequence[Scene]) -> float:
    """Load of the busiest link that is drawn, in the unit of the scenes' loads."""
    planes = [plane for scene in scenes for plane in scene.planes]
    return max((link.load for plane in planes for link in plane.links), default=0.0)


def draw_scenes(
    figure: SubFigure,
    captions: Sequence[str],
    scenes: Sequence[Scene],
    busiest: float,
    columns: int = 2,
) -> None:
    """Draws scenes under their captions, side by side in a figure with room for `columns`.

    The most prominent line stands for a link with the load `busiest`.
    """
    sides = figure.add_gridspec(1, columns)
    for i, (caption, scene) in enumerate(zip(captions, scenes, strict=True)):
        side = figure.add_subfigure(sides[i])
        side.suptitle(caption, fontsize=10)
        grid = layout_of(scene.planes)
        places = side.subplots(*grid, squeeze=False).flat
        for axes, plane in zip_longest(places, scene.planes):
            axes.axis("off")
            if plane is not None:
                _draw_plane(axes, plane, busiest, grid[1])


def sides_of(scenes: Sequence[Scene]) -> str:
    """Where the axes of a torus lie, e.g. "x across, y down, links along z at the corners"."""
    sides = []
    for scene in scenes:
        axes = scene.axes
        places = [f"{axis} {where}" for axis, where in zip(axes, ("across", "down"), strict=False)]
        if len(axes) == 3:
            places.append(PictureWords.THIRD_AXIS(axis=axes[2]))
        elif axes[2:]:
            places.append(PictureWords.FURTHER_AXES(axes=axes[2:]))
        sides.append(", ".join(places))
    return " or ".join(dict.fromkeys(sides))


def _draw_plane(axes: Axes, plane: Plane, busiest: float, columns: int) -> None:
    """Draws a plane of tiles, one of `columns` side by side, and the links between tiles.

    The width of a link's line shows its share of `busiest`; the widest take a quarter of the pitch
    from one tile to the next.
    """
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import Rectangle

    axes.set_title(plane.title, fontsize=8 if columns < 4 else 6, color=QUIET, pad=2)
    axes.set_xlim(-0.6, plane.width - 0.4)
    axes.set_ylim(plane.height - 0.4, -0.6)
    axes.set_aspect("equal")
    pitch = 72 * (WIDTH_IN / 2 - 0.4) / columns / max(plane.width, plane.height)
    side = 0.64 if plane.links else 1.0

    shades, widest = colormaps["YlOrRd"], min(4.0, max(LEAST_LINE, pitch / 4))
    shares = [link.load / busiest if busiest else 0.0 for link in plane.links]
    axes.add_collection(
        LineCollection(
            [(link.start, link.end) for link in plane.links],
            colors=[shades(0.25 + 0.75 * s) if s else UNUSED for s in shares],
            linewidths=[widest * (0.2 + s) for s in shares],
            zorder=1,
        )
    )
    squares = []
    for tile in plane.tiles:
        own = side * tile.size
        squares.append(Rectangle((tile.across - own / 2, tile.down - own / 2), own, own))
    axes.add_collection(
        PatchCollection(
            squares,
            facecolors=[_rgb(tile) for tile in plane.tiles],
            edgecolors=EDGE if plane.links else "white",
            linewidths=0.3,
            zorder=2,
        )
    )
    if 0.4 * side * pitch >= SMALLEST_POINTS:
        for tile in plane.tiles:
            red, green, blue = _rgb(tile)
            ink = "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white"
            axes.text(
                tile.across, tile.down, tile.text, ha="center", va="center_baseline",
                fontsize=min(0.4 * side * pitch, 10), color=ink,
            )  # fmt: skip


def _rgb(tile: Tile) -> tuple[float, float, float]:
    """A tile's colour: one number is a shade of blue, two hue and lightness, three RGB."""
    match tile.colour:
        case ():
            return NOBODY
        case (level,):
            return 0.85 - 0.75 * level, 0.88 - 0.6 * level, 0.95 - 0.35 * level
        case (hue, lightness):
            return colorsys.hls_to_rgb(0.85 * hue, 0.42 + 0.38 * lightness, 0.62)
        case (red, green, blue, *_):
            return 0.2 + 0.68 * red, 0.2 + 0.68 * green, 0.2 + 0.68 * blue
    raise AssertionError("unreachable")


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
