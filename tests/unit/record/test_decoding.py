"""Decoding by types: what is taken, and what is said of everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, TypedDict

import pytest
from msgspec import Meta
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.record.decoding import at, check_printable, decoded
from leadline.record.fields import FormatError


class Colour(StrEnum):
    RED = "red"
    BLUE = "deep blue"


@dataclass(frozen=True, slots=True)
class Inner:
    share: Annotated[float, Meta(ge=0, le=1)]


class Outer(TypedDict):
    number: Annotated[int, Meta(ge=1, le=9)]
    colour: Colour
    inner: Sequence[Inner]
    most: Annotated[float, Meta(ge=-2, le=2)] | None
    name: str
    sure: bool
    rows: Sequence[Sequence[Annotated[float, Meta(ge=-1e30, le=1e30)]]]
    pair: tuple[str, int]
    by_name: Mapping[str, str]


WHOLE: dict[str, Any] = {
    "number": 3, "colour": "deep blue", "inner": [{"share": 1}], "most": None, "name": "x",
    "sure": True, "rows": [[1, 2.5]], "pair": ["a", 1], "by_name": {"a": "b"},
}  # fmt: skip


def test_values_become_those_of_the_type_and_other_keys_are_ignored() -> None:
    found = decoded({**WHOLE, "more": 1}, Outer)
    typed = {"colour": Colour.BLUE, "inner": [Inner(1.0)], "pair": ("a", 1)}
    assert found == {**WHOLE, **typed}
    assert type(found["inner"][0].share) is float


def test_fault_is_told_with_its_place_value_and_what_is_expected(
    snapshot: SnapshotAssertion,
) -> None:
    faults: list[Any] = [
        {"number": 0}, {"number": 10**400}, {"number": 1.0}, {"number": True}, {"number": None},
        {"colour": "green"}, {"colour": 1},
        {"inner": {}}, {"inner": [{"share": 0.5}, {"share": 1.5}]}, {"inner": [{}]}, {"inner": [1]},
        {"most": 3}, {"most": "1"}, {"most": float("nan")}, {"most": float("inf")},
        {"most": 10**400}, {"most": True},
        {"pair": ["a"]}, {"pair": ["a", "b"]}, {"pair": [1, 1]}, {"pair": {}}, {"pair": 1},
        {"by_name": {"a": "b", "c": 1}}, {"by_name": {"a": None}}, {"by_name": []},
        {"name": 1}, {"name": None}, {"sure": 1}, {"rows": [[1, 2], [3, "4"]]}, {"rows": [1]},
        {"colour": "green - at `$.most`"}, {"colour": "\ud800"}, {"number": "\ud800"},
        {"inner": [{"share": 1, "\udfff": 2}]}, {"\ud800": 1},
    ]  # fmt: skip
    assert refusals(lambda one: decoded({**WHOLE, **one}, Outer), faults, FormatError) == snapshot


@pytest.mark.parametrize("value", [None, [], 1, "x"])
def test_what_is_no_object_is_said_to_be_none(value: object) -> None:
    with pytest.raises(FormatError, match=r"is not of type dict$"):
        decoded(value, Outer)


def test_key_that_lacks_is_named_first_of_all() -> None:
    for key in WHOLE:
        with pytest.raises(FormatError, match=f"^lacks '{key}'$"):
            decoded({name: one for name, one in WHOLE.items() if name != key}, Outer)


def test_place_is_put_before_a_message_from_within() -> None:
    with pytest.raises(FormatError, match=r"^models: 3: is odd$"), at("models", 3):
        raise FormatError("is odd")


@pytest.mark.parametrize("text", ["", "a\nb", "\x1b[31m", "\u202e", "\ud800"])
def test_text_that_cant_be_printed_is_no_name(text: str) -> None:
    check_printable({"name": "a b é"}, "name")
    with pytest.raises(FormatError, match=r"^name: .* is no name$"):
        check_printable({"name": text}, "name")
