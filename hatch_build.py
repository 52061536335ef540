"""Puts a manual page for each command into the wheel, made of what the commands say themselves."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManPages(BuildHookInterface[Any]):
    """Writes the pages aside, not among the sources, and says where they belong."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the pages to the data of the wheel; nothing but the standard library is needed."""
        sys.path.insert(0, str(Path(self.root, "src")))
        from leadline.cli.man_page import manual_pages

        self._folder = tempfile.TemporaryDirectory()
        for name, text in manual_pages().items():
            page = Path(self._folder.name, name)
            page.write_text(text, encoding="utf-8")
            build_data["shared_data"][str(page)] = f"share/man/man1/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes what was written aside."""
        self._folder.cleanup()
