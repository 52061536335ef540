"""Reports of made-up runs, opened from disk in a real browser as their readers open them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from harness.browser import Browser
from harness.synthetic import BARRIER, Campaign, configuration, one_slice, pingpong
from tests.support.pages import FAILURES, HOSTILE, SIZES, WARNING, settled

from leadline.cli import main
from leadline.record.run import Configuration, Failure
from leadline.record.warnings import RunWarning
from leadline.store import Journal


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with Browser() as one:
        yield one


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with reports of a usual run, of two runs, of hostile names, and of ranks."""
    folder = tmp_path_factory.mktemp("pages")
    libraries = Campaign(["shm", "mpich", "openmpi", "impi"], (*SIZES, BARRIER))
    libraries.write(folder / "usual", FAILURES, [WARNING])
    Campaign(["mpich", "openmpi"], SIZES).write(folder / "before")
    Campaign(["mpich", "openmpi"], SIZES, slowdown={"mpich": 1.2}).write(folder / "after")
    write_hostile(folder / "hostile")
    write_sweep(folder / "ranks")
    for name in ("usual", "hostile", "ranks"):
        assert main(["report", str(folder / name), "--out", str(folder / f"{name}.html")]) == 0
    both = [str(folder / name) for name in ("before", "after")]
    words = ["--between", "1%", "--out", str(folder / "both.html")]
    assert main(["report", *both, *words]) == 0
    return folder


def write_hostile(directory: Path) -> None:
    named = [
        Configuration(name, "mpich", name, 2, (), {"A": name}, (name,), transport=name)
        for name in HOSTILE
    ]
    with Journal.create(directory, {"machine": {"host": HOSTILE[0], "cpu": HOSTILE[1]}}) as journal:
        journal.add_cells([replace(pingpong(8), pattern=HOSTILE[2])])
        for one in named:
            index = journal.add_configuration(one)
            for block in range(8):
                journal.add_slice(one_slice((index, 0, block, 0), [[900 + 100 * index] * 5]))
        journal.add_warning(RunWarning(HOSTILE[0], HOSTILE[1], HOSTILE[2]))
        journal.add_failure(Failure(0, 0, 1, HOSTILE[0], HOSTILE[1]))
        journal.close(True)


def write_sweep(directory: Path) -> None:
    with Journal.create(directory, {}) as journal:
        journal.add_cells([BARRIER])
        for ranks in (2, 3, 4, 6, 8):
            one = replace(configuration("mpich", ranks), oversubscribed=ranks > 4)
            index = journal.add_configuration(one)
            for block in range(8):
                elapsed = [[1000 * ranks + 10 * block] * 5] * ranks
                journal.add_slice(one_slice((index, 0, block, 0), elapsed))
        journal.close(True)


@pytest.fixture
def usual(browser: Browser, pages: Path) -> Browser:
    browser.open(pages / "usual.html")
    settled(browser)
    return browser
