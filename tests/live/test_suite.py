"""The suite itself: its rules hold, and what it starts can be interrupted."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest
from harness.places import ROOT
from tests.support.processes import ended, lives, parent_of, processes, until

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


SLEEPING = """
import pathlib, subprocess

def test_it():
    sleeper = subprocess.Popen(["sleep", "600"])
    pathlib.Path({told!r}).write_text(str(sleeper.pid) + "\\n")
    sleeper.wait()
"""


def test_ctrl_c_reaches_what_test_processes_start(tmp_path: Path) -> None:
    told, module = tmp_path / "told", tmp_path / "test_sleeping.py"
    module.write_text(SLEEPING.format(told=str(told)))
    (tmp_path / "conftest.py").write_text("from harness.sessions import begin as pytest_configure")
    options = ("-c", str(ROOT / "pyproject.toml"), f"--rootdir={ROOT}", "-n", "1")
    running = subprocess.Popen(
        [*PYTEST, *options, str(module)], cwd=ROOT, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with ended(running) as tests:
        until(lambda: told.exists() and told.read_text().endswith("\n"))
        sleeper = int(told.read_text())
        assert os.getsid(sleeper) not in (os.getsid(0), os.getsid(tests.pid))
        tests.send_signal(signal.SIGINT)
        until(lambda: tests.poll() is not None)
    until(lambda: not lives(sleeper))


BROKEN = {
    "subprocess.run(['true'])": "a unit test starts no process: ['true']",
    "os.system('true')": "a unit test starts no process: 'true'",
    "os.fork()": "a unit test starts no process: 'itself'",
    "multiprocessing.Process(target=print).start()": "a unit test starts no process: 'itself'",
    "time.sleep(0.001)": "a unit test waits for no clock: 0.001 s",
    "time.sleep(0)": None,
    "open('/dev/null').close()": None,
}
"""A unit test's line, and what is said of it."""
PLACES = {
    "test": "def test_it():\n    {broken}\n",
    "module": "@pytest.fixture(scope='module')\ndef made():\n    {broken}\n\n"
    "def test_it(made):\n    pass\n",
}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, str], str | None]:
    """What is said of each line in each place: a module each, run with the rule's own conftest.py
    in another folder by one pytest; None: the test passes."""
    folder = tmp_path_factory.mktemp("rule")
    shutil.copy(ROOT / "tests" / "unit" / "conftest.py", folder)
    modules = {f"test_{n}": pair for n, pair in enumerate(itertools.product(PLACES, BROKEN))}
    for name, (place, broken) in modules.items():
        imports = "import multiprocessing, os, pytest, subprocess, time\n\n"
        (folder / f"{name}.py").write_text(imports + PLACES[place].format(broken=broken))
    report = folder / "report.xml"
    options = ("-c", str(ROOT / "pyproject.toml"), f"--rootdir={ROOT}", f"--junit-xml={report}")
    subprocess.run(
        [*PYTEST, *options, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = case.attrib["classname"].rpartition(".")[2]
        found[modules[name]] = "".join(each.text or "" for each in case) if len(case) else None
    return found


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("place", PLACES)
def test_unit_test_that_breaks_the_rule_fails(
    place: str, broken: str, complaints: Mapping[tuple[str, str], str | None]
) -> None:
    output, complaint = BROKEN[broken], complaints[place, broken]
    assert (complaint is None) == (output is None), complaint
    assert (output or "") in (complaint or "")


LOADED_AND_KILLED = """
import os, sys
from tests.support.flakes import spinning
with spinning(2):
    print(flush=True)
    sys.stdin.read()
"""


def test_load_beside_the_suite_ends_with_who_made_it_however_that_ends() -> None:
    pipe = subprocess.PIPE
    words = (sys.executable, "-c", LOADED_AND_KILLED)
    loaded = subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe)
    assert loaded.stdout is not None
    loaded.stdout.readline()
    spinners = [pid for pid in processes() if parent_of(pid) == loaded.pid]
    assert len(spinners) == 2
    loaded.kill()
    loaded.communicate()
    until(lambda: not any(map(lives, spinners)))
