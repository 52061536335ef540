"""Who is stuck: reads where each rank is from its progress page and from /proc, and judges."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PAGE = struct.Struct("@qqq")
_STOPPED = "T"
_SLEEPING = "SD"
MOST_NAMED = 16
"""Ranks that a message names."""


@dataclass(frozen=True, slots=True)
class RankState:
    """Where one rank is."""

    rank: int
    phase: int | None
    """Index into the kernel's phases; None: not known here, for the rank is on another host."""
    batches: int
    """Finished in this phase."""
    state: str
    """The process's state letter in /proc; "?" where it can't be read (another host, gone)."""
    waits_in: str
    """The kernel function it sleeps in, or ""."""

    def describe(self, phases: Sequence[str]) -> str:
        """E.g. "rank 1: timing, 17 batches done, sleeping in pause"."""
        doing = {"R": "running", "T": "stopped", "?": "state unknown"}.get(self.state, "sleeping")
        if self.phase is None:
            return f"rank {self.rank}: on another host, where it is isn't known"
        where = f" in {self.waits_in}" if self.waits_in and self.state in _SLEEPING else ""
        phase = phases[self.phase if 0 <= self.phase < len(phases) else 0]
        return f"rank {self.rank}: {phase}, {self.batches} batches done, {doing}{where}"


def read_state(rank: int, page: Path, pid: int) -> RankState:
    """The state of `rank`, whose progress page is the file `page` and whose process is `pid`."""
    try:
        _, phase, batches = _PAGE.unpack(page.read_bytes()[: _PAGE.size])
    except (OSError, struct.error):
        phase, batches = 0, 0
    return RankState(rank, phase, batches, _process_state(pid), _waits_in(pid))


def elsewhere(rank: int) -> RankState:
    """The state of a `rank` on another host: nothing that this one could look at."""
    return RankState(rank, None, 0, "?", "")


def _process_state(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return "?"
    return stat.rpartition(")")[2].split()[0]


def _waits_in(pid: int) -> str:
    try:
        name = Path(f"/proc/{pid}/wchan").read_text().strip()
    except OSError:
        return ""
    return "" if name == "0" else name


def suspects(states: Sequence[RankState]) -> list[int]:
    """The ranks that hold the others up; [] where none stands out.

    A stopped process is the first suspect; then, where all ranks are on this host, those whose
    progress is least; then those that sleep while others run: inside a message-passing operation
    ranks usually spin.
    """
    if not states:
        return []
    stopped = [s.rank for s in states if s.state == _STOPPED]
    if stopped:
        return stopped
    progress = [(s.phase, s.batches) for s in states if s.phase is not None]
    if len(progress) < len(states):
        return []
    least = min(progress)
    behind = [s.rank for s, made in zip(states, progress, strict=True) if made == least]
    if len(behind) < len(states):
        return behind
    sleeping = [s.rank for s in states if s.state in _SLEEPING]
    return sleeping if len(sleeping) < len(states) else []


def _some(words: Sequence[object], between: str) -> str:
    """`words`, of those beyond MOST_NAMED how many."""
    shown = [*map(str, words[:MOST_NAMED])]
    more = len(words) - len(shown)
    return between.join(shown + [f"and {more:,} more"] * (more > 0))


def report(states: Sequence[RankState], phases: Sequence[str], what: str, waited_s: float) -> str:
    """One message that names the stuck rank, the cell (`what`) and where every rank is.

    `phases` are the kernel's, by number.
    """
    named = suspects(states)
    if named:
        one = len(named) == 1
        who = f"rank{'s' * (not one)} {_some(named, ', ')} {'is' if one else 'are'} stuck"
    elif any(state.phase is None for state in states):
        who = "which rank is stuck can't be told from this host"
    else:
        who = "all ranks are stuck, none behind the others"
    first = sorted(states, key=lambda state: state.rank not in named)
    places = _some([state.describe(phases) for state in first], "; ")
    return f"no result from {what} after {waited_s:.0f} s: {who} ({places})"
