"""What a front-end leaves that is ended at a random moment: files, shared memory, processes.

python -m validation.leftovers LIBRARY SIGNAL    as the first process of its namespaces

Each library alone, with /tmp, /dev/shm and numbers of processes of its own, so that whatever is
there is its: looked at 5 s after the end, and again after the next run. Needs root.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

LIBRARIES = ("mpich", "openmpi", "impi")
ENDS = (signal.SIGKILL, signal.SIGINT)
TRIALS = 30
SEED = 20261124
SOON_S = 0.1
"""Earlier no front-end is ended: Python itself is starting."""
PATIENCE_S = 5.0
OWN = ("/tmp", "/dev/shm")
KEPT = Path("/tmp/bench")
ALONE = ("unshare", "--mount", "--pid", "--fork", "--mount-proc")


@dataclass(frozen=True, slots=True)
class Leftovers:
    """Of so many ends at random moments of a run of `run_s` seconds."""

    library: str
    ended_by: str
    run_s: float
    ends: int
    after_5_s: int
    """After how many of them something was left."""
    after_the_next_run: int
    examples: list[str]


def measure() -> dict[str, object]:
    """A row for each library and each way to end; the goal is nothing."""
    rows = [_alone(library, number) for library in LIBRARIES for number in ENDS]
    reached = not any(row["after_5_s"] or row["after_the_next_run"] for row in rows)
    return {"seed": SEED, "rows": rows, "reached": reached}


def _alone(library: str, number: signal.Signals) -> dict[str, object]:
    words = (sys.executable, "-m", "validation.leftovers", library, number.name)
    done = subprocess.run((*ALONE, *words), stdout=subprocess.PIPE, check=True)
    row: dict[str, object] = json.loads(done.stdout)
    return row


def main(library: str, number: signal.Signals) -> None:
    """Prints the row of one library."""
    for folder in OWN:
        subprocess.run(("mount", "-t", "tmpfs", "none", folder), check=True)
    KEPT.mkdir()
    begin = time.monotonic()
    with _begun(library, "whole") as run:
        assert run.wait() == 0, f"a run over {library} fails"
    run_s = time.monotonic() - begin
    draw, found = random.Random(SEED), list[tuple[list[str], list[str]]]()
    for trial in range(TRIALS):
        found.append(_ended(library, str(trial), number, draw.uniform(SOON_S, run_s)))
    soon, later = ([one for one in left if one] for left in zip(*found, strict=True))
    examples = [one for left in soon for one in left][:TRIALS]
    row = Leftovers(library, number.name, run_s, TRIALS, len(soon), len(later), examples)
    print(json.dumps(asdict(row)))


def _ended(
    library: str, name: str, number: signal.Signals, after_s: float
) -> tuple[list[str], list[str]]:
    """What is left 5 s after a run that was ended, and after the one that follows."""
    with _begun(library, name) as run:
        time.sleep(after_s)
        run.send_signal(number)
    time.sleep(PATIENCE_S)
    soon = _left()
    if soon:
        with _begun(library, f"{name}-next"):
            pass
    return soon, _left()


def _begun(library: str, name: str) -> subprocess.Popen[bytes]:
    words = ("run", "--backends", library, "--patterns", "pingpong", "--sizes", "8")
    return subprocess.Popen(
        (sys.executable, "-m", "leadline", *words, "--blocks", "2", "--out", str(KEPT / name)),
        env=os.environ | {"XDG_STATE_HOME": str(KEPT / "state")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _left() -> list[str]:
    """Files, records and processes, but the runs and this process."""
    with contextlib.suppress(ChildProcessError):  # whose parent is gone is this process's
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    folders = (*map(Path, OWN), KEPT / "state" / "leadline" / "started")
    files = [str(path) for folder in folders if folder.is_dir() for path in folder.iterdir()]
    return [*(path for path in files if path != str(KEPT)), *_processes()]


def _processes() -> Iterator[str]:
    for path in Path("/proc").glob("[0-9]*"):
        if int(path.name) != os.getpid():
            with contextlib.suppress(OSError):
                words = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                yield f"process {words[:200]}"


if __name__ == "__main__":
    main(sys.argv[1], signal.Signals[sys.argv[2]])
