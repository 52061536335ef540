"""The memory that a campaign must find again before it goes on."""

from __future__ import annotations

import bisect
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from tests.support.scripted import request

from leadline.errors import MachineError
from leadline.measure.resumption import check_room
from leadline.measure.spec import Variant
from leadline.record.run import Run
from leadline.scripted.campaigns import prepared, variant

SUSPENDED = cast(Run, SimpleNamespace(path="run"))
MOST_BYTES = 1 << 34


def least_bytes(*variants: Variant) -> int:
    """The least memory with which a campaign of these goes on."""
    planned = prepared(variants, request(blocks=1))

    def goes_on(available_bytes: int) -> bool:
        try:
            check_room(SUSPENDED, planned, available_bytes)
        except MachineError:
            return False
        return True

    return bisect.bisect_left(range(MOST_BYTES), True, key=goes_on)


@pytest.mark.parametrize("number", [2, 3])
def test_each_launch_that_is_alive_at_the_same_time_counts(number: int) -> None:
    alone = least_bytes(variant("a"))
    assert alone > 0
    assert least_bytes(*(variant(name) for name in "abc"[:number])) == number * alone


def test_variants_that_share_launches_count_once() -> None:
    plain = variant("a")
    assert least_bytes(plain, replace(plain, name="b", map="hops")) == least_bytes(plain)
