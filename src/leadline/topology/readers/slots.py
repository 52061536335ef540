"""The slot of every rank, in lines of "RANK SLOT" or of one slot each."""

from __future__ import annotations

from leadline.topology.readers.lines import LineError, NumberedLine, content_lines, whole

FORMS = ("a slot alone", "RANK SLOT")
"""The forms of a line with one word, and with two."""


def parse_slots(text: str, file: str) -> tuple[int, ...]:
    """The slot of each rank, a permutation of their numbers.

    A line "3 0" puts rank 3 on slot 0; such lines come in any order. In lines of one number the
    first has the slot of rank 0, the next that of rank 1, and so on.

    Args:
        text: The file's content.
        file: Its name in errors.

    Raises:
        LineError: A word that is no number, a rank or slot that comes twice or is beyond the
            last, lines of both forms, or no line.
    """
    lines = list(content_lines(text, file))
    if not lines:
        raise LineError(file, None, "no slot; write a line RANK SLOT for every rank")
    ranks: dict[int, NumberedLine] = {}
    slots: dict[int, NumberedLine] = {}
    for place, line in enumerate(lines):
        words, count = " ".join(line.words)[:40], len(line.words)
        if count > len(FORMS):
            raise line.error(f"{words!r} is neither {FORMS[1]} nor {FORMS[0]}")
        if count != len(lines[0].words):
            raise line.error(
                f"{words!r} is {FORMS[count - 1]}, but line {lines[0].number} is "
                f"{FORMS[len(lines[0].words) - 1]}; write all lines alike"
            )
        rank = whole(line.words[0], line, "rank") if count == 2 else place
        slot = whole(line.words[-1], line, "slot")
        _take("rank", rank, line, ranks, len(lines))
        _take("slot", slot, line, slots, len(lines))
    slot_of = dict(zip(ranks, slots, strict=True))
    return tuple(slot_of[rank] for rank in range(len(lines)))


def _take(
    what: str, number: int, line: NumberedLine, taken: dict[int, NumberedLine], count: int
) -> None:
    """Records in `taken` that `line` has the rank or slot `number`, one of `count`."""
    if number >= count:
        raise line.error(
            f"{what} {number} is not one of 0 to {count - 1}, which {count} lines are for"
        )
    if number in taken:
        raise line.error(
            f"{what} {number} comes twice, first in line {taken[number].number}: not a permutation"
        )
    taken[number] = line
