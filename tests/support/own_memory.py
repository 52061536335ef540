"""Shared memory of one's own: /dev/shm as those see it who are started in a mount namespace."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SCRIPT = (
    "mount --make-rprivate / && mount -t tmpfs -o size=$0 none /dev/shm && "
    'for one; do mount -t tmpfs none "$one" || exit; done; echo ready && exec sleep infinity'
)


@dataclass(frozen=True)
class OwnMemory:
    """A namespace that a process keeps; needs root."""

    keeper: int

    def inside(self, *command: str) -> tuple[str, ...]:
        """`command` as it is run there, in this working directory."""
        return ("nsenter", "-t", str(self.keeper), "--mount", f"--wdns={Path.cwd()}", *command)

    @property
    def folder(self) -> Path:
        """Its /dev/shm, as it is seen from here."""
        return self.seen("/dev/shm")

    def seen(self, path: str) -> Path:
        """What is at `path` there, as it is seen from here."""
        return Path(f"/proc/{self.keeper}/root{path}")

    def files(self) -> set[str]:
        """The names of what is in it."""
        return {path.name for path in self.folder.iterdir()}


@contextlib.contextmanager
def own_memory(size: str = "1g", *folders: str) -> Iterator[OwnMemory]:
    """One of `size`, as mount takes it, until the block is left; `folders` are its own, too."""
    command = ("unshare", "--mount", "sh", "-c", SCRIPT, size, *folders)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as keeper:
        try:
            assert keeper.stdout is not None
            assert keeper.stdout.readline() == "ready\n"
            yield OwnMemory(keeper.pid)
        finally:
            keeper.kill()
