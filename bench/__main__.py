"""Measures how fast the tool is, side by side with what it is compared to.

python -m bench [NAME ...] [--out FILE]
"""

import sys

from bench.figures import run

NAMES = (
    "cost",
    "frontend",
    "trace",
    "raw",
    "tcp",
    "pvm",
    "byhand",
    "onesided",
    "hosts",
    "mapping",
    "mapping-live",
    "simulate",
    "imports",
    "applications",
    "study",
    "page",
    "scale",
)

sys.exit(run("bench", NAMES, __doc__))
