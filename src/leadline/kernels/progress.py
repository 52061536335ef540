"""Which rank is stuck: the status of each, by its progress page and /proc, here or on its host."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PAGE = struct.Struct("@qqq")
_STOPPED = "T"
_SLEEPING = "SD"
MOST_NAMED = 16
"""The most ranks that a message names."""
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
    """Retransmissions in a row of what it sent, for no acknowledgement came."""


@dataclass(frozen=True, slots=True)
class RankState:
    """The status of one rank."""

    rank: int
    phase: int | None
    """Index into the kernel's phases; None: not known."""
    batches: int
    """Batches finished in this phase."""
    state: str
    """The process's state letter in /proc; "?" where it can't be read (another host, gone)."""
    waits_in: str
    """The kernel function it sleeps in, or ""."""
    host: str = ""
    """Host that it runs on; empty: this one."""
    silence: str = ""
    """Why its host doesn't report it; empty: it does, or it wasn't asked."""
    flows: tuple[Flow, ...] = ()
    """TCP connections of the rank; empty where its host wasn't asked."""

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
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
        state = stat.rpartition(")")[2].split()[0]
    except OSError:
        state = "?"
    try:
        waits_in = Path(f"/proc/{pid}/wchan").read_text().strip()
    except OSError:
        waits_in = ""
    return RankState(rank, phase, batches, state, "" if waits_in == "0" else waits_in)


def elsewhere(rank: int, host: str, silence: str = "") -> RankState:
    """The state of a `rank` on another `host`, of which this host can see nothing."""
    return RankState(rank, None, 0, "?", "", host, silence)


def question(pages: str, pids: Mapping[int, int]) -> tuple[str, ...]:
    """The command that prints the status of ranks on the host where it is run.

    Args:
        pages: Their progress pages are the files PAGES.RANK, where there are any.
        pids: Their processes, by rank.
    """
    return ("sh", "-c", _QUESTION, "sh", pages, *(f"{rank}:{pid}" for rank, pid in pids.items()))


def is_answer(output: str) -> bool:
    """Whether `output` is the output of a `question`, whatever was printed before."""
    return _HERE.search(output) is not None


def answered(output: str, host: str, ranks: Iterable[int]) -> list[RankState]:
    """The states of `ranks` on `host` in the `output` of a `question`."""
    found = {int(match["rank"]): match for match in _ANSWER.finditer(output)}
    flows: dict[int, tuple[Flow, ...]] = {}
    for one in _FLOW.finditer(output):
        flow = Flow(one["local"], one["remote"], int(one["again"], 16))
        flows[int(one["rank"])] = (*flows.get(int(one["rank"]), ()), flow)
    states = []
    for rank in ranks:
        if rank not in found:
            states.append(elsewhere(rank, host))
            continue
        answer = found[rank]
        phase = int(answer["phase"]) if answer["phase"] else None
        waits_in = "" if answer["wait"] == "0" else answer["wait"]
        batches = int(answer["batches"] or 0)
        states.append(
            RankState(
                rank, phase, batches, answer["state"], waits_in, host, flows=flows.get(rank, ())
            )
        )
    return states


def suspects(states: Sequence[RankState]) -> list[int]:
    """The ranks among those without an answer that hold up the others; [] where none stands out.

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
    """`words` joined by `between`; of those beyond MOST_NAMED only their number."""
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
        who = "which rank is stuck is unknown"
    else:
        who = "all ranks are stuck, none behind the others"
    first = sorted(states, key=lambda state: state.rank not in named)
    places = _some([state.describe(phases) for state in first], "; ")
    return f"no result from {what} after {waited_s:.0f} s: {who} ({places})"
