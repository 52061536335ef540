"""`leadline exec`: becomes what starts a parallel program, found or given, or simulates it.

With --map a launcher's command line is started whose ranks get a better order by themselves: its
machine is described as the preload library reads it. With --simulate a program runs to its end on a
machine that a file describes.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from leadline.cli.parsing.forms import say
from leadline.errors import BuildError, LeadlineError, MachineError, UsageError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from leadline.backends.launchers import Command
    from leadline.hosts.schedulers import BatchJob
    from leadline.simulate.smpi.launch import SmpiLaunch
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
    parser.add_argument("--npes", metavar="N", help="processing elements; default: $NPES")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="WORD",
        help="an OpenSHMEM program and its arguments, or after -- any launcher's command line, "
        "which is run as it is",
    )  # fmt: skip


def execute(arguments: argparse.Namespace) -> int:
    """Simulates a program, or becomes the launcher and returns only by an error."""
    _check_belongs(arguments)
    if arguments.simulate is not None:
        return _simulated(arguments)
    if arguments.map is not None:
        check_mapping(arguments)
        command = _command(arguments.words, arguments.npes)
        return _become(mapped(arguments, command.argv))
    return _become(_command(arguments.words, arguments.npes))


def _check_belongs(arguments: argparse.Namespace) -> None:
    """UsageError for an option whose form of the command isn't asked for, or for two forms."""
    if arguments.simulate is not None and arguments.map is not None:
        raise UsageError("--map reorders ranks on the machine there is; leave it or --simulate out")
    for option in ("library", "allocation"):
        if arguments.simulate is None and getattr(arguments, option) is not None:
            raise UsageError(f"--{option} is for a simulated machine; add --simulate NAME|FILE")
    for option in ("machine", "permutation-out", "map-report"):
        if arguments.map is None and getattr(arguments, option.replace("-", "_")):
            raise UsageError(f"--{option} is for ranks that are to be reordered; add --map")


def _become(command: Command) -> NoReturn:
    """Its exit status is then this command's."""
    import os

    os.execvpe(command.argv[0], command.argv, os.environ | dict(command.environment))


def _simulated(arguments: argparse.Namespace) -> int:
    """The program that stands alone or after --."""
    import os

    words = arguments.words[arguments.words[:1] == [SEPARATOR] :]
    if not words:
        raise UsageError("what is to be simulated? give a PROGRAM that smpicc built")
    ranks = _npes(arguments.npes, os.environ.get("NPES"))
    return execute_simulated(arguments, _executable(words[0]), words[1:], ranks)


def _command(words: Sequence[str], npes: str | None) -> Command:
    """What `words` start: of a program the launcher, of a launcher's command line itself."""
    if words and words[0] != SEPARATOR:
        return _of_program(words, npes)
    if not words[1:]:
        raise UsageError("what is to be started? give a PROGRAM, or -- and a launcher's words")
    if npes is not None:
        raise UsageError(
            f"--npes is for an OpenSHMEM program, and after {SEPARATOR} stands the command line of "
            f"a launcher, which has such a number of its own; leave --npes or {SEPARATOR} out"
        )
    return _as_it_is(words[1:])


def _as_it_is(words: Sequence[str]) -> Command:
    """A launcher's command line; by the name given, for some find their files by it."""
    from leadline.backends.launchers import Command

    _executable(words[0])
    return Command(tuple(words), {})


def _of_program(words: Sequence[str], npes: str | None) -> Command:
    """What starts an OpenSHMEM program, which comes before its own words."""
    import os

    from leadline.backends.discovery import find_backends
    from leadline.backends.discovery.linked import shmem_backend
    from leadline.backends.kinds import launcher_for
    from leadline.backends.launchers import JobStep
    from leadline.backends.preparation import prepare

    _check_is_no_launcher(words)
    program = _executable(words[0])
    pes = _npes(npes, os.environ.get("NPES"))
    _check_is_shmem(program, words, pes)
    backend = shmem_backend(program, find_backends())
    crowded = pes > len(os.sched_getaffinity(0))
    step = JobStep(program, tuple(words[1:]), pes, {}, oversubscribed=crowded)
    (command,) = launcher_for(backend).commands(prepare(backend, step))
    return command


def _check_is_no_launcher(words: Sequence[str]) -> None:
    """UsageError where the first of `words` is called as launchers are."""
    import shlex
    from pathlib import Path

    from leadline.backends.recognition import is_launcher

    if is_launcher(Path(words[0]).name):
        raise UsageError(
            f"{words[0]!r} is a launcher and no OpenSHMEM program; write: leadline exec "
            f"{SEPARATOR} {shlex.join(words)}"
        )


def _check_is_shmem(program: str, words: Sequence[str], pes: int) -> None:
    """UsageError where `program`, the first of `words`, is seen to be another library's, or none's.

    An OpenSHMEM's launcher would start it, as programs of one rank each.
    """
    import shlex

    from leadline.backends.discovery.linked import is_no_shmem

    if is_no_shmem(program):
        raise UsageError(
            f"{words[0]!r} isn't linked with OpenSHMEM; write: leadline exec {SEPARATOR} mpiexec "
            f"-n {pes} {shlex.join(words)}"
        )


def _npes(asked: str | None, variable: str | None) -> int:
    from leadline.cli.parsing.options import whole_number

    if asked is None and not variable:
        raise UsageError("how many PEs? give --npes N, or set NPES")
    return whole_number(asked or str(variable), "--npes" if asked else "NPES", 1)


def _executable(program: str) -> str:
    import shutil
    from pathlib import Path

    found = shutil.which(program)
    if found is not None:
        return str(Path(found).absolute())
    if not Path(program).is_file():
        raise UsageError(f"program {program!r}: no such file, here or on PATH")
    remedy = f"chmod +x {program}" if "/" in program else f"give ./{program}"
    raise UsageError(f"program {program!r} can't be executed; remedy: {remedy}")


DEFAULT = ""
"""The metric that --map alone names: the library's own choice."""


def add_mapping_arguments(parser: argparse.ArgumentParser) -> None:
    """What only a mapped program takes."""
    parser.add_argument(
        "--map", nargs="?", const=DEFAULT, type=_metric, metavar="hops|load|internode|hop-bytes",
        help="let MPI_Cart_create and its like reorder ranks; default: fewest inter-node edges",
    )  # fmt: skip
    parser.add_argument(
        "--machine", metavar="KIND:WORD", help="where hosts lie, as for map: coordinates:FILE"
    )
    parser.add_argument(
        "--permutation-out", metavar="FILE", help="a new file with each rank's old rank, as CSV"
    )
    parser.add_argument(
        "--map-report", action="store_true", help="say what would be gained, and change nothing"
    )


def _metric(word: str) -> str:
    """The word after --map, unless that is a launcher, whose words would be taken for options."""
    from pathlib import Path

    from leadline.backends.recognition import is_launcher

    if is_launcher(Path(word).name):
        raise argparse.ArgumentTypeError(f"{word!r} is no metric; write: --map -- {word} ...")
    return word


def check_mapping(arguments: argparse.Namespace) -> None:
    """UsageError for what can be refused before anything is found out."""
    from leadline.cli.parsing.files import check_new
    from leadline.mapping import METRICS

    if arguments.words[:1] != ["--"]:
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

    Where that can't be, a line on stderr says so and the command is what it was.

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
    from pathlib import Path

    from leadline.backends.discovery.launched import launched
    from leadline.backends.launchers.forwarding import PRELOAD
    from leadline.mapping.preload.build import preload_library

    with _without(PRELOAD):
        started = launched(words)
        library = preload_library(Path(str(started.library.compiler)), started.library.environment)
    if any(sign in str(library) for sign in " :;"):
        raise UsageError(f"the loader can't take {library}: blanks and colons end a name there")
    return started.forward(words, {PRELOAD: str(library), **variables}, os.environ)


@contextlib.contextmanager
def _without(name: str) -> Iterator[None]:
    """What the user has preloaded is for the program; compilers that are asked may trip over it."""
    kept = os.environ.pop(name, None)
    try:
        yield
    finally:
        if kept is not None:
            os.environ[name] = kept


def _variables(arguments: argparse.Namespace, words: Sequence[str]) -> dict[str, str]:
    """What the library is told: by the command's options, else by the user's own variables."""
    from pathlib import Path

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

    told = {REACHES: ALL}
    told |= {name: os.environ[name] for name in NAMES if name in os.environ}
    if arguments.map:
        told[METRIC] = arguments.map
    if arguments.permutation_out:
        told[OUT] = str(Path(arguments.permutation_out).absolute())
    if arguments.map_report:
        told.setdefault(SWITCH, REPORT)
    if arguments.machine or MACHINE not in told:
        told[MACHINE] = _machine(arguments.machine, words)
    return {name: value for name, value in told.items() if value}


def _machine(asked: str | None, words: Sequence[str]) -> str:
    """The machine's lines; empty where a file doesn't hold any, which a line on stderr says."""
    from leadline.cli.commands.exec import described_machine, machine_value
    from leadline.topology.readers.lines import LineError

    try:
        return machine_value(described_machine(asked, words))
    except (LineError, MachineError) as error:
        _warn(f"{_first_line(error)}; nodes are found at run time")
        return ""


def _first_line(error: LeadlineError) -> str:
    """What is wrong; of a compiler's many words the first that complain."""
    lines = str(error).splitlines()
    if not isinstance(error, BuildError):
        return lines[0]
    complaint = next((line for line in lines[1:] if "error" in line), lines[-1])
    return f"{error.argv[0]} fails: {complaint.strip()}"


def _warn(line: str) -> None:
    say(f"leadline: warning: {line}")


def described_machine(asked: str | None, words: Sequence[str]) -> str:
    """The lines that describe it; empty where nothing but a run can tell.

    Args:
        asked: What --machine says; None: the scheduler, where it knows of switches.
        words: The launcher's command line.

    Raises:
        LineError: A file, or what the scheduler says, isn't understood.
        UsageError: A file can't be read, or no host is known for the nodes of `asked`.
    """
    from leadline.backends.preparation import batch_job
    from leadline.mapping.preload.description import describe

    job = batch_job(None)
    if asked is None:
        return _by_scheduler(job)
    kind, _, file = asked.partition(":")
    whole = _of_the_job(_read(asked, words, job), job)
    return describe(whole, _processors(file) if kind == "hwloc" else None)


def _by_scheduler(job: BatchJob | None) -> str:
    from leadline.hosts.network import switches_of
    from leadline.mapping.preload.description import describe
    from leadline.topology.readers.slurm import parse_slurm_switches

    said = switches_of(job) if job is not None else ""
    return describe(_of_the_job(parse_slurm_switches(said, 1), job)) if said else ""


def _of_the_job(whole: Allocation, job: BatchJob | None) -> Allocation:
    """What the job has of it; all where it has none of these hosts, which then bear other names."""
    from leadline.mapping.preload.description import among

    own = among(whole, job.nodes) if job is not None else whole
    return own if len(own) else whole


def _read(asked: str, words: Sequence[str], job: BatchJob | None) -> Allocation:
    from leadline.cli.parsing.jobs import INSIDE, read_machine
    from leadline.mapping.preload.description import on_hosts
    from leadline.topology.words import SYNTHETIC_KINDS, split_description

    if INSIDE in asked:
        raise UsageError(f"--machine {asked}: ranks keep to their hosts' cores; leave {INSIDE} out")
    whole = read_machine(asked, None)
    if split_description(asked)[0] not in SYNTHETIC_KINDS:
        return whole
    names = _hosts(words, job)
    if not names:
        raise UsageError(
            f"--machine {asked} doesn't say which host is which of its nodes; name hosts to the "
            "launcher (-hosts a,b), or give coordinates:FILE"
        )
    return on_hosts(whole, names)


def _hosts(words: Sequence[str], job: BatchJob | None) -> Sequence[str]:
    """In the order in which ranks come to them: as the launcher is told, else as the job has."""
    from leadline.backends.launchers.naming import hostfile_named, hosts_named
    from leadline.files import read_text
    from leadline.topology.readers.hosts import parse_hostfile

    named = hosts_named(words)
    file = hostfile_named(words)
    if named or file is None:
        return named or (job.nodes if job is not None else ())
    return parse_hostfile(read_text(file), file, 1).hosts


def _processors(file: str) -> Sequence[Sequence[int]]:
    from leadline.files import read_text
    from leadline.topology.readers.hwloc import parse_processors

    return parse_processors(read_text(file), file)


def machine_value(lines: str) -> str:
    """The value of the library's variable: the lines, or where they are too long a file of them."""
    from leadline.mapping.preload.description import FILE, MOST_INLINE, SEPARATOR

    if len(lines) <= MOST_INLINE:
        return SEPARATOR.join(lines.splitlines())
    return f"{FILE}{_kept(lines)}"


def _kept(lines: str) -> Path:
    """A file in the user's cache, which hosts with the same home have, too."""
    import hashlib
    import os

    from leadline.errors import MachineError
    from leadline.files import cache_directory

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
    return path


MOST_NAMED = 8
"""Of ranks in a deadlock."""
BROKEN_OFF = (
    "the simulation broke off with status {}; what stands above is the program's or SimGrid's: the "
    "program crashed, or did what SimGrid can't go on with, as a rank that ends while others wait "
    "for it in a collective"
)


def add_simulation_arguments(parser: argparse.ArgumentParser) -> None:
    """What only a simulated machine takes."""
    parser.add_argument(
        "--simulate", metavar="NAME|FILE",
        help="run a program that smpicc built on this machine, as for simulate: cray-t3e-900",
    )  # fmt: skip
    parser.add_argument("--library", metavar="NAME", help="whose costs messages have there")
    parser.add_argument(
        "--allocation", metavar="SLOTS", help="in which order ranks get slots there, as for map"
    )


def execute_simulated(
    arguments: argparse.Namespace, program: str, words: Sequence[str], ranks: int
) -> int:
    """Runs the program to its end; its exit status, whether or not it is 0."""
    from leadline.errors import UsageError
    from leadline.hosts.cleanup.notes import noted_folder
    from leadline.simulate.smpi.running import check_program, run_program
    from leadline.units import format_time

    check_program(program, words)
    with noted_folder("leadline-exec-") as folder:
        launch, where = _launch(arguments, ranks, folder)
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


def _launch(arguments: argparse.Namespace, ranks: int, directory: Path) -> tuple[SmpiLaunch, str]:
    """What starts it, and where it is: "64 ranks of cray-t3e-900 (mpich)"."""
    from leadline.cli.parsing.simulated import library_of, pool_of
    from leadline.simulate.machine_files import machine_named
    from leadline.simulate.smpi.launch import smpi_launch

    machine = machine_named(arguments.simulate)
    profile = machine.profiles[library_of(machine, arguments.library)]
    pool = pool_of(machine, arguments)
    launch = smpi_launch(machine, profile, ranks, directory, pool=pool)
    where = f"{ranks:,} rank{'s' * (ranks != 1)} of {machine.name} ({profile.name})"
    for lack in launch.left_out:
        say(f"leadline exec: {where}: SimGrid hasn't got {lack}")
    return launch, where


def _deadlock(stuck: Sequence[int], ranks: int, when: str) -> str:
    named = ", ".join(map(str, stuck[:MOST_NAMED]))
    more = f" and {len(stuck) - MOST_NAMED} more" if len(stuck) > MOST_NAMED else ""
    over = "" if len(stuck) == ranks else f" of {ranks}"
    who = f"each of ranks {named}{more}" if len(stuck) > 1 else f"rank {named}"
    return (
        f"after {when} of simulated time the program ends in a deadlock: {who}{over} waits for "
        "what never comes; let one of those that send to each other receive first, or take a "
        "library whose sends don't wait (--library)"
    )
