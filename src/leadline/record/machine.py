"""Facts about the host that measured: one table of their names, types, units and formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Fact:
    """Type, unit and format of one fact."""

    kind: type
    """str, int, float, bool, or tuple for a tuple of whole numbers."""
    unit: str
    """Unit in which it is shown; "": none."""
    form: Callable[[Any], str]
    """Formats a known value, without its unit."""

    def shown(self, value: object) -> str:
        """`value` as text with its unit."""
        return "unknown" if value is None else f"{self.form(value)} {self.unit}".rstrip()

    def checked(self, value: object) -> Any:
        """`value` as the fact's type; None where it is of another one."""
        if self.kind is tuple and isinstance(value, list | tuple):
            return tuple(value) if all(type(one) is int for one in value) else None
        if self.kind is float and type(value) is int:
            return float(value)
        return value if type(value) is self.kind else None


def _fact(kind: type, unit: str = "", form: Callable[[Any], str] = str) -> Any:
    return field(default=None, metadata={"fact": Fact(kind, unit, form)})


def _short(value: float) -> str:
    return f"{value:g}"


def _listed(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values)) or "none"


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def _mebi(size_bytes: int) -> str:
    return f"{size_bytes / 2**20:,.0f}"


@dataclass(frozen=True, slots=True)
class HostFacts:
    """What is known of the host that measured; None: it can't be known, or wasn't recorded."""

    host: str | None = _fact(str)
    kernel: str | None = _fact(str)
    architecture: str | None = _fact(str)
    cpu: str | None = _fact(str)
    cores: int | None = _fact(int)
    sockets: int | None = _fact(int)
    numa_nodes: int | None = _fact(int)
    threads_per_core: int | None = _fact(int)
    """Hardware threads of the first core allowed: more than 1 with SMT."""
    network: str | None = _fact(str)
    """Its interfaces, each with driver and speed as far as they are known."""
    allowed_cpus: tuple[int, ...] | None = _fact(tuple, form=_listed)
    cpu_quota: float | None = _fact(float, form=_short)
    """In cores; None also where there is no limit."""
    pinning: bool | None = _fact(bool, form=_yes_or_no)
    """Whether ranks can be bound to cores."""
    clock_source: str | None = _fact(str)
    clock_read_at_most_ns: float | None = _fact(float, "ns", _short)
    governor: str | None = _fact(str)
    """Frequency governor of the first core allowed."""
    load_1min: float | None = _fact(float, form=_short)
    memory_total_bytes: int | None = _fact(int, "MiB", _mebi)
    memory_available_bytes: int | None = _fact(int, "MiB", _mebi)
    """Memory available to this process: its control group may have less than the machine."""
    shared_memory_free_bytes: int | None = _fact(int, "MiB", _mebi)
    last_level_cache_bytes: int | None = _fact(int, "MiB", _mebi)
    container: bool | None = _fact(bool, form=_yes_or_no)
    virtual_machine: bool | None = _fact(bool, form=_yes_or_no)

    @classmethod
    def of(cls, stored: object) -> HostFacts:
        """The facts in a run's metadata; what is missing or of another type is unknown."""
        known = stored if isinstance(stored, Mapping) else {}
        return cls(**{name: fact.checked(known.get(name)) for name, fact in FACTS.items()})

    def as_json(self) -> dict[str, Any]:
        """All facts, ready for JSON."""
        found = ((name, getattr(self, name)) for name in FACTS)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found}

    def shown(self, name: str) -> str:
        """The fact called `name` as text with its unit."""
        return FACTS[name].shown(getattr(self, name))


UNKNOWN_HOST = HostFacts()
FACTS: Mapping[str, Fact] = {one.name: one.metadata["fact"] for one in fields(HostFacts)}
"""The facts by their names."""
