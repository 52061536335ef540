"""The simulator's speed: the flow engine beside SimGrid, and `leadline simulate` as machines grow.

The goals are in bench/simulate/flow.py and bench/simulate/chain.py.
"""

from __future__ import annotations

from bench.figures import together
from bench.simulate import chain, flow


def measure() -> dict[str, object]:
    """Every figure, and whether all goals are reached."""
    return together(flow.measure(), chain.measure())
