"""The closed list of warnings: one spelling, one remedy each, all of them documented and in use."""

from __future__ import annotations

import ast
import re
from enum import Enum
from pathlib import Path
from string import Formatter

import pytest
from tests.support.texts import numbers

import leadline
from leadline.record.warnings import FORMER_CODES, RunWarning, WarningKind

PACKAGE = Path(leadline.__file__).parent
HOMES = [PACKAGE / "record" / name for name in ("warnings.py", "codes.py")]
"""Where warnings are listed, and where those that were written down are made again."""
REFERENCE = PACKAGE.parents[1] / "docs" / "reference.md"
CODES = [kind.code for kind in WarningKind]


def calls_in(source: str) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]


def makes_a_warning(call: ast.Call) -> bool:
    """Whether it names the type itself; decoding and `dataclasses.replace` don't."""
    return getattr(call.func, "id", getattr(call.func, "attr", None)) == "RunWarning"


def misfit(call: ast.Call) -> str | None:
    """The kind of a call `WarningKind.KIND.because` with other fields than the remedy's."""
    match call.func:
        case ast.Attribute(
            value=ast.Attribute(value=ast.Name(id="WarningKind"), attr=kind), attr="because"
        ):
            given = {keyword.arg for keyword in call.keywords}
            return kind if given != fields_of(WarningKind[kind]) else None
    return None


def fields_of(kind: WarningKind) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(kind.remedy) if name}


def documented(text: str) -> list[tuple[str, str, str]]:
    """Code, when and remedy of each row of the section on warnings."""
    section = text.partition("\n## Warnings\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", section, re.MULTILINE)


LISTED = [(kind.code, kind.when, kind.remedy) for kind in WarningKind]


# -- the list itself -------------------------------------------------------------------------------


def test_codes_have_one_spelling() -> None:
    assert [code for code in CODES if not re.fullmatch(r"[a-z]+(_[a-z]+)*", code)] == []


def test_a_second_kind_of_one_code_is_refused() -> None:
    again = [*((kind.name, kind.value) for kind in WarningKind), ("LOAD", ("it is slow", "wait"))]
    with pytest.raises(TypeError, match="LOAD"):
        Enum("Again", again)


def test_a_cause_and_the_fields_of_the_remedy_make_a_warning() -> None:
    cause = "103 B is left out"
    made = WarningKind.SIZE_DROPPED.because(cause, size=96)
    assert made == RunWarning(
        "size_dropped", cause, WarningKind.SIZE_DROPPED.remedy.format(size=96)
    )
    assert numbers(made.remedy) == ["96"]


def test_former_codes_lead_to_those_of_today() -> None:
    assert set(FORMER_CODES.values()) <= set(CODES)
    assert not FORMER_CODES.keys() & set(CODES)


# -- the places that warn --------------------------------------------------------------------------


def test_warnings_are_made_from_the_list_alone() -> None:
    for path in PACKAGE.rglob("*.py"):
        if path not in HOMES:
            found = [call.lineno for call in calls_in(path.read_text()) if makes_a_warning(call)]
            assert not found, f"{path}:{found}: take a WarningKind"


@pytest.mark.parametrize("source", ["RunWarning('a', 'b', 'c')", "run.RunWarning('a', 'b', 'c')"])
def test_a_warning_of_one_s_own_is_found(source: str) -> None:
    assert [makes_a_warning(call) for call in calls_in(source)] == [True]


def test_places_that_warn_give_the_fields_of_the_remedy() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert not [kind for call in calls_in(path.read_text()) if (kind := misfit(call))], path


@pytest.mark.parametrize("fields", ["", ", length=96", ", size=96, length=96"])
def test_lacking_and_foreign_fields_are_found(fields: str) -> None:
    (call,) = calls_in(f"WarningKind.SIZE_DROPPED.because(cause{fields})")
    assert misfit(call) == "SIZE_DROPPED"


def test_every_kind_is_warned_of_somewhere() -> None:
    named = {
        name
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r"WarningKind\.([A-Z_]+)", path.read_text())
    }
    assert named == {kind.name for kind in WarningKind}


# -- the reference ---------------------------------------------------------------------------------


def test_reference_has_every_warning_with_its_remedy() -> None:
    assert documented(REFERENCE.read_text()) == LISTED


@pytest.mark.parametrize(
    ("old", "new"),
    [("| `load` |.*\n", ""), ("`load`", "`busy`"), (re.escape(WarningKind.LOAD.remedy), "hope")],
)
def test_a_reference_that_lacks_or_differs_is_found(old: str, new: str) -> None:
    assert documented(re.sub(old, new, REFERENCE.read_text())) != LISTED
