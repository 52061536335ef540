"""The ranks of a scripted launch: they answer a campaign's commands as kernels do."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from leadline.hosts.cores import Site, parse_cores
from leadline.kernels.connections import Credentials
from leadline.kernels.description import Capability
from leadline.record.quantities import UNKNOWN
from leadline.record.slices import BatchFlag
from leadline.scripted.clock import VirtualClock
from leadline.scripted.processes import HUNG_UP, CampaignLine, ScriptedProcess, SocketLine
from leadline.scripted.relays import ScriptedRelay
from leadline.scripted.script import RankFault, Script, ScriptedLibrary, Task, Trouble
from leadline.scripted.times import ScriptedTimes

EXITED = 7
WARM_UP_BATCHES, FEWEST_BATCHES = 2, 3
WARM_UP_NS = 20_000_000
MTU_SHARE = 1.05
"""What interfaces carry for each byte of messages, headers included."""


class PlayedMachine(Protocol):
    """What ranks know of the machine that they are on."""

    script: Script
    clock: VirtualClock
    times: ScriptedTimes

    @property
    def elapsed_s(self) -> float:
        """Seconds since the campaign's start."""

    def is_down(self, host: str) -> bool:
        """Whether `host` answers nobody now."""

    def is_cut(self, one: str, other: str) -> bool:
        """Whether nothing goes between two hosts now."""

    def fault_of(
        self, library: str, rank: int, task: Task, size_bytes: int | None = None
    ) -> RankFault | None:
        """What goes wrong in this rank now, if anything; it is counted."""


@dataclass(frozen=True, slots=True)
class PlayedSlice:
    """What the ranks of a launch measure together."""

    repetitions: int
    batches: npt.NDArray[np.int64]
    """Start, end and flags of rank 0's batches, shape (n, 3)."""
    warm_up: str
    window_ns: int
    run_delay_ns: int
    core_latency_ns: int
    lasts_s: float
    everybody_records: bool


@dataclass(slots=True)
class ScriptedLaunch:
    """The ranks of one launch."""

    machine: PlayedMachine
    name: str
    """The variant's."""
    library: ScriptedLibrary
    capability: Capability
    ranks: dict[int, ScriptedRank] = field(default_factory=dict)
    relays: dict[str, ScriptedRelay] = field(default_factory=dict)
    """The relay of each host."""
    is_first: bool = True
    """Whether it is the campaign's first launch of its library."""
    factor: float = 1.0
    _fits: list[str] = field(default_factory=list)
    """The numbers of the commands by which clocks were fitted."""
    _met: set[tuple[str, str]] = field(default_factory=set)
    """The patterns and sizes that this launch has measured."""
    _slices: dict[str, PlayedSlice] = field(default_factory=dict)
    """The last one, by its command's number."""
    stuck: bool = False
    """Whether a rank keeps the others from ending what they are at."""

    @property
    def calls_itself(self) -> str:
        """How its library describes itself."""
        library = self.library
        return (
            library.calls_itself
            if self.is_first
            else (library.later_calls_itself or library.calls_itself)
        )

    @property
    def is_broken(self) -> bool:
        """Whether ranks don't reach each other now, or one keeps the others from going on."""
        hosts = {rank.site.name for rank in self.ranks.values()}
        cut = any(self.machine.is_cut(*pair) for pair in itertools.combinations(hosts, 2))
        return self.stuck or cut or any(map(self.machine.is_down, hosts))

    def fit_number(self, command: str) -> int:
        """How many times clocks have been fitted, by the command of that number as well."""
        if command not in self._fits:
            self._fits.append(command)
        return len(self._fits)

    def slice(self, fields: Mapping[str, str]) -> PlayedSlice:
        """What all ranks measure when they are told `fields`: the same for the same command."""
        if fields["id"] in self._slices:
            return self._slices[fields["id"]]
        machine, library = self.machine, self.library
        pattern = self.capability.patterns[fields["pattern"]]
        size, cell = int(fields["size"]), (fields["pattern"], fields["size"])
        hops = 1 if pattern.participants else max(len(self.ranks) - 1, 1).bit_length()
        message_s = library.message_s(size) * hops * pattern.messages_per_repetition
        isolated = fields["cadence"] == "isolated"
        asked = 1 if isolated else int(fields["repetitions"])
        factor = self.factor * machine.times.factor(
            self.name, machine.elapsed_s, cell not in self._met
        )
        operation_ns = max(message_s * factor * 1e9, 1.0)
        seen_ns = operation_ns * library.misjudged
        repetitions = asked or max(1, round(int(fields["batch_ns"]) / seen_ns))
        waits = machine.times.waits(machine.elapsed_s, self.name)
        batch_ns = operation_ns * repetitions / (1 - waits)
        fitting = int(int(fields["slice_ns"]) / batch_ns)
        number = min(max(fitting, FEWEST_BATCHES), int(fields["max_batches"])) + WARM_UP_BATCHES
        elapsed_ns = batch_ns * machine.times.batches(library, number)
        begin_ns = round(machine.clock.monotonic() * 1e9)
        warm_up_ns = 0 if cell in self._met else WARM_UP_NS
        self._met.add(cell)
        ends_ns = begin_ns + warm_up_ns + np.cumsum(elapsed_ns + 30)
        flags = np.zeros(number)
        flags[:WARM_UP_BATCHES] = int(BatchFlag.WARM_UP)
        batches = np.stack([ends_ns - elapsed_ns, ends_ns, flags], axis=1).astype(np.int64)
        window_ns = int(ends_ns[-1] - ends_ns[WARM_UP_BATCHES - 1])
        played = PlayedSlice(
            repetitions,
            batches,
            f"{warm_up_ns}:{repetitions if warm_up_ns else 0}:{int(warm_up_ns > 0)}",
            window_ns,
            int(waits * window_ns),
            machine.times.core_latency_ns(machine.elapsed_s),
            float(ends_ns[-1] - begin_ns) * 1e-9 + library.overhead_s,
            isolated or pattern.whose_time == "slowest rank",
        )
        self._slices = {fields["id"]: played}
        return played


class ScriptedRank:
    """One rank, on the other end of a campaign's connection."""

    def __init__(
        self, job: ScriptedLaunch, number: int, site: Site, environment: Mapping[str, str], pid: int
    ) -> None:
        """Rank `number` of `job` on `site`, told by `environment` who asks for it."""
        self.job, self.number, self.site = job, number, site
        self.process = ScriptedProcess(pid, on_end=self._hang_up)
        self.phase, self.batches_done, self.state = "idle", 0, "R"
        self.environment = environment
        self.placements: list[str] = []
        """The numbers of those that it was told."""
        self._kept: set[str] = set()
        self._line: CampaignLine | None = None
        job.ranks[number] = self

    @property
    def _clock(self) -> VirtualClock:
        return self.job.machine.clock

    def connect(self) -> None:
        """Reaches for the campaign or its relay, once ranks have met; who can't ends by status 1.

        Where ranks don't reach each other, a library doesn't start.
        """
        if self.process.poll() is not None or self.job.is_broken:
            return
        address = self.environment["LEADLINE_CONTROL"]
        try:
            if address.startswith("relay:"):
                self._line = self.job.relays[self.site.name].join(self)
                self._say_hello()
            else:
                self._line = SocketLine(
                    self._clock, address, self.obey, lambda: self.process.end(HUNG_UP)
                )
        except OSError:
            self.process.end(1)

    def obey(self, line: str) -> None:
        """Takes a line of the campaign."""
        if self.process.poll() is not None or self.job.machine.is_down(self.site.name):
            return
        command, *words = line.split()
        fields = dict(word.split("=", 1) for word in (command, *words) if "=" in word)
        match command:
            case "challenge":
                around = self.environment
                own = Credentials(around["LEADLINE_LAUNCH"], around["LEADLINE_SECRET"], "")
                self._say(f"launch {own.name} {own.proof(words[0])}\n")
                self._say_hello()
            case "end":
                self._clock.after(0.005, lambda: self.process.end(0))
            case "placement":
                self._place(fields)
            case "clocks":
                self._fit(fields)
            case "shortcut":
                self._answer(0.01, self._sent_between_hosts(fields), needs_all=True)
            case _:
                self._measure(fields)

    def _say_hello(self) -> None:
        machine, host = self.site.machine, self.site.name
        clock = host if host in self.job.machine.script.clocks else machine
        ranks = self.environment["LEADLINE_RANKS"]
        binding = parse_cores(self.environment.get("LEADLINE_BIND", ""))
        bound = (binding[self.number % len(binding)],) if binding else self.site.cores
        cores = ",".join(map(str, bound))
        self._say(
            f"hello rank={self.number} size={ranks} pid={self.process.pid} "
            f"host={host} machine={machine} clock={clock} clock_ns=30.0 cores={cores} "
            f"library={self.job.calls_itself}\n"
        )

    def _place(self, fields: Mapping[str, str]) -> None:
        """Keeps a placement, of which this may be a piece."""
        if int(fields["first"]) + fields["slots"].count(",") + 1 < int(fields["ranks"]):
            return
        self.placements.append(fields["number"])
        fault = self._fault(Task.PLACEMENT)
        if fault is None or fault.trouble is not Trouble.FORGET:
            self._kept.add(fields["number"])
        if fault is None or fault.trouble is Trouble.FORGET:
            self._answer(0.0001, f"placed id={fields['id']} rank={self.number}\n")
        else:
            self._go_wrong(fault, fields, 0.0001)

    def _fit(self, fields: Mapping[str, str]) -> None:
        """Fits its clock to rank 0's, in the name of the lowest rank with the same clock."""
        lasts_s, clocks = 0.001 * len(self.job.ranks), self.job.machine.script.clocks
        fault = self._fault(Task.CLOCKS)
        if fault is not None:
            self._go_wrong(fault, fields, lasts_s)
            return
        own = clocks.get(self.site.name)
        leader = min(
            number
            for number, rank in self.job.ranks.items()
            if (rank.site.name in clocks and rank.site.name == self.site.name)
            or (rank.site.name not in clocks and own is None)
        )
        fits = self.job.fit_number(fields["id"])
        now_ns = round(self._clock.monotonic() * 1e9)
        text = f"fitted id={fields['id']} rank={self.number} leader={leader} "
        if own is None:
            text += (
                f"fits=0 here_ns={now_ns} offset_ns=0 drift=0 missed_ns=0 error_ns=0 "
                "round_trip_ns=0\n"
            )
        else:
            offset_ns = round((own.offset_s + own.drift * self.job.machine.elapsed_s) * 1e9)
            missed_ns = own.missed_ns if fits > 1 else 0
            text += (
                f"fits={fits} here_ns={now_ns + offset_ns} offset_ns={offset_ns} "
                f"drift={own.drift} missed_ns={missed_ns} error_ns=50 round_trip_ns=2000\n"
            )
        self._answer(lasts_s, text, needs_all=True)

    def _fault(self, task: Task, size_bytes: int | None = None) -> RankFault | None:
        return self.job.machine.fault_of(self.job.name, self.number, task, size_bytes)

    def _measure(self, fields: Mapping[str, str]) -> None:
        pattern, size = self.job.capability.patterns[fields["pattern"]], int(fields["size"])
        if self.number >= (pattern.participants or len(self.job.ranks)):
            return
        if fields["placement"] not in {"0", *self._kept}:
            never = "the placement that it asks for was never made"
            self._answer(0.0001, f"refused id={fields['id']} rank={self.number} {never}\n")
            return
        fault = self._fault(Task.SLICE, size)
        ours = self.job.slice(fields)
        self.phase, self.batches_done = "timing", len(ours.batches)
        if fault is None:
            self._answer(ours.lasts_s, self._result(fields, ours), needs_all=True)
        else:
            self._go_wrong(fault, fields, ours.lasts_s)

    def _go_wrong(self, fault: RankFault, fields: Mapping[str, str], lasts_s: float) -> None:
        """What it does instead of a command that usually lasts so long."""
        after_s, about = lasts_s / 2, f"id={fields['id']} rank={self.number}"
        match fault.trouble:
            case Trouble.HANG:
                self.job.stuck = True
                self.batches_done, self.state = 3, "S"
            case Trouble.CRASH:
                self._fall(after_s, -signal.SIGSEGV)
            case Trouble.EXIT:
                self._fall(after_s, EXITED)
            case Trouble.RELAY_CRASH:
                self.job.relays[self.site.name].process.end(-signal.SIGKILL)
            case Trouble.GARBLE:
                self._answer(after_s, "result of nothing\n")
            case Trouble.REFUSE:
                self._answer(after_s, f"refused {about} no memory\n")
            case _:
                wrong = "pass=timed offset=5 expected=9 seen=8"
                self._answer(lasts_s, f"fault {about} {wrong}\n", needs_all=True)

    def _fall(self, after_s: float, status: int) -> None:
        """Ends with `status` in so many seconds; the others wait for it meanwhile."""
        self.job.stuck = True
        self._clock.after(after_s, lambda: self.process.end(status))

    def _result(self, fields: Mapping[str, str], ours: PlayedSlice) -> bytes:
        """What it answers after a slice that it was told `fields` to measure."""
        lag_ns = self.job.library.apart_ns * self.number
        batches = ours.batches + np.array([lag_ns, lag_ns, 0])
        body = batches.tobytes() if ours.everybody_records or self.number == 0 else b""
        hands_over = "LEADLINE_CORE_LATENCY" in self.environment
        core_latency_ns = ours.core_latency_ns if hands_over else UNKNOWN
        links = ""
        if fields.get("links") == "1":
            mbits = self.job.machine.script.link_mbits
            carried = int(self.job.library.link_share * mbits * 125_000 * ours.window_ns * 1e-9)
            links = f" links_ns={ours.window_ns} links=eth0/tx:{carried}:{mbits}"
        head = (
            f"result id={fields['id']} rank={self.number} repetitions={ours.repetitions} "
            f"bytes={len(body)} warm_up={ours.warm_up} contends={self.job.library.contends:d} "
            f"window_ns={ours.window_ns} run_delay_ns={ours.run_delay_ns} switches=0 faults=0 "
            f"core_latency_ns={core_latency_ns}{links}\n"
        )
        return head.encode() + body

    def _sent_between_hosts(self, fields: Mapping[str, str]) -> str:
        """What it answers after known bytes were sent between hosts: what its interface carried."""
        hosts = len({rank.site.name for rank in self.job.ranks.values()})
        least = int(fields["next"]) + int(fields["other"]) * (hosts - 2)
        carried = 0 if self.job.library.avoids_links else int(MTU_SHARE * least)
        return (
            f"result id={fields['id']} rank={self.number} repetitions=0 bytes=0 warm_up=0:0:0 "
            f"contends=0 window_ns=1000000 run_delay_ns=0 switches=0 faults=0 core_latency_ns=-1 "
            f"links_ns=1000000 links=eth0/tx:{carried}:{self.job.machine.script.link_mbits}\n"
        )

    def _answer(self, after_s: float, text: str | bytes, needs_all: bool = False) -> None:
        """Says `text` in so many seconds, if it is there then.

        What `needs_all` ranks is said only where they reach each other from now to then.
        """

        def say() -> None:
            there = self.process.poll() is None and not self.job.machine.is_down(self.site.name)
            if there and not (needs_all and self.job.is_broken):
                self.phase = "idle"
                self._say(text)

        if not (needs_all and self.job.is_broken):
            self._clock.after(after_s, say)

    def _say(self, text: str | bytes) -> None:
        if self._line is not None:
            self._line.say(text.encode() if isinstance(text, str) else text)

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
