"""What a guard becomes when its front-end has ended and left something: it clears up, and ends."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from leadline.hosts.remains import sweep_record

PATIENCE_S = 30.0
"""For a front-end that is about to be gone, and for what others still map."""
LOOK_S = 0.1


def clear_up(record: Path) -> None:
    """Sweeps what the front-end of `record` left as soon as it is no more, until nothing is."""
    deadline = time.monotonic() + PATIENCE_S
    while record.exists() and time.monotonic() < deadline:
        sweep_record(record)
        time.sleep(LOOK_S)


if __name__ == "__main__":
    clear_up(Path(sys.argv[1]))
