"""`leadline run` into a folder, and what it said and stored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from leadline.cli import main


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Leadline:
    """The command, in this process."""

    folder: Path
    capfd: pytest.CaptureFixture[str]

    def run(self, patterns: str, *words: str) -> Done:
        """`leadline run --patterns`, into the folder."""
        return self(*("run", "--patterns", patterns, *words, "--out", str(self.folder)))

    def __call__(self, *words: str) -> Done:
        status = main(list(words))
        out, err = self.capfd.readouterr()
        return Done(status, out, err)
