"""How many examples Hypothesis makes, and which: the suite's few, or as many as are asked for.

`--hypothesis-profile=fuzz` asks for EXAMPLES, a variable of the environment (100,000), at random.
"""

from __future__ import annotations

import os
from typing import TypeVar

from hypothesis import HealthCheck, settings

T = TypeVar("T")

_ANY = settings(deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)
"""The machine may be busy: no example fails for the time that it takes by itself."""
_ALL = {"suite": 420, "fuzz": int(os.environ.get("EXAMPLES", "100000"))}

settings.register_profile(
    "suite", _ANY, max_examples=_ALL["suite"], derandomize=True, database=None
)
settings.register_profile("fuzz", _ANY, max_examples=_ALL["fuzz"])
settings.load_profile("suite")  # once, before Hypothesis loads what its option names


def share(of_all: float) -> settings:
    """Has a property take so much of all examples, e.g. 0.25."""
    return settings(max_examples=max(1, round(of_all * _ALL[settings.get_current_profile_name()])))
