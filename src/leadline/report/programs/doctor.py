"""The machine and its libraries for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from leadline.backends.backend import Backend
from leadline.record.caveats import Caveat
from leadline.record.machine import HostFacts


class DoctorContent(TypedDict):
    """What is on this machine, and what is missing."""

    machine: Annotated[Mapping[str, Any], HostFacts]
    """Facts by name; null: unknown."""
    backends: Sequence[Backend]
    warnings: Sequence[Caveat]
