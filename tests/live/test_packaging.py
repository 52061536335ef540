"""Ways into clusters: the package of Spack, the container's definition, the check of ReFrame's."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from harness.places import ROOT
from syrupy.assertion import SnapshotAssertion
from tests.support.definitions import PACKAGING, definition
from tests.support.texts import lines_from

pytestmark = pytest.mark.long

REFRAME = "reframe-hpc==4.10.4"
INSIDE = "/opt/leadline"
SHOWN = {"complete": True, "rows": [{"median_s": 1e-6}]}
"""Of what `leadline show --json` prints, what the check reads."""


def run(argv: Sequence[str | Path], cwd: Path, path: Sequence[Path] = ()) -> str:
    """What it prints; the folders of `path` come first. AssertionError unless it ends with 0."""
    done = attempt(argv, cwd, path)
    assert done.returncode == 0, f"{argv}\n{done.stdout}{done.stderr}"
    return done.stdout


def attempt(
    argv: Sequence[str | Path], cwd: Path, path: Sequence[Path] = ()
) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k != "VIRTUAL_ENV"}
    environment["PIP_NO_COMPILE"] = "1"  # all of a package would take longer than what is imported
    environment["PATH"] = os.pathsep.join([*map(str, path), environment["PATH"]])
    return subprocess.run(
        argv,
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


# -- Apptainer -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["post", "environment", "runscript", "test"])
def test_shell_reads_the_definition_s_scripts(name: str, tmp_path: Path) -> None:
    run(["sh", "-n", "-c", definition()[name]], tmp_path)


def test_container_s_commands_install_what_it_runs(tmp_path: Path) -> None:
    """All but those of Debian's, elsewhere than in the container.

    What a wheel depends on is installed, and run, by test_package.
    """
    sections = definition()

    def here(name: str) -> str:
        return sections[name].replace(INSIDE, str(tmp_path / "inside"))

    for source, _, target in (line.strip().partition(" ") for line in here("files").splitlines()):
        if source:
            Path(target.strip()).parent.mkdir(parents=True, exist_ok=True)
            run(["cp", "-r", ROOT / source, target.strip()], tmp_path)
    post = "\n".join(line for line in here("post").splitlines() if "apt" not in line)
    assert post.count("pip install ") == 1
    run(["sh", "-e", "-c", post.replace("pip install ", "pip install --no-deps ")], tmp_path)
    started = f"{here('environment')}\nset -- --version\n{here('runscript')}"
    assert run(["sh", "-e", "-c", started], tmp_path).startswith("leadline ")


# -- ReFrame ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reframe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its command, in an environment of its own."""
    folder = tmp_path_factory.mktemp("reframe")
    venv.create(folder)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    run([*pip, "install", "--quiet", REFRAME], folder)
    return folder / "bin" / "reframe"


def leadline(folder: Path, otherwise: str = 'exec "$PYTHON" -m leadline "$@"') -> Path:
    """A folder with a `leadline`, or with one that does what `otherwise` says."""
    path = folder / "bin"
    path.mkdir()
    script = path / "leadline"
    script.write_text(f"#!/bin/sh\nPYTHON={shlex.quote(sys.executable)}\n{otherwise}\n")
    script.chmod(0o755)
    return path


def check(reframe: Path, folder: Path, path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    options = ("-r", "--performance-report", "-S", "budget=3s", *words)
    argv: list[str | Path] = [reframe, "-c", PACKAGING / "reframe_leadline.py", *options]
    with tempfile.TemporaryDirectory() as logs:  # ReFrame leaves its own there
        argv = ["env", f"TMPDIR={logs}", *argv]
        return attempt(argv, folder, [path, reframe.parent])


def reasons(done: subprocess.CompletedProcess[str]) -> set[str]:
    """Why the check failed, in its own words."""
    return set(re.findall(r"sanity error: (.*)", done.stdout))


COMPARING = f"""\
case $1 in run) ;; show) echo '{json.dumps(SHOWN)}' ;; compare) DOES ;; esac
"""
"""A leadline that has measured, and does something when it compares."""


def test_reframe_s_check_measures_a_latency(reframe: Path, tmp_path: Path) -> None:
    done = check(reframe, tmp_path, leadline(tmp_path), "--report-junit=report.xml")
    assert done.returncode == 0, done.stdout
    assert re.search(r"latency: 0\.\d+ us|latency: \d+\.?\d* us", done.stdout)
    assert "LeadlineLatency" in (tmp_path / "report.xml").read_text()


def test_reframe_s_check_fails_where_it_became_slower(
    reframe: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = leadline(tmp_path, COMPARING.replace("DOES", "exit 1"))
    done = check(reframe, tmp_path, path, "-S", "before=/anywhere")
    assert done.returncode == 1
    assert reasons(done) == snapshot


@pytest.mark.parametrize(("status", "fails", "code"), [(3, "no", 0), (3, "yes", 1), (2, "no", 1)])
def test_reframe_s_check_says_what_is_undecided_and_fails_if_asked_to(
    reframe: Path, tmp_path: Path, status: int, fails: str, code: int, snapshot: SnapshotAssertion
) -> None:
    says = COMPARING.replace("DOES", f'echo "$@" > {tmp_path}/words; exit {status}')
    words = ("-S", "before=/anywhere", "-S", "between=5%", "-S", f"undecided_fails={fails}")
    done = check(reframe, tmp_path, leadline(tmp_path, says), *words)
    assert done.returncode == code, done.stdout
    told = (tmp_path / "words").read_text().split()
    assert told == ["compare", "/anywhere", "run", "--between", "5%"]
    if code:
        assert reasons(done) == snapshot
    else:
        (out,) = (tmp_path / "output").rglob("rfm_job.out")
        assert lines_from("undecided: ", out.read_text()) == snapshot
