"""Names that Python and the preload library must both have."""

from __future__ import annotations

import re

from leadline.mapping import METRICS
from leadline.mapping.preload.build import SOURCES
from leadline.mapping.preload.description import NAMES

SETTINGS = (SOURCES / "core" / "settings.c").read_text()


def test_library_knows_every_metric_by_the_word_of_the_command() -> None:
    assert re.findall(r'\[MAP_\w+\] = "([a-z-]+)"', SETTINGS) == list(METRICS)


def test_library_reads_every_variable_and_no_other() -> None:
    assert set(re.findall(r'variable\("(\w+)"\)', SETTINGS)) == set(NAMES)
