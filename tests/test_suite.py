"""The suite itself: who may import what of it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.places import ROOT

TESTS = ROOT / "tests"
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
