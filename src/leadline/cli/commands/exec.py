"""`leadline exec`: becomes the launcher of a parallel program, found or given, or simulates it.

With --map a launcher's command line is started with a preload library that reorders its ranks and
reads a description of the machine. With --simulate a program runs to its end on a machine that a
file describes.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from leadline.cli.parsing.forms import say
from leadline.errors import BuildError, LeadlineError, MachineError, UsageError, unknown_name

if TYPE_CHECKING:
    from leadline.backends.launchers import Command
    from leadline.hosts.schedulers import BatchJob
    from leadline.topology.allocation import Allocation

SEPARATOR = "--"
"""Before a launcher's command line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline exec`; all words after the program, or --, are theirs."""
    parser.usage = (
        "leadline exec [-h] [--npes N] PROGRAM [ARGUMENT ...]\n"
        "       leadline exec [-h] -- LAUNCHER [WORD ...]\n"
        "       leadline exec [-h] --map [METRIC] [--machine KIND:WORD] [--permutation-out FILE]\n"
        "                     [--map-report] -- LAUNCHER [WORD ...]\n"
        "       leadline exec [-h] --simulate MACHINE [--library NAME] [--allocation SLOTS]\n"
        "                     [--npes N] [--] PROGRAM [ARGUMENT ...]"
    )
    add_mapping_arguments(parser)
    add_simulation_arguments(parser)
    parser.add_argument(
        "--npes",
        metavar="N",
        help="number of processing elements (default: $NPES)",
    )
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="WORD",
        help="an OpenSHMEM program and its arguments, or after -- any launcher's command line, "
        "which is run as it is",
    )  # fmt: skip


def execute(arguments: argparse.Namespace) -> int:
    """Simulates a program, or becomes the launcher and returns only by an error."""
    if arguments.simulate is not None and arguments.map is not None:
        raise UsageError("--map reorders ranks on the machine there is; leave it or --simulate out")
    for option in ("library", "allocation"):
        if arguments.simulate is None and getattr(arguments, option) is not None:
            raise UsageError(f"--{option} is for a simulated machine; add --simulate NAME|FILE")
    for option in ("machine", "permutation-out", "map-report"):
        if arguments.map is None and getattr(arguments, option.replace("-", "_")):
            raise UsageError(f"--{option} is for ranks that are to be reordered; add --map")
    if arguments.simulate is not None:
        return execute_simulated(arguments)
    if arguments.map is not None:
        check_mapping(arguments)
    command = _command(arguments.words, arguments.npes)
    if arguments.map is not None:
        command = mapped(arguments, command.argv)
    return _become(command)


def _become(command: Command) -> NoReturn:
    """Replaces this process by the command's, whose exit status is then this command's."""
    os.execvpe(command.argv[0], command.argv, os.environ | dict(command.environment))


def _command(words: Sequence[str], npes: str | None) -> Command:
    """What `words` start: the launcher of an OpenSHMEM program, or a launcher's command line.

    A launcher is started by the name given, as some find their files by it.
    """
    from leadline.backends.launchers import Command

    if words and words[0] != SEPARATOR:
        return _of_program(words, npes)
    if not words[1:]:
        raise UsageError("what is to be started? give a PROGRAM, or -- and a launcher's words")
    if npes is not None:
        raise UsageError(
            f"--npes is for an OpenSHMEM program, and after {SEPARATOR} stands the command line of "
            f"a launcher, which has such a number of its own; leave --npes or {SEPARATOR} out"
        )
    _executable(words[1])
    return Command(tuple(words[1:]), {})


def _of_program(words: Sequence[str], npes: str | None) -> Command:
    """The launcher's command for an OpenSHMEM program, which comes before its own words.

    UsageError for a launcher, and for a program that is seen to be linked with another library or
    with none: an OpenSHMEM's launcher would start it, as programs of one rank each.
    """
    from leadline.backends.discovery import find_backends
    from leadline.backends.discovery.launched import is_no_shmem, shmem_backend
    from leadline.backends.kinds import launcher_for
    from leadline.backends.launchers import JobStep
    from leadline.backends.preparation import prepare
    from leadline.backends.recognition import is_launcher

    if is_launcher(Path(words[0]).name):
        raise UsageError(
            f"{words[0]!r} is a launcher and no OpenSHMEM program; write: leadline exec "
            f"{SEPARATOR} {shlex.join(words)}"
        )
    program = _executable(words[0])
    pes = _npes(npes)
    if is_no_shmem(program):
        raise UsageError(
            f"{words[0]!r} isn't linked with OpenSHMEM; write: leadline exec {SEPARATOR} mpiexec "
            f"-n {pes} {shlex.join(words)}"
        )
    backend = shmem_backend(program, find_backends())
    crowded = pes > len(os.sched_getaffinity(0))
    step = JobStep(program, tuple(words[1:]), pes, {}, oversubscribed=crowded)
    (command,) = launcher_for(backend).commands(prepare(backend, step))
    return command


def _npes(asked: str | None) -> int:
    """The number of PEs that --npes asks for, else $NPES."""
    from leadline.cli.parsing.options import whole_number

    variable = os.environ.get("NPES")
    if asked is None and not variable:
        raise UsageError("how many PEs? give --npes N, or set NPES")
    return whole_number(asked or str(variable), "--npes" if asked else "NPES", 1)


def _executable(program: str) -> str:
    """The absolute path of `program`, here or on PATH; UsageError where it can't be executed."""
    found = shutil.which(program)
    if found is not None:
        return str(Path(found).absolute())
    if not Path(program).is_file():
        raise UsageError(f"program {program!r}: no such file, here or on PATH")
    remedy = f"chmod +x {program}" if "/" in program else f"give ./{program}"
    raise UsageError(f"program {program!r} can't be executed; remedy: {remedy}")


# -- with ranks reordered --------------------------------------------------------------------------

DEFAULT = ""
"""The metric that --map alone names: the library's own choice."""


def add_mapping_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of --map."""
    parser.add_argument(
        "--map", nargs="?", const=DEFAULT, type=_metric, metavar="hops|load|internode|hop-bytes",
        help="metric by which MPI_Cart_create and its like reorder ranks (default: "
        "$LEADLINE_MAP_METRIC, or internode)",
    )  # fmt: skip
    parser.add_argument(
        "--machine",
        metavar="KIND:WORD",
        help="machine that the hosts are part of, as for map, e.g. coordinates:FILE",
    )
    parser.add_argument(
        "--permutation-out",
        metavar="FILE",
        help="new CSV file with the old rank and the host of each new rank",
    )
    parser.add_argument(
        "--map-report",
        action="store_true",
        help="report what reordering would gain, and change nothing",
    )


def _metric(word: str) -> str:
    """The word after --map, unless that is a launcher, whose words would be taken for options."""
    from leadline.backends.recognition import is_launcher

    if is_launcher(Path(word).name):
        raise argparse.ArgumentTypeError(f"{word!r} is no metric; write: --map -- {word} ...")
    return word


def check_mapping(arguments: argparse.Namespace) -> None:
    """UsageError for what can be refused before the machine is examined."""
    from leadline.cli.parsing.files import check_new
    from leadline.mapping import METRICS

    if arguments.words[:1] != [SEPARATOR]:
        raise UsageError(
            "--map is for a launcher's command line, which begins after --; write: "
            "leadline exec --map -- mpiexec -n 4 ./app"
        )
    if arguments.map not in (DEFAULT, *METRICS):
        raise unknown_name("metric", arguments.map, METRICS)
    if arguments.permutation_out:
        check_new(arguments.permutation_out, "--permutation-out")


def mapped(arguments: argparse.Namespace, words: Sequence[str]) -> Command:
    """The command that `words` are, with the library before its ranks' MPI.

    Where that fails, a warning on stderr says so and the command is unchanged.

    Raises:
        UsageError: A file that is named isn't there.
    """
    from leadline.backends.launchers import Command
    from leadline.mapping.preload.description import OFF, SWITCH

    as_it_is = Command(tuple(words), {})
    if os.environ.get(SWITCH) == OFF:
        return as_it_is
    variables = _variables(arguments, words)
    try:
        return _preloaded(words, variables)
    except LeadlineError as error:
        _warn(f"{_first_line(error)}; the program runs as it is")
        return as_it_is


def _preloaded(words: Sequence[str], variables: Mapping[str, str]) -> Command:
    """The command that `words` are, with the library and its variables handed to all ranks.

    What the user preloads is for the program: it is unset meanwhile, as compilers may trip over it.
    """
    from leadline.backends.discovery.launched import launched
    from leadline.backends.launchers.forwarding import PRELOAD
    from leadline.mapping.preload.build import preload_library

    kept = os.environ.pop(PRELOAD, None)
    try:
        started = launched(words)
        library = preload_library(Path(str(started.library.compiler)), started.library.environment)
    finally:
        if kept is not None:
            os.environ[PRELOAD] = kept
    if any(sign in str(library) for sign in " :;"):
        raise UsageError(f"the loader can't take {library}: blanks and colons end a name there")
    return started.forward(words, {PRELOAD: str(library), **variables}, os.environ)


def _variables(arguments: argparse.Namespace, words: Sequence[str]) -> dict[str, str]:
    """The library's variables: by the command's options, else as the user has set them."""
    from leadline.mapping.preload.description import (
        ALL,
        MACHINE,
        METRIC,
        NAMES,
        OUT,
        REACHES,
        REPORT,
        SWITCH,
    )
    from leadline.topology.readers.lines import LineError

    told = {REACHES: ALL}
    told |= {name: os.environ[name] for name in NAMES if name in os.environ}
    if arguments.map:
        told[METRIC] = arguments.map
    if arguments.permutation_out:
        told[OUT] = str(Path(arguments.permutation_out).absolute())
    if arguments.map_report:
        told.setdefault(SWITCH, REPORT)
    if arguments.machine or MACHINE not in told:
        try:
            told[MACHINE] = machine_value(described_machine(arguments.machine, words))
        except (LineError, MachineError) as error:
            _warn(f"{_first_line(error)}; nodes are found at run time")
            told[MACHINE] = ""
    return {name: value for name, value in told.items() if value}


def _first_line(error: LeadlineError) -> str:
    """The first line of an error; of a compiler's output the first that complains."""
    lines = str(error).splitlines()
    if not isinstance(error, BuildError):
        return lines[0]
    complaint = next((line for line in lines[1:] if "error" in line), lines[-1])
    return f"{error.argv[0]} fails: {complaint.strip()}"


def _warn(line: str) -> None:
    say(f"leadline: warning: {line}")


def described_machine(asked: str | None, words: Sequence[str]) -> str:
    """The lines that describe the machine; empty where nothing but a run can tell.

    Args:
        asked: What --machine says; None: the scheduler, where it knows of switches.
        words: The launcher's command line.

    Raises:
        LineError: A file, or what the scheduler says, isn't understood.
        UsageError: A file can't be read, or no host is known for the nodes of `asked`.
    """
    from leadline.backends.preparation import batch_job
    from leadline.cli.parsing.jobs import INSIDE, read_machine
    from leadline.files import read_text
    from leadline.hosts.network import switches_of
    from leadline.mapping.preload.description import describe, on_hosts
    from leadline.topology.readers.hwloc import parse_processors
    from leadline.topology.readers.slurm import parse_slurm_switches
    from leadline.topology.words import SYNTHETIC_KINDS, split_description

    job = batch_job(None)
    if asked is None:
        switches = switches_of(job) if job is not None else ""
        return describe(_of_the_job(parse_slurm_switches(switches, 1), job)) if switches else ""
    if INSIDE in asked:
        raise UsageError(f"--machine {asked}: ranks keep to their hosts' cores; leave {INSIDE} out")
    whole = read_machine(asked, None)
    if split_description(asked)[0] in SYNTHETIC_KINDS:
        hosts = _hosts(words, job)
        if not hosts:
            raise UsageError(
                f"--machine {asked} doesn't say which host is which of its nodes; name hosts to "
                "the launcher (-hosts a,b), or give coordinates:FILE"
            )
        whole = on_hosts(whole, hosts)
    whole = _of_the_job(whole, job)
    kind, _, file = asked.partition(":")
    return describe(whole, parse_processors(read_text(file), file) if kind == "hwloc" else None)


def _of_the_job(whole: Allocation, job: BatchJob | None) -> Allocation:
    """The job's part of it; all where the job has none of these hosts, as names then differ."""
    from leadline.mapping.preload.description import among

    own = among(whole, job.nodes) if job is not None else whole
    return own if len(own) else whole


def _hosts(words: Sequence[str], job: BatchJob | None) -> Sequence[str]:
    """Hosts in the order in which they get ranks: by the launcher's words, else as the job has."""
    from leadline.backends.launchers.forwarding import hostfile_named, hosts_named
    from leadline.files import read_text
    from leadline.topology.readers.hosts import parse_hostfile

    named = hosts_named(words)
    file = hostfile_named(words)
    if named or file is None:
        return named or (job.nodes if job is not None else ())
    return parse_hostfile(read_text(file), file, 1).hosts


def machine_value(lines: str) -> str:
    """The value of the library's variable: the lines, or where they are too long a file of them.

    It is in the user's cache, which hosts with the same home have, too. MachineError where that
    can't be written.
    """
    import hashlib

    from leadline.files import cache_directory
    from leadline.mapping.preload.description import FILE, MOST_INLINE, SEPARATOR

    if len(lines) <= MOST_INLINE:
        return SEPARATOR.join(lines.splitlines())
    name = hashlib.sha256(lines.encode()).hexdigest()[:20]
    path = cache_directory() / "machines" / f"{name}.txt"
    temporary = path.with_suffix(f".{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(lines)
        temporary.replace(path)
    except OSError as error:
        raise MachineError(
            f"the cache {path.parent} can't be written: {error.strerror}; set XDG_CACHE_HOME"
        ) from error
    return f"{FILE}{path}"


# -- on a simulated machine ------------------------------------------------------------------------

MOST_NAMED = 8
"""Ranks of a deadlock that are listed."""
BROKEN_OFF = (
    "the simulation broke off with status {}; what stands above is the program's or SimGrid's: the "
    "program crashed, or did what SimGrid can't go on with, as a rank that ends while others wait "
    "for it in a collective"
)


def add_simulation_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of --simulate."""
    parser.add_argument(
        "--simulate", metavar="NAME|FILE",
        help="machine to run a program that smpicc built on, as for simulate, e.g. cray-t3e-900",
    )  # fmt: skip
    parser.add_argument(
        "--library",
        metavar="NAME",
        help="library whose costs messages have there (default: the machine's first)",
    )
    parser.add_argument(
        "--allocation",
        metavar="SLOTS",
        help="order in which ranks get slots there, as for map (default: as the machine's "
        "file says)",
    )


def execute_simulated(arguments: argparse.Namespace) -> int:
    """Runs the program, alone or after --, to its end; its exit status, whether or not it is 0."""
    from leadline.cli.parsing.simulated import library_of, pool_of
    from leadline.hosts.cleanup.notes import noted_folder
    from leadline.simulate.machine_files import machine_named
    from leadline.simulate.smpi.launch import smpi_launch
    from leadline.simulate.smpi.running import check_program, run_program
    from leadline.units import format_time

    words = arguments.words[arguments.words[:1] == [SEPARATOR] :]
    if not words:
        raise UsageError("what is to be simulated? give a PROGRAM that smpicc built")
    ranks = _npes(arguments.npes)
    program, words = _executable(words[0]), words[1:]
    check_program(program, words)
    with noted_folder("leadline-exec-") as folder:
        machine = machine_named(arguments.simulate)
        profile = machine.profiles[library_of(machine, arguments.library)]
        pool = pool_of(machine, arguments)
        launch = smpi_launch(machine, profile, ranks, folder, pool=pool)
        where = f"{ranks:,} rank{'s' * (ranks != 1)} of {machine.name} ({profile.name})"
        for lack in launch.left_out:
            say(f"leadline exec: {where}: SimGrid hasn't got {lack}")
        end = run_program(launch, folder, program, words)
    if end.aborted:
        say("leadline exec: a rank called MPI_Abort")
    if end.simulated_s is None and end.status and not end.aborted:
        say(f"leadline exec: {BROKEN_OFF.format(end.status)}")
    if end.stuck:
        raise UsageError(_deadlock(end.stuck, ranks, format_time(end.simulated_s or 0.0)))
    if end.simulated_s is not None:
        took = format_time(end.simulated_s)
        say(f"simulated: {took} on {where}, by SimGrid {launch.simgrid}")
    return end.status


def _deadlock(stuck: Sequence[int], ranks: int, when: str) -> str:
    """The message about the ranks that are `stuck` in a deadlock, and how to resolve it."""
    named = ", ".join(map(str, stuck[:MOST_NAMED]))
    more = f" and {len(stuck) - MOST_NAMED} more" if len(stuck) > MOST_NAMED else ""
    over = "" if len(stuck) == ranks else f" of {ranks}"
    who = f"each of ranks {named}{more}" if len(stuck) > 1 else f"rank {named}"
    return (
        f"after {when} of simulated time the program ends in a deadlock: {who}{over} waits for "
        "what never comes; let one of those that send to each other receive first, or take a "
        "library whose sends don't wait (--library)"
    )
