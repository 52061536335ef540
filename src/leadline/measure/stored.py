"""A prepared campaign as plain values, for the plan that lies beside the journal, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, get_args, get_origin, get_type_hints

from leadline.hosts.cores import Site
from leadline.measure.order import Order
from leadline.measure.plan import Plan
from leadline.measure.prepared import Prepared
from leadline.measure.variants import Variant
from leadline.record.caveats import Caveat
from leadline.record.provenance import PlanFacts

PLAN_FORMAT = 4
"""Of the stored plan; another one can't be read."""


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """What a campaign goes on with after an interruption."""

    format: int
    order: Order
    plan: Plan
    sites: tuple[Site, ...]
    kernels: tuple[tuple[str, str], ...]
    """Of each variant its name and the key of its kernel, which says what that is built of."""
    caveats: tuple[Caveat, ...] = ()
    """That the run begins with; plans stored before they were kept here have none."""


def stored_plan(prepared: Prepared) -> StoredPlan:
    """What is kept of `prepared`."""
    return StoredPlan(
        PLAN_FORMAT,
        prepared.order,
        prepared.plan,
        prepared.sites,
        kernels_of(prepared.variants),
        prepared.first_caveats,
    )


def kernels_of(variants: Sequence[Variant]) -> tuple[tuple[str, str], ...]:
    """Name and kernel's key of each of `variants`."""
    return tuple((variant.name, variant.kernel.split("/")[-2]) for variant in variants)


def facts_of(plan: Plan) -> PlanFacts:
    """What the run's own metadata keep of `plan`."""
    return PlanFacts(
        blocks=plan.blocks,
        slice_s=plan.slice_s,
        launches={group.label: group.launches for group in plan.groups},
        together=plan.together,
    )


def encoded(stored: StoredPlan) -> dict[str, Any]:
    """`stored` as plain values, ready for JSON."""
    return asdict(stored)


def decoded(record: Mapping[str, Any]) -> StoredPlan:
    """The StoredPlan in plain values; ValueError says what isn't as this leadline has it."""
    if record.get("format") != PLAN_FORMAT:
        raise ValueError(f"has format {record.get('format')!r}, this leadline reads {PLAN_FORMAT}")
    found: StoredPlan = _typed(StoredPlan, record)
    if len(found.sites) != len(found.order.hosts) or not all(s.cores for s in found.sites):
        raise ValueError("has no core for some rank")
    return found


def order_in(options: Mapping[str, Any]) -> Order:
    """The Order in a run's `options`, parts that it hasn't as usual; ValueError: it isn't one."""
    hints = get_type_hints(Order)
    if not {"patterns", "variants"} <= options.keys() or "suite" in options:
        raise ValueError("has no order of a campaign")
    return Order(**{k: _typed(hints[k], v) for k, v in options.items() if k in hints})


def _typed(kind: Any, value: Any) -> Any:
    """The `kind` that the plain `value` stands for; ValueError where it doesn't fit."""
    if dataclasses.is_dataclass(kind):
        return _record(kind, value)
    if get_origin(kind) is not None:
        return _compound(get_origin(kind), get_args(kind), value)
    if issubclass(kind, StrEnum):
        return kind(value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ValueError(f"has {value!r} where a {kind.__name__} belongs")
    return value


def _compound(origin: Any, parts: Sequence[Any], value: Any) -> Any:
    if origin is tuple:
        return _tuple(parts, value)
    if origin is Mapping:
        return _mapping(parts[1], value)
    (some,) = (one for one in parts if one is not type(None))  # that, or None
    return None if value is None else _typed(some, value)


def _record(kind: Any, value: Any) -> Any:
    fields = dataclasses.fields(kind)
    needed = {field.name for field in fields if field.default is dataclasses.MISSING}
    if not isinstance(value, Mapping) or not needed <= value.keys():
        raise ValueError(f"lacks a part of {kind.__name__}")
    hints = get_type_hints(kind)
    present = [field.name for field in fields if field.name in value]
    return kind(**{name: _typed(hints[name], value[name]) for name in present})


def _mapping(values: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"has {value!r} where a mapping belongs")
    return {key: _typed(values, one) for key, one in value.items()}


def _tuple(parts: Sequence[Any], value: Any) -> Any:
    if not isinstance(value, list):
        raise ValueError(f"has {value!r} where a list belongs")
    kinds = [parts[0]] * len(value) if parts[-1] is Ellipsis else list(parts)
    if len(kinds) != len(value):
        raise ValueError(f"has {len(value)} values where {len(kinds)} belong")
    return tuple(_typed(kind, one) for kind, one in zip(kinds, value, strict=True))
