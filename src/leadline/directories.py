"""Where this tool keeps what is the user's: the XDG base directory specification."""

from __future__ import annotations

import os
from pathlib import Path


def _directory(variable: str, default: str) -> Path:
    """The specification wants relative values ignored."""
    root = Path(os.environ.get(variable, ""))
    return (root if root.is_absolute() else Path.home() / default) / "leadline"


def cache_directory() -> Path:
    """What can be made again: kernels, and what compiler wrappers answered."""
    return _directory("XDG_CACHE_HOME", ".cache")


def config_directory() -> Path:
    """What the user wrote: config.toml."""
    return _directory("XDG_CONFIG_HOME", ".config")


def data_directory() -> Path:
    """What the user asked for: the libraries that `leadline get` installed."""
    return _directory("XDG_DATA_HOME", ".local/share")
