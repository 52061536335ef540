"""The closed list of warnings: one spelling, one remedy each, all of them documented and in use."""

from __future__ import annotations

import ast
import re
from enum import Enum
from pathlib import Path

import pytest
from tests.support.texts import numbers

import leadline
from leadline.record.templates import fields_of
from leadline.record.warnings import FORMER_CODES, RunWarning, WarningKind, warning_of

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


def called_with(call: ast.Call) -> tuple[str | None, set[str], bool] | None:
    """Kind and fields of a call of `warning_of`, and whether a `**` gives others besides.

    The kind is None where it is chosen at run time.
    """
    match call:
        case ast.Call(func=ast.Name(id="warning_of"), args=[kind]):
            named = isinstance(kind, ast.Attribute) and ast.unparse(kind.value) == "WarningKind"
            fields = {keyword.arg for keyword in call.keywords}
            return (
                ast.unparse(kind).removeprefix("WarningKind.") if named else None,
                {name for name in fields if name},
                None in fields,
            )
    return None


def causes_of(call: ast.Call) -> set[tuple[str, str]] | None:
    """Kinds and causes that a call may be about; None: it is no call of `warning_of`."""
    if (found := called_with(call)) is None:
        return None
    name, fields, others = found
    return {
        (kind.name, cause)
        for kind in WarningKind
        if name in (None, kind.name)
        for cause in kind.causes
        if fields == (every := fields_of(cause) | fields_of(kind.remedy))
        or (others and fields < every)
    }


def documented(text: str) -> list[tuple[str, str, str]]:
    """Code, when and remedy of each row of the section on warnings."""
    section = text.partition("\n## Warnings\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", section, re.MULTILINE)


LISTED = [(kind.code, kind.when, kind.remedy) for kind in WarningKind]


# -- the list itself -------------------------------------------------------------------------------


def test_codes_have_one_spelling() -> None:
    assert [code for code in CODES if not re.fullmatch(r"[a-z]+(_[a-z]+)*", code)] == []


def test_a_second_kind_of_one_code_is_refused() -> None:
    again = ("LOAD", ("it is slow", "it was", "wait"))
    every = [*((kind.name, kind.value) for kind in WarningKind), again]
    with pytest.raises(TypeError, match="LOAD"):
        Enum("Again", every)


def test_the_fields_of_cause_and_remedy_make_a_warning() -> None:
    made = warning_of(WarningKind.FEW_BLOCKS, measured=3, blocks=6)
    cause = "3 blocks can't support a 95 % interval"
    assert made == RunWarning("few_blocks", cause, WarningKind.FEW_BLOCKS.remedy.format(blocks=6))
    assert numbers(made.remedy) == ["6", "6"]


def test_the_fields_choose_between_causes() -> None:
    unknown = warning_of(WarningKind.LINK_RATE, link="a-b")
    exceeded = warning_of(WarningKind.LINK_RATE, link="a-b", share=1.5)
    assert [numbers(one.cause) for one in (unknown, exceeded)] == [[], ["150"]]
    with pytest.raises(TypeError, match="LINK_RATE has no cause with the fields link, rate"):
        warning_of(WarningKind.LINK_RATE, link="a-b", rate=1.5)


def test_no_two_causes_of_a_kind_have_the_same_fields() -> None:
    for kind in WarningKind:
        assert len({fields_of(cause) for cause in kind.causes}) == len(kind.causes), kind


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


CALLS = {
    path: [call for call in calls_in(path.read_text()) if called_with(call)]
    for path in PACKAGE.rglob("*.py")
}


def test_places_that_warn_give_the_fields_of_a_cause() -> None:
    for path, calls in CALLS.items():
        wrong = [call.lineno for call in calls if not causes_of(call)]
        assert not wrong, f"{path}:{wrong}"


@pytest.mark.parametrize("fields", ["", ", what=96", ", link=1, share=2, what=96"])
def test_lacking_and_foreign_fields_are_found(fields: str) -> None:
    (call,) = calls_in(f"warning_of(WarningKind.LINK_RATE{fields})")
    assert causes_of(call) == set()


def test_every_cause_is_given_somewhere() -> None:
    stated: set[tuple[str, str]] = set()
    stated.update(*(causes_of(call) or () for calls in CALLS.values() for call in calls))
    assert stated == {(kind.name, cause) for kind in WarningKind for cause in kind.causes}


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
