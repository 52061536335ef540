"""A campaign: blocks of launches alive together, their cells alternated in random order."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np

from leadline.backend import Backend
from leadline.capability import Capability
from leadline.control import ControlServer, Result
from leadline.errors import LaunchError
from leadline.launch import Launch, SliceError, start_together
from leadline.launchers import Job, launcher_for
from leadline.plan import FEWEST_BLOCKS, Entry, Group, Plan
from leadline.precision import Precision
from leadline.record import Caveat, Cell, Configuration, Failure, Run, Slice
from leadline.store import Journal

START_PATIENCE_S = 60.0
SLICE_PATIENCE_S = 20.0
SLOWEST_BYTES_PER_S = 20e6
"""What a working transport moves at the very least, when the watchdog waits for large messages."""
MOST_VISITS = 12
MOST_RELAUNCHES = 3
"""Of one configuration in one block; then it sits the rest of the block out."""
MAX_BATCHES = 512


@dataclass(frozen=True, slots=True)
class Variant:
    """A backend with settings, under the name that tables show."""

    name: str
    backend: Backend
    kernel: Path
    capability: Capability
    environment: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    transport: str = "unknown"
    """What really carries its messages on one host, from a diagnostic launch."""


class Observer(Protocol):
    """Who is told how the campaign gets on."""

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """All launches of `block` with `ranks` ranks are about to start."""

    def slice_done(self, variant: str, cell: Cell) -> None:
        """One more slice was recorded."""

    def failed(self, failure: Failure) -> None:
        """A cell or a launch failed; the campaign goes on."""

    def close(self) -> None:
        """The campaign is over."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same throughout a campaign."""

    variants: Sequence[Variant]
    plan: Plan
    cores: Sequence[int]
    """Cores that ranks are bound to, in order; more ranks than these start over at the first."""
    bind: bool = True
    per_operation: bool = False
    seed: int = 0
    slice_patience_s: float = SLICE_PATIENCE_S
    precision: float = 0.02
    """Relative half width of all intervals at which sampling stops before the budget is spent."""


class Campaign:
    """Runs the blocks of a plan and journals every slice."""

    def __init__(self, setting: Setting, journal: Journal, observer: Observer) -> None:
        """Registers the plan's cells; configurations follow when their ranks say hello."""
        self.setting, self.journal, self.observer = setting, journal, observer
        cells = list(dict.fromkeys(e.cell for group in setting.plan.groups for e in group.entries))
        self.cells = dict(zip(cells, journal.add_cells(cells), strict=True))
        self.precision = Precision(setting.precision, tuple(self.cells))
        self.configurations: dict[tuple[str, int], int] = {}
        self.repetitions: dict[tuple[int, int], int] = {}
        self.given_up: set[tuple[str, int, int]] = set()
        """(variant, ranks, cell) that failed once: not tried again."""
        self._ids = 0
        self._random = random.Random(setting.seed)
        self._variants = {variant.name: variant for variant in setting.variants}

    # -- blocks ---------------------------------------------------------------------------------

    def run(self, budget_s: float, first_block: int, blocks: int) -> int:
        """Measures `blocks` blocks, numbered from `first_block`; returns how many were completed.

        Stops early, six being done in all, where the next block wouldn't fit the budget any more
        or every interval is as narrow as asked for.
        """
        begin = time.monotonic()
        with ControlServer() as server:
            for done in range(blocks):
                spent = time.monotonic() - begin
                enough = first_block + done >= FEWEST_BLOCKS
                overdue = spent + spent / max(done, 1) > 1.1 * budget_s
                if enough and (overdue or self.precision.reached()):
                    return done
                self._block(
                    server, first_block + done, max(0.0, budget_s - spent) / (blocks - done)
                )
        return blocks

    def recall(self, run: Run) -> None:
        """Takes over what an interrupted campaign already knows."""
        for index, configuration in enumerate(run.configurations):
            self.configurations[configuration.variant, configuration.ranks] = index
            self.precision.know(index, configuration)
        for failure in run.failures:
            configuration = run.configurations[failure.configuration]
            if failure.cell is not None:
                self.given_up.add((configuration.variant, configuration.ranks, failure.cell))
        batches = run.batches
        for configured, cell, repetitions in zip(
            batches.configuration.tolist(),
            batches.cell.tolist(),
            batches.repetitions.tolist(),
            strict=True,
        ):
            self.repetitions[configured, cell] = repetitions

    def _block(self, server: ControlServer, block: int, share_s: float) -> None:
        groups = self.setting.plan.groups
        total = sum(group.slices_per_visit for group in groups)
        for group in groups:
            self.observer.block_begins(block, self.setting.plan.blocks, group.ranks)
            share = share_s * group.slices_per_visit / total
            with Residents(self, server, group, block) as residents:
                self._visits(residents, block, share)
        self.precision.end_block()

    def _visits(self, residents: Residents, block: int, share_s: float) -> None:
        begin = time.monotonic()
        for visit in range(MOST_VISITS):
            visit_begin = time.monotonic()
            self._visit(residents, block, visit)
            took = time.monotonic() - visit_begin
            if time.monotonic() + took > begin + share_s - residents.startup_s:
                return

    def _visit(self, residents: Residents, block: int, visit: int) -> None:
        entries = list(residents.group.entries)
        self._random.shuffle(entries)
        for entry in entries:
            variants = list(entry.variants)
            self._random.shuffle(variants)
            for variant in variants:
                cell = self.cells[entry.cell]
                if (variant, residents.group.ranks, cell) in self.given_up:
                    continue
                launch = residents.launch_of(variant)
                if launch is not None:
                    self._measure(residents, launch, variant, entry, (block, visit))

    # -- one slice ------------------------------------------------------------------------------

    def _measure(
        self,
        residents: Residents,
        launch: Launch,
        variant: str,
        entry: Entry,
        when: tuple[int, int],
    ) -> None:
        cell = self.cells[entry.cell]
        configuration = self.configurations[variant, residents.group.ranks]
        what = f"{variant}, {entry.choice.label}, {entry.cell.size_bytes} B"
        takes_part = entry.participants or launch.ranks
        patience = self.setting.slice_patience_s + (
            40 * entry.cell.size_bytes * takes_part / SLOWEST_BYTES_PER_S
        )
        command = self._command(entry, self.repetitions.get((configuration, cell), 0))
        try:
            results = launch.measure(command, what, takes_part, patience)
        except SliceError as error:
            block = when[0]
            self.given_up.add((variant, residents.group.ranks, cell))
            self.note(Failure(configuration, cell, block, error.code, str(error)))
            if error.fatal:
                residents.relaunch(variant)
            return
        self.repetitions.setdefault((configuration, cell), results[0].repetitions)
        taken = slice_of(configuration, cell, when, results)
        self.journal.add_slice(taken)
        self.precision.add(taken)
        self.observer.slice_done(variant, entry.cell)

    def note(self, failure: Failure) -> None:
        """Journals a failure and tells the observer."""
        self.journal.add_failure(failure)
        self.observer.failed(failure)

    def _command(self, entry: Entry, repetitions: int) -> str:
        self._ids += 1
        cell, choice, plan = entry.cell, entry.choice, self.setting.plan
        return (
            f"id={self._ids} pattern={choice.name} size={cell.size_bytes} buffers={cell.buffers} "
            f"cadence={cell.cadence} slice_ns={int(plan.slice_s * 1e9)} "
            f"repetitions={1 if self.setting.per_operation else repetitions} "
            f"max_batches={MAX_BATCHES} cold_bytes={plan.cold_bytes} "
            f"op={choice.operator} type={choice.element_type}"
        )

    # -- launches -------------------------------------------------------------------------------

    def new_launch(self, server: ControlServer, variant: Variant, ranks: int) -> Launch:
        """A launch of `variant`, not yet started."""
        token = server.new_token()
        scratch = Path(tempfile.mkdtemp(prefix="leadline-"))
        launcher = launcher_for(variant.backend)
        environment = dict(variant.environment) | {
            "LEADLINE_CONTROL": f"{server.address}:{token}",
            "LEADLINE_JOB": token,
            "LEADLINE_PROGRESS": str(scratch / "progress"),
            "LEADLINE_RANK_VARIABLE": launcher.rank_variable,
        }
        if self.setting.bind:
            environment["LEADLINE_BIND"] = ",".join(map(str, self.binding(ranks)))
        job = Job(
            executable=str(variant.kernel),
            arguments=(),
            ranks=ranks,
            cores=len(self.setting.cores),
            environment=environment,
            launcher_arguments=variant.arguments,
        )
        library = variant.backend.compiler or str(variant.kernel)
        return Launch(variant.name, ranks, token, launcher.commands(job), library, scratch)

    def binding(self, ranks: int) -> tuple[int, ...]:
        """The core of each rank; () where ranks aren't bound."""
        cores = self.setting.cores
        return tuple(cores[r % len(cores)] for r in range(ranks)) if self.setting.bind else ()

    def variant(self, name: str) -> Variant:
        """The variant called `name`."""
        return self._variants[name]

    def register(self, launch: Launch, group: Group) -> None:
        """Journals the configuration of a launch that is up, once; checks its binding."""
        key = (launch.label, group.ranks)
        if key in self.configurations:
            return
        variant, hello = self._variants[launch.label], launch.hellos[0]
        configuration = Configuration(
            variant=variant.name,
            backend=variant.backend.name,
            version=variant.backend.version or hello.library,
            ranks=group.ranks,
            binding=self.binding(group.ranks),
            environment=dict(variant.environment),
            arguments=variant.arguments,
            algorithms={n: p.algorithm for n, p in variant.capability.patterns.items()},
            transport=variant.transport,
            oversubscribed=group.oversubscribed,
        )
        self._add(key, configuration)
        for caveat in _binding_caveats(launch, configuration):
            self.journal.add_warning(caveat)

    def _add(self, key: tuple[str, int], configuration: Configuration) -> None:
        self.configurations[key] = self.journal.add_configuration(configuration)
        self.precision.know(self.configurations[key], configuration)

    def register_failed(self, name: str, group: Group) -> int:
        """The configuration of a launch that never came up: its failure is journalled under it."""
        key = (name, group.ranks)
        if key not in self.configurations:
            backend = self._variants[name].backend
            configuration = Configuration(
                name, backend.name, backend.version or "unknown", group.ranks,
                self.binding(group.ranks), oversubscribed=group.oversubscribed,
            )  # fmt: skip
            self._add(key, configuration)
        return self.configurations[key]


class Residents:
    """The launches of one block and one number of ranks, alive together."""

    def __init__(self, campaign: Campaign, server: ControlServer, group: Group, block: int) -> None:
        """Nothing is started until the context is entered."""
        self.campaign, self.server, self.group, self.block = campaign, server, group, block
        self.launches: dict[str, Launch] = {}
        self.relaunches: dict[str, int] = {}
        self.startup_s = 0.0

    def __enter__(self) -> Residents:
        """Starts all variants that have a cell left, together."""
        begin = time.monotonic()
        names = dict.fromkeys(v for entry in self.group.entries for v in entry.variants)
        self._start(list(names))
        self.startup_s = time.monotonic() - begin
        return self

    def __exit__(self, *_: object) -> None:
        """Ends all launches."""
        for launch in self.launches.values():
            launch.close()

    def launch_of(self, variant: str) -> Launch | None:
        """The launch of `variant`; None where it is out for the rest of this block."""
        return self.launches.get(variant)

    def relaunch(self, variant: str) -> None:
        """Ends the launch of `variant` and starts another, unless it failed too often."""
        self.launches.pop(variant).kill()
        self.relaunches[variant] = self.relaunches.get(variant, 0) + 1
        if self.relaunches[variant] <= MOST_RELAUNCHES:
            self._start([variant])

    def _start(self, names: Sequence[str]) -> None:
        campaign = self.campaign
        variants = [campaign.variant(name) for name in names]
        launches = [campaign.new_launch(self.server, v, self.group.ranks) for v in variants]
        expected = {
            v.name: self.group.ranks if v.capability.carries_payload else 1 for v in variants
        }
        try:
            failed = start_together(self.server, launches, expected, START_PATIENCE_S)
        except BaseException:
            for launch in launches:
                launch.kill()
            raise
        for launch in launches:
            if launch.label in failed:
                self._note_failed(launch.label, failed[launch.label])
            else:
                campaign.register(launch, self.group)
                self.launches[launch.label] = launch

    def _note_failed(self, name: str, error: LaunchError) -> None:
        configuration = self.campaign.register_failed(name, self.group)
        self.campaign.note(Failure(configuration, None, self.block, "launch", str(error)))


def slice_of(
    configuration: int, cell: int, when: tuple[int, int], results: Sequence[Result]
) -> Slice:
    """The Slice made of all ranks' results; ranks that recorded nothing are left out."""
    recorded = sorted((r for r in results if len(r.batches)), key=lambda r: r.rank)
    fewest = min((len(r.batches) for r in recorded), default=0)
    stacked = np.stack([r.batches[:fewest] for r in recorded]) if recorded else np.empty((0, 0, 3))
    return Slice(
        configuration,
        cell,
        *when,
        repetitions=results[0].repetitions,
        ranks=np.array([r.rank for r in recorded], dtype=np.int32),
        start_ns=stacked[:, :, 0].astype(np.int64),
        end_ns=stacked[:, :, 1].astype(np.int64),
        flags=stacked[:, :, 2].astype(np.int32),
    )


def _binding_caveats(launch: Launch, configuration: Configuration) -> list[Caveat]:
    wrong = [
        f"rank {hello.rank} runs on cores {','.join(map(str, hello.cores))}"
        for hello in launch.hellos.values()
        if configuration.binding and hello.cores != (configuration.binding[hello.rank],)
    ]
    if not wrong:
        return []
    return [
        Caveat(
            "binding",
            f"{launch.label} with {launch.ranks} ranks isn't bound as asked: {'; '.join(wrong)}",
            "check that the launcher doesn't bind ranks itself, or measure with --bind none",
        )
    ]
