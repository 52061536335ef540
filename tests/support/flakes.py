"""Runs the suite again and again, quiet and under load in turn, and names each test that failed.

`python -m tests.support.flakes [--runs N] [--live]`; `make flakes RUNS=N`. The reports and the
output of each run stay in the folder that the end names.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.kinds import LIVE
from harness.places import ROOT

SPINNERS = 8
"""Processes that spin beside a loaded run."""
SHOWN_LINES = 30
"""Of what a failed test printed, its last."""
QUIET, LOADED = "quiet", "loaded"
FAILED = ("failure", "error")
"""Elements of a test case in JUnit's XML."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One test that failed in one run."""

    test: str
    """As its JUnit report has it: module and name, with the seed among its parameters."""
    run: str
    """Number and load, e.g. "2 loaded"."""
    output: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one run of the suite ended."""

    run: str
    status: int
    """Exit status of pytest: 0 or 1 where all tests were run."""
    report: Path
    """Its JUnit report."""


def failures_in(report: Path, run: str) -> list[Failure]:
    """The failed tests of a JUnit report, in its order; none where it wasn't written."""
    if not report.exists():
        return []
    found = []
    for case in ET.parse(report).getroot().iter("testcase"):
        messages = [entry.text or "" for kind in FAILED for entry in case.findall(kind)]
        if messages:
            test = f"{case.get('classname')}::{case.get('name')}"
            printed = [entry.text or "" for entry in case.findall("system-out")]
            found.append(Failure(test, run, "\n".join([*messages, *printed])))
    return found


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """What failed: a line a test with its runs, and below each the end of what it printed."""
    by_test: dict[str, list[Failure]] = {}
    for outcome in outcomes:
        for failure in failures_in(outcome.report, outcome.run):
            by_test.setdefault(failure.test, []).append(failure)
    lines = []
    for test, failures in by_test.items():
        lines += [f"{test}: failed in run {', '.join(failure.run for failure in failures)}"]
        for failure in failures:
            lines += [f"  run {failure.run}:"]
            lines += [f"    {line}" for line in failure.output.splitlines()[-SHOWN_LINES:]]
    broken = [outcome for outcome in outcomes if outcome.status not in (0, 1)]
    lines += [f"run {one.run} broke off: exit status {one.status}" for one in broken]
    return [*lines, f"{len(outcomes)} runs, {len(by_test)} tests failed at least once"]


def is_clean(outcomes: Sequence[Outcome]) -> bool:
    """Whether no test failed in any run, and none broke off."""
    return all(outcome.status == 0 for outcome in outcomes)


SPIN = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): pass"
"""Until the process of this number, who began it, is no more, however that ended."""


@contextlib.contextmanager
def spinning(number: int) -> Iterator[None]:
    """So many processes that compute, until the block is left."""
    command = (sys.executable, "-c", SPIN, str(os.getpid()))
    spinners = [subprocess.Popen(command) for _ in range(number)]
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def run_suite(number: int, folder: Path, processes: int, words: Sequence[str]) -> Outcome:
    """Runs pytest with `words` in so many processes, every second time beside SPINNERS others."""
    load = LOADED if number % 2 == 0 else QUIET
    report = folder / f"{number}-{load}.xml"
    command = (
        sys.executable, "-m", "pytest", "-n", str(processes), "-q", f"--junit-xml={report}", *words,
    )  # fmt: skip
    with (
        spinning(SPINNERS if load == LOADED else 0),
        report.with_suffix(".log").open("w") as log,
    ):
        done = subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, check=False)
    return Outcome(f"{number} {load}", done.returncode, report)


def main(words: Sequence[str] | None = None) -> int:
    """The exit status: 1 where any test failed in any run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=3, help="number of runs")
    parser.add_argument("--processes", type=int, default=1, help="number of processes of tests")
    parser.add_argument("--live", action="store_true", help="run the live tests only")
    parser.add_argument("paths", nargs="*", help="tests to be run, as for pytest")
    arguments = parser.parse_args(words)
    chosen = [*(["-m", LIVE] if arguments.live else []), *arguments.paths]
    folder = Path(tempfile.mkdtemp(prefix="leadline-flakes-"))
    outcomes = []
    for number in range(1, arguments.runs + 1):
        outcomes.append(run_suite(number, folder, arguments.processes, chosen))
        print(f"run {outcomes[-1].run}: exit status {outcomes[-1].status}", flush=True)
    print("\n".join(summary(outcomes)))
    print(f"reports and output: {folder}")
    return 0 if is_clean(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
