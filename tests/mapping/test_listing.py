"""Long lists of slots as text: what json makes of them, to the character."""

from __future__ import annotations

import json

import numpy as np
import pytest

from leadline.mapping.listing import listed
from leadline.report.formats.json_text import json_text, written


@pytest.mark.parametrize(
    "slots",
    [[], [0], [2**31 - 1, 0], [9, 10, 99, 100, 10**9 - 1, 10**9], list(range(1000))[::-7]],
)
def test_a_list_is_what_json_has(slots: list[int]) -> None:
    assert f"[{listed(np.array(slots, dtype=np.int64))}]" == json.dumps(slots)


def test_parts_of_an_array_are_listed_in_their_order() -> None:
    assert listed(np.arange(10)[::-3]) == "9, 6, 3, 0"


def test_what_is_written_already_stands_in_its_place() -> None:
    content = {"a": 1, "b": written("[1, 2]"), "c": {"d": [written("3"), "e"]}}
    assert json_text(content, indent=None) == '{"a": 1, "b": [1, 2], "c": {"d": [3, "e"]}}'
