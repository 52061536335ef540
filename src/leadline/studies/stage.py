"""One campaign of a study: what it measures, and which libraries take part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.measure.spec import Order, VariantSpec
from leadline.studies.results import kind_of


@dataclass(frozen=True, slots=True)
class Addition:
    """What is measured besides where one library takes part."""

    backend: str
    patterns: tuple[str, ...] = ()
    variants: tuple[VariantSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class StageNetwork:
    """What a stage's ranks are joined by: hosts emulated on this machine."""

    prefix: str
    """Of the hosts' names, PREFIX1, PREFIX2 ..."""
    link: str
    """As `leadline hosts up --link` takes it."""
    hosts: int = 2
    watched: bool = False
    """Whether it is measured what the links carry, of what their rate allows."""


def mapped(library: str) -> str:
    """The variant of `library` whose ranks a stage maps."""
    return f"{library}-mapped"


@dataclass(frozen=True, slots=True)
class Stage:
    """One campaign of a study."""

    name: str
    """What its run directory is called."""
    order: Order
    """What is measured, whatever the libraries; its budget is this stage's part of the study's."""
    kinds: tuple[str, ...] = ()
    """Libraries that take part; empty: all."""
    additions: tuple[Addition, ...] = ()
    network: StageNetwork | None = None
    """None: ranks run on this host."""
    beside: tuple[str, ...] = ()
    """Backends that take part besides those asked for: what the others are held to."""
    map: str = ""
    """The metric by which each library's ranks are mapped in a variant besides; "": none are."""

    def takes(self, backends: Sequence[str]) -> list[str]:
        """Those of `backends` that take part."""
        return [name for name in backends if not self.kinds or kind_of(name) in self.kinds]

    def over(self, backends: Sequence[str], wrappers: Sequence[str] = ()) -> Order:
        """What is measured over `backends`, and MPIs of further compiler `wrappers`."""
        taken = list(dict.fromkeys((*self.takes(backends), *self.beside)))
        added = [one for one in self.additions if one.backend in taken]
        maps = (VariantSpec(mapped(name), name, map=self.map) for name in taken if self.map)
        patterns = (*self.order.patterns, *(name for one in added for name in one.patterns))
        return replace(
            self.order,
            patterns=tuple(dict.fromkeys(patterns)),
            backends=tuple(taken),
            variants=(*(spec for one in added for spec in one.variants), *maps),
            wrappers=tuple(wrappers),
        )
