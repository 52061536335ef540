"""Attacks on a relay's socket: who isn't a rank gets nowhere, is counted, and harms nobody."""

from __future__ import annotations

import re

from leadline.kernels.build import SOURCES
from leadline.kernels.connections import HELLO_BYTES, PROOF_BYTES, PROOF_S, Cause
from leadline.kernels.server import MOST_UNPROVED

BOUNDS = {
    "MOST_UNPROVED": MOST_UNPROVED,
    "PROOF_BYTES": PROOF_BYTES,
    "PROOF_MS": int(1000 * PROOF_S),
    "HELLO_BYTES": HELLO_BYTES,
}


def test_bounds_and_words_are_the_front_ends() -> None:
    admission = (SOURCES / "relay" / "admission.c").read_text()
    assert {name: int(_value(name, admission)) for name in BOUNDS} == BOUNDS
    words = re.findall(r'\w+\[\] = "(\w+)"', admission)
    assert sorted(words) == sorted(cause.name.lower() for cause in Cause)


def _value(name: str, source: str) -> str:
    found = re.search(rf"\b{name} = (\d+),", source)
    assert found, name
    return found[1]
