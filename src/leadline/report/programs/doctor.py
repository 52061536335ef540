"""The machine and its libraries for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from leadline.backends.backend import Backend
from leadline.record.caveats import Caveat


class DoctorContent(TypedDict):
    """What is on this machine, and what is missing."""

    machine: Mapping[str, Any]
    """Facts by name; null: unknown."""
    backends: Sequence[Backend]
    warnings: Sequence[Caveat]
