"""The grids on which patterns exchange, as kernels describe them."""

from __future__ import annotations

from leadline.kernels.patterns import CORNERS, Pattern, PatternChoice
from leadline.mapping import dims_create
from leadline.topology.communication import Grid


def grid_of(choice: PatternChoice, pattern: Pattern, ranks: int) -> Grid:
    """The grid of a pattern that has one, of `ranks` vertices; every message weighs 1."""
    dims = choice.dims or _usual_dims(pattern, ranks)
    along = choice.axes_along(pattern)
    return Grid(
        dims,
        periodic=("periodic" in _words(choice, pattern),) * len(dims),
        weights=((1.0, 1.0),) * along + ((0.0, 0.0),) * (len(dims) - along),
        diagonals=CORNERS in choice.options,
    )


def _words(choice: PatternChoice, pattern: Pattern) -> set[str]:
    """Of all of the pattern's options, the usual ones too."""
    usual = {key: option.words[0] for key, option in pattern.options.items() if option.words}
    return set((usual | {chosen.key: chosen.value for chosen in choice.options}).values())


def _usual_dims(pattern: Pattern, ranks: int) -> tuple[int, ...]:
    return (2, ranks // 2) if pattern.in_pairs else dims_create(ranks, pattern.axes)
