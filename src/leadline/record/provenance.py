"""What was measured where, when and how: the metadata of a run as typed facts.

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
"""Variables that campaigns set by themselves, before records stated which these are."""


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """The facts of a campaign's plan that are recorded."""

    blocks: int | None = None
    slice_s: float | None = None
    launches: Mapping[str, int] = field(default_factory=dict)
    """Launches in each block, by the label of the number of ranks."""
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
    """The simulated machine of a variant."""

    variant: str
    machine: str
    """The machine's name."""
    library: str
    """The library whose costs messages have."""
    mapping: str
    """Placement of ranks: "default", "paper", a metric of `leadline map`, or a file's name."""
    what_if: str
    """How the machine was changed, in the words of --what-if; "": it wasn't."""
    machine_file: str
    """The text that describes the machine."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> SimulationFacts:
        """One of the simulations in a run's metadata."""
        return cls(**{one.name: str(stored.get(one.name, "")) for one in fields(cls)})


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """The link between emulated hosts."""

    name: str
    """Name by which it was asked for."""
    rated_bits_per_s: int
    """Nominal rate of the line."""
    rate_bits_per_s: int
    """Rate at which frames, or cells, are sent."""
    payload_bits_per_s: float
    """The highest rate of TCP's payload, in full segments."""
    delay_s: float
    mtu: int
    """The most bytes of an IP packet."""
    medium: str
    """Shared: one frame at a time between any hosts; or switched."""
    framing: str
    """Ethernet or atm."""
    shaper: str
    """What limits the link's rate: the kernel, or a switch in user space."""

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

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> ImportedFile:
        """One of the files in a run's metadata."""
        return cls(str(stored.get("file")), str(stored.get("format")))


@dataclass(frozen=True, slots=True)
class Sends:
    """Number of messages in a repetition of a pattern whose ranks all send at once."""

    pattern: str
    """The pattern's label."""
    ranks: int
    all_ranks: int
    """Messages of all ranks together."""
    busiest_rank: int
    """Messages of the rank that sends most."""
    in_pairs: bool
    """Whether ranks exchange two by two, a message each way."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Sends:
        """One of the patterns in a run's metadata."""
        numbers = ("ranks", "all_ranks", "busiest_rank")
        return cls(
            pattern=str(stored.get("pattern")),
            **{name: _of_type(int, stored.get(name)) or 0 for name in numbers},
            in_pairs=bool(stored.get("in_pairs")),
        )


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where, when and how a run was made, or what it was imported or simulated from."""

    leadline: str | None = None
    """The version that measured or imported."""
    started: str | None = None
    """Date and time, ISO 8601."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of `leadline run`; empty where values were imported."""
    link: LinkFacts | None = None
    """Between emulated hosts; stored among the options, with the hosts."""
    machine: HostFacts = UNKNOWN_HOST
    background_load: str | None = None
    """Load that the tool itself ran beside the ranks; stored among the facts of the machine."""
    plan: PlanFacts | None = None
    command: Sequence[str] = ()
    """The words of the command line; empty: not recorded."""
    inherited: Mapping[str, str] | None = None
    """Variables that configure libraries, and that ranks inherited besides the settings of their
    variant; None: not recorded."""
    chosen: Mapping[str, Sequence[str]] | None = None
    """By variant the variables of its environment that the campaign itself set, from what it tried;
    None: not recorded."""
    compilers: Mapping[str, str] = field(default_factory=dict)
    """Path of the compiler, or compiler wrapper, of each variant's library."""
    libraries: Mapping[str, str] = field(default_factory=dict)
    """What each variant's library reports of how it was built."""
    windows: Mapping[str, str] = field(default_factory=dict)
    """By pattern that sends windows of messages: "one", or one for each "pair" of ranks."""
    sends: tuple[Sends, ...] = ()
    """Messages of patterns of neighbours on a grid."""
    study: StudyFacts | None = None
    imported: tuple[ImportedFile, ...] = ()
    simulations: tuple[SimulationFacts, ...] = ()
    others: Mapping[str, Any] = field(default_factory=dict)
    """Further metadata, stored by other versions."""

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> Provenance:
        """The provenance in the metadata of a run."""
        names = {one.name for one in fields(cls)}
        machine, plan, study = (
            _of_type(dict, metadata.get(name)) for name in ("machine", "plan", "study")
        )
        options = _of_type(dict, metadata.get("options")) or {}
        hosts, chosen = options.get("hosts"), metadata.get("chosen")
        link = hosts.get("link") if isinstance(hosts, Mapping) else None
        return cls(
            leadline=_of_type(str, metadata.get("leadline")),
            started=_of_type(str, metadata.get("started")),
            options=options,
            link=LinkFacts.of(link) if isinstance(link, Mapping) else None,
            machine=HostFacts.of(machine),
            background_load=_of_type(str, (machine or {}).get("background_load")),
            plan=None if plan is None else PlanFacts.of(plan),
            command=_words(metadata.get("command")),
            inherited=_of_type(dict, metadata.get("inherited")),
            chosen=(
                {str(variant): _words(names) for variant, names in chosen.items()}
                if isinstance(chosen, Mapping)
                else None
            ),
            compilers=_of_type(dict, metadata.get("compilers")) or {},
            libraries=_of_type(dict, metadata.get("libraries")) or {},
            windows=_of_type(dict, metadata.get("windows")) or {},
            sends=tuple(map(Sends.of, _objects(metadata.get("sends")))),
            study=None if study is None else StudyFacts.of(study),
            imported=tuple(map(ImportedFile.of, _objects(metadata.get("imported")))),
            simulations=tuple(map(SimulationFacts.of, _objects(metadata.get("simulations")))),
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
            "sends": [asdict(send) for send in self.sends],
            "study": asdict(self.study) if self.study else {},
            "imported": [asdict(file) for file in self.imported],
            "simulations": [asdict(simulation) for simulation in self.simulations],
        }
        told = {name: value for name, value in known.items() if value}
        if self.inherited is not None:
            told["inherited"] = dict(self.inherited)
        if self.chosen is not None:
            told["chosen"] = {variant: list(names) for variant, names in self.chosen.items()}
        return told | dict(self.others)

    def chosen_of(self, variant: str) -> frozenset[str]:
        """Names of variables of that variant which the campaign set by itself.

        A run that was recorded before these were stated has those of ONCE_CHOSEN that its command
        line doesn't name.
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


def _objects(stored: object) -> list[Mapping[str, Any]]:
    """The elements of a list that are JSON objects; none where `stored` is no list."""
    return [one for one in stored if isinstance(one, Mapping)] if isinstance(stored, list) else []
