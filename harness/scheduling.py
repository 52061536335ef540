"""Which of several test processes runs which tests, and in which order."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from harness.places import ROOT

SHARES = re.compile(r'\bpytest\.mark\.shares\("([^"]+)"\)')
"""In the marks of a module: what it shares with others on this machine."""
LONG = re.compile(r"\bpytest\.mark\.long\b")
"""In the marks of a module that takes half a minute or more: early on, in a fresh checkout too."""
SECONDS = "leadline/seconds"
"""In pytest's cache: how long each module took when it last ran."""


def module_of(nodeid: str) -> str:
    """The file of a test, relative to the project's folder."""
    return nodeid.partition("::")[0]


def expected(nodeids: Iterable[str], seconds: Mapping[str, float]) -> float:
    """How long the modules of these tests will take; those that never ran, for ever."""
    modules = {module_of(nodeid) for nodeid in nodeids}
    return sum(seconds.get(module, math.inf) for module in modules)


@functools.cache
def shared_by(module: str) -> str | None:
    """What the tests of the file `module` share with other modules that say the same."""
    found = SHARES.search((ROOT / module).read_text())
    return found[1] if found else None


@functools.cache
def is_long(module: str) -> bool:
    """Whether the file `module` says that its tests take long."""
    return bool(LONG.search((ROOT / module).read_text()))


def priority(nodeids: Iterable[str], seconds: Mapping[str, float]) -> tuple[float, bool]:
    """The greater, the earlier: what takes longest, and of what never ran what says that it is."""
    nodeids = list(nodeids)
    return expected(nodeids, seconds), any(map(is_long, map(module_of, nodeids)))


class OneModuleOneProcess(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """A module is run by one process: what it sets up is made once. The longest come first.

    Modules that share something on the machine are run by the same process, one after another.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        cache = getattr(config, "cache", None)  # without its plug-in there is none
        self.seconds: Mapping[str, float] = cache.get(SECONDS, {}) if cache else {}

    def _split_scope(self, nodeid: str) -> str:
        module = module_of(nodeid)
        return shared_by(module) or module

    def _assign_work_unit(self, node: WorkerController) -> None:
        longest = max(
            self.workqueue, key=lambda scope: priority(self.workqueue[scope], self.seconds)
        )
        self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)
