"""The ranks of a scripted launch: they answer a campaign's commands as kernels do."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from leadline.hosts.cores import Site, parse_cores
from leadline.kernels.credentials import Credentials
from leadline.kernels.patterns import Capability
from leadline.record.slices import BatchFlag
from leadline.scripted.clock import VirtualClock
from leadline.scripted.script import RankFault, Script, ScriptedLibrary, Trouble
from leadline.scripted.times import ScriptedTimes

HUNG_UP, EXITED = 3, 7
WARM_UP_BATCHES, FEWEST_BATCHES = 2, 3
WARM_UP_NS = 20_000_000
MTU_SHARE = 1.05
"""What interfaces carry for each byte of messages, headers included."""
FIRST_PID = 1 << 30
"""Beyond those of any system: no process of this machine is looked at by mistake."""


class PlayedMachine(Protocol):
    """What ranks know of the machine that they are on."""

    script: Script
    clock: VirtualClock
    times: ScriptedTimes

    @property
    def elapsed_s(self) -> float:
        """Since the campaign's start."""

    def is_down(self, host: str) -> bool:
        """Whether `host` answers nobody now."""

    def fault_of(self, library: str, rank: int, size_bytes: int | None) -> RankFault | None:
        """What goes wrong in this rank now, if anything; it is counted."""


@dataclass(slots=True)
class ScriptedProcess:
    """A process of a launch, as far as a campaign sees it."""

    pid: int
    status: int | None = None
    on_end: Callable[[], None] | None = None

    def poll(self) -> int | None:
        """Its exit status; None: it runs."""
        return self.status

    def terminate(self) -> None:
        """Ends it at once."""
        self.end(-signal.SIGTERM)

    def end(self, status: int) -> None:
        """Ends it with `status`, unless it has ended before."""
        if self.status is None:
            self.status = status
            if self.on_end is not None:
                self.on_end()


@dataclass(frozen=True, slots=True)
class PlayedSlice:
    """What the ranks of a launch measure together."""

    repetitions: int
    batches: npt.NDArray[np.int64]
    """Of rank 0: start, end, flags; shape (n, 3)."""
    warm_up: str
    window_ns: int
    run_delay_ns: int
    handover_ns: int
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
    factor: float = 1.0
    fits: int = 0
    _met: set[tuple[str, str]] = field(default_factory=set)
    """The patterns and sizes that this launch has measured."""
    _slices: dict[str, PlayedSlice] = field(default_factory=dict)
    """The last one, by its command's number."""
    stuck: bool = False
    """Whether a rank keeps the others from ending what they are at."""

    def slice(self, said: Mapping[str, str]) -> PlayedSlice:
        """What all ranks measure when they are told `said`."""
        number = said["id"]
        if number not in self._slices:
            self._slices = {number: self._measured(said)}
        return self._slices[number]

    def _measured(self, said: Mapping[str, str]) -> PlayedSlice:
        machine, library = self.machine, self.library
        pattern = self.capability.patterns[said["pattern"]]
        size, cell = int(said["size"]), (said["pattern"], said["size"])
        hops = 1 if pattern.participants else max(len(self.ranks) - 1, 1).bit_length()
        message_s = library.message_s(size) * hops * pattern.messages_per_repetition
        isolated = said["cadence"] == "isolated"
        asked = 1 if isolated else int(said["repetitions"])
        factor = self.factor * machine.times.factor(
            library, machine.elapsed_s, cell not in self._met
        )
        operation_ns = max(message_s * factor * 1e9, 1.0)
        seen_ns = operation_ns * library.misjudged
        repetitions = asked or max(1, round(int(said["batch_ns"]) / seen_ns))
        waits = machine.times.waits(machine.elapsed_s, self.name)
        batch_ns = operation_ns * repetitions / (1 - waits)
        fitting = int(int(said["slice_ns"]) / batch_ns)
        number = min(max(fitting, FEWEST_BATCHES), int(said["max_batches"])) + WARM_UP_BATCHES
        elapsed_ns = batch_ns * machine.times.batches(library, number)
        begin_ns = round(machine.clock.monotonic() * 1e9)
        warm_up_ns = 0 if cell in self._met else WARM_UP_NS
        self._met.add(cell)
        ends_ns = begin_ns + warm_up_ns + np.cumsum(elapsed_ns + 30)
        flags = np.zeros(number)
        flags[:WARM_UP_BATCHES] = int(BatchFlag.WARM_UP)
        batches = np.stack([ends_ns - elapsed_ns, ends_ns, flags], axis=1).astype(np.int64)
        window_ns = int(ends_ns[-1] - ends_ns[WARM_UP_BATCHES - 1])
        return PlayedSlice(
            repetitions,
            batches,
            f"{warm_up_ns}:{repetitions if warm_up_ns else 0}:{int(warm_up_ns > 0)}",
            window_ns,
            int(waits * window_ns),
            machine.times.handover_ns(machine.elapsed_s),
            float(ends_ns[-1] - begin_ns) * 1e-9,
            isolated or pattern.whose_time == "slowest rank",
        )


class ScriptedRank:
    """One rank, on the other end of a campaign's connection."""

    def __init__(
        self, job: ScriptedLaunch, number: int, site: Site, environment: Mapping[str, str], pid: int
    ) -> None:
        """Rank `number` of `job` on `site`, told by `environment` who asks for it."""
        self.job, self.number, self.site = job, number, site
        self.process = ScriptedProcess(pid, on_end=self._hang_up)
        self.phase, self.batches_done, self.state = "idle", 0, "R"
        self._environment = environment
        self._socket: socket.socket | None = None
        self._heard = b""
        job.ranks[number] = self

    @property
    def _clock(self) -> VirtualClock:
        return self.job.machine.clock

    def connect(self) -> None:
        """Reaches for the campaign; a rank that can't ends with status 1."""
        if self.process.poll() is not None or self.job.machine.is_down(self.site.name):
            return
        kind, _, path = self._environment["LEADLINE_CONTROL"].partition(":")
        try:
            if kind == "unix":
                self._socket = socket.socket(socket.AF_UNIX)
                self._socket.connect(path)
            else:
                self._socket = socket.create_connection((kind, int(path)))
        except OSError:
            self.process.end(1)
            return
        self._socket.setblocking(False)
        self._clock.listen(self._socket, self._hear)

    def _hear(self) -> None:
        assert self._socket is not None
        try:
            heard = self._socket.recv(1 << 20)
        except OSError:
            heard = b""
        if not heard:
            self.process.end(HUNG_UP)
            return
        self._heard += heard
        *lines, self._heard = self._heard.split(b"\n")
        for line in lines:
            if self.process.poll() is None and not self.job.machine.is_down(self.site.name):
                self._obey(line.decode())

    def _obey(self, line: str) -> None:
        command, *words = line.split()
        said = dict(word.split("=", 1) for word in (command, *words) if "=" in word)
        match command:
            case "challenge":
                self._say_hello(words[0])
            case "end":
                self._clock.after(0.005, lambda: self.process.end(0))
            case "placement":
                if int(said["first"]) + said["slots"].count(",") + 1 == int(said["ranks"]):
                    self._answer(0.0001, f"placed id={said['id']} rank={self.number}\n")
            case "clocks":
                self._answer(0.001 * len(self.job.ranks), self._fitted(said))
            case "crossing":
                self._answer(0.01, self._crossed(said))
            case _:
                self._measure(said)

    def _say_hello(self, nonce: str) -> None:
        around = self._environment
        own = Credentials(around["LEADLINE_LAUNCH"], around["LEADLINE_SECRET"], "")
        machine, host = self.site.machine, self.site.name
        clock = host if host in self.job.machine.script.clocks else machine
        self._say(f"launch {own.name} {own.proof(nonce)}\n")
        self._say(
            f"hello rank={self.number} size={around['LEADLINE_RANKS']} pid={self.process.pid} "
            f"host={host} machine={machine} clock={clock} clock_ns=30.0 cores={self._cores()} "
            f"library={self.job.library.calls_itself}\n"
        )

    def _cores(self) -> str:
        binding = parse_cores(self._environment.get("LEADLINE_BIND", ""))
        cores = (binding[self.number % len(binding)],) if binding else self.site.cores
        return ",".join(map(str, cores))

    def _measure(self, said: Mapping[str, str]) -> None:
        pattern, size = self.job.capability.patterns[said["pattern"]], int(said["size"])
        if self.number >= (pattern.participants or len(self.job.ranks)):
            return
        fault = self.job.machine.fault_of(self.job.name, self.number, size)
        ours = self.job.slice(said)
        self.phase, self.batches_done = "timing", len(ours.batches)
        if fault is None:
            self._answer(ours.lasts_s, self._result(said, ours), ours)
            return
        after_s = ours.lasts_s / 2
        match fault.trouble:
            case Trouble.HANG:
                self.job.stuck = True
                self.batches_done, self.state = 3, "S"
            case Trouble.CRASH:
                self._fall(after_s, -signal.SIGSEGV)
            case Trouble.EXIT:
                self._fall(after_s, EXITED)
            case Trouble.GARBLE:
                self._answer(after_s, "result of nothing\n")
            case Trouble.REFUSE:
                self._answer(after_s, f"refused id={said['id']} rank={self.number} no memory\n")
            case _:
                wrong = "pass=timed offset=5 expected=9 seen=8"
                self._answer(
                    ours.lasts_s, f"fault id={said['id']} rank={self.number} {wrong}\n", ours
                )

    def _fall(self, after_s: float, status: int) -> None:
        self.job.stuck = True
        self._clock.after(after_s, lambda: self.process.end(status))

    def _result(self, said: Mapping[str, str], ours: PlayedSlice) -> bytes:
        lag_ns = self.job.library.apart_ns * self.number
        batches = ours.batches + np.array([lag_ns, lag_ns, 0])
        body = batches.tobytes() if ours.everybody_records or self.number == 0 else b""
        head = (
            f"result id={said['id']} rank={self.number} repetitions={ours.repetitions} "
            f"bytes={len(body)} warm_up={ours.warm_up} contends={self.job.library.contends:d} "
            f"window_ns={ours.window_ns} run_delay_ns={ours.run_delay_ns} switches=0 faults=0 "
            f"handover_ns={ours.handover_ns}{self._links(said, ours)}\n"
        )
        return head.encode() + body

    def _links(self, said: Mapping[str, str], ours: PlayedSlice) -> str:
        if said.get("links") != "1":
            return ""
        mbits = self.job.machine.script.link_mbits
        carried = int(self.job.library.link_share * mbits * 125_000 * ours.window_ns * 1e-9)
        return f" links_ns={ours.window_ns} links=eth0/tx:{carried}:{mbits}"

    def _crossed(self, said: Mapping[str, str]) -> str:
        hosts = len({one.site.name for one in self.job.ranks.values()})
        least = int(said["next"]) + int(said["other"]) * (hosts - 2)
        carried = 0 if self.job.library.avoids_links else int(MTU_SHARE * least)
        return (
            f"result id={said['id']} rank={self.number} repetitions=0 bytes=0 warm_up=0:0:0 "
            f"contends=0 window_ns=1000000 run_delay_ns=0 switches=0 faults=0 handover_ns=-1 "
            f"links_ns=1000000 links=eth0/tx:{carried}:{self.job.machine.script.link_mbits}\n"
        )

    def _fitted(self, said: Mapping[str, str]) -> str:
        clocks = self.job.machine.script.clocks
        here = clocks.get(self.site.name)
        leader = min(
            number
            for number, one in self.job.ranks.items()
            if (one.site.name in clocks and one.site.name == self.site.name)
            or (one.site.name not in clocks and here is None)
        )
        if self.number == 0:
            self.job.fits += 1
        now_ns = round(self._clock.monotonic() * 1e9)
        about = f"fitted id={said['id']} rank={self.number} leader={leader}"
        if here is None:
            return (
                f"{about} fits=0 here_ns={now_ns} offset_ns=0 drift=0 missed_ns=0 error_ns=0 "
                "round_trip_ns=0\n"
            )
        offset_ns = round((here.offset_s + here.drift * self.job.machine.elapsed_s) * 1e9)
        missed_ns = here.missed_ns if self.job.fits > 1 else 0
        return (
            f"{about} fits={self.job.fits} here_ns={now_ns + offset_ns} offset_ns={offset_ns} "
            f"drift={here.drift} missed_ns={missed_ns} error_ns=50 round_trip_ns=2000\n"
        )

    def _answer(self, after_s: float, text: str | bytes, ours: PlayedSlice | None = None) -> None:
        """Says `text` in so many seconds, unless this or another rank is lost until then."""

        def say() -> None:
            if self.process.poll() is None and not (ours is not None and self.job.stuck):
                self.phase = "idle"
                self._say(text)

        if ours is None or not any(
            self.job.machine.is_down(one.site.name) for one in self.job.ranks.values()
        ):
            self._clock.after(after_s, say)

    def _say(self, text: str | bytes) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.setblocking(True)
                self._socket.sendall(text.encode() if isinstance(text, str) else text)
                self._socket.setblocking(False)

    def _hang_up(self) -> None:
        if self._socket is not None:
            self._clock.ignore(self._socket)
            self._socket.close()
            self._socket = None
