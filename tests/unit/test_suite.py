"""The suite itself: who may import what of it, and which kind a test is."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from harness.kinds import FOLDERS, KINDS, UNIT, kind_of
from harness.places import ROOT
from harness.scheduling import expected, is_long, priority, shared_by

TESTS = ROOT / "tests"
FUZZ = ROOT / "fuzz"
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
    assert uses_of_test_modules(ROOT / "validation") == []
    assert uses_of_test_modules(FUZZ) == []


def test_an_import_from_a_test_module_would_be_found(tmp_path: Path) -> None:
    module = "test_x"
    lines = (f"from tests.store.{module} import fill", f"import tests.{module}", f"import {module}")
    for number, line in enumerate(lines):
        (tmp_path / f"{number}.py").write_text(f"code = {line!r}\n")
    assert len(uses_of_test_modules(tmp_path)) == len(lines)


def test_every_module_of_tests_has_a_kind() -> None:
    folders = (TESTS, FUZZ, ROOT / "bench", ROOT / "validation")
    found = [path for folder in folders for path in folder.rglob("test_*.py")]
    assert [path for path in found if kind_of(path) is None] == []


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("tests/unit/store/test_lines.py", "unit"),
        ("tests/live/test_docs.py", "live"),
        ("bench/tests/test_trace.py", "unit"),
        ("validation/tests/test_truth.py", "unit"),
        ("fuzz/test_maps.py", "live"),
        ("tests/test_lost.py", None),
        ("tests/support/unit/test_lost.py", None),
        ("bench/unit/test_lost.py", None),
    ],
)
def test_kind_is_that_of_the_folder(file: str, kind: str | None) -> None:
    assert kind_of(ROOT / file) == kind


@pytest.mark.parametrize("folder", [one for one, kind in FOLDERS.items() if kind == UNIT])
def test_unit_tests_are_held_to_their_rule(folder: str) -> None:
    assert "import remembered, unit_rule\n" in (ROOT / folder / "conftest.py").read_text()


def test_tests_carry_the_marker_of_their_kind(request: pytest.FixtureRequest) -> None:
    assert [mark.name for mark in request.node.iter_markers() if mark.name in KINDS] == ["unit"]


@pytest.mark.parametrize(
    ("line", "shared"),
    [
        ('pytestmark = pytest.mark.shares("a disk")', "a disk"),
        ('pytestmark = [needs_root, pytest.mark.shares("a disk")]', "a disk"),
        ("pytestmark = needs_root", None),
    ],
)
def test_module_says_in_its_marks_what_it_shares(
    line: str, shared: str | None, tmp_path: Path
) -> None:
    module = tmp_path / "module.py"
    module.write_text(f"import pytest\n\n{line}\n")
    assert shared_by(str(module)) == shared


def test_module_says_in_its_marks_that_it_takes_long() -> None:
    assert is_long("tests/live/test_docs.py")
    assert not is_long("tests/live/test_fuzz.py")


def test_long_modules_begin_where_no_times_are_known() -> None:
    long, short = (f"tests/live/{name}.py::test" for name in ("test_docs", "test_fuzz"))
    assert max((short, long), key=lambda one: priority([one], {})) == long
    known = {"tests/live/test_docs.py": 3.0, "tests/live/test_fuzz.py": 4.0}
    assert max((short, long), key=lambda one: priority([one], known)) == short


def test_a_scope_takes_as_long_as_its_modules_and_an_unknown_one_comes_first() -> None:
    seconds = {"tests/a.py": 2.0, "tests/b.py": 3.0}
    assert expected(["tests/a.py::one", "tests/a.py::two", "tests/b.py::one"], seconds) == 5.0
    assert expected(["tests/a.py::one", "tests/c.py::one"], seconds) == math.inf
