"""Campaigns over scripted libraries: planned as any other, measured on a machine of a script."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from leadline.backends.backend import Backend
from leadline.hosts.cores import Site
from leadline.kernels.description import Capability, parse_description
from leadline.measure.campaign import Observer, Unwatched
from leadline.measure.cells import Resources
from leadline.measure.conduct import conduct
from leadline.measure.plan import make_plan
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Request, Variant, carriers
from leadline.record.run import Run
from leadline.scripted.machine import ScriptedMachine, kernel_of
from leadline.scripted.script import Script

ONE_HOST = (Site("here", "machine", (0, 1, 2, 3)),)
DESCRIPTION = Path(__file__).with_name("kernel-description.json")
"""What the null kernel said of itself."""


@functools.cache
def capability() -> Capability:
    """What kernels over scripted libraries can do: the null kernel's patterns, with payload."""
    return replace(parse_description(DESCRIPTION.read_text()), carries_payload=True)


def variant(name: str, **changed: Any) -> Variant:
    """The scripted library `name`, fields of its variant `changed`."""
    backend = Backend(name, "scripted", "1.0", True, None, None, {}, None, None, "scripted")
    made = Variant(name, backend, kernel_of(name), capability(), transport="scripted")
    return replace(made, **changed)


def prepared(
    names: Sequence[str] | Sequence[Variant], request: Request, sites: Sequence[Site] = ONE_HOST
) -> Prepared:
    """A campaign of these libraries, planned as on a machine with 16 GiB."""
    variants = tuple(name if isinstance(name, Variant) else variant(name) for name in names)
    resources = Resources(
        capabilities={one.name: one.capability for one in variants},
        startup_s=0.1,
        sites=tuple(sites),
        hosts=request.hosts,
        memory_bytes=2**34,
        cache_bytes=None,
        carriers=carriers(variants),
        maps={one.name: one.map for one in variants if one.map},
    )
    return Prepared(request, variants, make_plan(request, resources), tuple(sites))


def play(
    script: Script, request: Request, directory: Path, observer: Observer | None = None
) -> Run:
    """The run that a campaign of all libraries of `script` makes in `directory`.

    UsageError: the directory holds something already.
    """
    planned = prepared(list(script.libraries), request, script.sites)
    with ScriptedMachine(script, capability()) as machine:
        return conduct(planned, directory, observer or Unwatched(), system=machine)
