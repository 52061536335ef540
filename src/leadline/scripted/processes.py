"""Processes of scripted launches, as far as a campaign sees them."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from leadline.hosts.cleanup.identities import FileIdentity
from leadline.hosts.cleanup.notes import Note

FIRST_PID = 1 << 30
"""Beyond those of any system: no process of this machine is looked at by mistake."""
HUNG_UP = 3
"""The status of who was hung up on."""
SEGMENT = FileIdentity("/dev/shm/scripted", 0, 0)
"""Stands for what ranks map in shared memory; no file system has its number."""


@dataclass(slots=True)
class ScriptedProcess:
    """A process of a launch."""

    pid: int
    status: int | None = None
    on_end: Callable[[], None] | None = None

    def poll(self) -> int | None:
        """Its exit status; None: it runs."""
        return self.status

    def terminate(self) -> None:
        """Ends it at once."""
        self.end(-signal.SIGTERM)

    def end(self, status: int) -> None:
        """Ends it with `status`, unless it has ended before."""
        if self.status is None:
            self.status = status
            if self.on_end is not None:
                self.on_end()


@dataclass(slots=True)
class ScriptedNote(Note):
    """What a launch has in shared memory, by the script; nothing is written down."""

    maps: bool = field(default=True, kw_only=True)
    """Whether its ranks map anything there."""

    @classmethod
    def of(cls, scratch: Path, maps: bool) -> ScriptedNote:
        """A launch whose folder is `scratch`."""
        return cls(FileIdentity.of(scratch), maps=maps)

    def know_processes(self, pids: object) -> None:
        """Nothing of them outlives the campaign."""

    def know_segments(self, ranks: object) -> None:
        """As the script says."""
        self.segments = [SEGMENT] if self.maps else []
