"""A machine that plays a script under a campaign."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from leadline.backends.kinds import Kind
from leadline.backends.launchers import Command
from leadline.hosts.cores import Site
from leadline.hosts.doors import Door
from leadline.hosts.remains import Swept
from leadline.hosts.schedulers import BatchJob
from leadline.hosts.started import Note
from leadline.hosts.this_host import Load
from leadline.kernels.patterns import Capability
from leadline.kernels.progress import RankState
from leadline.measure.system import LaunchedProcess
from leadline.measure.variants import Variant
from leadline.processes import Ending
from leadline.scripted.clock import VirtualClock
from leadline.scripted.ranks import FIRST_PID, ScriptedLaunch, ScriptedProcess, ScriptedRank
from leadline.scripted.script import STARTING, RankFault, Script, ScriptedLibrary, Trouble
from leadline.scripted.times import ScriptedTimes

START_S = 1000.0
"""What the clock shows when the campaign starts."""
_KERNEL = re.compile(r"^/scripted/([^/]+)/kernel$")
_RANK = re.compile(r"^(\d+):(\d+)$")


class ScriptedMachine:
    """A `measure.system.System` without a process, whose time is virtual."""

    def __init__(self, script: Script, capability: Capability) -> None:
        """Plays `script`; its libraries' kernels can do what `capability` says."""
        self.script, self.capability = script, capability
        self.clock = VirtualClock(START_S)
        self.times = ScriptedTimes(script)
        self.asked = Counter[str]()
        """How often each variant was asked what it sends by."""
        self._jobs: dict[str, ScriptedLaunch] = {}
        self._ranks: dict[int, ScriptedRank] = {}
        self._met = Counter[RankFault]()
        for jump in script.jumps:
            self.clock.after(jump.at_s, lambda by_s=jump.by_s: self.clock.jump(by_s))  # type: ignore[misc]
        for at_s in script.interrupts:
            self.clock.after(at_s, _interrupt)

    @property
    def elapsed_s(self) -> float:
        """Seconds of the script."""
        return self.clock.monotonic() - START_S

    def close(self) -> None:
        """Releases what it has open."""
        self.clock.close()

    def is_down(self, host: str) -> bool:
        """Whether `host` answers nobody now."""
        return any(
            one.host == host and one.begin_s <= self.elapsed_s < one.end_s
            for one in self.script.outages
        )

    def fault_of(self, library: str, rank: int, size_bytes: int | None) -> RankFault | None:
        """What goes wrong in this rank now; in one that starts, where no size is given."""
        for fault in self.script.faults:
            meets = (fault.library, fault.rank) == (library, rank)
            starts = fault.trouble in STARTING
            here = starts if size_bytes is None else not starts
            fits = fault.size_bytes in (None, size_bytes) and self.elapsed_s >= fault.at_s
            if meets and here and fits and self._met[fault] < fault.times:
                self._met[fault] += 1
                return fault
        return None

    def sweep(self) -> Swept:
        """Nothing was left behind."""
        return Swept()

    def load(self) -> Load:
        """What the script has there now beside the ranks."""
        cores = len(self.script.sites[0].cores)
        return Load(cores * self.times.waits(self.elapsed_s), cores)

    def shared_memory_is_short(self) -> bool:
        """As the script says."""
        return any(begin <= self.elapsed_s < end for begin, end in self.script.short_memory)

    @contextmanager
    def spinning(self, cores: Sequence[int]) -> Iterator[None]:
        """Nothing spins: loads are the script's."""
        yield

    def transport_of(self, variant: Variant, job: BatchJob | None) -> str:
        """What the script has the variant say this time; the last word stays."""
        said = self.script.transports.get(variant.name, (variant.transport,))
        self.asked[variant.name] += 1
        return said[min(self.asked[variant.name], len(said)) - 1]

    def note(self, scratch: Path, launch: str, kind: Kind) -> Note | None:
        """Nothing outlives the campaign, so nothing is written down."""
        return None

    def start(self, command: Command, output: IO[bytes]) -> LaunchedProcess:
        """Starts the rank that `command` is about, here or on the host that it is sent to."""
        environment, site, name = self._about(command)
        number = int(environment["LEADLINE_RANK"])
        fault = self.fault_of(name, number, None)
        if fault is not None and fault.trouble is Trouble.NO_FILE:
            raise FileNotFoundError(2, "No such file or directory", name)
        job = self._job(environment["LEADLINE_LAUNCH"], name)
        rank = ScriptedRank(job, number, site, environment, FIRST_PID + len(self._ranks))
        self._ranks[rank.process.pid] = rank
        if fault is None:
            self.clock.after(job.library.startup_s, rank.connect)
        elif fault.trouble is Trouble.NO_START:
            output.write(b"no such device\n")
            self.clock.after(job.library.startup_s, lambda: rank.process.end(1))
        return rank.process

    def kill(self, process: LaunchedProcess) -> None:
        """Ends it by SIGKILL."""
        assert isinstance(process, ScriptedProcess)
        process.end(-9)

    def site(self) -> Site:
        """The first one; where there are several hosts, one beside them."""
        if len(self.script.sites) > 1:
            return Site("front-end", "front-end", (0,))
        return self.script.sites[0]

    def rank_state(self, rank: int, page: Path, pid: int) -> RankState:
        """As its page and the system would say."""
        phases, one = self.capability.phases, self._ranks[pid]
        state = "?" if one.process.poll() is not None else one.state
        waits_in = "futex_wait_queue" if state == "S" else ""
        return RankState(rank, phases.index(one.phase), one.batches_done, state, waits_in)

    def ask(self, commands: Sequence[Sequence[str]], timeout_s: float) -> list[Ending]:
        """What the hosts say of their ranks; one that is down takes all of the time."""
        hosts = [command[1] for command in commands]
        if any(map(self.is_down, hosts)):
            self.clock.sleep(timeout_s)
        return [
            Ending(None, f"no end within {timeout_s:.0f} s")
            if self.is_down(host)
            else Ending(0, self._said_of(shlex.split(command[-1])))
            for host, command in zip(hosts, commands, strict=True)
        ]

    def apart(self, doors: Mapping[str, Door]) -> set[frozenset[str]]:
        """None: hosts that are up reach each other."""
        return set()

    def _said_of(self, words: Sequence[str]) -> str:
        lines = ["leadline-host"]
        for found in filter(None, map(_RANK.match, words)):
            state = self.rank_state(int(found[1]), Path(), int(found[2]))
            where = f"{state.rank} {state.state} {state.waits_in or 0}"
            lines.append(f"leadline-rank {where} 1 {state.phase} {state.batches}")
        return "\n".join(lines)

    def _about(self, command: Command) -> tuple[Mapping[str, str], Site, str]:
        """The environment of the rank that `command` starts, its site and its library's name."""
        if _KERNEL.match(command.argv[0]):
            return command.environment, self.script.sites[0], _library_of(command.argv[0])
        _, host, text = command.argv
        words = shlex.split(text)
        end, kernel = words.index("--"), words[-1]
        shown = dict(word.split("=", 1) for word in words[end + 2 : -1])
        hidden = words[words.index("sh", 3) + 1 : end]
        told = dict(zip(hidden, command.read.splitlines(), strict=False))
        (site,) = (one for one in self.script.sites if host in (one.asked, one.name))
        return shown | told, site, _library_of(kernel)

    def _job(self, launch: str, name: str) -> ScriptedLaunch:
        if launch not in self._jobs:
            library: ScriptedLibrary = self.script.libraries[name]
            self._jobs[launch] = ScriptedLaunch(
                self, name, library, self.capability, factor=self.times.launch(library)
            )
        return self._jobs[launch]

    def __enter__(self) -> ScriptedMachine:
        """The machine itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Releases what it has open."""
        with contextlib.suppress(OSError):
            self.close()


def kernel_of(library: str) -> str:
    """The path that stands for the kernel over `library`."""
    return f"/scripted/{library}/kernel"


def _library_of(kernel: str) -> str:
    found = _KERNEL.match(kernel)
    if found is None:
        raise FileNotFoundError(2, "No such file or directory", kernel)
    return found[1]


def _interrupt() -> None:
    raise KeyboardInterrupt
