"""The measuring half of `leadline study`: its stages, each a campaign, one after the other."""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends
from leadline.backends.kinds import KINDS, title_of
from leadline.cli.options import words
from leadline.cli.outcome import print_plan
from leadline.errors import BudgetError, UsageError
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.prepared import Prepared
from leadline.record.provenance import StudyFacts
from leadline.report.text.progress import progress_for
from leadline.store import check_unused
from leadline.studies.stage import Stage
from leadline.studies.study import Study
from leadline.units import parse_duration


@dataclass(frozen=True, slots=True)
class PlannedStages:
    """A study that could begin now."""

    directory: Path
    """Of the runs, which are called after their stages."""
    campaigns: Mapping[str, Prepared]
    missing: Mapping[str, str]
    """The libraries that this machine lacks, by kind, and how to get them."""


def planned(study: Study, arguments: argparse.Namespace) -> PlannedStages:
    """The `study` as `arguments` ask for it; its plan is printed on stderr."""
    out = Path(arguments.out or time.strftime("leadline-study-%Y%m%d-%H%M%S"))
    backends = find_backends(arguments.mpicc)
    names = _names(arguments, backends)
    budget_s = _budget_s(study, arguments)
    campaigns: dict[str, Prepared] = {}
    for stage in study.stages(budget_s, arguments.quick, len(os.sched_getaffinity(0))):
        if stage.takes(names):
            check_unused(out / stage.name)
            campaigns[stage.name] = _prepared(stage, budget_s, names, arguments.mpicc)
    for name, prepared in campaigns.items():
        print(f"stage {name}:", file=sys.stderr)
        print_plan(prepared)
    total_s = sum(prepared.plan.estimate_s for prepared in campaigns.values())
    print(f"all stages: about {total_s:.0f} s", file=sys.stderr)
    return PlannedStages(out, campaigns, _missing(backends))


def measured(planned: PlannedStages, study: str) -> bool:
    """Measures stage by stage; False: interrupted, which leaves out the later ones."""
    facts = StudyFacts(study, planned.missing)
    for name, prepared in planned.campaigns.items():
        observer = progress_for(prepared.plan.estimate_s)
        run = conduct(prepared, planned.directory / name, observer, facts)
        if not run.complete:
            resume = f"leadline run --resume {run.path}"
            print(f"interrupted; this stage goes on with: {resume}", file=sys.stderr)
            return False
    return True


def _budget_s(study: Study, arguments: argparse.Namespace) -> float:
    """Of the whole study."""
    usual = study.quick_s if arguments.quick else study.full_s
    return parse_duration(arguments.budget) if arguments.budget else usual


def _prepared(
    stage: Stage, budget_s: float, backends: Sequence[str], wrappers: Sequence[str]
) -> Prepared:
    try:
        return prepare(stage.over(backends, wrappers))
    except BudgetError as error:
        part_s = stage.order.budget_s
        whole_s = error.least_s * budget_s / part_s
        raise UsageError(
            f"stage {stage.name} has {part_s:.2g} s of the study's time and takes "
            f"{error.least_s:.2g} s at least; give --budget {math.ceil(whole_s)}s"
        ) from None


def _names(arguments: argparse.Namespace, backends: Sequence[Backend]) -> list[str]:
    """The backends asked for, else all that a run takes by itself."""
    if arguments.backends:
        return words(arguments.backends, "--backends")
    return [b.name for b in backends if b.usable and not KINDS[b.kind].only_by_name]


def _missing(backends: Sequence[Backend]) -> dict[str, str]:
    """The kinds that this machine lacks, and how to get them."""
    usable = {backend.kind for backend in backends if backend.usable}
    return {
        b.kind: f"{title_of(b.kind)}: {b.reason}; {b.remedy}"
        for b in backends
        if b.kind not in usable
    }
