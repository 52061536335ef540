"""What a study's runs measured, by stage, library, PEs, pattern and size; or why they didn't."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from leadline.backends.kinds import title_of
from leadline.compare.analysis import Analysis
from leadline.compare.origins import competes
from leadline.compare.verdict import logarithms
from leadline.papers.estimates import Quantity
from leadline.record.run import Run


@dataclass(frozen=True, slots=True)
class Measurand:
    """What is timed: a pattern at a size, over a variant on so many PEs, in a stage."""

    stage: str
    variant: str
    pes: int
    pattern: str
    size_bytes: int = 0


class UnmeasuredError(Exception):
    """A quantity isn't there; the message says why, and what would measure it."""


@dataclass(frozen=True, slots=True)
class Results:
    """All times of a study, in seconds per operation or message."""

    runs: Mapping[str, Run]
    """By stage."""
    times: Mapping[Measurand, Quantity]
    missing: Mapping[str, str]
    """Libraries that the machine lacked, by kind, and how to get them."""
    analyses: Mapping[str, Analysis]
    """By stage, for what times alone don't say."""

    def variants(self, kind: str, stage: str | None = None) -> list[str]:
        """The variants of the library `kind`, in order of the stage's run; None: of any stage."""
        return list(
            dict.fromkeys(
                configuration.variant
                for name, run in self.runs.items()
                if stage in (None, name)
                for configuration in run.configurations
                if kind_of(configuration.backend) == kind
            )
        )

    def in_order(self, kinds: Sequence[str]) -> list[str]:
        """All variants that were measured: those of `kinds`, in their order, others behind."""
        known = [variant for kind in kinds for variant in self.variants(kind)]
        others = (c.variant for run in self.runs.values() for c in run.configurations)
        return list(dict.fromkeys([*known, *others]))

    def library(self, kind: str) -> str:
        """The first variant of the library `kind`; UnmeasuredError if there is none."""
        variants = self.variants(kind)
        if not variants:
            raise UnmeasuredError(self.lack(kind))
        return variants[0]

    def lack(self, kind: str) -> str:
        """Why no variant of the library `kind` was measured."""
        unnamed = f"{title_of(kind)} wasn't measured; name it in --backends"
        return self.missing.get(kind, unnamed)

    def absent(self, stage: str, variant: str, pattern: str) -> bool:
        """Whether the stage measured the variant, which has no such operation."""
        name = pattern.partition(":")[0]
        known = (c for c in self.runs[stage].configurations if c.variant == variant)
        return any(c.algorithms.get(name, "absent") == "absent" for c in known)

    def pes(self, stage: str) -> list[int]:
        """Numbers of PEs that the stage was measured with."""
        run = self.runs.get(stage)
        return sorted({c.ranks for c in run.configurations}) if run else []

    def time(self, place: Measurand) -> Quantity:
        """The time at `place`; UnmeasuredError says why there is none."""
        quantity = self.times.get(place)
        if quantity is None:
            raise UnmeasuredError(self.why(place))
        return quantity

    def counted(self, place: Measurand) -> Quantity:
        """The time at `place` as it takes part in findings: with a core for each PE."""
        return uncrowded(self.time(place), place.pes)

    def curve(self, stage: str, variant: str, pattern: str) -> dict[int, Quantity]:
        """The times between two PEs by size."""
        return self.sizes(Measurand(stage, variant, 2, pattern))

    def sizes(self, place: Measurand) -> dict[int, Quantity]:
        """The times by size; `place.size_bytes` is ignored."""
        return {
            measurand.size_bytes: time
            for measurand, time in self.times.items()
            if replace(measurand, size_bytes=place.size_bytes) == place
        }

    def sweep(self, place: Measurand) -> dict[int, Quantity]:
        """The times by number of PEs, all of them with a core for each; `place.pes` is ignored."""
        return {pes: time for pes, time in self._by_pes(place).items() if not time.crowded}

    def crowded(self, place: Measurand) -> dict[int, Quantity]:
        """The times by number of PEs, of those alone that share cores; `place.pes` is ignored."""
        return {pes: time for pes, time in self._by_pes(place).items() if time.crowded}

    def _by_pes(self, place: Measurand) -> dict[int, Quantity]:
        at = {pes: replace(place, pes=pes) for pes in self.pes(place.stage)}
        return {pes: self.times[where] for pes, where in at.items() if where in self.times}

    def widest(self, place: Measurand) -> tuple[int, Quantity]:
        """The most PEs that have a core each, and their time; `place.pes` is ignored."""
        times = self.sweep(place)
        if not times:
            fewest = min(self.pes(place.stage), default=place.pes)
            return fewest, self.counted(replace(place, pes=fewest))
        return max(times), times[max(times)]

    def disturbed_below(self, blocks: int) -> bool:
        """Whether all times have so many blocks, and ranks that waited for cores spoilt some.

        A longer run is then disturbed likewise.
        """
        as_many = all(len(quantity.logs) >= blocks for quantity in self.times.values())
        around = (
            cell
            for analysis in self.analyses.values()
            for of_cells in analysis.circumstances
            for cell in of_cells
        )
        return as_many and any(cell.lost for cell in around)

    def why(self, place: Measurand) -> str:
        """Why there is no time at `place`."""
        run = self.runs.get(place.stage)
        if run is None:
            return f"the stage {place.stage} wasn't measured"
        if place.pes not in self.pes(place.stage):
            return f"nothing was measured on {_pes(place.pes)}; leave --quick out"
        configurations = [c for c in run.configurations if c.variant == place.variant]
        if not configurations:
            return f"{place.variant} wasn't measured in the stage {place.stage}"
        what = f"{place.variant}, {place.pattern}"
        if self.absent(place.stage, place.variant, place.pattern):
            return f"{what}: the library has no such operation"
        if place.pattern not in {cell.pattern for cell in run.cells}:
            return f"{place.pattern} isn't part of this run"
        return self._failure(run, place) or f"{what}: {_nothing_counted(run, place)}"

    @staticmethod
    def _failure(run: Run, place: Measurand) -> str | None:
        for failure in run.failures:
            configuration = run.configurations[failure.configuration]
            cell = None if failure.cell is None else run.cells[failure.cell]
            if (configuration.variant, configuration.ranks) == (place.variant, place.pes) and (
                cell is None or (cell.pattern, cell.size_bytes) == (place.pattern, place.size_bytes)
            ):
                fact = run.fact_of(failure).partition("\n")[0]
                where = f"{place.variant}, {place.pattern}, {_pes(place.pes)}"
                return f"{where}: {failure.code}: {fact}"
        return None


def _pes(number: int) -> str:
    return f"{number} PE{'s' * (number != 1)}"


def _nothing_counted(run: Run, place: Measurand) -> str:
    """Why a cell that didn't fail has no time."""
    configured = [(c.variant, c.ranks) == (place.variant, place.pes) for c in run.configurations]
    cells = [(c.pattern, c.size_bytes) == (place.pattern, place.size_bytes) for c in run.cells]
    of_place = np.array(configured)[run.batches.configuration] & np.array(cells)[run.batches.cell]
    if of_place.any():
        return "in every operation some rank started late; quieten the machine"
    if not run.complete:
        return "not measured yet when the stage was interrupted; leadline run --resume goes on"
    return "left out for want of time; see the plan"


def results_of(analyses: Mapping[str, Analysis]) -> Results:
    """The Results of a study's runs by stage.

    Times are medians of blocks; under background load means, for a median forgets waiting for a
    core.
    """
    times: dict[Measurand, Quantity] = {}
    missing: dict[str, str] = {}
    for stage, analysis in analyses.items():
        run = analysis.run
        missing |= run.provenance.study.missing if run.provenance.study else {}
        loaded = run.provenance.background_load is not None
        logs = logarithms(analysis.means_s if loaded else analysis.medians.seconds)
        for index, cell in np.ndindex(logs.shape[:2]):
            over, measured = run.configurations[index], run.cells[cell]
            if np.isnan(logs[index, cell]).all() or not competes(over):
                continue
            place = Measurand(
                stage, over.variant, over.ranks, measured.pattern, measured.size_bytes
            )
            around = analysis.circumstances[index][cell]
            times[place] = Quantity(run.path, logs[index, cell], around.crowded, around.link_share)
    runs = {stage: analysis.run for stage, analysis in analyses.items()}
    return Results(runs, times, missing, analyses)


class MayBeCrowded(Protocol):
    """Anything measured that knows whether there were more PEs than cores."""

    @property
    def crowded(self) -> bool:
        """Whether it was."""


Found = TypeVar("Found", bound=MayBeCrowded)


def uncrowded(quantity: Found, pes: int) -> Found:
    """`quantity`, of so many PEs that had a core each; else UnmeasuredError."""
    if quantity.crowded:
        raise UnmeasuredError(cores_for(pes))
    return quantity


def cores_for(pes: int) -> str:
    """What a finding about so many PEs takes."""
    return f"a machine with {pes} cores or more, one for each PE"


def kind_of(backend: str) -> str:
    """The kind in a backend's name: "openmpi" of "openmpi@4.1.4"."""
    return backend.partition("@")[0].partition("#")[0]
