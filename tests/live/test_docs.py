"""The documentation: its examples are run, its tables are held against the code."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from harness.kernels import kernel
from tests.support.reference_pages import PAGES, blocks, keys_in_table

from leadline.backends.backend import Backend
from leadline.cli import main
from leadline.kernels import build
from leadline.processes import input_without_end

pytestmark = pytest.mark.long

EXAMPLE = re.compile(r"\$ (leadline [^#]*?)(?: +# exit status ([\d, or]+))?")
NAMED = re.compile(r"# (\S+\.toml)\n")
LONG_BUDGET = re.compile(r"(?<=--budget )([5-9]|\d\d)s\b")
SHELL = re.compile(r"[|&;<>()$`*?~]")
"""What a shell would do something with."""


def examples(page: Path) -> list[tuple[str, set[int]]]:
    """(command, exit statuses that it may have) of every line in a page's console blocks."""
    text = "".join(blocks(page.read_text(), "console")).replace("\\\n", " ")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    matches = [EXAMPLE.fullmatch(line) for line in lines if line]
    assert all(matches), f"{page}: a console block has a line that can't be run"
    return [
        (match[1], {int(status) for status in re.findall(r"\d+", match[2] or "0")})
        for match in matches
        if match
    ]


def hurried(command: str) -> str:
    """A campaign with half of a long budget: how it ends is checked, not how narrow intervals are.

    A study's is left: its stages share it, and one may have the least that it takes.
    """
    if not command.startswith("leadline run "):
        return command
    return LONG_BUDGET.sub(lambda budget: f"{int(budget[1]) // 2}s", command)


def disturbed(command: str, printed: str) -> bool:
    """Whether an example ended as it may beside other work: what was measured fits no form.

    How a model is made and what it predicts is tested on known curves, in tests/unit/models.
    """
    return command.startswith("leadline predict ") and ": no closed form fits " in printed


def files(page: Path) -> dict[str, str]:
    """Files that examples read, by name: blocks of TOML whose first line names one."""
    bodies = blocks(page.read_text(), "toml")
    return {match[1]: body for body in bodies if (match := NAMED.match(body))}


def ended(command: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit status of an example, and what it printed; in this process but for a shell's words."""
    if SHELL.search(command):
        tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=os.environ | {"PATH": tools},
            stdin=input_without_end(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1000,
            check=False,
        )
        return done.returncode, done.stdout
    try:
        status = main(shlex.split(command)[1:])
    except SystemExit as end:
        status = int(end.code or 0)
    printed = capfd.readouterr()
    return status, printed.err + printed.out


@pytest.mark.parametrize("page", [p for p in PAGES if examples(p)], ids=lambda page: page.name)
def test_every_example_runs_and_ends_as_the_page_says(
    page: Path,
    installed_backends: Mapping[str, Backend],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in files(page).items():
        (tmp_path / name).write_text(content)
    for command, statuses in examples(page):
        status, printed = ended(hurried(command), tmp_path, capfd)
        as_said = status in statuses or disturbed(command, printed)
        assert as_said, f"{page.name}: {command}\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_script_is_valid_shell(page: Path) -> None:
    for body in blocks(page.read_text(), "sh"):
        done = subprocess.run(["bash", "-n"], input=body, text=True, check=False)
        assert done.returncode == 0, body


@pytest.mark.parametrize(
    ("page", "body"),
    [(page, body) for page in PAGES for body in blocks(page.read_text(), "python")],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_every_example_in_python_runs(page: Path, body: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", body], capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, f"{page}: {done.stderr}"


def test_reference_has_every_pattern() -> None:
    known = build.describe(kernel("null")).patterns
    assert set(keys_in_table("pattern | measures | options")) == set(known)
