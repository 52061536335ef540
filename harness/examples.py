"""How many examples Hypothesis makes, and which: the suite's few, or as many as are asked for.

`--hypothesis-profile=fuzz` asks for EXAMPLES, a variable of the environment (100,000), at random.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

_ANY = settings(deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)
"""The machine may be busy: no example fails for the time that it takes by itself."""
_ALL = {"suite": 420, "fuzz": int(os.environ.get("EXAMPLES", "100000"))}

settings.register_profile(
    "suite", _ANY, max_examples=_ALL["suite"], derandomize=True, database=None
)
settings.register_profile("fuzz", _ANY, max_examples=_ALL["fuzz"])
settings.load_profile("suite")  # once, before Hypothesis loads what its option names


def _lends_constants(path: str, is_local: Callable[[str], bool]) -> bool:
    """Whether Hypothesis takes constants of the module in the file `path` for its examples.

    It takes those of all modules of ours that are loaded, in the suite whichever a process of tests
    has run before: the suite's examples were others each time.
    """
    return settings.get_current_profile_name() != "suite" and is_local(path)


# No setting of Hypothesis does that; where it has no such function any more, there are just others.
if hasattr(providers, "is_local_module_file"):
    providers.is_local_module_file = functools.partial(
        _lends_constants, is_local=providers.is_local_module_file
    )


def share(of_all: float) -> settings:
    """Has a property take so much of all examples, e.g. 0.25."""
    return settings(max_examples=max(1, round(of_all * _ALL[settings.get_current_profile_name()])))
