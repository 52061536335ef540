"""A disk that is soon full: a process of its own whose files may not grow beyond a size."""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from harness.places import ROOT
from harness.synthetic import configuration, one_slice, pingpong

from leadline.cli.parsing.files import replace as replace_file
from leadline.errors import LeadlineError
from leadline.store import Journal, finish

MANY = 1000


def on_a_small_disk(action: str, run: Path, largest_bytes: int) -> str:
    """What came of an action (`fill`, ...) on `run`: class and text of the error."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, action, str(run), str(largest_bytes)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def fill(run: Path) -> None:
    """Journals slices until there is no room."""
    with Journal.create(run, {}) as journal:
        journal.add_configuration(configuration("mpich"))
        journal.add_cells([pingpong(8)])
        for visit in range(MANY):
            journal.add_slice(replace(one_slice((0, 0, 0, 0), [[5000, 4100, 4000]]), visit=visit))


def put(path: Path) -> None:
    """Replaces a file by one of 100,000 bytes."""
    replace_file(str(path), b"x" * 100_000, "--out")


def main(action: str, run: str, largest_bytes: str) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(largest_bytes), int(largest_bytes)))
    try:
        {"fill": fill, "finish": finish, "put": put}[action](Path(run))
    except LeadlineError as error:
        print(type(error).__name__, error)


if __name__ == "__main__":
    main(*sys.argv[1:])
