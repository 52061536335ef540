"""What this process was started with, and what ranks inherit of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

PREFIXES = (
    "OMPI_", "PRTE_MCA_", "PMIX_MCA_", "MPICH_", "MPIR_CVAR_", "I_MPI_", "UCX_", "FI_",
    "LEADLINE_SINGLE_COPY",
)  # fmt: skip
"""How the variables begin by which message-passing libraries and what they stand on are set."""
OURS = ("leadline", "__main__.py")


def command_line() -> tuple[str, ...]:
    """The words that this process was started with, the first as users type it."""
    first, *others = sys.argv
    return ("leadline" if Path(first).name in OURS else first, *others)


def inherited_variables() -> Mapping[str, str]:
    """The variables of this process that libraries are set by, which its ranks get too."""
    return {name: os.environ[name] for name in sorted(os.environ) if name.startswith(PREFIXES)}
