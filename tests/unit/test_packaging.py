"""Ways into clusters: the package of Spack, the container's definition, the check of ReFrame's."""

from __future__ import annotations

import ast
import tomllib

from harness.places import ROOT
from tests.support.definitions import PACKAGING, definition

SECTIONS = {
    *("setup", "files", "environment", "pre", "post", "runscript", "startscript"),
    *("test", "labels", "help"),
}
"""Of Apptainer's definition files, those of applications left out."""


# -- Spack -----------------------------------------------------------------------------------------


def calls(name: str) -> list[ast.Call]:
    """The directives of this name in the package."""
    tree = ast.parse((PACKAGING / "spack" / "package.py").read_text())
    (package,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert package.name == "Leadline"
    found = (node.value for node in package.body if isinstance(node, ast.Expr))
    return [
        one
        for one in found
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == name
    ]


def spelled(requirement: str) -> str:
    """As Spack has it: "py-numpy@1.26:" of "numpy>=1.26"."""
    name, least = requirement.split(">=")
    return f"py-{name}@{least}:"


def test_spack_s_package_depends_on_what_the_project_does() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = {ast.literal_eval(one.args[0]) for one in calls("depends_on")}
    needed = {*project["project"]["dependencies"], *project["build-system"]["requires"]}
    python = project["project"]["requires-python"].removeprefix(">=")
    assert asked == {*map(spelled, needed), f"python@{python}:", "c"}
    (version,) = calls("version")
    assert ast.literal_eval(version.args[0]) == project["project"]["version"]


# -- Apptainer -------------------------------------------------------------------------------------


def test_definition_has_apptainer_s_sections_and_files_that_exist() -> None:
    sections = definition()
    assert {*sections} - {""} <= SECTIONS
    header = [line for line in sections[""].splitlines() if not line.startswith("#")]
    assert [line.partition(":")[0] for line in header if line] == ["Bootstrap", "From"]
    pairs = [line.split() for line in sections["files"].splitlines() if line]
    assert all((ROOT / source).exists() for source, _ in pairs)
