"""What ranks were told and haven't answered yet. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.kernels.messages import Message


@dataclass(frozen=True, slots=True)
class PendingCommand:
    """A command under way: its number, what it measures, and who must answer."""

    id: int
    what: str
    ranks: range
    answer: type[Message]
    """What they answer, unless something is wrong."""
