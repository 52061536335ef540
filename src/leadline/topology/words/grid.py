"""Grids as they are written on a command line: 8x4x1, 1,0,0 and 1,1:2,0.5."""

from __future__ import annotations

import math

from leadline.errors import UsageError
from leadline.topology.communication import Grid
from leadline.topology.words.dims import parse_dims

MOST_AXES = 8
"""Of a stencil with diagonals: 3^8 neighbours."""


def open_grid(dims: tuple[int, ...]) -> Grid:
    """A grid whose axes are open and whose neighbours all exchange 1."""
    return Grid(dims, (False,) * len(dims), ((1.0, 1.0),) * len(dims), diagonals=False)


def domain_grid(dims: tuple[int, ...]) -> Grid:
    """An open grid of the parts of a cube: its weights are faces, the whole cube's being 1."""
    faces = tuple((length / math.prod(dims),) * 2 for length in dims)
    return Grid(dims, (False,) * len(dims), faces, diagonals=False)


def parse_grid(
    text: str, periodic: str | None = None, weights: str | None = None, diagonals: bool = False
) -> Grid:
    """The grid that the words describe.

    Args:
        text: Lengths, e.g. "8x4x1".
        periodic: 1 or 0 for each axis, e.g. "1,0,0"; None: all open.
        weights: For each axis one number, or two as "down:up", e.g. "1,1:2,0.5"; None: all 1.
        diagonals: Whether corners and edges of the stencil exchange as well.

    Raises:
        UsageError: A word that isn't one of these, or as many as there are axes; a weight that is
            negative or not finite.
    """
    dims = parse_dims(text, "grid")
    if diagonals and len(dims) > MOST_AXES:
        raise UsageError(f"grid {text!r} has too many axes for diagonals; {MOST_AXES} are the most")
    return Grid(
        dims=dims,
        periodic=_periodic(periodic, len(dims)),
        weights=_weights(weights, len(dims)),
        diagonals=diagonals,
    )


def _words(text: str, option: str, axes: int) -> list[str]:
    words = text.split(",")
    if len(words) != axes:
        raise UsageError(
            f"{option} {text!r} must have an entry for each axis: {axes}, not {len(words)}"
        )
    return words


def _periodic(text: str | None, axes: int) -> tuple[bool, ...]:
    if text is None:
        return (False,) * axes
    words = _words(text, "--periodic", axes)
    if not set(words) <= {"0", "1"}:
        raise UsageError(f"--periodic {text!r} has an entry other than 0 and 1")
    return tuple(word == "1" for word in words)


def _weights(text: str | None, axes: int) -> tuple[tuple[float, float], ...]:
    if text is None:
        return ((1.0, 1.0),) * axes
    pairs = []
    for word in _words(text, "--weights", axes):
        down, colon, up = word.partition(":")
        pairs.append((_weight(down, text), _weight(up if colon else down, text)))
    return tuple(pairs)


def _weight(word: str, text: str) -> float:
    try:
        weight = float(word)
    except ValueError:
        raise UsageError(f"--weights {text!r}: {word!r} is not a number") from None
    if not (math.isfinite(weight) and weight >= 0):
        raise UsageError(f"--weights {text!r}: {word!r} must be finite and not negative")
    return weight
