"""A user's program under smpirun: how it is started, and how it ended."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.errors import UsageError
from leadline.processes import attend
from leadline.simulate.smpi.launch import SmpiLaunch

LINKED = b"libsimgrid.so"
"""In a program that smpicc built."""
WRAPPER = """#!/bin/sh
if [ -z "$LEADLINE_BOUND" ] && command -v setpriv > /dev/null; then
    LEADLINE_BOUND=1 exec setpriv --pdeathsig KILL "$0" "$@"
fi
bound=${{LEADLINE_BOUND:+setpriv --pdeathsig KILL}}
unset LEADLINE_BOUND
main=$1
shift 2
exec 3<&0
$bound "$main" {program} "$@" -- {words} <&3 3<&- &
trap 'kill $!; exit 1' HUP INT TERM
wait $!
echo $? > "$LEADLINE_PLATFORM/status"
"""
"""Around the simulator, of whose failure smpirun would print lines to the program's output. What
runs in the background reads nothing, unless it is told from where. Each is killed with who started
it (setpriv), and smpirun with this process: no simulator is left behind.

The program and its words are here, since smpirun, a shell script, splits and expands what it is
given; the simulator takes no word after -- for its own.
"""
STAND_IN = "program"
"""Stands for the program in smpirun's words."""
QUIET = ("-quiet", "-wrapper")
CLOCK = "--cfg=smpi/wtime:1e-8"
"""What reading the clock takes, so that a program that polls it until some time gets there."""
NO_MESSAGES = "--log=ker_engine.app:file:/dev/null"
"""Silences SimGrid about a deadlock, which is reported here."""
ABORTED = "MPI_Abort was called"
"""What SimGrid prints before it lets other ranks hang, and ends with status 0."""


@dataclass(frozen=True, slots=True)
class SimulatedEnd:
    """How a program ended."""

    status: int
    """The program's exit status."""
    simulated_s: float | None
    """When its last rank ended; None: it crashed."""
    aborted: bool
    """Whether a rank called MPI_Abort; SimGrid doesn't tell with what."""
    stuck: tuple[int, ...]
    """Ranks that wait for what never comes."""


def check_program(program: str, words: Sequence[str]) -> None:
    """UsageError where smpirun can't run `program` with `words`."""
    try:
        linked = LINKED in Path(program).read_bytes()
    except OSError as error:
        raise UsageError(
            f"program {program!r} can't be read: {error.strerror}; remedy: chmod +r {program}"
        ) from None
    if not linked:
        raise UsageError(
            f"{program} isn't linked with SimGrid; build it with smpicc (smpicxx, smpif90) in "
            "place of mpicc: smpicc app.c -o app"
        )
    if "--" in words:
        raise UsageError(
            "SimGrid would take the word '--' out of the program's own; leave it out, or have the "
            "program read its words from a file"
        )


def run_program(
    launch: SmpiLaunch, directory: Path, program: str, words: Sequence[str]
) -> SimulatedEnd:
    """Runs it to its end, with this process's output.

    Args:
        launch: The call of smpirun.
        directory: The directory that `launch` was made for.
        program: A path.
        words: The program's own; `check_program` accepts both.
    """
    wrapper, log = directory / "wrapper", directory / "log"
    quoted = {"program": shlex.quote(program), "words": shlex.join(words)}
    wrapper.write_text(WRAPPER.format_map(quoted))
    wrapper.chmod(0o755)
    more = (CLOCK, NO_MESSAGES, "--log=smpi_pmpi.thres:warning", f"--log=smpi_pmpi.app:file:{log}")
    chosen = (*launch.words, *QUIET, str(wrapper), *more)
    status = attend([*chosen, STAND_IN], launch.environment)

    own, ended = directory / "status", directory / "ended"
    status = int(own.read_text()) if own.exists() else status
    if log.exists() and ABORTED in log.read_text(errors="replace"):
        return SimulatedEnd(status or 1, None, True, ())
    if not ended.exists():
        return SimulatedEnd(status, None, False, ())
    simulated_s, *stuck = ended.read_text().split()
    return SimulatedEnd(status, float(simulated_s), False, tuple(sorted(map(int, stuck))))
