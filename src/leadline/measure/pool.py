"""The launches of one block and one number of ranks, alive together: some of each variant.

They are started all at once: who said hello in time is in, what went wrong with the others is said.
A library that finds memory which hosts of one machine share sends past the links between them, and
its times aren't theirs. So each launch over such hosts first sends known bytes, and the counters of
the hosts' interfaces are compared with these. Hosts on machines of their own can't share memory.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from leadline.backends.kinds import KINDS, launcher_for
from leadline.backends.launchers import Command, JobStep, Launcher
from leadline.backends.launchers.relays import relayed
from leadline.backends.preparation import prepare
from leadline.errors import LaunchError, MachineError
from leadline.hosts.cores import Site, repeated
from leadline.kernels.connections import CONFIDENTIAL, Cause, Credentials, UnauthenticatedError
from leadline.kernels.messages import Result
from leadline.kernels.server import ControlServer
from leadline.measure.diagnostics import RankLocator, cut_off
from leadline.measure.launch import HUNG_UP_S, PAGES, Launch, SliceError, clear, gone, kill, leave
from leadline.measure.plan import Group
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Variant, carriers
from leadline.measure.system import SCRATCH, System
from leadline.record.run import Host
from leadline.record.warnings import RunWarning, WarningKind, warning_of

LEAVE_LOOK_S = 0.005
LOOK_S = 0.1
"""Time between checks of which processes have ended: to check a thousand processes for each that
says hello takes longer than to start them all."""


def start_together(
    server: ControlServer, launches: Sequence[Launch], patience_s: float
) -> dict[int, LaunchError]:
    """Starts all launches at once and waits until their ranks said hello.

    Args:
        server: Where ranks connect.
        launches: Not yet started.
        patience_s: How long to wait.

    Returns:
        Number of the launch -> what went wrong, for those that didn't come up; they are ended.
    """
    failed: dict[int, LaunchError] = {}
    for launch in launches:
        try:
            launch.start()
        except LaunchError as error:
            failed[launch.number] = error
    clock = server.clock
    deadline, next_look = clock.monotonic() + patience_s, 0.0
    while waiting := [la for la in launches if la.number not in failed and la.missing]:
        _welcome(server, launches, failed)
        if clock.monotonic() < next_look:
            continue
        next_look = clock.monotonic() + LOOK_S
        for launch in waiting:  # who was refused may have ended by now: the reason is known
            if launch.number not in failed and launch.missing:
                _note_end(launch, failed, clock.monotonic() >= deadline, patience_s)
    give_up(server, [launch for launch in launches if launch.number in failed])
    for launch in launches:
        if launch.number not in failed:
            launch.note_segments()
    return failed


def give_up(server: ControlServer, launches: Sequence[Launch]) -> None:
    """Ends launches, of whose ranks some may be on their way to say hello."""
    for launch in launches:
        launch.note_segments()
        launch.hung_up = server.hang_up(launch.credentials.name)
    kill(launches)


def break_off(server: ControlServer, launches: Sequence[Launch]) -> None:
    """Ends launches that are being started; nobody else is awaited.

    Whoever connects is turned away, and ends by itself, as its launcher does then: launchers that
    are told to end while they start clear up less.
    """
    for launch in launches:
        launch.note_segments()
        server.hang_up(launch.credentials.name)
    clock = server.clock
    deadline = clock.monotonic() + HUNG_UP_S
    while clock.monotonic() < deadline and not all(gone(launch.started) for launch in launches):
        server.turn_away()
        clock.sleep(LEAVE_LOOK_S)
    give_up(server, launches)


def _welcome(
    server: ControlServer, launches: Sequence[Launch], failed: dict[int, LaunchError]
) -> None:
    """Takes in the relays and ranks that connect now; who can't be taken in is refused.

    Launches that don't become what was asked for are added to `failed`, by number.
    """
    by_name = {launch.credentials.name: launch for launch in launches}
    credentials = {launch.credentials.name: launch.credentials for launch in launches}
    arrivals = server.accept(0.1, credentials, sum(launch.missing for launch in launches))
    for relay in server.ready_relays():  # a relay starts what waits for it, if that is still wanted
        launch = by_name[relay.launch]
        if launch.number in failed:
            relay.connection.close()
            continue
        try:
            launch.add_relay(relay.connection)
        except UnauthenticatedError as error:
            server.refuse(relay.connection, error.cause)
        except LaunchError as error:
            failed[launch.number] = error
    for arrival in arrivals:
        launch = by_name[arrival.launch]
        if launch.number in failed:
            arrival.connection.close()
            continue
        try:
            launch.join(arrival.connection, arrival.hello)
        except UnauthenticatedError as error:
            server.refuse(arrival.connection, error.cause)
        except LaunchError as error:
            failed[launch.number] = error
            arrival.connection.close()


def _note_end(
    launch: Launch, failed: dict[int, LaunchError], overdue: bool, patience_s: float
) -> None:
    """Adds `launch` to `failed` where a process of it has ended, or it is `overdue`."""
    statuses = [process.poll() for process in launch.started]
    ended = next((i for i, status in enumerate(statuses) if status is not None), 0)
    argv, role = launch.commands[ended].argv, launch.commands[ended].role
    if statuses[ended] is not None:
        problem = (
            f"{launch.label}: {f'its {role} ' if role else ''}ended before all ranks were ready "
            f"(exit status {statuses[ended]}); the launcher is {argv[0]}, the library that of "
            f"{launch.library}"
        )
    elif overdue:
        problem = f"{launch.label}: not ready after {patience_s:.0f} s"
    else:
        return
    failed[launch.number] = LaunchError(problem, argv, statuses[ended], launch.output_tail())


def unauthenticated_warnings(refused: Mapping[Cause, int]) -> list[RunWarning]:
    """The warning that a run has of connections that were refused; empty where none was."""
    total = sum(refused.values())
    if total == 0:
        return []
    causes = sorted(refused.items(), key=lambda item: (-item[1], item[0].value))
    shown = [f"{count} {cause.value}" for cause, count in causes]
    return [warning_of(WarningKind.UNAUTHENTICATED, number=total, causes=shown)]


NEXT_BYTES = 64 * 1024
"""Bytes to the next host: libraries send long messages in other ways than short ones."""
OTHER_BYTES = 4096
"""Bytes to each other host: all together take less than a second on a link of 10 Mbit/s."""
SLOWEST_BYTES_PER_S = 1000.0
"""Rate of the links between emulated hosts, at least."""


class ShortcutError(LaunchError):
    """Messages between hosts of a launch don't cross the links between them."""

    code = "shortcut"

    def __init__(self, problem: str) -> None:
        """`problem` has the facts; what was started isn't at fault."""
        super().__init__(problem, (), None, "")
        self.problem = problem

    def __str__(self) -> str:
        """The facts alone."""
        return self.problem


def share_a_machine(sites: Sequence[Site]) -> bool:
    """Whether two of `sites` are hosts of different names on one machine."""
    names: dict[str, set[str]] = {}
    for site in sites:
        names.setdefault(site.machine, set()).add(site.name)
    return any(len(hosts) > 1 for hosts in names.values())


def check_shortcut(launch: Launch, patience_s: float) -> None:
    """Sends known bytes between the hosts of `launch`, which is up, if any two share a machine.

    Args:
        launch: With the site of each of its ranks, where that is known; else nothing is sent.
        patience_s: Without an answer before a rank counts as hung, beside what slow links take.

    Raises:
        ShortcutError: Fewer bytes left a host than were sent from it to others.
        LaunchError: A rank ends or hangs.
    """
    if not share_a_machine(launch.sites):
        return
    names = [site.name for site in launch.sites]
    share, hosts = names.count(names[0]), len(set(names))
    least = NEXT_BYTES + OTHER_BYTES * (hosts - 2)
    command = f"shortcut share={share} next={NEXT_BYTES} other={OTHER_BYTES}"
    patience_s += least * hosts / SLOWEST_BYTES_PER_S
    try:
        results = launch.measure(
            command, f"{launch.label}: bytes between hosts", launch.ranks, patience_s
        )
    except SliceError as error:
        raise LaunchError(f"{launch.label}: {error}", launch.commands[0].argv, None, "") from error
    problem = shortcut(results, {hello.rank: hello.host for hello in launch.hellos.values()}, least)
    if problem:
        raise ShortcutError(f"{launch.label}: {problem}")


def shortcut(results: Sequence[Result], hosts: Mapping[int, str], least: int) -> str:
    """What is wrong where an interface sent too little, with the remedy; empty: nothing is.

    Args:
        results: Of all ranks; what their hosts' interfaces carried, as far as that can be read.
        hosts: The host of each rank.
        least: Bytes of messages that left each host; headers come on top.
    """
    sent: dict[str, int] = {}
    for result in results:
        out = [link.bytes for link in result.around.links if link.name.endswith(" tx")]
        if out:
            sent[hosts[result.rank]] = max(sum(out), sent.get(hosts[result.rank], 0))
    short = {host: count for host, count in sent.items() if count < least}
    if not short:
        return ""
    found = ", ".join(f"{host} {sent[host]:,} B" for host in sorted(short))
    return (
        f"{least:,} B of messages went from each host to others, but past the interfaces, which "
        f"sent {found}. The hosts are one machine, and the library found memory that they share: "
        "have the agent enter all of a host (nsenter --net --uts --ipc --mount), or tell the "
        "library to take the network (e.g. UCX_TLS=tcp,self)"
    )


MOST_RELAUNCHES = 3
"""Relaunches of one variant in one block; then it is out for the rest of the block."""


class LaunchPool:
    """A context: entering it starts the variants together, leaving it ends them."""

    def __init__(
        self,
        prepared: Prepared,
        server: ControlServer,
        group: Group,
        variants: Sequence[Variant],
        numbers: Iterator[int],
        system: System,
    ) -> None:
        """Each launch takes the next of `numbers`, and runs on `system`."""
        self._numbers, self._system = numbers, system
        self.prepared, self.server, self.group = prepared, server, group
        self.startup_s = 0.0
        self.failed: Mapping[str, LaunchError] = {}
        """The variants with a launch that didn't come up when all were started, and why."""
        self._carriers = carriers(variants)
        self._variants = {v.name: v for v in variants if v.name in self._carriers.values()}
        self._launches: dict[str, list[Launch]] = {name: [] for name in self._variants}
        self._relaunches = Counter[str]()
        slots = {
            (variant, placement.pattern): placement.slots
            for variant, placements in group.placements.items()
            for placement in placements
        }
        distinct = dict.fromkeys([tuple(range(group.ranks)), *slots.values()])
        numbered = {placement: number for number, placement in enumerate(distinct)}
        self._placements = {key: (numbered[one], one) for key, one in slots.items()}
        """By variant and pattern the number of its grid's placement and the slots of ranks.

        Equal placements have one number; 0 is ranks in their order.
        """

    def __enter__(self) -> LaunchPool:
        """Starts all launches, together."""
        begin = self._system.clock.monotonic()
        variants = self._variants.values()
        self.failed = self._start(
            [v for v in variants for _ in range(1 if v.simulated_on else self.group.launches)]
        )
        self.startup_s = self._system.clock.monotonic() - begin
        return self

    def __exit__(self, *_: object) -> None:
        """Ends all launches, together: libraries take longer to leave than to be waited for."""
        leave(self.launches)

    @property
    def variants(self) -> Collection[str]:
        """The names of those that are measured by its launches."""
        return self._carriers.keys()

    @property
    def launches(self) -> list[Launch]:
        """All launches that are alive."""
        return [launch for launches in self._launches.values() for launch in launches]

    def launch_of(self, variant: str, visit: int) -> Launch | None:
        """The launch for `variant` whose turn `visit` is; None where it is out of this block.

        Variants that share launches have the same one in the same visit.
        """
        launches = self._launches[self._carriers[variant]] if variant in self._carriers else []
        return launches[visit % len(launches)] if launches else None

    def place(self, launch: Launch, variant: str, pattern: str, patience_s: float) -> int:
        """The number by which `launch` knows how `variant` places `pattern`; 0: ranks in order.

        Each placement is sent to a launch once. Raises SliceError where a rank refuses it, ends or
        hangs for `patience_s`.
        """
        number, slots = self._placements.get((variant, pattern), (0, ()))
        if number and number not in launch.placed:
            launch.place(number, slots, patience_s)
        return number

    def replace(self, launch: Launch) -> dict[str, LaunchError]:
        """Ends `launch` and starts another, unless its variant failed too often.

        Returns the variants that have none then, for it doesn't come up, and why.
        """
        self.drop(launch)
        self._relaunches[launch.label] += 1
        if self._relaunches[launch.label] > MOST_RELAUNCHES:
            return {}
        return self._start([self._variants[launch.label]])

    def drop(self, launch: Launch) -> None:
        """Ends `launch`, and starts none in its place."""
        self._launches[launch.label].remove(launch)
        kill((launch,))

    def _start(self, variants: Sequence[Variant]) -> dict[str, LaunchError]:
        """Starts a launch of each of `variants`, together; returns those that don't come up."""
        launches: list[Launch] = []
        try:
            for variant in variants:
                launches.append(self._launch(variant))
            failed = start_together(self.server, launches, self.prepared.request.start_patience_s)
            failed |= self._with_a_shortcut([la for la in launches if la.number not in failed])
        except BaseException:
            break_off(self.server, launches)
            raise
        for launch in launches:
            if launch.number not in failed:
                self._launches[launch.label].append(launch)
        lost = [launch for launch in launches if launch.number in failed]
        hosts = {host for launch in lost for host in launch.hosts}
        shells = {
            host: shell for host, shell in self.prepared.remote_shells.items() if host in hosts
        }
        outages = RankLocator(Path(), shells, self._system).outages(hosts)
        outages = outages or cut_off(self._system.apart(shells))
        complaints = {la.label: la.complaint(failed[la.number], outages) for la in lost}
        return {
            name: complaints[carrier]
            for name, carrier in self._carriers.items()
            if carrier in complaints
        }

    def _with_a_shortcut(self, launches: Sequence[Launch]) -> dict[int, LaunchError]:
        """Ends `launches` whose messages don't cross links; returns what is wrong, by number."""
        failed: dict[int, LaunchError] = {}
        for launch in launches:
            try:
                check_shortcut(launch, self.prepared.request.patience_s)
            except LaunchError as error:
                failed[launch.number] = error
        kill([launch for launch in launches if launch.number in failed])
        return failed

    def _launch(self, variant: Variant) -> Launch:
        """A launch of `variant`, not yet started.

        Where the user's own words for the launcher may have placed its ranks, their sites aren't
        known; simulated ranks are where the front-end is.
        """
        job, prepared = self.prepared.job, self.prepared.of(variant)
        credentials = Credentials.fresh()
        try:
            scratch = Path(tempfile.mkdtemp(prefix=SCRATCH))
        except OSError as error:
            raise MachineError(
                f"no temporary directory for a launch: {error}; free space or set TMPDIR"
            ) from error
        note = self._system.note(scratch, credentials.name, KINDS[variant.backend.kind])
        try:
            launcher = launcher_for(variant.backend, job)
            step = self._step(variant, launcher, credentials, scratch)
            processes = variant.capability.processes(step.ranks)
            own_words = variant.arguments and not prepared.request.hosts.names
            unknown = own_words or variant.simulated_on
            sites = [] if unknown else prepared.sites_of(self.group.ranks)
            relays: list[Command] = []
            if not variant.simulated_on:
                step, relays = relayed(step, self.server.address, processes, sites, job)
            commands = (*relays, *launcher.commands(prepare(variant.backend, step)))
            return Launch(
                phases=variant.capability.phases,
                label=variant.name,
                number=next(self._numbers),
                ranks=self.group.ranks,
                processes=processes,
                credentials=credentials,
                commands=[
                    command.keeping_in(str(scratch), step, job is not None) for command in commands
                ],
                relays=1 if variant.simulated_on else len(relays),
                system=self._system,
                note=note,
                library=variant.backend.compiler or variant.kernel,
                sites=sites,
                scratch=scratch,
                remote_shells=prepared.remote_shells,
            )
        except BaseException:
            clear(scratch, note, orderly=True, system=self._system)
            raise

    def _step(
        self, variant: Variant, launcher: Launcher, credentials: Credentials, scratch: Path
    ) -> JobStep:
        """What `launcher` is to start for a launch.

        Variables tell its kernels who asks them, where they report, and their cores; simulated
        ranks have no core of their own, so that those about cores are left out.
        """
        prepared, ranks = self.prepared.of(variant), self.group.ranks
        environment = dict(variant.environment) | self.group.environment | credentials.variables
        environment["LEADLINE_CONTROL"] = self.server.address
        environment["LEADLINE_PROGRESS"] = str(scratch / PAGES)
        if not self.group.oversubscribed:
            environment["LEADLINE_CORE_LATENCY"] = str(scratch / "core-latency")
        if self.prepared.request.bind:
            binding = prepared.binding(ranks, max(self.group.threads, 1))
            environment["LEADLINE_BIND"] = ",".join(map(str, repeated(binding)))
        environment["LEADLINE_SEGMENTS"] = ":".join(KINDS[variant.backend.kind].segments)
        environment["LEADLINE_RANK_VARIABLE"] = launcher.rank_variable
        words = variant.arguments
        if variant.simulated_on:
            launch = variant.simulated_on.launches[ranks]
            for name in ("LEADLINE_BIND", "LEADLINE_RANK_VARIABLE", "LEADLINE_CORE_LATENCY"):
                environment.pop(name, None)
            environment |= launch.environment
            words = (*launch.words, *words)
        return JobStep(
            executable=variant.kernel,
            arguments=(),
            ranks=ranks,
            environment=environment,
            confidential=CONFIDENTIAL,
            launcher_arguments=words,
            hosts=prepared.request.hosts.used_by(ranks),
            buffer_bytes=self.prepared.plan.buffer_bytes(self.group),
            folder=str(scratch),
            oversubscribed=self.group.oversubscribed,
        )


def hosts_of(launch: Launch, sites: Sequence[Site]) -> list[Host]:
    """The hosts that the ranks of `launch` report, with the cores that `sites` leave them."""
    cores_of: dict[tuple[str, str, str], set[int]] = {}
    for _, hello in sorted(launch.hellos.items()):
        cores_of.setdefault((hello.host, hello.machine, hello.clock), set()).update(hello.cores)
    surveyed = {(site.name, site.machine): site.cores for site in sites}
    return [
        Host(name, machine, clock, tuple(sorted(set(surveyed.get((name, machine), cores)))))
        for (name, machine, clock), cores in cores_of.items()
    ]


def launch_warnings(launch: Launch, prepared: Prepared) -> list[RunWarning]:
    """Warnings where a launch isn't what was asked for: its cores, its library's version."""
    variant = next(v for v in prepared.variants if v.name == launch.label)
    binding = () if variant.simulated_on else prepared.of(variant).binding(launch.ranks)
    warnings = []
    wrong = [
        f"rank {hello.rank} runs on cores {','.join(map(str, hello.cores))}"
        for hello in launch.hellos.values()
        if binding and hello.cores != (binding[hello.rank],)
    ]
    if wrong:
        warnings.append(
            warning_of(
                WarningKind.BINDING,
                variant=launch.label,
                ranks=launch.ranks,
                wrong="; ".join(wrong),
            )
        )
    version, library = variant.backend.version, launch.hellos[0].library
    if version is not None and version not in library:
        warnings.append(
            warning_of(
                WarningKind.VERSION,
                variant=launch.label,
                version=version,
                library=library[:60].strip(),
            )
        )
    return warnings
