"""A mapping as a picture: before and after side by side, loads below."""

from __future__ import annotations

import colorsys
import io
import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from leadline.mapping import METRICS
from leadline.mapping.scenes import Plane, Scene, Tile
from leadline.report.text.mapping import LABELS, Mapped, number
from leadline.topology.communication import Grid
from leadline.topology.job import Job, label_of
from leadline.topology.networks import Torus

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

NOBODY = (0.97, 0.97, 0.97)
UNUSED, EDGE = "#d9d9d9", "#b0b0b0"
QUIET = "#555555"
WIDTH_IN, MOST_HEIGHT_IN, BELOW_IN, TITLE_IN = 12.0, 7.5, 2.4, 0.6
LINES = "Thicker, darker lines: busier links."
LEAST_LINE = 2.0
"""Of the busiest link, points."""
SMALLEST_POINTS = 3.5
"""Smaller numbers can't be read, so none are shown."""
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "leadline", "svg.fonttype": "none", "pdf.fonttype": 42, "font.size": 9,
}  # fmt: skip
STATE_COLOURS = ("#b0413e", "#2a6f97")


def picture(mapped: Mapped, scenes: Sequence[Scene], form: str) -> bytes:
    """The picture of a mapping, the same bytes for the same arguments.

    Args:
        mapped: The job and its metrics.
        scenes: What is where, before and after.
        form: "svg", "pdf" or "png".
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    above = height_in(scenes)
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(WIDTH_IN, above + BELOW_IN + TITLE_IN), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(_title(mapped), fontsize=13, fontweight="bold")
        parts = figure.add_gridspec(2, 1, height_ratios=[above, BELOW_IN])
        _draw_states(figure.add_subfigure(parts[0]), mapped, scenes)
        _draw_loads(figure.add_subfigure(parts[1]).subplots(), mapped, scenes)
        return _rendered(figure, form)


def layout_of(planes: Sequence[Plane]) -> tuple[int, int]:
    """Rows and columns that have room for so many."""
    columns = math.ceil(math.sqrt(len(planes)))
    return math.ceil(len(planes) / columns), columns


def height_in(scenes: Sequence[Scene]) -> float:
    """Of scenes side by side, so that their places are about square."""
    return max(_height_in(scene.planes) for scene in scenes)


def _height_in(planes: Sequence[Plane]) -> float:
    rows, columns = layout_of(planes)
    width = (WIDTH_IN / 2 - 0.4) / columns
    of_plane = max(plane.height / plane.width for plane in planes)
    return max(1.2, min(MOST_HEIGHT_IN, rows * (width * of_plane + 0.3)))


def _rendered(figure: Figure, form: str) -> bytes:
    from leadline.report.figures.style import UNDATED

    image = io.BytesIO()
    figure.savefig(image, format=form, dpi=120, metadata=UNDATED[form])
    return image.getvalue()


def _title(mapped: Mapped) -> str:
    return f"{label_of(mapped.job.pattern)} on {mapped.job.allocation.name}"


# -- above: who is where ---------------------------------------------------------------------------


def _draw_states(figure: SubFigure, mapped: Mapped, scenes: Sequence[Scene]) -> None:
    draw_scenes(figure, _captions(mapped), scenes, busiest_drawn(scenes))
    figure.supxlabel(_legend(mapped.job, scenes), fontsize=8.5, color=QUIET)


def busiest_drawn(scenes: Sequence[Scene]) -> float:
    """The load of the busiest link that is drawn."""
    planes = [plane for scene in scenes for plane in scene.planes]
    return max((link.load for plane in planes for link in plane.links), default=0.0)


def draw_scenes(
    figure: SubFigure,
    captions: Sequence[str],
    scenes: Sequence[Scene],
    busiest: float,
    columns: int = 2,
) -> None:
    """Each scene under its caption, side by side, with room for so many.

    Lines are of loads up to `busiest`.
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


def _captions(mapped: Mapped) -> tuple[str, str]:
    name = METRICS[mapped.metric]
    return (
        f"before: ranks in order, {LABELS[name]} {number(name, mapped.before[name])}",
        f"after: {mapped.mapping.method}, {LABELS[name]} {number(name, mapped.after[name])}",
    )


def _legend(job: Job, scenes: Sequence[Scene]) -> str:
    """What the places of a scene are."""
    if isinstance(job.allocation.network, Torus):
        return (
            f"Nodes with the number of their first rank, {sides_of(scenes)}; like colours are near "
            f"in the pattern. {LINES}"
        )
    if isinstance(job.pattern, Grid):
        return "Ranks of the grid in the colour of the node that holds them."
    return "Traffic from each node (down) to each other node (across); darker is more."


def sides_of(scenes: Sequence[Scene]) -> str:
    """Which axes of a torus lie where, e.g. "x across, y down, links along z at the corners"."""
    return " or ".join(dict.fromkeys(_sides(scene.axes) for scene in scenes))


def _sides(axes: Sequence[str]) -> str:
    places = [f"{axis} {where}" for axis, where in zip(axes, ("across", "down"), strict=False)]
    if len(axes) == 3:
        places.append(f"links along {axes[2]} at the lower right")
    elif axes[2:]:
        places.append(f"links along {', '.join(axes[2:])} at the corners from the lower right on")
    return ", ".join(places)


def _draw_plane(axes: Axes, plane: Plane, busiest: float, columns: int) -> None:
    axes.set_title(plane.title, fontsize=8 if columns < 4 else 6, color=QUIET, pad=2)
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
    """Lines; the thickest have a quarter of `pitch`, the points from one tile to the next."""
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection

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


def _draw_tiles(axes: Axes, plane: Plane, side: float) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    sides = [side * tile.size for tile in plane.tiles]
    squares = [
        Rectangle((tile.across - own / 2, tile.down - own / 2), own, own)
        for tile, own in zip(plane.tiles, sides, strict=True)
    ]
    axes.add_collection(
        PatchCollection(
            squares,
            facecolors=[_rgb(tile) for tile in plane.tiles],
            edgecolors=EDGE if plane.links else "white",
            linewidths=0.3,
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
            return 0.2 + 0.68 * red, 0.2 + 0.68 * green, 0.2 + 0.68 * blue
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
