"""Which of several test processes runs which tests."""

from __future__ import annotations

import functools

from tests.support.places import ROOT
from xdist.scheduler import LoadScopeScheduling

MARK = "pytestmark = pytest.mark.live\n"


@functools.cache
def is_live(module: str) -> bool:
    """Whether the tests of the file `module` measure, or start ranks of a library."""
    return MARK in (ROOT / module).read_text()


class OneForAllThatMeasure(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """All live modules go to one process, of the others one after another to whoever is free.

    The largest scope is given out first, which is theirs. What a module sets up is made once.
    """

    def _split_scope(self, nodeid: str) -> str:
        module = nodeid.partition("::")[0]
        return "live" if is_live(module) else module
