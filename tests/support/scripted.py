"""Campaigns on scripted machines: the real code in virtual time, without a process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.support.campaigns import Silent

from leadline.hosts.cores import Site
from leadline.hosts.placement import Hosts
from leadline.measure.conduct import conduct, resume
from leadline.measure.order import Order
from leadline.measure.prepared import Prepared
from leadline.measure.restoration import Interrupted
from leadline.measure.resumption import blocks_done
from leadline.measure.variants import Variant
from leadline.record.run import Run
from leadline.scripted.campaigns import ONE_HOST, capability, prepared
from leadline.scripted.machine import ScriptedMachine
from leadline.scripted.script import Script, ScriptedLibrary
from leadline.store import load

PINGPONG = "pingpong"


def order(**changed: Any) -> Order:
    """A ping-pong at 8 B for 10 s, unless `changed`."""
    usual: dict[str, Any] = {"patterns": (PINGPONG,), "sizes": (8,), "budget_s": 10.0}
    return Order(**usual | changed)


def spread_over(sites: Sequence[Site]) -> Hosts:
    """The hosts of these sites, played by the machine."""
    return Hosts(tuple(site.asked for site in sites), "agent", emulated=True)


@dataclass
class Played:
    """What came of a campaign."""

    run: Run
    watching: Silent
    machine: ScriptedMachine
    took_s: float
    """Of virtual time."""


@dataclass
class Theatre:
    """Plays campaigns into a directory."""

    directory: Path
    libraries: Mapping[str, ScriptedLibrary]
    asked: Order
    sites: Sequence[Site] = ONE_HOST
    script: Mapping[str, Any] = field(default_factory=dict)
    """What else is in the script."""
    variants: Sequence[Variant] = ()
    """Instead of one for each library."""

    def machine(self) -> ScriptedMachine:
        """A new one, at the beginning of its script."""
        script = Script(self.libraries, tuple(self.sites), **self.script)
        return ScriptedMachine(script, capability())

    @property
    def prepared(self) -> Prepared:
        """What it will measure."""
        return prepared(self.variants or list(self.libraries), self.asked, self.sites)

    def again(self, **script: Any) -> Theatre:
        """The same with another script."""
        return replace(self, script=script)

    def play(self, watching: Silent | None = None, **changed: Any) -> Played:
        """Conducts the campaign from its beginning, what is prepared being `changed` before."""
        watching = watching or Silent()
        with self.machine() as machine:
            prepared = replace(self.prepared, **changed)
            run = conduct(prepared, self.directory, watching, system=machine)
            return Played(run, watching, machine, machine.elapsed_s)

    def go_on(self, watching: Silent | None = None, directory: Path | None = None) -> Played:
        """Resumes what was interrupted, on a machine whose script begins again."""
        watching, prepared = watching or Silent(), self.prepared
        run = load(directory or self.directory)
        interrupted = Interrupted(run, prepared, *blocks_done(run, prepared.plan))
        with self.machine() as machine:
            run = resume(interrupted, watching, machine)
            return Played(run, watching, machine, machine.elapsed_s)


def played(
    directory: Path,
    libraries: Mapping[str, ScriptedLibrary] | None = None,
    watching: Silent | None = None,
    asked: Order | None = None,
    **script: Any,
) -> Played:
    """A campaign of these libraries (default: two equal ones) under a script."""
    libraries = libraries or {"one": ScriptedLibrary(), "other": ScriptedLibrary()}
    return Theatre(directory, libraries, asked or order(), script=script).play(watching)
