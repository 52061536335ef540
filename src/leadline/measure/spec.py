"""What is asked of a campaign, and how that is written.

A variant is a backend with settings under a name, as "--variant NAME=BACKEND,env:K=V,arg:WORD"; its
ranks and their time may be simulated. A request is all of it: what to measure, over what, how, and
for how long.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from leadline.backends.backend import Backend, usable_name
from leadline.backends.kinds import KINDS, is_raw
from leadline.errors import UsageError
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.kernels.description import Capability
from leadline.patterns.pattern import Pattern, PatternChoice, parse_choice
from leadline.record.provenance import SimulationFacts
from leadline.record.run import Buffers, Cadence
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.topology.networks import Machine

_FORM = "write --variant NAME=BACKEND,env:KEY=VALUE,arg:WORD,map:METRIC"
ONCE = {"map": "maps", "machine": "machines", "library": "libraries"}
"""Settings of which a variant has one, and what two are called."""
SETTINGS = ("env", "arg", *ONCE)
"""What may stand before the colon of a variant's setting."""
NETWORKS = frozenset({"tcp", "udp", "verbs", "rc", "ud", "dc", "psm2", "psm3", "efa", "cxi", "opx"})
"""Words in a transport's name that say it leaves shared memory."""


@dataclass(frozen=True, slots=True)
class VariantSpec:
    """What the user asked for: nothing of it ever reaches a shell.

    Each setting of `--variant NAME=BACKEND,SETTING,...` begins with its kind:
        env:KEY=VALUE  a variable of the environment of launcher and ranks; as many as wanted
        arg:WORD       a word for the launcher's command line; as many as wanted, in their order
        map:METRIC     ranks of patterns with a grid are laid where they make METRIC of
                       `leadline map` small (hops, load, internode or hop-bytes); at most one
        map:FILE       likewise, but as FILE says, which `leadline map --emit slots` writes
        machine:NAME   of a backend that simulates ranks: on which machine; at most one
        machine:FILE   likewise, as FILE describes it
        library:NAME   whose costs messages have there; at most one
    """

    name: str
    backend: str
    environment: tuple[tuple[str, str], ...] = ()
    arguments: tuple[str, ...] = ()
    """Words for the launcher's command line."""
    map: str = ""
    """A metric of `leadline map` or a file's name; "": ranks are where the launcher puts them."""
    machine: str = ""
    """Machine that ranks are simulated on, as `leadline simulate --machine` names it; "": none."""
    library: str = ""
    """Library whose costs messages have there; "": the machine's first."""
    hosts: tuple[str, ...] = ()
    """Hosts of the request that its ranks are spread over; empty: all."""


@dataclass(frozen=True, slots=True)
class SimulatedLaunch:
    """How a launcher simulates a machine: words of its command line, and variables."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    machine: Machine = field(compare=False)
    """Where its ranks are, a slot a rank."""


@dataclass(frozen=True, slots=True)
class SimulatedMachine:
    """What a variant's ranks are simulated on."""

    facts: SimulationFacts
    network: str
    launches: Mapping[int, SimulatedLaunch]
    """The launch for each number of ranks."""
    algorithms: Mapping[str, str] = field(default_factory=dict)
    """Algorithms of collectives, by pattern, where the simulator isn't to choose them."""
    lacks: tuple[str, ...] = ()
    """Features of its file that the simulator doesn't have."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A backend with settings, under the name that tables show."""

    name: str
    backend: Backend
    kernel: str
    """Path of the executable."""
    capability: Capability
    environment: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    """Words for the launcher's command line."""
    transport: str = "unknown"
    """What really carries its messages on one host, from a diagnostic launch."""
    map: str = ""
    """As in VariantSpec."""
    simulated_on: SimulatedMachine | None = None
    """None: its ranks are processes of this machine, or of those that --hosts names."""
    hosts: tuple[str, ...] = ()
    """As in VariantSpec."""


AnyVariant = TypeVar("AnyVariant", VariantSpec, Variant)


def run_alike(variant: AnyVariant, other: AnyVariant) -> bool:
    """Whether the processes of both are the same: they may differ in name and map."""
    return replace(variant, name=other.name, map=other.map) == other


def built_alike(variant: AnyVariant, other: AnyVariant) -> bool:
    """Whether both are one kernel with the same settings, if on other hosts."""
    return run_alike(replace(variant, hosts=other.hosts), other)


def carriers(variants: Sequence[Variant]) -> dict[str, str]:
    """The variant in whose launches each of `variants` is measured, by name: mostly its own.

    Those that differ in their map alone share launches: the ones of the first without a map, or
    where all have one, of the first. Two with one map don't: who asks for one thing twice wants
    launches of both.
    """
    found = {}
    for variant in variants:
        alike = [other for other in variants if run_alike(other, variant)]
        carrier = next((other for other in alike if not other.map), alike[0])
        found[variant.name] = variant.name if carrier.map == variant.map else carrier.name
    return found


def process_bytes(variants: Sequence[Variant]) -> int:
    """Memory that a rank of any of `variants` needs besides its messages, at least."""
    return max(KINDS[variant.backend.kind].process_bytes for variant in variants)


def parse_variant(text: str) -> VariantSpec:
    """The VariantSpec in "NAME=BACKEND,SETTING,..."; UsageError says which part is wrong."""
    name, equals, rest = text.partition("=")
    if not equals or not usable_name(name):
        raise UsageError(f"variant {text!r} has no usable name; {_FORM}")
    backend, *settings = rest.split(",")
    if not backend:
        raise UsageError(f"variant {text!r} names no backend; {_FORM}")
    words: dict[str, list[str]] = {kind: [] for kind in SETTINGS}
    for setting in _joined(settings):
        kind, _, value = setting.partition(":")
        if kind not in words or not value:
            raise UsageError(
                f"variant {text!r}: {setting!r} is none of env:, arg:, map:, machine: and library: "
                f"with a value; {_FORM}"
            )
        words[kind].append(value)
    variables = []
    for assignment in words["env"]:
        key, equals, value = assignment.partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key):
            raise UsageError(f"variant {text!r}: {assignment!r} is not KEY=VALUE; {_FORM}")
        variables.append((key, value))
    return VariantSpec(
        name,
        backend,
        tuple(variables),
        tuple(words["arg"]),
        map=_only(text, "map", words["map"]),
        machine=_only(text, "machine", words["machine"]),
        library=_only(text, "library", words["library"]),
    )


def check_name(name: str) -> str:
    """`name`, if it can be a variant's; else UsageError."""
    if not usable_name(name):
        raise UsageError(
            f"{name!r} can't be the name of a variant; take letters, digits and . _ @ + # -"
        )
    return name


def name_from(text: str) -> str:
    """A variant's name made of `text`: what none may have becomes one "_"."""
    return re.sub(r"[^A-Za-z0-9._@+#-]+", "_", text).lstrip("._@+#-") or "imported"


def _joined(pieces: Sequence[str]) -> list[str]:
    """`pieces` of a text split at commas; one that begins no setting goes on with the one before.

    "env:OMPI_MCA_btl=tcp,self" so keeps its comma. What looks like the name of a setting doesn't
    go on: "set:K=V" is a typing error.
    """
    settings: list[str] = []
    for piece in pieces:
        if settings and not re.match(r"[a-z]+:", piece):
            settings[-1] += f",{piece}"
        else:
            settings.append(piece)
    return settings


def _only(text: str, kind: str, values: Sequence[str]) -> str:
    """The one value of settings of this kind, or ""."""
    if len(values) > 1:
        raise UsageError(
            f"variant {text!r} has two {ONCE[kind]}, {kind}:{values[0]} and {kind}:{values[1]}; "
            "make it two variants"
        )
    return "".join(values)


def distinct(specs: Sequence[VariantSpec]) -> list[VariantSpec]:
    """`specs`, or a UsageError if two have the same name."""
    names = [spec.name for spec in specs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two variants are called {twice!r}; give each a name of its own")
    return list(specs)


def transport_warnings(variants: Sequence[Variant]) -> list[RunWarning]:
    """The warning that some variants send through a network stack, others through shared memory.

    Both may be what was asked for; a difference between them then isn't the libraries'. Transports
    that aren't known, and raw ones, which are limits and no competitors, are passed over.
    """
    libraries = [v for v in variants if not is_raw(v.backend.kind)]
    known = [v for v in libraries if v.transport != "unknown"]
    network = [v for v in known if NETWORKS & set(v.transport.lower().split())]
    local = [v for v in known if v not in network]
    if not network or not local:
        return []
    return [
        warning_of(
            WarningKind.HIDDEN_DIFFERENCE,
            network=[f"{v.name} ({v.transport})" for v in network],
            local=[f"{v.name} ({v.transport})" for v in local],
            what="kind of transport",
        )
    ]


SIMULATED_BLOCKS = 1
"""Blocks of a campaign whose variants are all simulated, unless the user counts them."""
SIMULATED_PATIENCE_S = 3600.0
"""Time for a simulated slice: a deadlock ends the simulator at once, and large ones take long."""


def machine_for(
    spec: VariantSpec, backend: Backend, machines: Mapping[str, SimulatedMachine]
) -> SimulatedMachine | None:
    """The machine of `spec` in `machines`, by variants' names; None: its backend simulates none.

    Raises:
        UsageError: The backend needs one and there is none, or the other way round.
    """
    simulated = KINDS[backend.kind].simulated
    if simulated and spec.name not in machines:
        raise UsageError(
            f"{spec.name}: {backend.name} runs on a simulated machine, and none is named; give "
            "leadline run --machine NAME|FILE, e.g. cray-t3e-900, or machine: in its --variant"
        )
    if not simulated and spec.machine:
        raise UsageError(
            f"variant {spec.name!r}: machine:{spec.machine} is for a backend that simulates one "
            f"(smpi), and {backend.name} runs on this one; leave it out"
        )
    return machines.get(spec.name)


def slice_words(per_operation: bool) -> str:
    """The part of a slice's command for operations that take the same time each time."""
    return f"repetitions={1 if per_operation else 2} slice_ns=0 warm_up_ns=0 max_batches=3"


def lack_warnings(variants: Sequence[Variant]) -> list[RunWarning]:
    """Warnings of what simulators leave out of the machines of `variants`."""
    return [
        warning_of(
            WarningKind.SIMULATOR, variant=variant.name, backend=variant.backend.name, lack=lack
        )
        for variant in variants
        for lack in (variant.simulated_on.lacks if variant.simulated_on else ())
    ]


DEFAULT_SIZES = (0, 8, 104, 512, 1024, 4096, 10_000, 32_768, 65_536, 262_144, 1_048_576, 2_000_000)
"""Powers of two and sizes between them; two lie in 1..2 MB for the intercept's regression."""
SLICE_PATIENCE_S = 20.0
START_PATIENCE_S = 60.0


OWN_SPEED = 0.0
"""In the place of a link's rate: what each interface says of its speed."""


def rate_of(hosts: Hosts) -> float:
    """Bytes a second of each link between `hosts`: as emulated ones have it, else OWN_SPEED."""
    return hosts.link.rate_bits_per_s / 8 if hosts.link else OWN_SPEED


MOST_SPINNING = 64
"""Processes of --load on a core, at most: ranks beside more get nothing done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a campaign is to measure, over what, how, and for how long."""

    patterns: tuple[str, ...]
    """With their options, e.g. "allreduce:max"; only kernels know which there are."""
    sizes: tuple[int, ...] = DEFAULT_SIZES
    sizes_asked: bool = False
    """Whether a user named them: each that a pattern doesn't take is then reported."""
    ranks: tuple[int, ...] = (2,)
    root: int = 0
    """Root of patterns with a fixed one."""
    backends: tuple[str, ...] = ()
    """Names or paths of compiler wrappers; empty, and no variants: every usable one."""
    variants: tuple[VariantSpec, ...] = ()
    wrappers: tuple[str, ...] = ()
    """Paths of MPI compiler wrappers beside those that are found."""
    buffers: Buffers = Buffers.ECHO
    cadence: Cadence | None = None
    """None: each pattern's own."""
    per_operation: bool = False
    """One repetition per batch, for tails."""
    all_ranks: bool = False
    """Whether the batches of all ranks are kept, however many, and not the slowest one's alone."""
    budget_s: float = 60.0
    budget_kept: bool = False
    """Whether it ends a campaign that has no intervals yet, as one that the user stated does."""
    precision: float = 0.02
    """Relative half width of all intervals at which sampling stops before the budget is spent."""
    blocks: int | None = None
    """Exact number of blocks; the budget then only says how often a block visits its cells."""
    bind: bool = True
    """Whether each rank is bound to a core."""
    cores: tuple[int, ...] = ()
    """Cores of each host, in the order in which ranks take them; empty: all that may be used."""
    hosts: Hosts = THIS_HOST
    launcher: str | None = None
    """What starts ranks, of hosts.schedulers.LAUNCHERS; None: a scheduler in its allocation, else
    the libraries' own launchers."""
    link_bound: float | None = None
    """Bytes a second that each link between the hosts allows; OWN_SPEED: as its interface says. Its
    use is then measured, and may let ranks above the core count into verdicts. None: it isn't."""
    load: int | None = 0
    """Spinning processes beside the ranks; None: one a core."""
    patience_s: float = SLICE_PATIENCE_S
    """How long a slice of small messages may take before a rank counts as hung."""
    start_patience_s: float = START_PATIENCE_S
    """How long launches may take until all of their ranks are there."""
    seed: int = 0

    @property
    def slowest_link(self) -> float:
        """Bytes a second that the slowest of the links between the hosts allows, where known."""
        link = self.hosts.link
        known = [self.link_bound or math.inf, link.payload_bits_per_s / 8 if link else math.inf]
        return min(known)

    @property
    def link_delay_s(self) -> float:
        """What a message between the hosts waits beside its time on the link, where known."""
        return self.hosts.link.delay_s if self.hosts.link else 0.0

    def choices(self, patterns: Mapping[str, Pattern]) -> tuple[PatternChoice, ...]:
        """The patterns, each once, now that it is known which there are; UsageError: no such."""
        choices = [
            parse_choice(text, patterns).rooted_at(self.root, patterns) for text in self.patterns
        ]
        return tuple(dict.fromkeys(choices))

    def loaded(self, cores: Sequence[int]) -> tuple[int, ...]:
        """The core of each spinning process: the ranks' `cores` in turn; UsageError: too many."""
        number = len(cores) if self.load is None else self.load
        most = MOST_SPINNING * len(cores)
        if number > most:
            raise UsageError(
                f"--load {number}: at most {MOST_SPINNING} processes spin on a core, "
                f"{MOST_SPINNING} x {len(cores)} = {most}; give fewer"
            )
        return tuple(cores[i % len(cores)] for i in range(number))
