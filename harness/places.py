"""Where tests and benchmarks find what lies beside them."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
PROGRAMS = Path(__file__).parent / "native"
"""In C and C++, compiled by modules beside them."""
SIMULATING = ("simulation", "recipe", "closed_forms", "placements", "cells", "reproduction")
"""Modules of leadline.papers, by their last names, that simulate; all others are studies' part."""
