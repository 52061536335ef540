"""Generated programs held to what ranks of backend `trace` log, for every pattern and option."""

from __future__ import annotations

from tests.support.seen_calls import traceable

from leadline.patterns.programs.patterns import PATTERNS


def test_every_pattern_that_can_be_traced_can_be_simulated() -> None:
    assert PATTERNS.keys() == traceable().keys()
