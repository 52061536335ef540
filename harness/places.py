"""Where tests and benchmarks find what lies beside them."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
PROGRAMS = Path(__file__).parent / "native"
"""In C and C++, compiled by modules beside them."""
