"""A repetition that was simulated as a picture: the machine with its links, and who does what when.

Ranks in their order, mapped, on a changed machine, or of several jobs stand side by side, on the
same scales.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeVar

from leadline.mapping.scenes import Scene
from leadline.report.figures.picture import (
    LINES,
    QUIET,
    WIDTH_IN,
    busiest_drawn,
    draw_scenes,
    height_in,
    sides_of,
)
from leadline.report.figures.plots import name_time
from leadline.report.figures.style import COLOURS, rendered
from leadline.simulate.campaign import DEFAULT
from leadline.simulate.replay import RankRow, Replayed, ReplayedJob
from leadline.units import format_rough_size, format_size, format_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

MOST_NAMED = 16
"""Of about so many rows the rank is told."""
MOST_COLUMNS = 3
"""Of machines side by side; more stand below."""
MARGIN = 1.05
"""Of the axis of time, to the right of the last end."""
ROW_IN, LEAST_IN, TITLE_IN, AROUND_IN = 0.13, 1.2, 0.5, 1.0
LETTERS_AN_INCH, CAPTION_LETTERS_AN_INCH = 15, 12
WAITING = "#e3e3e3"
SENDING, RECEIVING, COMPUTING = COLOURS[1], COLOURS[0], COLOURS[2]


def replay_picture(
    shown: Sequence[Sequence[Replayed]], scenes: Sequence[Sequence[Scene]], form: str
) -> bytes:
    """The picture of repetitions, the same bytes for the same arguments.

    Args:
        shown: A row a machine: by ranks in order, and mapped where they were, or several jobs.
        scenes: For each where its ranks are, and what links carry.
        form: "svg", "pdf" or "png".
    """
    replays, drawn = _flat(shown), _flat(scenes)
    columns = min(MOST_COLUMNS, max(len(shown[0]), len(shown) * (len(shown[0]) == 1)))
    width, rows = WIDTH_IN * max(0.6, columns / 2), range(0, len(replays), columns)
    above = max(height_in(drawn[at : at + columns]) for at in rows) + 0.4
    ranks = max(len(one.rows()) for one in replays)
    below = max(LEAST_IN, ROW_IN * ranks) + AROUND_IN
    until_s = max(one.ended_s for one in replays)
    block = _Block(columns, (above, below), busiest_drawn(drawn), until_s, ranks)

    def draw(figure: Figure) -> None:
        figure.suptitle(_title(replays[0]), fontsize=11, fontweight="bold")
        figure.supxlabel(_wrapped(_legend(replays[0], drawn), width), fontsize=8, color=QUIET)
        parts = figure.add_gridspec(len(rows), 1)
        letters = int(width / columns * CAPTION_LETTERS_AN_INCH)
        captions = [textwrap.fill(_caption(one, len(shown)), letters) for one in replays]
        for row, at in enumerate(rows):
            part, some = figure.add_subfigure(parts[row]), slice(at, at + columns)
            _draw_block(part, block, replays[some], captions[some], drawn[some])

    return rendered(draw, form, (width, len(rows) * (above + below) + TITLE_IN))


T = TypeVar("T")


def _flat(rows: Sequence[Sequence[T]]) -> list[T]:
    return [one for row in rows for one in row]


@dataclass(frozen=True, slots=True)
class _Block:
    """What all blocks of a picture have: machines side by side, ranks' times below them."""

    columns: int
    heights_in: tuple[float, float]
    """Of the machines, and of the times."""
    busiest: float
    """Load of a link, that the darkest line stands for."""
    until_s: float
    rows: int
    """Of ranks, at most."""


def _draw_block(
    figure: SubFigure,
    block: _Block,
    shown: Sequence[Replayed],
    captions: Sequence[str],
    scenes: Sequence[Scene],
) -> None:
    parts = figure.add_gridspec(2, 1, height_ratios=block.heights_in)
    draw_scenes(figure.add_subfigure(parts[0]), captions, scenes, block.busiest, block.columns)
    _draw_timelines(figure.add_subfigure(parts[1]), block, [one.rows() for one in shown])


def _title(replay: Replayed) -> str:
    where = f"{replay.machine.name} (simulated)"
    (first, *_) = replay.jobs
    return f"Jobs on {where}" if first.name else f"{_what(first)}, {where}"


def _what(job: ReplayedJob) -> str:
    cell = job.planned.cell
    size = f" of {format_size(cell.size_bytes)}" if job.planned.pattern.granularity else ""
    return f"{cell.pattern}{size} on {len(job.slots)} ranks"


def _caption(replay: Replayed, machines: int) -> str:
    """What differs from the picture beside it, how long it takes, and its busiest link."""
    setup = replay.jobs[0].setup
    changed = f"{setup.what_if or replay.machine.name}: " if machines > 1 else ""
    busiest = "the medium" if replay.machine.links.shared else "busiest link"
    passed = f"{busiest} {format_rough_size(replay.busiest_bytes)}"
    return f"{changed}{_performed(replay.jobs)}, {passed}"


def _performed(jobs: Sequence[ReplayedJob]) -> str:
    if len(jobs) > 1:
        named = (f"{one.name} {format_time(one.seconds)}" for one in jobs)
        return f"together: {', '.join(named)}"
    (one,) = jobs
    mapped = one.setup.mapping != DEFAULT
    laid = f"mapped: {one.setup.mapping}" if mapped else "ranks in order"
    if one.name:
        laid = f"{one.name} alone: {_what(one)}" + f", {laid}" * mapped
    return f"{laid}, {format_time(one.seconds)}"


def _legend(replay: Replayed, scenes: Sequence[Scene]) -> str:
    """What the tiles and lines above the times are."""
    if replay.machine.links.shared:
        where = "at the one medium"
    else:
        where = sides_of(scenes) or "around their switches"
    named = bool(replay.jobs[0].name)
    colours = "a colour a job" if named else "like colours are near in the pattern"
    return f"Nodes with the number of their first rank, {where}; {colours}. {LINES}"


def _wrapped(text: str, width_in: float) -> str:
    return textwrap.fill(text, int(width_in * LETTERS_AN_INCH))


# -- who does what when ----------------------------------------------------------------------------


def _draw_timelines(figure: SubFigure, block: _Block, shown: Sequence[tuple[RankRow, ...]]) -> None:
    """Side by side, on one axis of time."""
    from matplotlib.patches import Patch

    places = figure.subplots(1, block.columns, squeeze=False).flat
    for axes, rows in zip_longest(places, shown):
        if rows is None:
            axes.axis("off")
        else:
            _draw_timeline(axes, rows)
            axes.set_xlim(0, MARGIN * block.until_s)
            axes.set_ylim(block.rows - 0.4, -0.6)
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
    axes.set_yticks(named, [f"{rows[at].job} {rows[at].rank}" for at in named])
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
