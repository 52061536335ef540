"""What is known of one kind of library, whatever machine it is on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from leadline.backends.backend import UNKNOWN, Backend
from leadline.backends.launchers.forwarding import Forward
from leadline.backends.launchers.step import Launcher
from leadline.hosts.schedulers import BatchJob

PROCESS_BYTES = 20 * 2**20
"""What a rank needs besides its messages, over a library of whom nothing else is known."""

USUAL_BYTES_PER_S = 1.5e9
"""What a slow library moves through shared memory."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """How to make a library say what carries messages; for a launch of its own, never a timed one.

    Each was tried with the transport forced to something else, and said so. A library that says
    nothing reliable is "unknown": a compiled-in transport is not one that is used.
    """

    environment: Mapping[str, str]
    """What makes the library talk."""
    transport: Callable[[str], str]
    """The transport's name in what two ranks that exchanged a message printed, or "unknown"."""


SILENT = Diagnostic({}, lambda _: UNKNOWN)
"""For kinds that can't be asked."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a launch finds out by trying, which may end otherwise in the next one."""

    variable: str
    """Tells a launch what one before it chose."""
    said: str
    """A regular expression: what a launch calls itself, with its choice as a group."""


@dataclass(frozen=True, slots=True)
class Daemon:
    """What the ranks of a step need one of in the step's folder, and no second."""

    addresses: str
    """Files there that hold the path of its Unix socket, as a glob pattern."""
    halt: str
    """The command that ends the one in {folder}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standard:
    """An interface that several libraries implement, each with a wrapper of the C compiler."""

    name: str
    """The kind of those that say nothing known of themselves."""
    compilers: tuple[str, ...]
    """What compiler wrappers are called."""
    header: str
    probe: str
    """In native/probe: the program that makes a library say which one it is."""
    launcher: str
    """What to call the launcher in a sentence."""
    launchers: tuple[str, ...]
    """What it is called beside the wrapper, with {suffix} of the wrapper's name and {kind}."""
    launcher_on_path: str | None = None
    """One that will do where the library brings none."""


class Prefix(Protocol):
    """Where a library lies, as its kind may look at it."""

    @property
    def root(self) -> str:
        """The folder that has bin, include and lib."""

    @property
    def wrapper_text(self) -> bytes:
        """What the compiler wrapper consists of."""

    def has(self, path: str) -> bool:
        """Whether there is such a file or folder below the root."""

    def variable(self, name: str) -> str:
        """The user's environment variable; empty where it isn't set."""


def nothing_needed(_: Prefix) -> dict[str, str]:
    """The environment that most libraries' programs need."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A message-passing library, or a raw transport, or null: every fact that is told of it."""

    name: str
    """As --backends and records call it."""
    title: str
    """What to call it in a sentence."""
    sources: tuple[str, ...]
    """In native/kernels/backends: its C file and folder; then folders that it shares. Empty: it is
    no program's, and is not looked for."""
    left_out: tuple[str, ...] = ()
    """Of these files what it has nothing for: fallbacks take their places."""
    link_flags: tuple[str, ...] = ()
    """What to link where its compiler is the C compiler, which doesn't know."""
    launcher: Callable[[Backend], Launcher]
    """How its ranks are started, by what it brings along."""
    scheduled: Mapping[str, Callable[[Backend, BatchJob], Launcher]] = field(default_factory=dict)
    """How in a job's allocation, by the scheduler's launcher; one that isn't here isn't used."""
    forward: Forward | None = None
    """How its launcher's words, whoever wrote them, give ranks variables; None: not known."""
    startup_s: float
    """What a launch takes about, before any was measured."""
    bytes_per_s: float = USUAL_BYTES_PER_S
    """What it moves of large messages between two ranks of one host, at least."""
    process_bytes: int = PROCESS_BYTES
    """What a rank needs besides its messages, at least."""
    raw: bool = False
    """A physical limit, not a competitor: compared only where asked for by name."""
    only_by_name: bool = False
    """A run leaves it out unless --backends or --variant names it."""
    simulated: bool = False
    """Ranks and time are those of a machine that a variant names."""
    segments: tuple[str, ...] = ()
    """How the names of the files begin that its ranks make in /dev/shm, and that lie there until
    the machine is booted where they are killed."""
    daemons: tuple[str, ...] = ()
    """What programs are called that its launcher starts, each for one launch, in sessions of their
    own: other daemons may serve others by then."""
    program_environment: Mapping[str, str] = field(default_factory=dict)
    """With which its compiler makes a program, where else it makes a shared object that its
    launcher loads for each rank; empty: it makes programs."""
    one_host: bool = False
    """Its ranks are all on one host."""
    rendezvous: bool = False
    """Its ranks find each other at a port of rank 0's host."""
    daemon: Daemon | None = None
    """None: it needs none."""
    wheels: tuple[str, ...] = ()
    """The packages of PyPI that `leadline get` installs; the first one's version is its own."""
    debian: tuple[str, ...] = ()
    """What Debian calls its packages."""
    standard: Standard | None = None
    """What it implements; None: it has an interface, and is found in a way, of its own."""
    compilers: tuple[str, ...] = ()
    """What its compiler wrapper is called where several libraries share a folder."""
    wrapper_mark: bytes | None = None
    """In the text of its compiler wrapper."""
    informant: tuple[str, ...] = ()
    """A command, beside its compiler wrapper, that says how it was built; empty: what its programs
    report says it."""
    report: str | None = None
    """A regular expression: what it reports at run time, with its version as a group."""
    launcher_mark: str | None = None
    """A regular expression: what its launcher says when asked for its version."""
    started_by: tuple[str, ...] = ()
    """Kinds of launchers that may start its programs; none: its own."""
    environment: Callable[[Prefix], dict[str, str]] = nothing_needed
    """What its compiler, launcher and programs need."""
    transport: str | None = None
    """Between two ranks of one host, where the kernel itself carries messages; None: a library."""
    route: Callable[[Sequence[str], bool], str] | None = None
    """The transport that the user's words for the launcher decide, on one host or between several
    (True); None: they don't."""
    diagnostic: Diagnostic = SILENT
    trial: Trial | None = None
    """Made once for a campaign; None: launches choose nothing by trying."""

    @property
    def remedy(self) -> str | None:
        """The command that installs it; None where no one package does."""
        if self.wheels:
            return f"leadline get {self.name}"
        return f"apt-get install {' '.join(self.debian)}" if self.debian else None
