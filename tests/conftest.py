"""Fixtures that several test modules share, and how the tests are run."""

from __future__ import annotations

import fcntl
import os
import re
import signal
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from harness.places import DATA
from tests.support import prebuilt
from tests.support.kinds import KINDS, kind_of
from tests.support.scheduling import SECONDS, OneModuleOneProcess, module_of
from xdist.remote import Producer

from leadline.backends.backend import Backend
from leadline.backends.install import Requirement, install
from leadline.backends.kinds import INSTALLABLE
from leadline.files import data_directory

LONG_NUMBER = re.compile(r"\d+\.\d{6,}(e-\d+)?")


@pytest.fixture(scope="session")
def installed_backends() -> Mapping[str, Backend]:
    """MPICH, Open MPI and Intel MPI by kind, as `leadline get` puts them into the user's folder.

    They stay there between runs; of several test processes one installs and the others wait.
    """
    data_directory().mkdir(parents=True, exist_ok=True)
    with (data_directory() / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return {kind: install(Requirement(kind, None)).backend for kind in INSTALLABLE}


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without any MPI: own XDG folders and home, a PATH with the system's tools only."""
    for name in ("CACHE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", os.pathsep.join(["/usr/bin", "/bin"]))
    for name in ("SPACK_ROOT", "MODULEPATH", "LD_LIBRARY_PATH", "CC"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def pytest_configure(config: pytest.Config) -> None:
    """Makes the markers known, and lets Ctrl-C reach what tests start.

    A shell's background jobs ignore it, and so would theirs.
    """
    for kind, rule in KINDS.items():
        config.addinivalue_line("markers", f"{kind}: {rule}; put on by the test's folder")
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compiles what many tests use, before any of several processes begins."""
    if not hasattr(session.config, "workerinput") and not session.config.option.collectonly:
        prebuilt.build(print)


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Marks each test with its kind."""
    for item in items:
        if kind := kind_of(item.path):
            item.add_marker(kind)


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


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a whole report with a file in tests/data/report; --snapshot-update writes it.

    Numbers with more than six digits are rounded: the last ones depend on the libraries.
    """
    folder = DATA / "report"

    def check(name: str, text: str) -> None:
        text = LONG_NUMBER.sub(lambda match: f"{float(match[0]):.6g}", text)
        if request.config.getoption("update_snapshots"):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        assert text == (folder / name).read_text()

    return check
