"""Campaigns for tests, into a directory of theirs, watched by an observer that only counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline.kernels.patterns import parse_choice
from leadline.measure.campaign import Campaign
from leadline.measure.plan import Plan, make_plan
from leadline.measure.request import Place, Request
from leadline.measure.setting import Setting
from leadline.measure.variants import Variant
from leadline.record.run import Cell, Failure, Run
from leadline.store import Journal, load


class Silent:
    """An observer that only counts."""

    def __init__(self) -> None:
        self.blocks: list[int] = []
        self.slices: list[str] = []
        self.failures: list[Failure] = []

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        self.blocks.append(block)

    def slice_done(self, variant: str, cell: Cell) -> None:
        self.slices.append(variant)

    def failed(self, failure: Failure) -> None:
        self.failures.append(failure)

    def close(self) -> None:
        pass


def plan_for(
    variants: Sequence[Variant], patterns: str, sizes: tuple[int, ...], blocks: int, ranks: int = 2
) -> Plan:
    capabilities = {v.name: v.capability for v in variants}
    known = variants[0].capability.patterns
    choices = tuple(parse_choice(name, known) for name in patterns.split(","))
    request = Request(choices, sizes, (ranks,), budget_s=1.0, blocks=blocks)
    return make_plan(request, Place(capabilities, 0.1, 64, 2**34, None))


def run_campaign(
    directory: Path, variants: Sequence[Variant], plan: Plan, patience_s: float = 20.0
) -> tuple[Run, Silent]:
    watching = Silent()
    setting = Setting(variants, plan, cores=(0, 1), slice_patience_s=patience_s)
    with Journal.create(directory, {"plan": {"blocks": plan.blocks}}) as journal:
        Campaign(setting, journal, watching).run(0.0, 0, plan.blocks)
        journal.close(True)
    return load(directory), watching


def seen(run: Run) -> set[tuple[int, int, int]]:
    b = run.batches
    return set(zip(b.block.tolist(), b.configuration.tolist(), b.cell.tolist(), strict=True))
