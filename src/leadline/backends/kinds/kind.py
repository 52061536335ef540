"""The facts that are known of a kind of library, whatever machine it is on.

A library that comes with a compiler wrapper says by `standard` what it implements, and by marks how
it is told from others. The class that starts a kind's ranks in an allocation of a scheduler, which
`hosts/schedulers.py` knows by its variables, is under `scheduled`. Kinds and launchers are pure:
what a kind must know of a machine it asks a `Prefix`, and what `commands()` needs from outside (a
free port, a folder without another's daemon) `preparation.py` finds before.

A kind that is `simulated` has all of the kernel compiled by `-fPIC -DLEADLINE_SIMULATED`, where
`channel/clock.h` reads the library's time (`transport/simulation.h`) and waits by sleeping in it.
It is linked twice: as the shared object that its launcher loads for each rank, and as a program
that says what it can. Nothing in such a rank may wait but in a call of the library; rank 0 reads
commands for all (`engine/commands.c`). `simulate.smpi` makes the launcher's words of the machine,
`measure` hands them on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from leadline.backends.backend import UNKNOWN, Backend
from leadline.backends.launchers import Launcher
from leadline.backends.launchers.forwarding import Forward
from leadline.hosts.schedulers import BatchJob

PROCESS_BYTES = 20 * 2**20
"""Memory of a rank besides its messages, over a library of which nothing else is known."""

USUAL_BYTES_PER_S = 1.5e9
"""Rate at which a slow library moves messages through shared memory."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """How to make a library say what carries messages; for a launch of its own, never a timed one.

    Each was tried with the transport forced to something else, and said so. A library that says
    nothing reliable is "unknown": a compiled-in transport is not one that is used.
    """

    environment: Mapping[str, str]
    """Variables that make the library report it."""
    transport: Callable[[str], str]
    """The transport's name in what two ranks that exchanged a message printed, or "unknown"."""


SILENT = Diagnostic({}, lambda _: UNKNOWN)
"""For kinds that can't be asked."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A choice that a launch makes by trying, which may end differently in the next one."""

    variable: str
    """Variable that hands a launch the choice of an earlier one."""
    said: str
    """Regular expression for how a launch names its library, with the choice as a group."""


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon that the ranks of a step need, at most one in the step's folder."""

    addresses: str
    """Glob pattern of files there that hold the path of its Unix socket."""
    halt: str
    """The command that ends the one in {folder}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standard:
    """An interface that several libraries implement, each with a wrapper of the C compiler."""

    name: str
    """Name of the kind for libraries that report nothing known of themselves."""
    compilers: tuple[str, ...]
    """Names of compiler wrappers."""
    header: str
    probe: str
    """File in native/probe: the program that makes a library report which one it is."""
    launcher: str
    """Name of the launcher for a sentence."""
    launchers: tuple[str, ...]
    """Names of launchers beside the wrapper, with {suffix} of the wrapper's name and {kind}."""
    launcher_on_path: str | None = None
    """A launcher that will do where the library has none."""


class Prefix(Protocol):
    """The folder that a library is installed in, as far as its kind may look at it."""

    @property
    def root(self) -> str:
        """The folder that has bin, include and lib."""

    @property
    def wrapper_text(self) -> bytes:
        """Contents of the compiler wrapper."""

    def has(self, path: str) -> bool:
        """Whether there is such a file or folder below the root."""

    def variable(self, name: str) -> str:
        """The user's environment variable; empty where it isn't set."""


def nothing_needed(_: Prefix) -> dict[str, str]:
    """No variables: most libraries' programs need none."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A message-passing library, or a raw transport, or null: every fact that is known of it."""

    name: str
    """Name in --backends and in records."""
    title: str
    """Name for a sentence."""
    sources: tuple[str, ...]
    """Its C file and folder in native/kernels/backends, then folders that it shares. Empty: it has
    no kernel, and is not looked for."""
    left_out: tuple[str, ...] = ()
    """Files among these that it can't use: fallbacks take their places."""
    link_flags: tuple[str, ...] = ()
    """Flags to link with where its compiler is the C compiler, which doesn't know them."""
    launcher: Callable[[Backend], Launcher]
    """How its ranks are started, by the launcher of its own."""
    scheduled: Mapping[str, Callable[[Backend, BatchJob], Launcher]] = field(default_factory=dict)
    """How they are started in a job's allocation, by the name of the scheduler's launcher; one that
    isn't here isn't used."""
    forward: Forward | None = None
    """How variables are added to a command line of its launcher; None: not known."""
    startup_s: float
    """Approximate time of a launch, before any was measured."""
    bytes_per_s: float = USUAL_BYTES_PER_S
    """Least rate of large messages between two ranks of one host."""
    process_bytes: int = PROCESS_BYTES
    """Least memory of a rank besides its messages."""
    raw: bool = False
    """A physical limit, not a competitor: compared only where asked for by name."""
    only_by_name: bool = False
    """A run leaves it out unless --backends or --variant names it."""
    simulated: bool = False
    """Ranks and time are those of a machine that a variant names."""
    segments: tuple[str, ...] = ()
    """Prefixes of the names of files that its ranks make in /dev/shm, and that stay there until the
    machine is booted if the ranks are killed."""
    daemons: tuple[str, ...] = ()
    """Names of programs that its launcher starts in sessions of their own, each for one launch:
    other daemons may serve others by then."""
    program_environment: Mapping[str, str] = field(default_factory=dict)
    """Variables with which its compiler makes a program, where without them it makes a shared
    object that its launcher loads for each rank; empty: it always makes programs."""
    one_host: bool = False
    """Its ranks are all on one host."""
    rendezvous: bool = False
    """Its ranks find each other at a port of rank 0's host."""
    daemon: Daemon | None = None
    """None: it needs none."""
    wheels: tuple[str, ...] = ()
    """Packages of PyPI that `leadline get` installs; the first one's version is the library's."""
    debian: tuple[str, ...] = ()
    """Names of its packages in Debian."""
    standard: Standard | None = None
    """Standard that it implements; None: it has an interface, and is found in a way, of its own."""
    compilers: tuple[str, ...] = ()
    """Names of its compiler wrapper where several libraries share a folder."""
    wrapper_mark: bytes | None = None
    """A text that its compiler wrapper contains."""
    informant: tuple[str, ...] = ()
    """A command, beside its compiler wrapper, that reports how the library was built; empty: its
    programs report it."""
    report: str | None = None
    """Regular expression for what it reports at run time, with its version as a group."""
    launcher_mark: str | None = None
    """Regular expression for what its launcher prints when asked for its version."""
    started_by: tuple[str, ...] = ()
    """Kinds of launchers that may start its programs; empty: its own."""
    environment: Callable[[Prefix], dict[str, str]] = nothing_needed
    """Variables that its compiler, launcher and programs need."""
    transport: str | None = None
    """Transport between two ranks of one host, where the kernel itself carries messages; None: a
    library carries them."""
    route: Callable[[Sequence[str], bool], str] | None = None
    """The transport that the user's words for the launcher decide, on one host or between several
    (True); None: they don't."""
    diagnostic: Diagnostic = SILENT
    trial: Trial | None = None
    """A choice that is made once for a campaign; None: launches choose nothing by trying."""

    @property
    def remedy(self) -> str | None:
        """The command that installs it; None where no one package does."""
        if self.wheels:
            return f"leadline get {self.name}"
        return f"apt-get install {' '.join(self.debian)}" if self.debian else None
