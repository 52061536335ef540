"""What compilers made of the patterns' timed loops."""

from __future__ import annotations

import re

from tests.support.pattern_loops import loops

from leadline.kernels.build import SOURCES


def test_every_pattern_has_a_loop_that_is_checked() -> None:
    table = (SOURCES / "patterns" / "table.c").read_text()
    patterns = set(re.findall(r"^    PATTERN\((\w+)\)", table, re.MULTILINE))
    beside = [name for _, name in loops() if name.endswith("_second")]
    assert len(loops()) - len(beside) + len(loops("applications")) == len(patterns)
