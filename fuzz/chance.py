"""What is drawn now and then."""

from __future__ import annotations

from hypothesis import strategies as st


def chance(draw: st.DrawFn, percent: int) -> bool:
    """Whether what is to happen about so often does; not, in a smaller example.

    Hypothesis varies examples that it has made, so that it is less often than by chance alone.
    """
    return draw(st.integers(0, 99)) >= 100 - percent
