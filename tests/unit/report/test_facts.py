"""The metadata of a run on its page, in words."""

from __future__ import annotations

from typing import Any

import pytest

from leadline.report.page.facts import shown


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "-"),
        ({}, "-"),
        (True, "yes"),
        ([0, 8, 1024], "0, 8, 1024"),
        (
            {"blocks": 6, "slice_s": 0.003, "launches": {"2": 2, "4": 1}, "together": True},
            "blocks 6, slice s 0.003, launches (2: 2, 4: 1), together yes",
        ),
        ({"mpich": "/opt/mpicc", "shm": "/usr/bin/cc"}, "mpich /opt/mpicc, shm /usr/bin/cc"),
        (
            [{"name": "a", "arguments": ["x", "y"], "map": ""}, {"name": "b", "arguments": []}],
            "name a, arguments (x, y); name b",
        ),
        ({"names": [], "agent": None}, "-"),
    ],
)
def test_nested_facts_are_words(value: Any, words: str) -> None:
    assert shown(value) == words
    assert not set('{}[]"') & set(shown(value))
