"""Campaigns for tests, into a directory of theirs, watched by an observer that only counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.patience import PATIENCE_S

from leadline.hosts.cleanup.sweep import Swept
from leadline.hosts.cores import Site
from leadline.hosts.survey import this_site
from leadline.hosts.this_host import Load
from leadline.measure.budget import Allotment, BlockCosts, BlockLimits
from leadline.measure.cells import Resources
from leadline.measure.conduct import conduct
from leadline.measure.plan import Group, Plan, make_plan
from leadline.measure.prepared import Prepared
from leadline.measure.schedule import Shortfall
from leadline.measure.spec import Request, Variant, carriers
from leadline.record.run import Cell, Failure, Run
from leadline.record.warnings import RunWarning, WarningKind


class Silent:
    """An observer that only counts."""

    def __init__(self) -> None:
        self.blocks: list[int] = []
        self.slices: list[str] = []
        self.commands: dict[str, list[str]] = {}
        self.failures: list[Failure] = []
        self.allotments: list[Allotment] = []
        self.shortfalls: list[Shortfall] = []
        self.remains = Swept()

    def swept(self, swept: Swept) -> None:
        self.remains = swept

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        self.blocks.append(block)

    def launched(self, variant: str, command: Sequence[str]) -> None:
        self.commands.setdefault(variant, list(command))

    def expected(self, left_s: float) -> None:
        assert left_s >= 0

    def falls_short(self, shortfall: Shortfall, load: Load) -> None:
        self.shortfalls.append(shortfall)

    def replanned(self, allotment: Allotment) -> None:
        self.allotments.append(allotment)

    def slice_done(self, variant: str, cell: Cell) -> None:
        self.slices.append(variant)

    def failed(self, failure: Failure) -> None:
        self.failures.append(failure)

    def close(self) -> None:
        pass


class Interrupting(Silent):
    """As Ctrl-C at the beginning of the second block."""

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        super().block_begins(block, blocks, ranks)
        if block == 1:
            raise KeyboardInterrupt


def plan_for(
    variants: Sequence[Variant], patterns: str, sizes: tuple[int, ...], blocks: int, ranks: int = 2
) -> Plan:
    """A plan for a machine with 64 cores and much memory, whatever this one has."""
    request = Request(
        patterns=tuple(patterns.split(",")),
        sizes=sizes,
        ranks=(ranks,),
        budget_s=1.0,
        blocks=blocks,
    )
    resources = Resources(
        capabilities={v.name: v.capability for v in variants},
        startup_s=0.1,
        sites=(replace(this_site(), cores=tuple(range(64))),),
        memory_bytes=2**34,
        cache_bytes=None,
        carriers=carriers(variants),
        maps={v.name: v.map for v in variants if v.map},
    )
    return make_plan(request, resources)


def planned(*groups: Group) -> Plan:
    """The shortest plan for `groups`."""
    costs = BlockCosts(startup_s=0.1, launch_s=0.05, visit_s=1.0)
    return Plan(
        groups, BlockLimits(1, 1, 1, 1), costs, Allotment(1, 1, 1), slice_s=0.005, cold_bytes=0
    )


def beside_load(warnings: Iterable[RunWarning]) -> list[RunWarning]:
    """`warnings` without those of what else ran on the machine meanwhile, or laid its cores anew.

    Some blocks may not count for that, so that too few are left; that none are is another thing.
    """
    kinds = (
        WarningKind.DISTURBED,
        WarningKind.NO_TIME,
        WarningKind.CORE_STATES,
        WarningKind.AUTOCORRELATION,  # of a few blocks, now and then by chance as well
    )
    by_load = {kind.code for kind in kinds}
    few = WarningKind.FEW_BLOCKS.code
    return [
        one
        for one in warnings
        if one.code not in by_load and (one.code != few or one.cause.startswith("0 "))
    ]


def on_two_cores() -> Site:
    """This host, of which ranks take cores 0 and 1."""
    return replace(this_site(), cores=(0, 1))


def run_campaign(
    directory: Path,
    variants: Sequence[Variant],
    plan: Plan,
    patience_s: float = PATIENCE_S,
    watching: Silent | None = None,
) -> tuple[Run, Silent]:
    """The run of `plan` on cores 0 and 1, without time for more than one visit a block."""
    watching = watching or Silent()
    request = Request(patterns=(), budget_s=0.0, patience_s=patience_s)
    prepared = Prepared(request, tuple(variants), plan, (on_two_cores(),))
    return conduct(prepared, directory, watching), watching


def failure_at_104_bytes(
    directory: Path, good: Variant, bad: Variant, patience_s: float = PATIENCE_S
) -> Failure:
    """The one failure of a ping-pong at 8 and 104 B: that of `bad` at 104."""
    plan = plan_for([good, bad], "pingpong", (8, 104), 1)
    run, _ = run_campaign(directory, [good, bad], plan, patience_s=patience_s)
    (failure,) = run.failures
    assert run.configurations[failure.configuration].variant == bad.name
    assert failure.cell is not None
    assert run.cells[failure.cell].size_bytes == 104
    return failure


def seen(run: Run) -> set[tuple[int, int, int]]:
    b = run.batches
    return set(zip(b.block.tolist(), b.configuration.tolist(), b.cell.tolist(), strict=True))


def launches_by_slice(run: Run) -> Mapping[str, dict[tuple[int, int], int]]:
    """By variant, block and visit the number of the launch."""
    b = run.batches
    found: dict[str, dict[tuple[int, int], int]] = {}
    columns = (b.configuration, b.block, b.visit, b.launch)
    for configuration, block, visit, launch in zip(*(c.tolist() for c in columns), strict=True):
        name = run.configurations[configuration].variant
        found.setdefault(name, {})[block, visit] = launch
    return found
