"""Which of several test processes runs which tests."""

from __future__ import annotations

import functools
import re

from tests.support.places import ROOT
from xdist.scheduler import LoadScopeScheduling

MARK = re.compile(r"^pytestmark = .*\bpytest\.mark\.live\b", re.MULTILINE)
"""Alone, or in a list of marks."""


@functools.cache
def is_live(module: str) -> bool:
    """Whether the tests of the file `module` measure, or start ranks of a library."""
    return MARK.search((ROOT / module).read_text()) is not None


class OneForAllThatMeasure(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """All live modules go to one process, of the others one after another to whoever is free.

    The largest scope is given out first, which is theirs. What a module sets up is made once.
    """

    def _split_scope(self, nodeid: str) -> str:
        module = nodeid.partition("::")[0]
        return "live" if is_live(module) else module
