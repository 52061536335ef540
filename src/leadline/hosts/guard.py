"""Who clears up at once after a front-end that is killed, with nobody to come after it.

A shell that reads what the front-end last wrote down where; the other end of its pipe is the
front-end's alone, so that it reads the end of it when that has ended, however that came. If
something is written down then, it becomes what clears up (aftermath.py), else it ends. Until then
it sleeps, in a session of its own: no key and no closed terminal reaches it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import leadline
from leadline.processes import Process, let_go, outliving

SCRIPT = (
    "trap '' HUP INT TERM; while IFS= read -r told; do record=$told; done; "
    'test -z "$record" || exec "$@" "$record"'
)
AFTERMATH = (sys.executable, "-m", "leadline.hosts.aftermath")
LEAVE_S = 1.0
"""For the shell to end behind a front-end that left nothing: longer nobody waits."""


class Guard:
    """That of this process, which is started when there is something to guard."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._shell: Process | None = None

    @property
    def is_there(self) -> bool:
        """Whether it waits for this process's end."""
        return self._shell is not None and self._shell.poll() is None

    def tell(self, record: Path | None) -> None:
        """What this process started is in the file `record` now; None: nothing is left of it.

        Where it can't be started, or told, whoever comes after clears up.
        """
        with contextlib.suppress(OSError):
            if not self.is_there and record is not None:
                self._shell = _started()
            if self._shell is not None and self._shell.stdin is not None:
                self._shell.stdin.write(f"{record or ''}\n".encode())

    def leave(self) -> None:
        """Lets it see the end; it is waited for where it has nothing to do."""
        if self._shell is not None:
            let_go(self._shell, LEAVE_S)


def _started() -> Process:
    package = Path(leadline.__file__).resolve().parent.parent
    path = os.pathsep.join(filter(None, (str(package), os.environ.get("PYTHONPATH", ""))))
    shell = outliving(("sh", "-c", SCRIPT, "sh", *AFTERMATH), {"PYTHONPATH": path})
    if shell.stdin is not None:
        os.set_blocking(shell.stdin.fileno(), False)  # who stopped it stops nobody else
    return shell
