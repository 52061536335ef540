"""A simulated repetition as a picture: the machine with its links, and a timeline of each rank.

Ranks in their order, mapped, on a changed machine, or of several jobs stand side by side, on the
same scales.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from leadline.mapping.scenes import Scene
from leadline.report.figures.picture import (
    QUIET,
    WIDTH_IN,
    busiest_drawn,
    draw_scenes,
    height_in,
    sides_of,
)
from leadline.report.figures.plots import name_time
from leadline.report.figures.style import COLOURS, rendered
from leadline.report.text.catalogue import PictureWords
from leadline.simulate.campaign import DEFAULT
from leadline.simulate.replay import RankRow, Replayed, ReplayedJob
from leadline.units import format_rough_size, format_size, format_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

MOST_NAMED = 16
"""About the most rows whose rank is named."""
MOST_COLUMNS = 3
"""Most machines side by side; further ones are in rows below."""
MARGIN = 1.05
"""End of the axis of time over the last rank's end."""
ROW_IN, LEAST_IN, TITLE_IN, AROUND_IN = 0.13, 1.2, 0.5, 1.0
LETTERS_AN_INCH, CAPTION_LETTERS_AN_INCH = 15, 12
WAITING = "#e3e3e3"
SENDING, RECEIVING, COMPUTING = COLOURS[1], COLOURS[0], COLOURS[2]


@dataclass(frozen=True, slots=True)
class _Scales:
    """What all timelines of a picture share, so that they can be compared."""

    columns: int
    """Machines side by side."""
    until_s: float
    rows: int
    """Most ranks of a machine."""


def replay_picture(
    shown: Sequence[Sequence[Replayed]], scenes: Sequence[Sequence[Scene]], form: str
) -> bytes:
    """The picture of repetitions, the same bytes for the same arguments.

    Args:
        shown: A row for each machine: by ranks in order, and mapped where they were, or several
            jobs.
        scenes: For each repetition where its ranks are, and what links carry.
        form: "svg", "pdf" or "png".
    """
    replays, drawn = list(chain(*shown)), list(chain(*scenes))
    columns = min(MOST_COLUMNS, max(len(shown[0]), len(shown) * (len(shown[0]) == 1)))
    width, rows = WIDTH_IN * max(0.6, columns / 2), range(0, len(replays), columns)
    scales = _Scales(
        columns,
        max(replay.ended_s for replay in replays),
        max(len(replay.rows()) for replay in replays),
    )
    above = max(height_in(drawn[at : at + columns]) for at in rows) + 0.4
    below = max(LEAST_IN, ROW_IN * scales.rows) + AROUND_IN
    busiest = busiest_drawn(drawn)
    letters = int(width / columns * CAPTION_LETTERS_AN_INCH)
    captions = [textwrap.fill(_caption(replay, len(shown)), letters) for replay in replays]

    job, machine = replays[0].jobs[0], replays[0].machine
    where = f"{machine.name} (simulated)"
    title = f"Jobs on {where}" if job.name else f"{_what(job)}, {where}"
    if machine.links.shared:
        around = PictureWords.ONE_MEDIUM()
    else:
        around = sides_of(drawn) or PictureWords.SWITCHES()
    legend = PictureWords.NODES(sides=around, jobs=bool(job.name))

    def draw(figure: Figure) -> None:
        figure.suptitle(title, fontsize=11, fontweight="bold")
        wrapped = textwrap.fill(legend, int(width * LETTERS_AN_INCH))
        figure.supxlabel(wrapped, fontsize=8, color=QUIET)
        parts = figure.add_gridspec(len(rows), 1)
        for row, at in enumerate(rows):
            some = slice(at, at + columns)
            halves = figure.add_subfigure(parts[row])
            grid = halves.add_gridspec(2, 1, height_ratios=(above, below))
            machines, times = halves.add_subfigure(grid[0]), halves.add_subfigure(grid[1])
            draw_scenes(machines, captions[some], drawn[some], busiest, columns)
            _draw_timelines(times, scales, [replayed.rows() for replayed in replays[some]])

    return rendered(draw, form, (width, len(rows) * (above + below) + TITLE_IN))


def _what(job: ReplayedJob) -> str:
    cell = job.planned.cell
    size = f" of {format_size(cell.size_bytes)}" if job.planned.pattern.granularity else ""
    return f"{cell.pattern}{size} on {len(job.slots)} ranks"


def _caption(replay: Replayed, machines: int) -> str:
    """What differs from the picture beside it, how long it takes, and its busiest link."""
    first, *others = replay.jobs
    if others:
        named = (f"{job.name} {format_time(job.seconds)}" for job in replay.jobs)
        performed = f"together: {', '.join(named)}"
    else:
        mapped = first.setup.mapping != DEFAULT
        placed = f"mapped: {first.setup.mapping}" if mapped else "ranks in order"
        if first.name:
            placed = f"{first.name} alone: {_what(first)}" + f", {placed}" * mapped
        performed = f"{placed}, {format_time(first.seconds)}"
    changed = f"{first.setup.what_if or replay.machine.name}: " if machines > 1 else ""
    busiest = "the medium" if replay.machine.links.shared else "busiest link"
    return f"{changed}{performed}, {busiest} {format_rough_size(replay.busiest_bytes)}"


# -- timelines -------------------------------------------------------------------------------------


def _draw_timelines(figure: SubFigure, scales: _Scales, shown: Sequence[Sequence[RankRow]]) -> None:
    """Draws what each rank does when, machines side by side on one axis of time.

    A rank's row has above what it sends, below what it receives, over both what it computes.
    """
    from matplotlib.patches import Patch

    places = figure.subplots(1, scales.columns, squeeze=False).flat
    for axes, rows in zip_longest(places, shown):
        if rows is None:
            axes.axis("off")
            continue
        ended_s = [row.ended_s for row in rows]
        axes.barh(range(len(rows)), ended_s, height=0.8, color=WAITING, linewidth=0)
        _draw_spans(axes, [row.sending for row in rows], (-0.4, 0.4), SENDING)
        _draw_spans(axes, [row.receiving for row in rows], (0.0, 0.4), RECEIVING)
        _draw_spans(axes, [row.computing for row in rows], (-0.4, 0.8), COMPUTING)
        named = range(0, len(rows), max(1, len(rows) // MOST_NAMED))
        axes.set_yticks(named, [f"{rows[at].job} {rows[at].rank}" for at in named])
        axes.xaxis.set_major_formatter(lambda seconds, _: name_time(seconds) if seconds else "0")
        axes.set_xlabel("time from a common start")
        axes.set_ylabel("rank")
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlim(0, MARGIN * scales.until_s)
        axes.set_ylim(scales.rows - 0.4, -0.6)
    kinds = {"sending": SENDING, "receiving": RECEIVING, "computing": COMPUTING, "waiting": WAITING}
    figure.legend(
        handles=[Patch(color=colour, label=name) for name, colour in kinds.items()],
        loc="outside upper center", ncols=len(kinds), frameon=False, fontsize=8,
    )  # fmt: skip


def _draw_spans(
    axes: Axes,
    of_rows: Sequence[Sequence[tuple[float, float]]],
    place: tuple[float, float],
    colour: str,
) -> None:
    """Draws spans as bars in their rows: `place` is how far below the middle, and the height."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    bars = [
        Rectangle((begin, row + place[0]), end - begin, place[1])
        for row, spans in enumerate(of_rows)
        for begin, end in spans
    ]
    axes.add_collection(PatchCollection(bars, facecolors=colour, linewidths=0))
