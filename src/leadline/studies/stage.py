"""One campaign of a study: what it measures, and which libraries take part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.measure.order import Order
from leadline.measure.variants import VariantSpec
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

    def takes(self, backends: Sequence[str]) -> list[str]:
        """Those of `backends` that take part."""
        return [name for name in backends if not self.kinds or kind_of(name) in self.kinds]

    def over(self, backends: Sequence[str], wrappers: Sequence[str] = ()) -> Order:
        """What is measured over `backends`, and MPIs of further compiler `wrappers`."""
        taken = self.takes(backends)
        added = [one for one in self.additions if one.backend in taken]
        patterns = (*self.order.patterns, *(name for one in added for name in one.patterns))
        return replace(
            self.order,
            patterns=tuple(dict.fromkeys(patterns)),
            backends=tuple(taken),
            variants=tuple(spec for one in added for spec in one.variants),
            wrappers=tuple(wrappers),
        )
