"""Who is stuck: where each rank is, by its progress page and /proc, here or as its host says."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

_PAGE = struct.Struct("@qqq")
_STOPPED = "T"
_SLEEPING = "SD"
MOST_NAMED = 16
"""Ranks that a message names."""
_QUESTION = (
    "page=$1; shift; echo leadline-host; for one; do "
    "rank=${one%%:*}; pid=${one#*:}; stat=; wait=; "
    '{ read -r stat <"/proc/$pid/stat"; read -r wait <"/proc/$pid/wchan"; } 2>/dev/null; '
    'made=$(od -A n -t d8 -N 24 "$page.$rank" 2>/dev/null); '
    'test -n "$made" || for file in /proc/"$pid"/fd/*; do case $(readlink "$file") in '
    '*memfd:leadline-progress*) made=$(od -A n -t d8 -N 24 "$file" 2>/dev/null) ;; esac; done; '
    "stat=${stat##*) }; stat=${stat%% *}; "
    'echo leadline-rank "$rank" "${stat:-?}" "${wait:-0}" $made; '
    '{ ls -l "/proc/$pid/fd"; cat "/proc/$pid/net/tcp" "/proc/$pid/net/tcp6"; } 2>/dev/null | '
    'awk \'/ socket:/ { gsub(/[^0-9]/, "", $NF); mine[$NF] } '
    '$4 ~ /^0[12]$/ && $10 in mine { print "leadline-flow", rank, $2, $3, $7 }\' '
    'rank="$rank" - 2>/dev/null; done'
)
"""The page is a file where its folder is there, or else lies in memory that the rank has open."""
_FLOW = re.compile(
    r"^leadline-flow (?P<rank>\d+) (?P<local>\S+) (?P<remote>\S+) (?P<again>[0-9A-F]+)$",
    re.MULTILINE,
)
_HERE = re.compile(r"^leadline-host$", re.MULTILINE)
_ANSWER = re.compile(
    r"^leadline-rank (?P<rank>\d+) (?P<state>\S) (?P<wait>\S+)"
    r"(?: -?\d+ (?P<phase>\d+) (?P<batches>\d+))?$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Flow:
    """One end of a TCP connection of a rank."""

    local: str
    """Address and port, in hexadecimal digits."""
    remote: str
    """The other end's."""
    sent_again: int
    """How often in a row what it sent was sent again, for nobody said that it came."""


@dataclass(frozen=True, slots=True)
class RankState:
    """Where one rank is."""

    rank: int
    phase: int | None
    """Index into the kernel's phases; None: not known."""
    batches: int
    """Finished in this phase."""
    state: str
    """The process's state letter in /proc; "?" where it can't be read (another host, gone)."""
    waits_in: str
    """The kernel function it sleeps in, or ""."""
    host: str = ""
    """Where it runs; empty: on this host."""
    silence: str = ""
    """Why its host says nothing of it; empty: it does, or nobody asked."""

    flows: tuple[Flow, ...] = ()
    """Where its host was asked."""

    @property
    def name(self) -> str:
        """E.g. "1", or "1 on h2"."""
        return f"{self.rank} on {self.host}" if self.host else f"{self.rank}"

    def describe(self, phases: Sequence[str]) -> str:
        """E.g. "rank 1 on h2: timing, 17 batches done, sleeping in pause"."""
        doing = {"R": "running", "T": "stopped", "?": "state unknown"}.get(self.state, "sleeping")
        where = f" in {self.waits_in}" if self.waits_in and self.state in _SLEEPING else ""
        if self.phase is not None:
            phase = phases[self.phase if 0 <= self.phase < len(phases) else 0]
            return f"rank {self.name}: {phase}, {self.batches} batches done, {doing}{where}"
        if self.silence:
            return f"rank {self.name}, which {self.silence}"
        if self.state == "?":
            return f"rank {self.name}: where it is isn't known"
        return f"rank {self.name}: {doing}{where}, how far it got isn't known"


def read_state(rank: int, page: Path, pid: int) -> RankState:
    """The state of `rank`, whose progress page is the file `page` and whose process is `pid`."""
    try:
        _, phase, batches = _PAGE.unpack(page.read_bytes()[: _PAGE.size])
    except (OSError, struct.error):
        phase, batches = 0, 0
    return RankState(rank, phase, batches, _process_state(pid), _waits_in(pid))


def elsewhere(rank: int, host: str, silence: str = "") -> RankState:
    """The state of a `rank` on another `host`: nothing that this one could look at."""
    return RankState(rank, None, 0, "?", "", host, silence)


def question(pages: str, pids: Mapping[int, int]) -> tuple[str, ...]:
    """What a host is to run so that it says where ranks are.

    Args:
        pages: Their progress pages are the files PAGES.RANK, where there are any.
        pids: Their processes, by rank.
    """
    return ("sh", "-c", _QUESTION, "sh", pages, *(f"{rank}:{pid}" for rank, pid in pids.items()))


def is_answer(said: str) -> bool:
    """Whether `said` is what a host answers to a `question`, whatever else it says before."""
    return _HERE.search(said) is not None


def answered(said: str, host: str, ranks: Iterable[int]) -> list[RankState]:
    """The states of `ranks` as `host` says they are in its answer to a `question`."""
    found = {int(one["rank"]): one for one in _ANSWER.finditer(said)}
    flows: dict[int, tuple[Flow, ...]] = {}
    for one in _FLOW.finditer(said):
        flow = Flow(one["local"], one["remote"], int(one["again"], 16))
        flows[int(one["rank"])] = (*flows.get(int(one["rank"]), ()), flow)
    return [
        replace(_said(found[rank], host), flows=flows.get(rank, ()))
        if rank in found
        else elsewhere(rank, host)
        for rank in ranks
    ]


def _said(one: re.Match[str], host: str) -> RankState:
    wait = "" if one["wait"] == "0" else one["wait"]
    phase = int(one["phase"]) if one["phase"] else None
    return RankState(
        int(one["rank"]), phase, int(one["batches"] or 0), one["state"], wait, host
    )  # fmt: skip


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
    """The ranks that hold the others up; [] where none stands out, of those that didn't answer.

    Those whose host doesn't answer are the first suspects, then stopped processes; then, where it
    is known of all ranks, those whose progress is least; then those that sleep while others run:
    inside a message-passing operation ranks usually spin.
    """
    if len(states) < 2:
        return [state.rank for state in states]
    silent = [s.rank for s in states if s.silence]
    stopped = [s.rank for s in states if s.state == _STOPPED]
    if silent or stopped:
        return silent or stopped
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
    names = [state.name for state in states if state.rank in named]
    if named:
        one = len(named) == 1
        who = f"rank{'s' * (not one)} {_some(names, ', ')} {'is' if one else 'are'} stuck"
    elif any(state.phase is None for state in states):
        who = "which rank is stuck can't be told"
    else:
        who = "all ranks are stuck, none behind the others"
    first = sorted(states, key=lambda state: state.rank not in named)
    places = _some([state.describe(phases) for state in first], "; ")
    return f"no result from {what} after {waited_s:.0f} s: {who} ({places})"
