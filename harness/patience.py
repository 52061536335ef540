"""How long tests wait for what comes at once on a quiet machine, before they call it a hang."""

PATIENCE_S = 600.0
"""Beside suites and spinners that share its cores, what takes a second took minutes."""
HANG_S = 10.0
"""For ranks of which one hangs by plan: it is spent whole, and the others have to answer in it."""


def patience_for(code: str) -> float:
    """How long ranks are waited for whose planted fault is to fail with `code`."""
    return HANG_S if code == "hang" else PATIENCE_S
