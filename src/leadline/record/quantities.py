"""Types of the numbers in records: what a field may be stands in its annotation."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from leadline.record.fields import MOST_FLOAT

UNKNOWN = -1
"""In place of a number, of a launch or of what disturbed a rank, that wasn't recorded."""
MOST_NUMBERED = 2**20
"""Upper bound of the numbers of blocks, visits, configurations and cells of a run."""
MOST_INT32 = 2**31 - 1
LONGEST_NS = 2**61
"""73 years; an origin, a start after it and an elapsed time add up within 64 bits."""
LONGEST_S = LONGEST_NS * 1e-9
"""Any time in a run is shorter."""

Index = Annotated[int, Meta(ge=0, le=MOST_NUMBERED)]
"""Number of a block, visit, configuration or cell, from 0."""
Ordinal = Annotated[int, Meta(ge=0, le=MOST_INT32)]
"""Number of a core, rank or slot, or how many threads, from 0."""
Positive = Annotated[int, Meta(ge=1, le=MOST_INT32)]
"""How many there are, at least one; a line, from 1."""
Amount = Annotated[int, Meta(ge=0, le=LONGEST_NS)]
"""Nanoseconds, bytes or operations."""
AmountOrUnknown = Annotated[int, Meta(ge=UNKNOWN, le=LONGEST_NS)]
Instant = Annotated[int, Meta(ge=-LONGEST_NS, le=LONGEST_NS)]
"""Nanoseconds by a clock."""
Finite = Annotated[float, Meta(ge=-MOST_FLOAT, le=MOST_FLOAT)]
RateOrZero = Annotated[float, Meta(ge=0, le=MOST_FLOAT)]
StatedTime = Annotated[float, Meta(gt=0, lt=LONGEST_S)]
"""Seconds, above zero."""
TimeShare = Annotated[float, Meta(ge=0, le=1)]
