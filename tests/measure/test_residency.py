"""How many launches are alive together, by hand."""

from __future__ import annotations

import pytest

from leadline.errors import UsageError
from leadline.measure.residency import MEMORY_SHARE, MOST_LAUNCHES, PROCESS_BYTES, Need, residency


def need(launches_in_room: float, variants: int) -> Need:
    """Two ranks without messages, on a machine with room for so many launches."""
    memory = int(launches_in_room * 2 * PROCESS_BYTES / MEMORY_SHARE) + 10
    return Need(0, 0, ranks=2, variants=variants, memory_bytes=memory)


@pytest.mark.parametrize(
    ("room", "variants", "launches", "together"),
    [(6, 3, 2, True), (5.9, 3, 1, True), (100, 3, MOST_LAUNCHES, True), (2.5, 3, 2, False)],
)
def test_launches_are_what_memory_has_room_for(
    room: float, variants: int, launches: int, together: bool
) -> None:
    found = residency(need(room, variants))
    assert (found.launches, found.together) == (launches, together)
    assert [c.code for c in found.caveats] == ([] if together else ["interleaved"])


def test_launch_without_room_is_refused_with_what_it_takes_and_what_there_is() -> None:
    small = Need(2**30, 0, ranks=4, variants=3, memory_bytes=10**10)
    with pytest.raises(UsageError, match=r"17\.3 GB for 4 processes .* 8\.0 GB may be used"):
        residency(small)


def test_cold_buffers_count_where_they_are_larger_than_messages() -> None:
    assert Need(8, 2**29, 2, 1, 10**12).launch_bytes == 2 * (PROCESS_BYTES + 4 * 2**29)
