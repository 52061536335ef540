"""What a transport finds out by trying, found once for a campaign: all launches go by it.

Each launch would find it out for itself, beside others, and not always the same.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import replace

from leadline.backends.kinds import KINDS, Kind
from leadline.errors import LaunchError
from leadline.kernels.server import ControlServer
from leadline.measure.plan import Group
from leadline.measure.prepared import Prepared
from leadline.measure.residents import Residents
from leadline.measure.system import OPERATING_SYSTEM, System
from leadline.measure.variants import Variant


def chosen(prepared: Prepared, system: System = OPERATING_SYSTEM) -> Prepared:
    """`prepared` with what its transports choose among its variants' settings.

    Left open are variants that say it themselves, and kinds whose ranks outnumber the cores in all
    groups, or don't start.
    """
    found = {kind.name: _choice(prepared, kind, system) for kind in _open_kinds(prepared)}
    variants = tuple(
        replace(variant, environment=dict(variant.environment) | _missing(variant, found))
        for variant in prepared.variants
    )
    settings = {
        after.name: _missing(before, found)
        for before, after in zip(prepared.variants, variants, strict=True)
    }
    specs = tuple(
        replace(spec, environment=(*spec.environment, *settings.get(spec.name, {}).items()))
        for spec in prepared.order.variants
    )
    return replace(prepared, variants=variants, order=replace(prepared.order, variants=specs))


def _is_open(variant: Variant) -> bool:
    trial = KINDS[variant.backend.kind].trial
    return trial is not None and trial.variable not in variant.environment


def _open_kinds(prepared: Prepared) -> list[Kind]:
    names = dict.fromkeys(v.backend.kind for v in prepared.variants if _is_open(v))
    return [KINDS[name] for name in names]


def _missing(variant: Variant, found: Mapping[str, str | None]) -> dict[str, str]:
    """What `variant` is to be told of what was `found` for its kind."""
    trial, value = KINDS[variant.backend.kind].trial, found.get(variant.backend.kind)
    return {trial.variable: value} if trial and value and _is_open(variant) else {}


def _choice(prepared: Prepared, kind: Kind, system: System) -> str | None:
    """What a launch of the first variant of `kind`, alone, chooses; None: there is none."""
    for group in prepared.plan.groups:
        alike = [v for v in prepared.variants_of(group) if v.backend.kind == kind.name]
        able = [variant for variant in alike if _is_open(variant)]
        if able and group.ranks > 1 and not group.oversubscribed:
            return _said(prepared, group, able[0], kind, system)
    return None


def _said(
    prepared: Prepared, group: Group, variant: Variant, kind: Kind, system: System
) -> str | None:
    def failed(name: str, error: LaunchError) -> None:
        """The campaign will meet it again, and note it."""

    one = replace(group, launches=1)
    with (
        ControlServer.listening(prepared.order.hosts.across_network, system.clock) as server,
        Residents(prepared, server, one, [variant], failed, itertools.count(), system) as residents,
    ):
        libraries = [launch.hellos[0].library for launch in residents.launches]
    assert kind.trial is not None
    matches = [re.search(kind.trial.said, library) for library in libraries]
    return next((match[1] for match in matches if match), None)
