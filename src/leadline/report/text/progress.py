"""Live progress on stderr: a bar on a terminal, plain lines elsewhere; before it, compilation.

Nothing is drawn by a thread: the bar is redrawn between slices only, so that it never runs beside
a timed loop.
"""

from __future__ import annotations

import math
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from leadline.errors import printable
from leadline.hosts.cleanup.sweep import Swept
from leadline.hosts.this_host import Load
from leadline.measure.budget import Allotment
from leadline.measure.schedule import Shortfall
from leadline.record.run import Cell, Failure
from leadline.report.text.phrases import plural
from leadline.units import format_size

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


REDRAW_S = 0.25


def _anew(allotment: Allotment) -> str:
    """How the rest of a campaign is divided, now that more is known."""
    blocks, visits = plural(allotment.blocks, "block"), plural(allotment.visits, "visit")
    launches = plural(allotment.launches, "launch")
    return f"planned anew: {blocks} more of up to {visits} each, {launches} of each variant"


def _failed(failure: Failure) -> str:
    """A failure in one line; its message may be a library's own."""
    return f"failed: {failure.code}: {printable(failure.message)}"


def shortfall_line(found: Shortfall, load: Load) -> str:
    """How many blocks a campaign gets at its pace, whether these suffice, and what budget would."""
    budget, enough = f"{found.budget_s:g} s", f"{math.ceil(found.enough_s)} s"
    crowded = load.processes >= load.cores + 1  # more runs than the campaign's own ranks
    busy = f" (load {load.processes:.0f} on {plural(load.cores, 'core')})" * crowded
    if found.blocks >= found.needed:
        return f"at this pace {budget} suffice after all{busy}: {found.blocks} blocks"
    if found.blocks >= found.fewest:
        return (
            f"at this pace {budget} end after {found.blocks} blocks{busy}: intervals if all of "
            f"them count, but it takes {found.needed} until a clear difference is sure to show; "
            f"{enough} would do"
        )
    if not found.kept:
        return (
            f"at this pace the {found.fewest} blocks that intervals take last {enough}{busy}, more "
            f"than the usual {budget}; a --budget of your own is kept"
        )
    part = f", of some cells {found.blocks + 1}" * found.in_part
    return (
        f"at this pace {budget} end after {found.blocks} of {found.fewest} blocks{part}{busy}: "
        f"times without intervals, no verdicts; {enough} would do"
    )


def left_words(left_s: float) -> str:
    """E.g. "about 50 s left", as coarse as estimates of blocks are; zero or less is overdue."""
    if left_s <= 0:
        return "longer than expected"
    if left_s < 99.5:
        step_s = 5 if left_s >= 20 else 1
        return f"about {max(step_s, round(left_s / step_s) * step_s)} s left"
    return f"about {round(left_s / 60)} min left"


def _say_swept(swept: Swept) -> None:
    """Prints one line on what was removed, if anything was."""
    found = {
        "folder": len(swept.folders),
        "segment": len(swept.segments),
        "process": swept.processes,
    }
    said = ", ".join(plural(number, noun) for noun, number in found.items() if number)
    if said:
        print(f"removed what killed front-ends left: {said}", file=sys.stderr, flush=True)


class Commands:
    """Commands that start ranks, each variant's shown once."""

    def __init__(self, wanted: bool) -> None:
        """Shows none unless they are `wanted`."""
        self._wanted, self._shown = wanted, set[str]()

    def lines(self, variant: str, command: Sequence[str]) -> Iterator[str]:
        """The command line that started `variant`, quoted for a shell; nothing the next time."""
        if self._wanted and variant not in self._shown:
            self._shown.add(variant)
            yield printable(f"{variant} is started by: {shlex.join(command)}", "")


class PlainProgress:
    """One line a block, with the time left, and one a failure."""

    def __init__(self, verbose: bool = False) -> None:
        """Prints nothing yet; `verbose`: later also the commands that start ranks."""
        self._slices = 0
        self._left = ""
        self._commands = Commands(verbose)

    def swept(self, swept: Swept) -> None:
        """Prints what was removed."""
        _say_swept(swept)

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """Prints which block begins."""
        who = plural(ranks, "rank")
        print(f"block {block + 1} of {blocks}, {who}{self._left}", file=sys.stderr, flush=True)
        self._left = ""

    def launched(self, variant: str, command: Sequence[str]) -> None:
        """Prints the command of the first launch of each variant, where that is asked for."""
        for line in self._commands.lines(variant, command):
            print(line, file=sys.stderr, flush=True)

    def expected(self, left_s: float) -> None:
        """Keeps the time left for the line of the next block."""
        self._left = f", {left_words(left_s)}"

    def replanned(self, allotment: Allotment) -> None:
        """Prints how the rest is planned."""
        print(_anew(allotment), file=sys.stderr, flush=True)

    def falls_short(self, shortfall: Shortfall, load: Load) -> None:
        """Prints how many blocks that makes."""
        print(shortfall_line(shortfall, load), file=sys.stderr, flush=True)

    def slice_done(self, variant: str, cell: Cell) -> None:
        """Counts the slice."""
        self._slices += 1

    def failed(self, failure: Failure) -> None:
        """Prints what failed."""
        print(_failed(failure), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Prints how many slices were recorded."""
        print(f"{self._slices} slices recorded", file=sys.stderr, flush=True)


class FailuresOnly:
    """One line a failure."""

    def swept(self, swept: Swept) -> None:
        """Prints what was removed."""
        _say_swept(swept)

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """Prints nothing."""

    def launched(self, variant: str, command: Sequence[str]) -> None:
        """Prints nothing."""

    def expected(self, left_s: float) -> None:
        """Prints nothing."""

    def replanned(self, allotment: Allotment) -> None:
        """Prints nothing."""

    def falls_short(self, shortfall: Shortfall, load: Load) -> None:
        """Prints nothing."""

    def slice_done(self, variant: str, cell: Cell) -> None:
        """Prints nothing."""

    def failed(self, failure: Failure) -> None:
        """Prints what failed."""
        print(_failed(failure), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Prints nothing."""


class BarProgress:
    """A bar with the time left and what is being measured, redrawn up to four times a second."""

    def __init__(self, total_s: float, verbose: bool = False) -> None:
        """A bar that is full after about `total_s` seconds; the first block shows it."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        console = Console(stderr=True)
        self._progress: Progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[left]}"),
            TextColumn("{task.fields[now]}", markup=False),
            console=console,
            auto_refresh=False,
            transient=True,
        )
        self._task: TaskID = self._progress.add_task("starting", total=total_s, now="", left="")
        self._begin = self._drawn = time.monotonic()
        self._end = self._begin + total_s
        self._commands = Commands(verbose)

    def swept(self, swept: Swept) -> None:
        """Prints what was removed."""
        _say_swept(swept)

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """Names the block."""
        self._progress.start()
        text = f"block {block + 1}/{blocks}, {plural(ranks, 'rank')}"
        self._progress.update(self._task, description=text, now="starting")
        self._draw()

    def launched(self, variant: str, command: Sequence[str]) -> None:
        """Prints the command of the first launch of each variant, where that is asked for."""
        for line in self._commands.lines(variant, command):
            self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def replanned(self, allotment: Allotment) -> None:
        """Prints above the bar how the rest is planned."""
        self._progress.console.print(_anew(allotment), markup=False, highlight=False)

    def falls_short(self, shortfall: Shortfall, load: Load) -> None:
        """Prints above the bar how many blocks that makes."""
        line = shortfall_line(shortfall, load)
        self._progress.console.print(line, style="yellow", markup=False, highlight=False)

    def expected(self, left_s: float) -> None:
        """Moves the time at which the bar is full."""
        self._end = time.monotonic() + left_s

    def slice_done(self, variant: str, cell: Cell) -> None:
        """Names what was just measured, if it's time to redraw."""
        if time.monotonic() - self._drawn < REDRAW_S:
            return
        now = (
            f"{variant} {cell.pattern}{f' {format_size(cell.size_bytes)}' * (cell.size_bytes > 0)}"
        )
        self._progress.update(self._task, now=printable(now, ""))
        self._draw()

    def failed(self, failure: Failure) -> None:
        """Prints what failed above the bar."""
        self._progress.console.print(_failed(failure), style="red", markup=False, highlight=False)

    def close(self) -> None:
        """Removes the bar."""
        self._progress.stop()

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        self._progress.update(
            self._task,
            completed=self._drawn - self._begin,
            total=max(self._end, self._drawn) - self._begin,
            left=left_words(self._end - self._drawn),
        )
        self._progress.refresh()


def progress_for(total_s: float, verbose: bool = False) -> PlainProgress | BarProgress:
    """A bar if stderr is a terminal, else plain lines."""
    return BarProgress(total_s, verbose) if sys.stderr.isatty() else PlainProgress(verbose)


CLEARED = "\r\x1b[K"
"""The terminal's line, empty."""


def say_compiling(names: Sequence[str], done: int) -> None:
    """On a terminal a line on stderr for which of `names`, cleared when all are; else one line.

    Args:
        names: All that are compiled for.
        done: How many of these are.
    """
    if sys.stderr.isatty():
        text = (
            f"compiling for {names[done]} ({done + 1} of {len(names)}) ..."
            if done < len(names)
            else ""
        )
        print(CLEARED + text, end="", file=sys.stderr, flush=True)
    elif done == 0:
        print(f"compiling for {', '.join(names)} ...", file=sys.stderr, flush=True)
