"""A repetition that was simulated as a picture: the machine with its links, and who does what when.

Ranks in their order on the left; where they were mapped as well, beside it on the same scales.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.mapping.scenes import Scene
from leadline.report.figures.picture import (
    QUIET,
    WIDTH_IN,
    draw_scenes,
    height_in,
    layout_of,
    legend_of,
)
from leadline.report.figures.plots import name_time
from leadline.report.figures.style import COLOURS, rendered
from leadline.simulate.campaign import DEFAULT
from leadline.simulate.replay import RankRow, ReplayedPattern
from leadline.units import format_rough_size, format_size, format_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

MOST_NAMED = 16
"""Of about so many rows the rank is told."""
ROW_IN, LEAST_IN, TITLE_IN, AROUND_IN = 0.13, 1.2, 0.5, 1.0
LETTERS_AN_INCH = 15
WAITING = "#e3e3e3"
SENDING, RECEIVING, COMPUTING = COLOURS[1], COLOURS[0], COLOURS[2]


def replay_picture(shown: Sequence[ReplayedPattern], scenes: Sequence[Scene], form: str) -> bytes:
    """The picture of a repetition, the same bytes for the same arguments.

    Args:
        shown: By ranks in order, and mapped where they were.
        scenes: For each where its ranks are, and what links carry.
        form: "svg" or "png".
    """
    planes = scenes[0].planes
    grid = layout_of(planes)
    width = WIDTH_IN * max(0.6, len(shown) / 2)
    rows = [one.rows() for one in shown]
    above = height_in(planes[0], *grid) + 0.4
    below = max(LEAST_IN, ROW_IN * len(rows[0])) + AROUND_IN

    def draw(figure: Figure) -> None:
        figure.suptitle(_title(shown[0]), fontsize=11, fontweight="bold")
        parts = figure.add_gridspec(2, 1, height_ratios=[above, below])
        states = figure.add_subfigure(parts[0])
        draw_scenes(states, [_caption(one) for one in shown], scenes, grid)
        states.supxlabel(_wrapped(legend_of(shown[0].job), width), fontsize=8, color=QUIET)
        _draw_timelines(figure.add_subfigure(parts[1]), rows)

    return rendered(draw, form, (width, above + below + TITLE_IN))


def _title(replay: ReplayedPattern) -> str:
    cell, machine = replay.planned.cell, replay.setup.machine
    size = f" of {format_size(cell.size_bytes)}" if replay.planned.pattern.granularity else ""
    return f"{cell.pattern}{size} on {len(replay.slots)} ranks, {machine.name} (simulated)"


def _caption(replay: ReplayedPattern) -> str:
    busiest, mapping = format_rough_size(replay.busiest_bytes), replay.setup.mapping
    laid = "ranks in order" if mapping == DEFAULT else f"mapped: {mapping}"
    return f"{laid}, {format_time(replay.seconds)}, busiest link {busiest}"


def _wrapped(text: str, width_in: float) -> str:
    return textwrap.fill(text, int(width_in * LETTERS_AN_INCH))


# -- who does what when ----------------------------------------------------------------------------


def _draw_timelines(figure: SubFigure, shown: Sequence[tuple[RankRow, ...]]) -> None:
    """Side by side, on one axis of time."""
    from matplotlib.patches import Patch

    places = figure.subplots(1, len(shown), squeeze=False, sharex=True, sharey=True).flat
    for axes, rows in zip(places, shown, strict=True):
        _draw_timeline(axes, rows)
    named = {"sending": SENDING, "receiving": RECEIVING, "computing": COMPUTING, "waiting": WAITING}
    figure.legend(
        handles=[Patch(color=colour, label=name) for name, colour in named.items()],
        loc="outside upper center", ncols=len(named), frameon=False, fontsize=8,
    )  # fmt: skip


def _draw_timeline(axes: Axes, rows: Sequence[RankRow]) -> None:
    """A row a rank: above what it sends, below what it receives, over both what it computes."""
    places = range(len(rows))
    axes.barh(places, [row.ended_s for row in rows], height=0.8, color=WAITING, linewidth=0)
    _draw_spans(axes, [row.sending for row in rows], (-0.4, 0.4), SENDING)
    _draw_spans(axes, [row.receiving for row in rows], (0.0, 0.4), RECEIVING)
    _draw_spans(axes, [row.computing for row in rows], (-0.4, 0.8), COMPUTING)
    named = places[:: max(1, len(rows) // MOST_NAMED)]
    axes.set_yticks(named, [str(rows[place].rank) for place in named])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(lambda seconds, _: name_time(seconds) if seconds else "0")
    axes.set_xlabel("time from a common start")
    axes.set_ylabel("rank")
    axes.spines[["top", "right"]].set_visible(False)


def _draw_spans(
    axes: Axes,
    of_rows: Sequence[Sequence[tuple[float, float]]],
    place: tuple[float, float],
    colour: str,
) -> None:
    """Each at its row, from `place[0]` below the row's middle on, `place[1]` high."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    bars = [
        Rectangle((begin, row + place[0]), end - begin, place[1])
        for row, spans in enumerate(of_rows)
        for begin, end in spans
    ]
    axes.add_collection(PatchCollection(bars, facecolors=colour, linewidths=0))
