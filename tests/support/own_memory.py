"""Shared memory of one's own: /dev/shm as those see it who are started in a mount namespace."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.places import ROOT

from leadline.files import cache_directory, data_directory

SCRIPT = (
    "mount --make-rprivate / && mount -t tmpfs -o size=$0 none /dev/shm && folder=$1 && shift && "
    'if [ -n "$folder" ]; then opened=(); '
    'for kept; do exec {number}<"$kept" && opened+=("$number") || exit; done; '
    'mount -t tmpfs none "$folder" || exit; i=0; '
    'for kept; do mkdir -p "$kept" || exit; '
    'mount -c --bind "/proc/self/fd/${opened[i++]}" "$kept" || exit; done; fi; '
    "echo ready && exec sleep infinity"
)
"""What is kept of a folder that is hidden is opened before, and bound to its place behind."""
NEEDED = (ROOT, Path(sys.prefix), Path(sys.base_prefix), data_directory(), cache_directory())
"""By what is run there."""


@dataclass(frozen=True)
class OwnMemory:
    """A namespace that a process keeps; needs root."""

    holder: int

    def inside(self, *command: str) -> tuple[str, ...]:
        """`command` as it is run there, in this working directory."""
        return ("nsenter", "-t", str(self.holder), "--mount", f"--wdns={Path.cwd()}", *command)

    @property
    def folder(self) -> Path:
        """Its /dev/shm, as it is seen from here."""
        return self.seen("/dev/shm")

    def seen(self, path: str) -> Path:
        """What is at `path` there, as it is seen from here."""
        return Path(f"/proc/{self.holder}/root{path}")

    def files(self) -> set[str]:
        """The names of what is in it."""
        return {path.name for path in self.folder.iterdir()}

    def made_in(self, path: str) -> list[Path]:
        """What lies in a folder of its own, but for what was kept there."""
        kept = {one.relative_to(path).parts[0] for one in needed_in(path)}
        return [one for one in self.seen(path).iterdir() if one.name not in kept]


def needed_in(folder: str) -> list[Path]:
    """What is needed and lies below `folder`, outer folders first."""
    found = sorted({path for path in NEEDED if folder and path.is_relative_to(folder)})
    return [path for path in found if not any(path.is_relative_to(o) for o in found if o != path)]


@contextlib.contextmanager
def own_memory(size: str = "1g", folder: str = "") -> Iterator[OwnMemory]:
    """One of `size`, as mount takes it, until the block is left; `folder` is its own, too."""
    kept = map(str, needed_in(folder))
    command = ("unshare", "--mount", "bash", "-c", SCRIPT, size, folder, *kept)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "ready\n"
            yield OwnMemory(holder.pid)
        finally:
            holder.kill()
