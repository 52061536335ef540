"""The plan of a campaign, in lines."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from leadline.hosts.cores import Site, cores_of
from leadline.measure.plan import Group, Plan
from leadline.measure.spec import Variant, carriers
from leadline.record.warnings import RunWarning, WarningKind
from leadline.report.text.catalogue import PlanWords
from leadline.report.text.mapping import placement_words
from leadline.report.text.phrases import plural
from leadline.units import format_bit_rate

MOST_ABSENT = 4
"""Patterns that are listed one by one; more are counted."""
_ABSENT = re.compile(r"(?P<labels>.+) makes? no sense over (?P<who>.+)")
LONG = 3
"""Visits that take this many times what their slices ask for are given by their own time."""


def plan_lines(
    plan: Plan,
    variants: Sequence[Variant],
    left_out: Sequence[RunWarning],
    sites: Sequence[Site] = (),
    link_bound: float | None = None,
    whole: bool = True,
) -> list[str]:
    """What will be measured, on which hosts, how long it takes, and what was left out.

    Args:
        plan: Groups of cells, and their cost.
        variants: All that are measured, some perhaps in launches of others.
        left_out: Warnings of what can't be measured.
        sites: The hosts; one needs no line.
        link_bound: Rate in bytes a second that links are compared with; 0: that of their
            interfaces; None: links aren't watched.
        whole: Whether long lists of patterns are written out instead of counted.
    """
    carried_by = carriers(variants)
    labels: list[str] = []
    for variant in variants:
        carrier = carried_by[variant.name]
        shared = "" if carrier == variant.name else f", in launches of {carrier}"
        version = variant.backend.version or variant.backend.kind
        labels.append(f"{variant.name} ({version}{shared})")
    lines = [f"variants: {', '.join(labels)}"]
    if len(sites) > 1:
        lines.append(
            PlanWords.HOSTS(
                hosts=len(sites),
                machines=len({site.machine for site in sites}),
                cores=len(cores_of(sites)),
            )
        )
    if link_bound is not None:
        rate = format_bit_rate(link_bound) if link_bound else None
        lines.append(PlanWords.LINKS(rate=rate))
    for group in plan.groups:
        lines += _group_lines(group)
    simulated = bool(variants) and all(variant.simulated_on for variant in variants)
    lines += _duration_lines(plan, simulated)
    return lines + [_left_out(warning, whole) for warning in (*left_out, *plan.warnings)]


def _group_lines(group: Group) -> Iterator[str]:
    """Cells by pattern, then what applications take of memory and time, and where ranks go."""
    who = plural(group.ranks, "rank")
    if group.threads:
        who = f"{who} of {plural(group.threads, 'thread')}, MPI_THREAD_MULTIPLE"
    counts = Counter(planned.choice.label for planned in group.cells)
    cells = ", ".join(f"{label} x {count}" for label, count in counts.items())
    yield PlanWords.GROUP(
        ranks=who, cells=cells, slices=group.slices_per_visit, launches=group.launches
    )
    for planned in group.cells:
        problem, seconds = planned.problem, group.problem_s(planned)
        if problem is not None and seconds is not None:
            yield PlanWords.PROBLEM(
                pattern=planned.choice.label,
                megabytes=_millions(problem.bytes),
                repetitions=problem.repetitions,
                megaflop=_millions(problem.flop),
                seconds=seconds,
            )
    for variant, placements in group.placements.items():
        for placed in placements:
            yield PlanWords.LAYS(variant=variant, placement=placement_words(placed))


def _millions(number: int) -> str:
    """To three digits, e.g. "1.03" or "5,220"."""
    return f"{float(f'{number / 1e6:.3g}'):,.10g}"


def _duration_lines(plan: Plan, simulated: bool) -> Iterator[str]:
    """How long it takes, what bounds it, and what of it may change on the way.

    That more time would bring no more blocks is worth a line only where nobody set their number.
    """
    blocks, visits = plural(plan.blocks, "block"), plural(plan.visits, "visit")
    if simulated:
        yield PlanWords.SIMULATED(blocks=blocks)
    else:
        visit_s, slices = plan.costs.visit_s, sum(group.slices_per_visit for group in plan.groups)
        each = PlanWords.SLICES(slice_ms=plan.slice_s * 1e3)
        if visit_s >= LONG * slices * plan.slice_s:
            each = PlanWords.VISITS(visit_s=visit_s)
        yield PlanWords.DURATION(
            blocks=blocks,
            startup_s=plan.startup_s,
            visits=visits,
            each=each,
            estimate_s=plan.estimate_s,
        )
    limits = plan.limits
    if limits.fewest < limits.most == plan.blocks:
        yield PlanWords.MOST_BLOCKS(most=limits.most)
    if plan.blocks > 1 and not simulated:
        yield PlanWords.ANEW(fixed=limits.fewest == limits.most)


def _left_out(warning: RunWarning, whole: bool) -> str:
    absent = _ABSENT.fullmatch(warning.cause) if warning.code == WarningKind.ABSENT.code else None
    labels = absent["labels"].split(", ") if absent else []
    if absent is None or whole or len(labels) <= MOST_ABSENT:
        return f"{warning.code}: {warning.cause} ({warning.remedy})"
    who = absent["who"]
    several = ", " in who
    return PlanWords.ABSENT(code=warning.code, number=len(labels), who=who, several=several)


def wrapped_plan(lines: Sequence[str], width: int) -> list[str]:
    """`lines` broken between words at `width` characters, continuations indented by 2 more."""
    found: list[str] = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        found += textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    return found
