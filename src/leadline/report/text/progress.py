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
from leadline.report.text.catalogue import ProgressWords
from leadline.report.text.phrases import plural
from leadline.units import format_size

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


REDRAW_S = 0.25


def _replanned(allotment: Allotment) -> str:
    """How the rest of a campaign is divided, now that more is known."""
    return ProgressWords.ANEW(
        blocks=allotment.blocks, visits=allotment.visits, launches=allotment.launches
    )


def _failed(failure: Failure) -> str:
    """A failure in one line; its message may be a library's own."""
    return ProgressWords.FAILED(code=failure.code, message=printable(failure.message))


def shortfall_line(shortfall: Shortfall, load: Load) -> str:
    """How many blocks a campaign gets at its pace, whether these suffice, and what budget would."""
    budget, enough = f"{shortfall.budget_s:g} s", f"{math.ceil(shortfall.enough_s)} s"
    crowded = load.processes >= load.cores + 1  # more runs than the campaign's own ranks
    busy = ProgressWords.BUSY(load=load.processes, cores=load.cores) if crowded else ""
    if shortfall.blocks >= shortfall.needed:
        return ProgressWords.SUFFICES(budget=budget, busy=busy, blocks=shortfall.blocks)
    if shortfall.blocks >= shortfall.fewest:
        return ProgressWords.INTERVALS_ALONE(
            budget=budget,
            blocks=shortfall.blocks,
            busy=busy,
            needed=shortfall.needed,
            enough=enough,
        )
    if not shortfall.kept:
        return ProgressWords.OVER_BUDGET(
            fewest=shortfall.fewest, enough=enough, busy=busy, budget=budget
        )
    return ProgressWords.NO_INTERVALS(
        budget=budget,
        blocks=shortfall.blocks,
        fewest=shortfall.fewest,
        in_part=str(shortfall.blocks + 1) if shortfall.in_part else None,
        busy=busy,
        enough=enough,
    )


def left_words(left_s: float) -> str:
    """E.g. "about 50 s left", as coarse as estimates of blocks are; zero or less is overdue."""
    if left_s <= 0:
        return ProgressWords.OVERDUE()
    if left_s < 99.5:
        step_s = 5 if left_s >= 20 else 1
        return ProgressWords.SECONDS_LEFT(seconds=max(step_s, round(left_s / step_s) * step_s))
    return ProgressWords.MINUTES_LEFT(minutes=round(left_s / 60))


def _say_swept(swept: Swept) -> None:
    """Prints one line on what was removed, if anything was."""
    found = {
        "folder": len(swept.folders),
        "segment": len(swept.segments),
        "process": swept.processes,
    }
    removed = [plural(number, noun) for noun, number in found.items() if number]
    if removed:
        print(ProgressWords.SWEPT(removed=removed), file=sys.stderr, flush=True)


class Commands:
    """Commands that start ranks, each variant's shown once."""

    def __init__(self, wanted: bool) -> None:
        """Shows none unless they are `wanted`."""
        self._wanted, self._shown = wanted, set[str]()

    def lines(self, variant: str, command: Sequence[str]) -> Iterator[str]:
        """The command line that started `variant`, quoted for a shell; nothing the next time."""
        if self._wanted and variant not in self._shown:
            self._shown.add(variant)
            line = ProgressWords.STARTED_BY(variant=variant, command=shlex.join(command))
            yield printable(line, "")


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
        line = ProgressWords.BLOCK(block=block + 1, blocks=blocks, ranks=ranks, left=self._left)
        print(line, file=sys.stderr, flush=True)
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
        print(_replanned(allotment), file=sys.stderr, flush=True)

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
        print(ProgressWords.RECORDED(slices=self._slices), file=sys.stderr, flush=True)


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
        text = ProgressWords.BAR_BLOCK(block=block + 1, blocks=blocks, ranks=ranks)
        self._progress.update(self._task, description=text, now="starting")
        self._draw()

    def launched(self, variant: str, command: Sequence[str]) -> None:
        """Prints the command of the first launch of each variant, where that is asked for."""
        for line in self._commands.lines(variant, command):
            self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def replanned(self, allotment: Allotment) -> None:
        """Prints above the bar how the rest is planned."""
        self._progress.console.print(_replanned(allotment), markup=False, highlight=False)

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
        text = ""
        if done < len(names):
            text = ProgressWords.COMPILING_ONE(name=names[done], number=done + 1, every=len(names))
        print(CLEARED + text, end="", file=sys.stderr, flush=True)
    elif done == 0:
        print(ProgressWords.COMPILING(names=names), file=sys.stderr, flush=True)
