"""Measures how often what the tool says is true, where the truth is known.

python -m validation [NAME ...] [--out FILE]
"""

import sys

from bench.figures import run

NAMES = (
    "recorded",
    "planted",
    "truth",
    "portability",
    "disturbed",
    "repeat",
    "hosts",
    "simulate",
    "reproduce",
    "leftovers",
    "models",
)

sys.exit(run("validation", NAMES, __doc__))
