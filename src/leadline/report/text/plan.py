"""The plan's sum, in lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from leadline.hosts.cores import Site, cores_of
from leadline.measure.plan import Group, Plan
from leadline.measure.spec import Variant, carriers
from leadline.record.caveats import Caveat, CaveatKind
from leadline.report.text.mapping import placement_words
from leadline.report.text.phrases import plural
from leadline.units import format_bit_rate, format_time

MOST_ABSENT = 4
"""Patterns that a sentence names one by one."""
_ABSENT = re.compile(r"(?P<labels>.+) makes? no sense over (?P<who>.+)")
LONG = 3
"""Times what its slices are asked to be: a visit that takes that is told by its own time."""


def plan_lines(
    plan: Plan,
    variants: Sequence[Variant],
    left_out: Sequence[Caveat],
    sites: Sequence[Site] = (),
    link_bound: float | None = None,
    whole: bool = True,
) -> list[str]:
    """What will be measured, on which of several hosts, how long it takes, what was left out.

    `link_bound` is the order's; unless the `whole` is wanted, long lists of patterns are counted.
    """
    lines = [f"variants: {', '.join(_variants(variants))}"]
    if len(sites) > 1:
        lines.append(f"hosts: {_where(sites)}")
    if link_bound is not None:
        rate = format_bit_rate(link_bound) if link_bound else "the speed of their interfaces"
        lines.append(f"links: watched, held against {rate} each way")
    for group in plan.groups:
        lines += [_group(group), *_problems(group), *_placements(group)]
    simulated = bool(variants) and all(variant.simulated_on for variant in variants)
    lines.append(_simulated(plan) if simulated else _duration(plan))
    lines += _at_most(plan)
    if plan.blocks > 1 and not simulated:
        lines.append(_anew(plan))
    return lines + [_left_out(caveat, whole) for caveat in (*left_out, *plan.caveats)]


def _left_out(caveat: Caveat, whole: bool) -> str:
    absent = _ABSENT.fullmatch(caveat.cause) if caveat.code == CaveatKind.ABSENT.code else None
    labels = absent["labels"].split(", ") if absent else []
    if absent is None or whole or len(labels) <= MOST_ABSENT:
        return f"{caveat.code}: {caveat.cause} ({caveat.remedy})"
    lack = "haven't" if ", " in absent["who"] else "hasn't"
    return (
        f"{caveat.code}: {len(labels)} patterns need what {absent['who']} {lack} "
        f"(--dry-run names them)"
    )


def wrapped_plan(lines: Sequence[str], width: int) -> list[str]:
    """`lines` broken between words at `width`, later lines indented by 2 more."""
    found: list[str] = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        found += textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    return found


def _at_most(plan: Plan) -> Iterator[str]:
    """That more time would bring no more blocks, where nobody counted them."""
    limits = plan.limits
    if limits.fewest < limits.most == plan.blocks:
        yield f"{limits.most} blocks are the most that a run has, whatever its --budget"


def _duration(plan: Plan) -> str:
    blocks, visits = plural(plan.blocks, "block"), plural(plan.visits, "visit")
    visit_s, slices = plan.costs.visit_s, sum(group.slices_per_visit for group in plan.groups)
    as_asked = f"x slices of {plan.slice_s * 1e3:.0f} ms"
    each = as_asked if visit_s < LONG * slices * plan.slice_s else f"of {visit_s:.1f} s"
    return (
        f"{blocks} x ({plan.startup_s:.1f} s start-up + {visits} {each}) "
        f"= about {plan.estimate_s:.0f} s"
    )


def _simulated(plan: Plan) -> str:
    return f"{plural(plan.blocks, 'block')} of simulated time; how long they take isn't known"


def _anew(plan: Plan) -> str:
    """What of the plan may change on the way, and when."""
    counted = plan.limits.fewest == plan.limits.most
    what = "visits" if counted else "blocks, visits"
    return (
        f"planned anew after 1, 3, 6, ... blocks, by what they take and how they spread: {what}, "
        "slices of 2 ms where medians settle by then"
    )


def _variants(variants: Sequence[Variant]) -> Iterator[str]:
    """Each with its version; of those without launches of their own, whose they share."""
    carried_by = carriers(variants)
    for variant in variants:
        version = variant.backend.version or variant.backend.kind
        carrier = carried_by[variant.name]
        shared = "" if carrier == variant.name else f", in launches of {carrier}"
        yield f"{variant.name} ({version}{shared})"


def _where(sites: Sequence[Site]) -> str:
    machines = plural(len({site.machine for site in sites}), "machine")
    return f"{len(sites)} on {machines}, with {plural(len(cores_of(sites)), 'core')} for ranks"


def _group(group: Group) -> str:
    patterns: dict[str, int] = {}
    for planned in group.cells:
        patterns[planned.choice.label] = patterns.get(planned.choice.label, 0) + 1
    cells = ", ".join(f"{label} x {count}" for label, count in patterns.items())
    visit = plural(group.slices_per_visit, "slice")
    launches = plural(group.launches, "launch")
    return f"{_who(group)}: {cells}; {visit} a visit, {launches} of each variant"


def _problems(group: Group) -> Iterator[str]:
    """What applications take of memory and time."""
    for planned in group.cells:
        problem, seconds = planned.problem, group.problem_s(planned)
        if problem is not None and seconds is not None:
            repetitions = plural(problem.repetitions, "repetition")
            yield (
                f"  {planned.choice.label}: {_millions(problem.bytes)} MB on all ranks together, "
                f"{repetitions} of {_millions(problem.flop)} Mflop; a slice takes "
                f"about {format_time(seconds)}"
            )


def _millions(number: int) -> str:
    """To three digits, e.g. "1.03" or "5,220"."""
    return f"{float(f'{number / 1e6:.3g}'):,.10g}"


def _placements(group: Group) -> Iterator[str]:
    for variant, placements in group.placements.items():
        for laid in placements:
            yield f"  {variant} lays {placement_words(laid)}"


def _who(group: Group) -> str:
    ranks = plural(group.ranks, "rank")
    if not group.threads:
        return ranks
    return f"{ranks} of {plural(group.threads, 'thread')}, MPI_THREAD_MULTIPLE"
