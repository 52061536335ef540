"""What was measured where, when and how: the metadata of a run, typed.

The metadata are stored as they are in the first line of a journal and in run.json. What is missing
there, or of another type, is None or empty here, so that old runs and imported ones stay readable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

from leadline.record.machine import UNKNOWN_HOST, HostFacts

T = TypeVar("T")

ONCE_CHOSEN = ("LEADLINE_SINGLE_COPY",)
"""Variables that campaigns set by what they found, before records said which these are."""


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """What is kept of a campaign's plan."""

    blocks: int | None = None
    slice_s: float | None = None
    launches: Mapping[str, int] = field(default_factory=dict)
    """In each block, of each number of ranks by its label."""
    together: bool = True
    """Whether the variants of a block were alive at the same time."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> PlanFacts:
        """The plan in a run's metadata."""
        return cls(
            blocks=_of_type(int, stored.get("blocks")),
            slice_s=_of_type(float, stored.get("slice_s")),
            launches=_of_type(dict, stored.get("launches")) or {},
            together=stored.get("together") is not False,
        )


@dataclass(frozen=True, slots=True)
class StudyFacts:
    """The study that a run is a stage of."""

    name: str | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    """Libraries that the machine lacked, by kind, and how to get them."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> StudyFacts:
        """The study in a run's metadata."""
        return cls(
            name=_of_type(str, stored.get("name")),
            missing=_of_type(dict, stored.get("missing")) or {},
        )


@dataclass(frozen=True, slots=True)
class SimulationFacts:
    """What a variant was simulated on."""

    variant: str
    machine: str
    """Its name."""
    library: str
    """Whose costs messages have."""
    mapping: str
    """Where ranks are: "default", "paper", a metric of `leadline map`, or a file's name."""
    what_if: str
    """How the machine was changed, as --what-if says it; "": in nothing."""
    machine_file: str
    """The text that describes the machine."""


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """What joins emulated hosts."""

    name: str
    """As it was asked for."""
    rated_bits_per_s: int
    """What the line is sold as."""
    rate_bits_per_s: int
    """What frames, or cells, are sent at."""
    payload_bits_per_s: float
    """The most that TCP carries in full segments."""
    delay_s: float
    mtu: int
    """The most bytes of an IP packet."""
    medium: str
    """Shared: one frame at a time between any hosts; or switched."""
    framing: str
    """Ethernet or atm."""
    shaper: str
    """Who makes the link as slow as it is to be: the kernel, or a switch in user space."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> LinkFacts | None:
        """The link in a run's metadata; None where any of it is missing, or of another type."""
        names = ("name", "medium", "framing", "shaper")
        known: dict[str, Any] = {one.name: stored.get(one.name) for one in fields(cls)}
        kinds: Mapping[bool, Any] = {True: str, False: (int, float)}
        fits = all(isinstance(value, kinds[name in names]) for name, value in known.items())
        return cls(**known) if fits else None


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file of another benchmark that values were read from."""

    file: str
    format: str


@dataclass(frozen=True, slots=True)
class Sends:
    """How many messages a repetition of a pattern has whose ranks all send at once."""

    pattern: str
    """Its label."""
    ranks: int
    all_ranks: int
    busiest_rank: int
    """Of the rank that sends most."""
    in_pairs: bool
    """Whether ranks exchange two by two, a message each way."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a run comes from."""

    leadline: str | None = None
    """The version that measured or imported."""
    started: str | None = None
    """Date and time, ISO 8601."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of `leadline run`; empty where values were imported."""
    link: LinkFacts | None = None
    """Between emulated hosts; stored among the options, with the hosts."""
    machine: HostFacts = UNKNOWN_HOST
    background_load: str | None = None
    """What the tool itself ran beside the ranks; stored among the facts of the machine."""
    plan: PlanFacts | None = None
    command: Sequence[str] = ()
    """The words of the command line; empty: not recorded."""
    inherited: Mapping[str, str] | None = None
    """Variables by which libraries are set, that ranks got besides the settings of their variant;
    None: not recorded."""
    chosen: Mapping[str, Sequence[str]] | None = None
    """By variant the variables of its environment that the campaign itself set, by what it found;
    None: not recorded."""
    compilers: Mapping[str, str] = field(default_factory=dict)
    """Path of the compiler, or compiler wrapper, of each variant's library."""
    libraries: Mapping[str, str] = field(default_factory=dict)
    """What each variant's library says of how it was built."""
    windows: Mapping[str, str] = field(default_factory=dict)
    """Of patterns that send windows of messages: "one", or one for each "pair" of ranks."""
    sends: tuple[Sends, ...] = ()
    """Of patterns of neighbours on a grid."""
    study: StudyFacts | None = None
    imported: tuple[ImportedFile, ...] = ()
    simulations: tuple[SimulationFacts, ...] = ()
    others: Mapping[str, Any] = field(default_factory=dict)
    """What other versions stored besides."""

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> Provenance:
        """The provenance in the metadata of a run."""
        names = {one.name for one in fields(cls)}
        machine, plan, study = (
            _of_type(dict, metadata.get(name)) for name in ("machine", "plan", "study")
        )
        options = _of_type(dict, metadata.get("options")) or {}
        return cls(
            leadline=_of_type(str, metadata.get("leadline")),
            started=_of_type(str, metadata.get("started")),
            options=options,
            link=_link(options.get("hosts")),
            machine=HostFacts.of(machine),
            background_load=_of_type(str, (machine or {}).get("background_load")),
            plan=None if plan is None else PlanFacts.of(plan),
            command=_words(metadata.get("command")),
            inherited=_of_type(dict, metadata.get("inherited")),
            chosen=_chosen(metadata.get("chosen")),
            compilers=_of_type(dict, metadata.get("compilers")) or {},
            libraries=_of_type(dict, metadata.get("libraries")) or {},
            windows=_of_type(dict, metadata.get("windows")) or {},
            sends=_sends(metadata.get("sends")),
            study=None if study is None else StudyFacts.of(study),
            imported=_files(metadata.get("imported")),
            simulations=_simulations(metadata.get("simulations")),
            others={name: value for name, value in metadata.items() if name not in names},
        )

    def as_json(self) -> dict[str, Any]:
        """The metadata to be stored, without what is unknown."""
        machine = self.machine.as_json() if self.machine != UNKNOWN_HOST else {}
        load = {} if self.background_load is None else {"background_load": self.background_load}
        known = {
            "leadline": self.leadline,
            "started": self.started,
            "options": dict(self.options),
            "machine": machine | load,
            "plan": asdict(self.plan) if self.plan else {},
            "command": list(self.command),
            "compilers": dict(self.compilers),
            "libraries": dict(self.libraries),
            "windows": dict(self.windows),
            "sends": [asdict(one) for one in self.sends],
            "study": asdict(self.study) if self.study else {},
            "imported": [asdict(one) for one in self.imported],
            "simulations": [asdict(one) for one in self.simulations],
        }
        told = {name: value for name, value in known.items() if value}
        if self.inherited is not None:
            told["inherited"] = dict(self.inherited)
        if self.chosen is not None:
            told["chosen"] = {variant: list(names) for variant, names in self.chosen.items()}
        return told | dict(self.others)

    def chosen_of(self, variant: str) -> frozenset[str]:
        """The variables of that variant which nobody asked for.

        A run that was recorded before they were has those of ONCE_CHOSEN that its command line
        doesn't name.
        """
        if self.chosen is not None:
            return frozenset(self.chosen.get(variant, ()))
        if not self.command:
            return frozenset()
        return frozenset(
            name for name in ONCE_CHOSEN if not any(name in word for word in self.command)
        )


def _of_type(kind: type[T], value: object) -> T | None:
    return value if type(value) is kind else None


def _words(stored: object) -> tuple[str, ...]:
    return tuple(map(str, stored)) if isinstance(stored, list | tuple) else ()


def _chosen(stored: object) -> Mapping[str, tuple[str, ...]] | None:
    if not isinstance(stored, Mapping):
        return None
    return {str(variant): _words(names) for variant, names in stored.items()}


def _link(stored: object) -> LinkFacts | None:
    link = stored.get("link") if isinstance(stored, Mapping) else None
    return LinkFacts.of(link) if isinstance(link, Mapping) else None


def _files(stored: object) -> tuple[ImportedFile, ...]:
    found: Sequence[Any] = stored if isinstance(stored, list) else ()
    return tuple(
        ImportedFile(str(one.get("file")), str(one.get("format")))
        for one in found
        if isinstance(one, Mapping)
    )


def _simulations(stored: object) -> tuple[SimulationFacts, ...]:
    found: Sequence[Any] = stored if isinstance(stored, list) else ()
    names = [one.name for one in fields(SimulationFacts)]
    return tuple(
        SimulationFacts(**{name: str(one.get(name, "")) for name in names})
        for one in found
        if isinstance(one, Mapping)
    )


def _sends(stored: object) -> tuple[Sends, ...]:
    found: Sequence[Any] = stored if isinstance(stored, list) else ()
    numbers = ("ranks", "all_ranks", "busiest_rank")
    return tuple(
        Sends(
            pattern=str(one.get("pattern")),
            **{name: _of_type(int, one.get(name)) or 0 for name in numbers},
            in_pairs=bool(one.get("in_pairs")),
        )
        for one in found
        if isinstance(one, Mapping)
    )
