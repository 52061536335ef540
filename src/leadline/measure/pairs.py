"""Pairs of hosts side by side: a variant for each, alive together and measured in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline.measure.plan import Plan, make_plan
from leadline.measure.preparation import resources_for
from leadline.measure.prepared import Prepared

JOINT = "+"
"""Between the names of two hosts in that of their variant."""

SLICE_S = 0.03
"""Longer than a scheduler's turns: who is stopped again and again is stopped in most slices."""


def paired(prepared: Prepared, pairs: Sequence[tuple[str, str]], sizes: Sequence[int]) -> Prepared:
    """`prepared` with its first variant on each of `pairs` of its hosts, instead of on all.

    The launches of all pairs are alive together; one pair at a time sends, so that what a slice
    shows is its own, whatever links, switches and cores pairs may share. `sizes` are those that are
    measured.
    """
    first, spec = prepared.variants[0], prepared.order.variants[0]
    names = [(JOINT.join(pair), pair) for pair in pairs]
    variants = tuple(replace(first, name=name, hosts=pair) for name, pair in names)
    specs = tuple(replace(spec, name=name, hosts=pair) for name, pair in names)
    order = replace(prepared.order, variants=specs, sizes=tuple(sizes), ranks=(2,))
    resources = resources_for(order, variants, prepared.sites, prepared.machine)
    plan = _one_launch_each(make_plan(order, resources))
    return replace(prepared, order=order, variants=variants, plan=plan)


def _one_launch_each(plan: Plan) -> Plan:
    """`plan` with a launch a variant, as other rounds have others, and slices of SLICE_S."""
    groups = tuple(replace(group, launches=1) for group in plan.groups)
    return replace(
        plan, groups=groups, slice_s=SLICE_S, allotment=replace(plan.allotment, launches=1)
    )
