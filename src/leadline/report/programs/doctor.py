"""The machine and its libraries for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.backends.backend import Backend
from leadline.hosts.cleanup.sweep import Swept
from leadline.record.caveats import Caveat
from leadline.record.machine import HostFacts


class DoctorContent(TypedDict):
    """What is on this machine, and what is missing."""

    machine: HostFacts
    backends: Sequence[Backend]
    warnings: Sequence[Caveat]
    removed: Swept | None
    """What killed front-ends had left; null without --clean."""
