"""The plan's sum, in lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.measure.plan import Group, Plan
from leadline.record.caveats import Caveat
from leadline.report.text.phrases import plural

if TYPE_CHECKING:
    from leadline.measure.variants import Variant


def plan_lines(plan: Plan, variants: Sequence[Variant], left_out: Sequence[Caveat]) -> list[str]:
    """What will be measured, how long it takes and why, and what was left out."""
    lines = [
        "variants: "
        + ", ".join(f"{v.name} ({v.backend.version or v.backend.kind})" for v in variants)
    ]
    for group in plan.groups:
        patterns: dict[str, int] = {}
        for planned in group.cells:
            patterns[planned.choice.label] = patterns.get(planned.choice.label, 0) + 1
        cells = ", ".join(f"{label} x {count}" for label, count in patterns.items())
        visit = plural(group.slices_per_visit, "slice")
        launches = plural(group.launches, "launch")
        lines.append(f"{_who(group)}: {cells}; {visit} a visit, {launches} of each variant")
    blocks, visits = plural(plan.blocks, "block"), plural(plan.visits, "visit")
    lines.append(
        f"{blocks} x ({plan.startup_s:.1f} s start-up + {visits} x slices of "
        f"{plan.slice_s * 1e3:.0f} ms) = about {plan.estimate_s:.0f} s"
    )
    lines += [
        f"{caveat.code}: {caveat.cause} ({caveat.remedy})" for caveat in (*left_out, *plan.caveats)
    ]
    return lines


def _who(group: Group) -> str:
    ranks = plural(group.ranks, "rank")
    if not group.threads:
        return ranks
    return f"{ranks} of {plural(group.threads, 'thread')}, MPI_THREAD_MULTIPLE"
