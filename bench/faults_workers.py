"""Processes that attempt mutations, with bounded memory: whatever one does to them, it is told."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

from bench.faults_case import DIED, Attack, Case, Maker, Outcome, attempt

MOST_BYTES = 2**30
"""What a mutation may have a process take, beyond what it has before the first one."""
STUCK_S = 120.0
"""After which a process that waits for something is ended."""
SURROUNDINGS = {"MALLOC_ARENA_MAX": "2", "COLUMNS": "1000", "NO_COLOR": "1"}
"""Threads get no address space of their own, and no path is broken into two lines."""

Outcomes = Iterator[Outcome]


def attempted(makers: Mapping[str, Maker], cases: Sequence[Case], processes: int = 1) -> Outcomes:
    """What becomes of each of `cases`, by so many processes, a share of them each.

    Args:
        makers: By name, what makes each mutator's attack; functions of modules, for a process
            that is started anew has to find them.
        cases: Those of one mutator next to each other, for each sets up a folder.
        processes: A process that a mutation ends is started again behind it.
    """
    shares = [cases[first::processes] for first in range(processes)]
    with ThreadPoolExecutor(processes) as pool:
        for found in pool.map(lambda share: list(_share(makers, share)), shares):
            yield from found


def _share(makers: Mapping[str, Maker], cases: Sequence[Case]) -> Outcomes:
    left = list(cases)
    while left:
        ready = False
        for outcome in _of_one_process(makers, left):
            ready = True
            if outcome is not None:
                left.pop(0)
                yield outcome
        if not ready:
            raise RuntimeError(f"no process can begin with {left[0]}")
        if left:
            yield Outcome(left.pop(0), DIED, "the process ended", 0.0)


def _of_one_process(makers: Mapping[str, Maker], cases: Sequence[Case]) -> Iterator[Outcome | None]:
    """None when it is ready; then of `cases` as many as it lives for."""
    start = multiprocessing.get_context("spawn")  # no thread of this process goes along
    here, there = start.Pipe(duplex=False)
    os.environ.update(SURROUNDINGS)
    folder = tempfile.mkdtemp(prefix="leadline-faults-")  # not its own: it may end anyhow
    process = start.Process(target=_work, args=(there, makers, list(cases), Path(folder)))
    process.start()
    there.close()
    try:
        while True:
            yield here.recv()
    except EOFError:
        process.join()
    finally:
        process.kill()
        process.join()
        here.close()
        shutil.rmtree(folder, ignore_errors=True)


def _work(to: Connection, makers: Mapping[str, Maker], cases: Sequence[Case], folder: Path) -> None:
    """Attempts `cases` in the empty `folder`, and sends what becomes of each."""
    os.fsync = _nothing  # type: ignore[assignment]  # power cuts aren't what is tried
    with (folder / "stuck").open("w") as stuck:
        attacks = {name: _made(makers[name], folder / name) for name in _names(cases)}
        _bound_memory()
        _start_nothing()
        to.send(None)
        for case in cases:
            faulthandler.dump_traceback_later(STUCK_S, exit=True, file=stuck)
            to.send(attempt(attacks[case.mutator], case))
        faulthandler.cancel_dump_traceback_later()


def _nothing(_: object) -> None:
    """Waits for no disk."""


def _names(cases: Sequence[Case]) -> Iterator[str]:
    return iter(dict.fromkeys(case.mutator for case in cases))


def _made(maker: Maker, folder: Path) -> Attack:
    folder.mkdir()
    return maker(folder)


def _bound_memory() -> None:
    """From now on this process gets no more than MOST_BYTES."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _start_nothing() -> None:
    """No command that a mutation comes to may start a program."""

    class Nothing(subprocess.Popen[bytes]):
        def __init__(self, *_: object, **__: object) -> None:
            raise FileNotFoundError("nothing is started here")

        def __del__(self) -> None:
            """There is nothing to wait for."""

    subprocess.Popen = Nothing  # type: ignore[misc, assignment]
