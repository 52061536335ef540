"""How many launches are alive together, by hand."""

from __future__ import annotations

import pytest

from leadline.backends.kinds.kind import PROCESS_BYTES
from leadline.errors import UsageError
from leadline.measure.budget import MEMORY_SHARE, MOST_LAUNCHES, Footprint, residency


def memory_for(launches: float) -> int:
    """Bytes with room for so many launches of two ranks without messages."""
    return int(launches * 2 * PROCESS_BYTES / MEMORY_SHARE) + 10


@pytest.mark.parametrize(
    ("room", "variants", "launches", "together"),
    [(6, 3, 2, True), (5.9, 3, 1, True), (100, 3, MOST_LAUNCHES, True), (2.5, 3, 2, False)],
)
def test_launches_are_what_memory_has_room_for(
    room: float, variants: int, launches: int, together: bool
) -> None:
    found = residency(Footprint(0, 0, processes=2, variants=variants), memory_for(room))
    assert (found.launches, found.together) == (launches, together)
    assert [c.code for c in found.warnings] == ([] if together else ["interleaved"])


def test_launch_without_room_is_refused_with_what_it_takes_and_what_there_is() -> None:
    with pytest.raises(UsageError, match=r"17\.3 GB .*\b4\b.* 8\.0 GB"):
        residency(Footprint(2**30, 0, processes=4, variants=3), 10**10)


def test_ranks_of_a_library_that_needs_less_have_room_for_more() -> None:
    least = Footprint(0, 0, processes=1024, variants=1, process_bytes=2**20)
    assert residency(least, 2 * 2**30).launches == 1
    with pytest.raises(UsageError, match=r"\b1024\b"):
        residency(Footprint(0, 0, processes=1024, variants=1), 2 * 2**30)


def test_cold_buffers_count_where_they_are_larger_than_messages() -> None:
    assert Footprint(8, 2**29, 2, 1).launch_bytes == 2 * (PROCESS_BYTES + 4 * 2**29)
