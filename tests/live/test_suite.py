"""The suite itself: its rules hold, and what it starts can be interrupted."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from harness.places import ROOT

pytestmark = pytest.mark.long

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")


def test_processes_that_tests_start_can_be_interrupted() -> None:
    ask = "import signal; print(int(signal.getsignal(signal.SIGINT) == signal.SIG_IGN))"
    assert subprocess.check_output([sys.executable, "-c", ask], text=True) == "0\n"


def test_they_can_also_where_a_shell_started_the_tests_in_the_background() -> None:
    claim = f"{__file__}::{test_processes_that_tests_start_can_be_interrupted.__name__}"
    done = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *PYTEST, claim],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("subprocess.run(['true'])", "a unit test starts no process: ['true']"),
        ("os.system('true')", "a unit test starts no process: 'true'"),
        ("os.fork()", "a unit test starts no process: 'itself'"),
        (
            "multiprocessing.Process(target=print).start()",
            "a unit test starts no process: 'itself'",
        ),
        ("time.sleep(0.001)", "a unit test waits for no clock: 0.001 s"),
        ("time.sleep(0)", None),
        ("open('/dev/null').close()", None),
    ],
)
@pytest.mark.parametrize("place", ["test", "module"])
def test_unit_test_that_breaks_the_rule_fails(
    place: str, broken: str, said: str | None, tmp_path: Path
) -> None:
    """The rule's own conftest.py, over a unit test in another folder."""
    shutil.copy(ROOT / "tests" / "unit" / "conftest.py", tmp_path)
    fixture = "@pytest.fixture(scope='module')\ndef made():\n    pass\n\n"
    lines = {
        "test": f"def test_it():\n    {broken}\n",
        "module": fixture.replace("pass", broken) + "def test_it(made):\n    pass\n",
    }
    imports = "import multiprocessing, os, pytest, subprocess, time\n\n"
    (tmp_path / "test_rule.py").write_text(imports + lines[place])
    done = subprocess.run(
        [*PYTEST, "-c", str(ROOT / "pyproject.toml"), f"--rootdir={ROOT}", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == (said is not None), done.stdout
    assert (said or "1 passed") in done.stdout
