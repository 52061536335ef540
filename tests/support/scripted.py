"""Campaigns on scripted machines: the real code in virtual time, without a process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from tests.support.campaigns import Silent

from leadline.hosts.cores import Site
from leadline.hosts.placement import Hosts
from leadline.measure.conduct import conduct, resume
from leadline.measure.preparation import Interrupted
from leadline.measure.prepared import Prepared
from leadline.measure.resumption import blocks_done
from leadline.measure.spec import Request, Variant
from leadline.record.run import Run
from leadline.scripted.campaigns import ONE_HOST, capability, prepared
from leadline.scripted.machine import START_S, ScriptedMachine
from leadline.scripted.script import NoiseModel, Script, ScriptedLibrary
from leadline.store import load

CALM = NoiseModel(batches=0.001, slices=0.0, launches=0.0)
QUIET = ScriptedLibrary(noise=CALM)
PINGPONG = "pingpong"


def request(**changed: Any) -> Request:
    """A ping-pong at 8 B for 10 s, unless `changed`."""
    usual: dict[str, Any] = {"patterns": (PINGPONG,), "sizes": (8,), "budget_s": 10.0}
    return Request(**usual | changed)


def spread_over(sites: Sequence[Site]) -> Hosts:
    """The hosts of these sites, played by the machine."""
    return Hosts(tuple(site.asked for site in sites), "agent", emulated=True)


def hosts_named(number: int, cores: int = 4, machine: str = "") -> tuple[Site, ...]:
    """Hosts h1, h2 ..., each a machine of its own, or all of them one `machine`."""
    return tuple(
        Site(f"h{n}", machine or f"machine{n}", tuple(range(cores)), f"h{n}")
        for n in range(1, number + 1)
    )


@dataclass
class Played:
    """What came of a campaign."""

    run: Run
    watching: Silent
    machine: ScriptedMachine
    took_s: float
    """Of virtual time."""

    def codes(self) -> list[str]:
        """Of the failures, in order."""
        return [failure.code for failure in self.run.failures]

    def variant(self, configuration: int) -> str:
        """Whose configuration it is."""
        return self.run.configurations[configuration].variant

    def begin_s(self, block: int, ranks: int) -> float:
        """When, by the script, the first batch with so many ranks began in `block`."""
        batches = self.run.batches
        alike = [n for n, one in enumerate(self.run.configurations) if one.ranks == ranks]
        where = (batches.block == block) & np.isin(batches.configuration, alike)
        return float(batches.start_ns[where].min()) * 1e-9 - START_S


@dataclass
class Theatre:
    """Plays campaigns into a directory."""

    directory: Path
    libraries: Mapping[str, ScriptedLibrary]
    asked: Request
    sites: Sequence[Site] = ONE_HOST
    script: Mapping[str, Any] = field(default_factory=dict)
    """What else is in the script."""
    variants: Sequence[Variant] = ()
    """Instead of one for each library."""
    now_s: Callable[[], float] = lambda: 0.0
    """Of the machine that plays at the moment."""

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
            self.now_s = lambda: machine.elapsed_s
            prepared = replace(self.prepared, **changed)
            run = conduct(prepared, self.directory, watching, system=machine)
            return Played(run, watching, machine, machine.elapsed_s)

    def go_on(
        self, watching: Silent | None = None, directory: Path | None = None, **changed: Any
    ) -> Played:
        """Resumes what was interrupted, on a machine whose script begins again."""
        watching, prepared = watching or Silent(), replace(self.prepared, **changed)
        run = load(directory or self.directory)
        interrupted = Interrupted(run, prepared, *blocks_done(run, prepared.plan))
        with self.machine() as machine:
            run = resume(interrupted, watching, machine)
            return Played(run, watching, machine, machine.elapsed_s)


def played(
    directory: Path,
    libraries: Mapping[str, ScriptedLibrary] | None = None,
    watching: Silent | None = None,
    asked: Request | None = None,
    **script: Any,
) -> Played:
    """A campaign of these libraries (default: two equal ones) under a script."""
    libraries = libraries or {"one": ScriptedLibrary(), "other": ScriptedLibrary()}
    return Theatre(directory, libraries, asked or request(), script=script).play(watching)
