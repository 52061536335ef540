"""STAP on one rank against the same pipeline over FFTW and LAPACK on one thread.

Applications compute in loops of their own: a planned transform, or a BLAS that divides its work
anew, may differ in the last bit from one number of ranks to another, and for matrices of 8 to 32
columns loops that solve several at once are as fast.

Goal: the upper bound of the paired ratio own loops / libraries is at most 1.3 for a medium cube.
"""

from __future__ import annotations

from pathlib import Path

from bench.applications.beside import beside
from bench.live import upper
from leadline.kernels.build import Additions

LIBRARIES = Additions(
    sources=(Path(__file__).parents[1] / "reference" / "stap_libraries.c",),
    link_flags=("-lfftw3", "-lopenblas"),
)
LIMIT = 1.3


def measure(size: str = "medium", budget_s: float = 30.0, blocks: int = 12) -> dict[str, object]:
    """Seconds a cube by both, and their paired ratio with its 95 % interval.

    The own loops' have the corner turn's copy in them, which libraries do while they transform.
    """
    patterns = (f"stap:{size}", f"stap_by_libraries:{size}")
    found = beside(LIBRARIES, patterns, budget_s=budget_s, blocks=blocks)
    return {
        "size": size,
        **found.as_figures("own", "libraries"),
        "limit": LIMIT,
        "reached": upper(found.ratio) <= LIMIT,
    }
