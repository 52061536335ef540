"""What this process must be allowed before anything else can be done."""

from __future__ import annotations

import resource

from leadline.errors import MachineError
from leadline.units import format_size

LEAST_ADDRESS_SPACE_BYTES = 2**30
"""Below half of it the numeric libraries crash as they are loaded, or take files for damaged."""


def check_address_space() -> None:
    """MachineError where so little may be allocated that libraries end without a word."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if 0 <= allowed < LEAST_ADDRESS_SPACE_BYTES:
        raise MachineError(
            f"this process may have {format_size(allowed)} of addresses; allow at least "
            f"{format_size(LEAST_ADDRESS_SPACE_BYTES)} (ulimit -v "
            f"{LEAST_ADDRESS_SPACE_BYTES // 1024})"
        )
