"""How all tests are run: those of the package, and the benchmarks' own.

Several processes run them beside each other, a module in one of them. The longest modules begin: by
the times of the last run in `.pytest_cache`, in a fresh checkout those marked `long`. Each process
has a session of its own, and so its share of the processors beside whatever else runs
(`harness/sessions.py`). A live module counts only what its own tests started
(`tests/support/processes.py`, `tests/support/leftovers.py`); one that can't be beside some others
says what they share by `pytestmark = pytest.mark.shares("...")`, and one process runs all of these.
Kernels and libraries that many tests use are compiled once, before the first test
(`harness/prebuilt.py`), and stay in the user's cache.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness import prebuilt, sessions
from harness.kinds import KINDS, kind_of
from harness.scheduling import SECONDS, OneModuleOneProcess, module_of
from xdist.remote import Producer

TERMINAL = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""Variables of the caller's environment that change how texts are printed."""


def pytest_configure(config: pytest.Config) -> None:
    """Makes the markers known, takes the caller's terminal away, and lets Ctrl-C reach what starts.

    A shell's background jobs ignore it, and so would theirs. What starts keeps its bytecode, also
    where the caller's Python doesn't: else each command compiles the whole package once more.
    """
    for kind, rule in KINDS.items():
        config.addinivalue_line("markers", f"{kind}: {rule}; put on by the test's folder")
    sessions.begin(config)
    for name in TERMINAL:
        os.environ.pop(name, None)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ.setdefault("HOME", str(Path.home()))  # tests start Open MPI's ranks by themselves


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compiles what many tests use, before any of several processes begins."""
    if not hasattr(session.config, "workerinput") and not session.config.option.collectonly:
        prebuilt.build(print)


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Marks each test with its kind."""
    for item in items:
        if kind := kind_of(item.path):
            item.add_marker(kind)


def pytest_collection_finish() -> None:
    """Keeps the garbage collector from walking all tests again and again: they stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneModuleOneProcess:
    """Gives each of several test processes (`-n`) what to run."""
    return OneModuleOneProcess(config, log)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Says how many seconds each kind took, and notes those of each module for the next run."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[module_of(report.nodeid)] += report.duration
    kinds: defaultdict[str, float] = defaultdict(float)
    for module, taken in seconds.items():
        kinds[kind_of(config.rootpath / module) or "elsewhere"] += taken
    terminalreporter.section("time by kind")
    terminalreporter.write_line(", ".join(f"{kind} {s:.0f} s" for kind, s in sorted(kinds.items())))
    if cache := getattr(config, "cache", None):
        cache.set(SECONDS, {**cache.get(SECONDS, {}), **seconds})
