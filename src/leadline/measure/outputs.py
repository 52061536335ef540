"""What the processes of a launch print, each into a file of its own, and the ends of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TAIL_BYTES = 2000
"""Of all that they printed, as far as messages show it; several share them."""
LEAST_BYTES = 200
"""Of each."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Standard output and error of processes, by their roles."""

    folder: Path

    def of(self, role: str) -> Path:
        """The file of the process in `role`; of those without one, which start ranks, "output"."""
        return self.folder / ".".join(filter(None, ["output", role.replace(" ", "-")]))

    def tail(self, roles: Iterable[str]) -> str:
        """The ends of what those in `roles` printed, who each time, if it is known."""
        said = {role: text for role in dict.fromkeys(roles) if (text := self._text(role))}
        share = max(TAIL_BYTES // max(len(said), 1), LEAST_BYTES)
        ends = {role: text[-share:].decode(errors="replace").strip() for role, text in said.items()}
        return "\n".join(f"{role} said: {end}" if role else end for role, end in ends.items())

    def _text(self, role: str) -> bytes:
        with contextlib.suppress(OSError):
            return self.of(role).read_bytes().strip()
        return b""
