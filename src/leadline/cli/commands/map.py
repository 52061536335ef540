"""`leadline map`: which rank goes on which processor, before and after, for one job or several.

It makes files of a mapping: a launcher's, a picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import TYPE_CHECKING

from leadline.cli.parsing.files import check_picture, form_of, write_image
from leadline.cli.parsing.jobs import (
    JobWords,
    parse_job_words,
    read_allocation,
    read_machine,
    read_pattern,
    words_in,
)
from leadline.cli.parsing.search import Search, read_search
from leadline.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from leadline.report.text.mapping import Mapped
    from leadline.topology.allocation import Allocation
    from leadline.topology.job import Job


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline map`."""
    what = parser.add_argument_group("what communicates")
    what.add_argument("--grid", metavar="NxN...", help="a Cartesian grid, row-major: 8x4x1")
    what.add_argument("--periodic", metavar="B,...", help="for each axis 1 or 0: 1,0,0")
    what.add_argument("--weights", metavar="W,...", help="for each axis W or DOWN:UP: 1,1:2,0.5")
    what.add_argument("--diagonals", action="store_true", help="corners exchange as well")
    what.add_argument("--graph", metavar="FILE", help="any graph: lines of SOURCE TARGET [WEIGHT]")
    where = parser.add_argument_group("where")
    where.add_argument(
        "--machine", required=True, metavar="KIND:WORD",
        help="torus:8x8x8, mesh:16x16, nodes:16x8, nodes:8,8,4, tree:4x8x32, or hosts:, "
        "coordinates:, slurm: or hwloc:FILE; +hwloc:FILE behind: the inside of its hosts",
    )  # fmt: skip
    where.add_argument(
        "--cores", type=int, metavar="N", help="of a node, where the machine doesn't say"
    )
    where.add_argument(
        "--allocation", metavar="SLOTS",
        help="all, first:N, t3e:N, list:FILE or holes:FILE; default: the first, one for each rank",
    )  # fmt: skip
    where.add_argument(
        "--job", action="append", default=[], metavar="KEY=VALUE,...",
        help="one of several jobs: grid=4x4x4,allocation=list:FILE (repeatable)",
    )  # fmt: skip
    how = parser.add_argument_group("how")
    how.add_argument("--metric", default="hops", metavar="hops|load|internode|hop-bytes")
    how.add_argument(
        "--method", metavar="NAME", help="this one alone, e.g. sort (default: all, and the best)"
    )
    how.add_argument("--time", metavar="TIME", help="budget of the search, e.g. 50ms")
    how.add_argument(
        "--seed", type=int, default="0", metavar="N", help="of the search (default: 0)"
    )
    out = parser.add_argument_group("what comes out")
    out.add_argument("--json", action="store_true", help="metrics and permutation as JSON")
    out.add_argument(
        "--emit", metavar="FORMAT",
        help="instead of the report a launcher's file: openmpi-rankfile, mpich-hostfile, "
        "mpich-rankmap, cray-rank-order, slurm-arbitrary, csv; slots for leadline run",
    )  # fmt: skip
    out.add_argument("--plot", metavar="FILE", help="a picture, .svg, .pdf or .png")


def execute(arguments: argparse.Namespace) -> int:
    """Prints the mapping in the form asked for; 0, also where nothing better was found."""
    check_files(arguments)
    search = read_search(arguments)
    whole = read_machine(arguments.machine, arguments.cores)
    if arguments.job:
        from leadline.cli.commands.map import map_jobs

        map_jobs(arguments, search, whole)
    else:
        _map_one(arguments, search, whole)
    return 0


def _map_one(arguments: argparse.Namespace, search: Search, whole: Allocation) -> None:
    from leadline.report.formats.json_text import document_text
    from leadline.report.formats.plain_text import print_document
    from leadline.report.programs.mapping import mapping_content
    from leadline.report.text.mapping import mapping_document

    mapped = search.map(_job(words_in(arguments), whole))
    if arguments.plot:
        write_picture(mapped, arguments.plot)
    if arguments.emit:
        print_placement(mapped, arguments.emit)
    elif arguments.json:
        print(document_text(mapping_content(mapped), indent=None))
    else:
        print_document(mapping_document(mapped))


def _job(words: JobWords, whole: Allocation) -> Job:
    from leadline.topology.job import Job, check_fit, ranks_of

    pattern = read_pattern(words)
    chosen = read_allocation(whole, words.allocation or _first(ranks_of(pattern), whole))
    check_fit(pattern, chosen)
    return Job("job", pattern, chosen)


def _first(ranks: int, whole: Allocation) -> str:
    return "all" if ranks == len(whole) else f"first:{ranks}"


def map_jobs(arguments: argparse.Namespace, search: Search, whole: Allocation) -> None:
    """Prints what the jobs do to each other, and how the machine is best divided among them."""
    from leadline.mapping.interference import share_machine
    from leadline.report.formats.json_text import document_text
    from leadline.report.formats.plain_text import print_document
    from leadline.report.programs.mapping import sharing_content
    from leadline.report.text.jobs import sharing_document

    if replace(words_in(arguments), allocation=None) != JobWords():
        raise UsageError("with --job each job has its own pattern: --job grid=4x4x4,periodic=1,1,0")
    if search.method:
        raise UsageError("--method is for one job; with --job all methods are tried")
    free = read_allocation(whole, arguments.allocation) if arguments.allocation else None
    jobs = read_jobs([parse_job_words(text) for text in arguments.job], free or whole, whole)
    rough = replace(search, steps=0)
    sharing = share_machine(
        _pool(jobs, free, whole),
        jobs,
        lambda job: rough.map(job).mapping,
        lambda job: search.map(job).mapping,
    )
    if arguments.json:
        print(document_text(sharing_content(sharing), indent=None))
    else:
        print_document(sharing_document(sharing, whole.name))


def read_jobs(words: Sequence[JobWords], free: Allocation, whole: Allocation) -> list[Job]:
    """The jobs, on slots that no two of them share.

    A job without an allocation gets the first slots of `free` that no job before it has and none
    asks for, as a batch system would give them.

    Raises:
        UsageError: Too few slots, two jobs of one name or on one slot.
    """
    named = [replace(job, name=job.name or _letter(i)) for i, job in enumerate(words)]
    owners: dict[int, str] = {}
    placed: dict[str, Job] = {}
    for job in sorted(named, key=lambda job: job.allocation is None):
        if job.name in placed:
            raise UsageError(f"two jobs are called {job.name!r}; give other names")
        placed[str(job.name)] = _read_job(job, free, whole, owners)
    return [placed[str(job.name)] for job in named]


def _letter(index: int) -> str:
    return ascii_uppercase[index] if index < len(ascii_uppercase) else f"J{index + 1}"


def _read_job(words: JobWords, free: Allocation, whole: Allocation, owners: dict[int, str]) -> Job:
    """The job on its slots, which are noted in `owners`."""
    import numpy as np

    from leadline.topology.allocation import first_slots
    from leadline.topology.job import Job, check_fit, ranks_of

    pattern = read_pattern(words)
    if words.allocation is None:
        left = np.flatnonzero(~np.isin(free.numbers, list(owners)))
        chosen = first_slots(free.take(left), ranks_of(pattern))
    else:
        chosen = read_allocation(whole, words.allocation)
    check_fit(pattern, chosen)
    for number in chosen.numbers.tolist():
        if owners.setdefault(number, str(words.name)) != words.name:
            raise UsageError(
                f"jobs {owners[number]} and {words.name} both have slot {number} of {whole.name}; "
                "allocations of jobs must be disjoint"
            )
    return Job(str(words.name), pattern, chosen)


def _pool(jobs: Sequence[Job], free: Allocation | None, whole: Allocation) -> Allocation:
    """What the jobs may be moved to: their own slots, and those of --allocation."""
    import numpy as np

    own = [job.allocation.numbers for job in jobs]
    return whole.take(np.unique(np.concatenate([*own, *([free.numbers] if free else [])])))


CSV = "csv"
"""The placement for no launcher: a row a rank."""


def check_files(arguments: argparse.Namespace) -> None:
    """UsageError for --emit or --plot that can be refused before anything is computed."""
    from leadline.mapping.launchfiles import EMITTERS

    if arguments.emit and arguments.json:
        raise UsageError("--emit and --json both go to stdout; give one")
    if arguments.emit and arguments.emit not in (*EMITTERS, CSV):
        raise unknown_name("launch file", arguments.emit, (*EMITTERS, CSV))
    if arguments.plot:
        check_picture(arguments.plot)
    if arguments.job and (arguments.emit or arguments.plot):
        raise UsageError("--emit and --plot are for one job; map the others one by one")


def print_placement(mapped: Mapped, form: str) -> None:
    """Prints the launcher's file that --emit names."""
    from leadline.mapping.launchfiles import COLUMNS, EMITTERS, Placement, placement_rows
    from leadline.report.formats.csv_text import csv_text
    from leadline.report.records import Records

    allocation, permutation = mapped.job.allocation, mapped.mapping.permutation.tolist()
    placement = Placement(allocation, permutation)
    if form == CSV:
        print(csv_text(Records(COLUMNS, placement_rows(placement))))
    else:
        print(EMITTERS[form](placement))


def write_picture(mapped: Mapped, path: str) -> None:
    """Draws the mapping, before and after, into the file `path`."""
    import numpy as np

    from leadline.mapping.scenes import scenes
    from leadline.report.figures.picture import picture

    identity = np.arange(len(mapped.job.allocation), dtype=np.int64)
    shown = scenes(mapped.job, [identity, mapped.mapping.permutation])
    write_image(picture(mapped, shown, form_of(path)), path)
