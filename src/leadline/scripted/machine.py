"""A machine that plays a script under a campaign."""

from __future__ import annotations

import itertools
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from leadline.backends.kinds import Kind
from leadline.backends.launchers import Command
from leadline.hosts.cleanup.identities import FileIdentity
from leadline.hosts.cleanup.notes import Note
from leadline.hosts.cleanup.sweep import Swept
from leadline.hosts.cores import Site
from leadline.hosts.schedulers import BatchJob, RemoteShell
from leadline.hosts.this_host import Load
from leadline.kernels.description import Capability
from leadline.kernels.progress import RankState
from leadline.measure.spec import Variant
from leadline.measure.system import LaunchedProcess
from leadline.processes import CommandResult
from leadline.scripted.clock import VirtualClock
from leadline.scripted.processes import FIRST_PID, ScriptedNote, ScriptedProcess
from leadline.scripted.ranks import ScriptedLaunch, ScriptedRank
from leadline.scripted.relays import ScriptedRelay
from leadline.scripted.script import RankFault, Script, Task, Trouble
from leadline.scripted.times import ScriptedTimes

START_S = 1000.0
"""What the clock shows when the campaign starts."""
RELAY_STARTUP_S = 0.01
LOST_AGAIN = 9
"""How often in a row what goes over a link that is cut is sent again."""
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
        self.launches: dict[str, ScriptedLaunch] = {}
        """All that were started, in order, by what their credentials call them."""
        self._pids = itertools.count(FIRST_PID)
        self._ranks: dict[int, ScriptedRank] = {}
        self._met = Counter[RankFault]()
        for jump in script.jumps:
            self.clock.after(jump.at_s, partial(self.clock.jump, jump.by_s))
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
            outage.host == host and outage.begin_s <= self.elapsed_s < outage.end_s
            for outage in self.script.outages
        )

    def is_cut(self, one: str, other: str) -> bool:
        """Whether nothing goes between two hosts now."""
        return any(
            cut.hosts == {one, other} and cut.begin_s <= self.elapsed_s < cut.end_s
            for cut in self.script.cuts
        )

    def fault_of(
        self, library: str, rank: int, task: Task, size_bytes: int | None = None
    ) -> RankFault | None:
        """What goes wrong now in this rank, which is at `task`, a slice of that size perhaps."""
        for fault in self.script.faults:
            mine = (fault.library, fault.rank) == (library, rank)
            due = self.elapsed_s >= fault.at_s and self._met[fault] < fault.times
            if mine and due and fault.meets(task, size_bytes):
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
        transports = self.script.transports.get(variant.name, (variant.transport,))
        self.asked[variant.name] += 1
        return transports[min(self.asked[variant.name], len(transports)) - 1]

    def note(self, scratch: Path, launch: str, kind: Kind) -> Note | None:
        """What its ranks map in shared memory, if it has room; nothing is written down."""
        return ScriptedNote.of(scratch, maps=not self.shared_memory_is_short())

    def processes_of(self, launch: str) -> set[int]:
        """None: its processes aren't this host's."""
        return set()

    def end_processes(self, note: Note, patience_s: float) -> set[FileIdentity]:
        """None is left: whoever is killed is dead."""
        return set()

    def start(self, command: Command, output: IO[bytes]) -> LaunchedProcess:
        """Starts the rank or relay of `command`, here or on the host that it is sent to."""
        environment, site, argv = self._about(command)
        kernel = _KERNEL.match(argv[0])
        if kernel is None:
            raise FileNotFoundError(2, "No such file or directory", argv[0])
        name = kernel[1]
        job = self._job(environment["LEADLINE_LAUNCH"], name)
        if "LEADLINE_RELAY" in environment:
            relay = ScriptedRelay(self.clock, site, environment, int(argv[2]), next(self._pids))
            job.relays[site.name] = relay
            self.clock.after(RELAY_STARTUP_S, relay.connect)
            return relay.process
        number = int(environment["LEADLINE_RANK"])
        fault = self.fault_of(name, number, Task.START)
        if fault is not None and fault.trouble is Trouble.NO_FILE:
            raise FileNotFoundError(2, "No such file or directory", name)
        rank = ScriptedRank(job, number, site, environment, next(self._pids))
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

    def ask(self, commands: Sequence[Sequence[str]], timeout_s: float) -> list[CommandResult]:
        """What the hosts say of their ranks; one that is down takes all of the time."""
        hosts = [command[1] for command in commands]
        if any(map(self.is_down, hosts)):
            self.clock.sleep(timeout_s)
        return [
            CommandResult(None, f"no end within {timeout_s:.0f} s")
            if self.is_down(host)
            else CommandResult(0, self._said_of(shlex.split(command[-1])))
            for host, command in zip(hosts, commands, strict=True)
        ]

    def apart(self, shells: Mapping[str, RemoteShell]) -> set[frozenset[str]]:
        """Hosts between which the link is cut."""
        pairs = itertools.combinations(shells, 2)
        return {frozenset(pair) for pair in pairs if self.is_cut(*pair)}

    def _said_of(self, words: Sequence[str]) -> str:
        """What a host answers of the ranks that `words` ask for: states, and connections.

        Of each connection to a rank on another host it has both ends, and how often it sent again.
        """
        lines = ["leadline-host"]
        for match in filter(None, map(_RANK.match, words)):
            state = self.rank_state(int(match[1]), Path(), int(match[2]))
            where = f"{state.rank} {state.state} {state.waits_in or 0}"
            lines.append(f"leadline-rank {where} 1 {state.phase} {state.batches}")
            rank = self._ranks[int(match[2])]
            for other, peer in rank.job.ranks.items():
                if peer.site.name == rank.site.name:
                    continue
                local, remote = _end(rank.number, other), _end(other, rank.number)
                again = LOST_AGAIN * self.is_cut(rank.site.name, peer.site.name)
                lines.append(f"leadline-flow {state.rank} {local} {remote} {again:02X}")
        return "\n".join(lines)

    def _about(self, command: Command) -> tuple[Mapping[str, str], Site, Sequence[str]]:
        """The environment, the site and the own words of the process that `command` starts."""
        if _KERNEL.match(command.argv[0]):
            return command.environment, self.script.sites[0], command.argv
        _, host, text = command.argv
        words = shlex.split(text)
        end = words.index("--")
        kernel = next(i for i, word in enumerate(words) if _KERNEL.match(word))
        shown = dict(word.split("=", 1) for word in words[end + 2 : kernel])
        hidden = words[words.index("sh", 3) + 1 : end]
        told = dict(zip(hidden, command.read.splitlines(), strict=False))
        (site,) = (one for one in self.script.sites if host in (one.asked, one.name))
        return shown | told, site, words[kernel:]

    def _job(self, launch: str, name: str) -> ScriptedLaunch:
        if launch not in self.launches:
            library = self.script.libraries[name]
            is_first = name not in {one.name for one in self.launches.values()}
            factor = self.times.launch(library)
            self.launches[launch] = ScriptedLaunch(
                self, name, library, self.capability, is_first=is_first, factor=factor
            )
        return self.launches[launch]

    def __enter__(self) -> ScriptedMachine:
        """The machine itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Releases what it has open."""
        self.close()


def kernel_of(library: str) -> str:
    """The path that stands for the kernel over `library`."""
    return f"/scripted/{library}/kernel"


def _end(rank: int, peer: int) -> str:
    """Address and port of the end that `rank` has of its connection with `peer`."""
    return f"{rank:08X}:{peer:04X}"


def _interrupt() -> None:
    raise KeyboardInterrupt
