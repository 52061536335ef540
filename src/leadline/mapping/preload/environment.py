"""The variables by which the preload library is told what to do."""

from __future__ import annotations

SWITCH = "LEADLINE_MAP"
"""OFF, REPORT or on."""
OFF, REPORT = "off", "report"
METRIC = "LEADLINE_MAP_METRIC"
"""What is to become small, one of mapping.METRICS."""
MACHINE = "LEADLINE_MAP_MACHINE"
"""The lines of a description; or FILE and the path of a file with them."""
OUT = "LEADLINE_MAP_OUT"
"""The path of a file to which new and old ranks are appended."""
STEPS = "LEADLINE_MAP_STEPS"
"""Swaps that are tried in the end."""
REACHES = "LEADLINE_MAP_REACHES"
"""ALL: the word that every rank has the library, for where it can't find out."""
ALL = "all"
CART_MAP = "LEADLINE_MAP_CART_MAP"
"""OFF: MPI_Cart_map is left alone, for programs that call it on some ranks only."""
NAMES = (SWITCH, METRIC, MACHINE, OUT, STEPS, REACHES, CART_MAP)
MOST_INLINE = 100_000
"""Characters that a variable should have: Linux takes 131,071 bytes."""
FILE = "@"
