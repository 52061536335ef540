"""A placement of a grid's vertices on ranks, as commands that a kernel keeps under a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.errors import UsageError

SLOTS_A_PIECE = 4096


def pieces(number: int, slots: Sequence[int], ranks: int) -> Iterator[str]:
    """The commands, but for their id, that keep `slots` under `number` for a launch's life.

    Args:
        number: From 1 up, of no placement before in that launch.
        slots: The rank on which each vertex lies, a permutation.
        ranks: Of the launch.

    Raises:
        UsageError: `slots` isn't a permutation of the ranks.
    """
    check_permutation(slots, ranks)
    for first in range(0, len(slots), SLOTS_A_PIECE):
        some = ",".join(str(slot) for slot in slots[first : first + SLOTS_A_PIECE])
        yield f"number={number} ranks={ranks} first={first} slots={some}"


def check_permutation(slots: Sequence[int], ranks: int) -> None:
    """UsageError unless each rank of a job is once in `slots`; it names the first that isn't."""
    if len(slots) != ranks:
        raise UsageError(
            f"a placement of {len(slots)} slots doesn't fit {ranks} ranks; give a slot for each"
        )
    vertex_of: dict[int, int] = {}
    for vertex, slot in enumerate(slots):
        if not 0 <= slot < ranks:
            raise UsageError(
                f"a placement has slot {slot} for vertex {vertex}; there are 0 to {ranks - 1}"
            )
        if slot in vertex_of:
            missing = min(set(range(ranks)).difference(slots))
            raise UsageError(
                f"a placement has slot {slot} twice, for vertices {vertex_of[slot]} and {vertex}, "
                f"and slot {missing} for none; give each once"
            )
        vertex_of[slot] = vertex
