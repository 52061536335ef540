"""The measuring half of `leadline health`: round after round, each a recorded run."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from leadline.cli.parsing.forms import say
from leadline.errors import MachineError
from leadline.health.examination import Examination
from leadline.health.matchings import Matching
from leadline.health.measured import (
    PATTERN,
    SMALL_BYTES,
    SMALLEST_LARGE,
    large_bytes,
    round_of,
)
from leadline.health.observations import Round, Tolerances
from leadline.health.outcome import Health, health_of
from leadline.hosts.placement import Hosts
from leadline.hosts.survey import unanswering
from leadline.measure.conduct import conduct
from leadline.measure.preparation import paired, prepare
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Request, VariantSpec
from leadline.record.warnings import RunWarning
from leadline.report.text.health import round_line
from leadline.report.text.progress import FailuresOnly
from leadline.store import check_unused

ROUND_S = 1.0
"""Budget of a round's visits in seconds; at least one visit is made."""
START_PATIENCE_S = 10.0
"""Timeout for a launch of two ranks to start; a link that carries nothing costs it twice."""
SLICE_PATIENCE_S = 5.0
"""Timeout after which a rank of a slice is reported as hung."""


@dataclass(slots=True)
class Rounds:
    """Hosts under examination, and the directory of the runs."""

    hosts: Hosts
    backend: str
    budget_s: float
    tolerances: Tolerances
    seed: int
    directory: Path
    quiet: bool = False
    """Whether no line is printed after each round."""
    interrupted: bool = False
    _large_bytes: int = 0
    _runs: list[Path] = field(default_factory=list)
    _down: dict[str, str] = field(default_factory=dict)
    """Hosts that don't answer, by name, with what they printed."""

    def examine(self) -> Health:
        """The result of rounds until all is decided, time is over or the user interrupts."""
        check_unused(self.directory)
        self._down = unanswering(self.hosts)
        alive = tuple(name for name in self.hosts.names if name not in self._down)
        if not alive:
            name, output = next(iter(self._down.items()))
            raise MachineError(
                f"--hosts: none of {len(self._down)} hosts answers; {name!r} ended with {output}; "
                f"make '{self.hosts.agent} {name} hostname' work without a password, or name "
                "another program by --agent"
            )
        examination = Examination(alive, self.tolerances, self.seed)
        warnings: tuple[RunWarning, ...] = ()
        if len(alive) > 1:
            prepared = prepare(
                Request(
                    patterns=(PATTERN,),
                    sizes=(SMALL_BYTES, SMALLEST_LARGE),
                    variants=(VariantSpec(self.backend, self.backend),),
                    budget_s=ROUND_S,
                    blocks=1,
                    hosts=replace(self.hosts, names=alive),
                    patience_s=SLICE_PATIENCE_S,
                    start_patience_s=START_PATIENCE_S,
                    seed=self.seed,
                )
            )
            warnings = prepared.machine_warnings
            try:
                self._go_on(examination, prepared)
            except KeyboardInterrupt:
                self.interrupted = True
            examination.conclude()
        return health_of(examination, self._down, [str(path) for path in self._runs], warnings)

    def _go_on(self, examination: Examination, prepared: Prepared) -> None:
        """Measures rounds, at least one, until none is needed, time is over or one is cut short.

        Hosts of silent pairs are asked whether they answer at all.
        """
        deadline = time.monotonic() + self.budget_s
        while pairs := examination.next_pairs():
            seen = self._round(prepared, pairs)
            if self.interrupted:  # pairs that weren't measured aren't silent
                break
            examination.take(seen)
            asked = sorted({host for pair in examination.rounds[-1].silent for host in pair})
            gone = unanswering(replace(self.hosts, names=tuple(asked))) if asked else {}
            self._down |= gone
            examination.gone.update(gone)
            if time.monotonic() > deadline:
                break

    def _round(self, prepared: Prepared, pairs: Matching) -> Round:
        """Measures one round; the first one decides the size of the larger messages."""
        begin, path = time.monotonic(), self.directory / f"round-{len(self._runs) + 1:02}"
        sizes = (SMALL_BYTES, self._large_bytes or SMALLEST_LARGE)
        run = conduct(paired(prepared, pairs, sizes), path, FailuresOnly())
        self._runs.append(path)
        self.interrupted = not (run.complete or run.awaits_hosts)
        self._large_bytes = self._large_bytes or large_bytes(run)
        seen = round_of(run, pairs, self._large_bytes)
        if not (self.interrupted or self.quiet):
            took_s = time.monotonic() - begin
            say(round_line(len(self._runs), seen, took_s))
        return seen
