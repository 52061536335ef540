"""The suite itself: who may import what of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.places import ROOT
from tests.support.scheduling import is_live

TESTS = ROOT / "tests"
BESIDE_OTHERS = {"tests/test_docs.py"}
"""Claims nothing about what its examples measure, and takes as long as the rest of a process."""
OF_A_TEST_MODULE = re.compile(r"\b(?:from|import) (?:tests\.[\w.]*)?test_\w+")


def uses_of_test_modules(folder: Path) -> list[str]:
    """Where Python code below `folder`, be it in a string, imports from a test module."""
    return [
        f"{path}: {found[0]}"
        for path in sorted(folder.rglob("*.py"))
        for found in OF_A_TEST_MODULE.finditer(path.read_text())
    ]


def test_what_tests_share_lies_in_support() -> None:
    assert uses_of_test_modules(TESTS) == []
    assert uses_of_test_modules(ROOT / "bench") == []


def test_an_import_from_a_test_module_would_be_found(tmp_path: Path) -> None:
    module = "test_x"
    lines = (f"from tests.store.{module} import fill", f"import tests.{module}", f"import {module}")
    for number, line in enumerate(lines):
        (tmp_path / f"{number}.py").write_text(f"code = {line!r}\n")
    assert len(uses_of_test_modules(tmp_path)) == len(lines)


def test_processes_that_tests_start_can_be_interrupted() -> None:
    ask = "import signal; print(int(signal.getsignal(signal.SIGINT) == signal.SIG_IGN))"
    assert subprocess.check_output([sys.executable, "-c", ask], text=True) == "0\n"


def test_they_can_also_where_a_shell_started_the_tests_in_the_background() -> None:
    claim = f"{__file__}::{test_processes_that_tests_start_can_be_interrupted.__name__}"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", claim]
    done = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_whoever_measures_does_so_beside_no_other_that_does() -> None:
    measures = re.compile(r"\brun_campaign\(|\bobey\(|(?<!\.)\blaunched\(|\binstalled_backends:")
    modules = [str(path.relative_to(ROOT)) for path in TESTS.rglob("test_*.py")]
    found = {module for module in modules if measures.search((ROOT / module).read_text())}
    assert found > BESIDE_OTHERS
    assert {module for module in found if not is_live(module)} == BESIDE_OTHERS


@pytest.mark.parametrize(
    ("line", "live"),
    [
        ("pytestmark = pytest.mark.live", True),
        ("pytestmark = [pytest.mark.live, needs_root]", True),
        ("@pytest.mark.live", False),
        ("pytestmark = pytest.mark.lively", False),
    ],
)
def test_module_measures_where_its_marks_say_so(line: str, live: bool, tmp_path: Path) -> None:
    module = tmp_path / f"{live}.py"
    module.write_text(f"import pytest\n\n{line}\n")
    assert is_live(str(module)) is live
