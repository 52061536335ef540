"""Long lists of slots as text."""

from __future__ import annotations

import ctypes

import numpy as np

from leadline.mapping.library import library
from leadline.native.structures import int64s
from leadline.topology.networks import Int64

_MOST_CHARACTERS = 12
"""MAP_MOST_DIGITS + MAP_SEPARATOR in mapping.h."""


def listed(slots: Int64) -> str:
    """The slots, 0 to 2^31 - 1, in decimal with ", " between them, as in a JSON array."""
    text = np.empty(_MOST_CHARACTERS * len(slots), dtype=np.uint8)
    room = text.ctypes.data_as(ctypes.c_char_p)
    length = library().map_list_text(int64s(np.ascontiguousarray(slots)), len(slots), room)
    return text[:length].tobytes().decode("ascii")
