"""Are the kernels right on processors that this machine isn't?

Two questions, and neither answers the other. Ordering: ranks as threads over shared memory (shm's
messages, matching, one-sided operations, OpenSHMEM's mailbox over these) and the two threads of a
rank run without a race under the thread sanitizer, and each ordering that they name is planted
weaker and must be seen as a race. Portability: the contracts, and every pattern over shm and null,
compiled for aarch64 and ppc64le and run by qemu-user, which keeps this processor's order.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from harness.contracts import contract
from harness.kernels import kernel, local_backend
from harness.orders import (
    RACE_STATUS,
    REPETITIONS,
    SUBJECTS,
    UNSEEN,
    ending_of_two_threads,
    endings,
    faults_by_word,
)
from harness.processors import FOREIGN, Processor
from harness.ranks import said_by_rank_0
from harness.scripts import EVERY_MODE, EVERY_PATTERN, ids, obey, results

FACTS = ("contract", "requests", "modes", "one_sided", "collectives", "vectors", "orders")
RANKS = (2, 3, 5)

Row = dict[str, object]


def measure() -> dict[str, object]:
    """What raced that shouldn't, which faults were seen, what failed on which processor."""
    sound, faults = _sound(), _faults()
    missed = [row for row in faults if not row["seen"] and row["fault"] not in UNSEEN]
    emulated = [row for processor in FOREIGN for row in _emulated(processor)]
    failed = [row for row in emulated if row["failure"]]
    return {
        "races": [row for row in sound if row["status"] != 0],
        "faults_planted": len(faults),
        "faults_seen": sum(bool(row["seen"]) for row in faults),
        "faults_missed": missed,
        "faults_that_cant_be_seen": UNSEEN,
        "runs_emulated": len(emulated),
        "runs_failed": failed,
        "reached": all(row["status"] == 0 for row in sound) and not missed and not failed,
    }


def _sound() -> list[Row]:
    rows: list[Row] = []
    for subject in SUBJECTS:
        with tempfile.TemporaryDirectory() as into:
            seen = endings(subject, Path(into))
        rows += [{"subject": subject.name, "status": ending.status} for ending in seen]
    with tempfile.TemporaryDirectory() as into:
        rows.append({"subject": "threads", "status": ending_of_two_threads(Path(into)).status})
    return rows


def _faults() -> list[Row]:
    rows: list[Row] = []
    for subject in SUBJECTS:
        for fault in subject.faults():
            with tempfile.TemporaryDirectory() as into:
                last = endings(subject, Path(into), fault)[-1]
            rows.append(_row(fault.kind, fault.line, last.status))
    for fault in faults_by_word(REPETITIONS):
        with tempfile.TemporaryDirectory() as into:
            last = ending_of_two_threads(Path(into), fault)
        rows.append(_row(fault.kind, fault.line, last.status))
    return rows


def _row(fault: str, line: int, status: int | None) -> Row:
    return {"fault": fault, "line": line, "seen": status == RACE_STATUS}


def _emulated(processor: Processor) -> list[Row]:
    shm = local_backend("shm")
    rows: list[Row] = []
    with _compiling_for(processor), tempfile.TemporaryDirectory() as folder:
        into = Path(folder)
        for checks, ranks in itertools.product(FACTS, RANKS):
            program = processor.runs(contract(checks, shm), into)
            failure = _failure_of(partial(said_by_rank_0, program, ranks))
            rows.append({"run": f"{processor.name} {checks} {ranks}", "failure": failure})
        for kind in ("null", "shm"):
            program = processor.runs(kernel(kind), into)
            failure = _failure_of(partial(_all_patterns, program, into))
            rows.append({"run": f"{processor.name} {kind}", "failure": failure})
    return rows


def _all_patterns(program: Path, into: Path) -> None:
    lines = EVERY_PATTERN + EVERY_MODE
    for rank in obey(program, lines, into):
        assert sorted(results(rank)) == ids(lines), f"{program.name}: cells failed"


def _failure_of(run: Callable[[], object]) -> str:
    try:
        run()
    except AssertionError as error:
        return str(error)
    return ""


@contextmanager
def _compiling_for(processor: Processor) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in processor.environment}
    os.environ.update(processor.environment)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
