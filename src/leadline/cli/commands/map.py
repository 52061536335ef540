"""`leadline map`: which rank goes on which processor, before and after, for one job or several.

It also writes a mapping as a launcher's file or a picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import TYPE_CHECKING

from leadline.cli.parsing.files import check_picture, form_of, write
from leadline.cli.parsing.jobs import (
    JobWords,
    Search,
    parse_job_words,
    read_allocation,
    read_machine,
    read_pattern,
    read_search,
    words_in,
)
from leadline.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from leadline.report.text.mapping import Mapped
    from leadline.topology.allocation import Allocation
    from leadline.topology.job import Job


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline map`."""
    what = parser.add_argument_group("what communicates")
    what.add_argument(
        "--grid",
        metavar="NxN...",
        help="Cartesian grid of ranks, row-major with the last index fastest, e.g. 8x4x1",
    )
    what.add_argument(
        "--periodic",
        metavar="B,...",
        help="for each axis 1 (its ends are neighbours) or 0, e.g. 1,0,0 (default: all open)",
    )
    what.add_argument(
        "--weights",
        metavar="W,...",
        help="weight of the messages along each axis, W or DOWN:UP, e.g. 1,1:2,0.5 (default: 1)",
    )
    what.add_argument(
        "--diagonals",
        action="store_true",
        help="neighbours along several axes at once exchange as well; weights multiply",
    )
    what.add_argument(
        "--graph",
        metavar="FILE",
        help="file with a graph in place of a grid: lines of SOURCE TARGET [WEIGHT]",
    )
    where = parser.add_argument_group("where")
    where.add_argument(
        "--machine", required=True, metavar="KIND:WORD",
        help="machine: torus:8x8x8, mesh:16x16, nodes:16x8, nodes:8,8,4, tree:4x8x32, or hosts:, "
        "coordinates:, slurm: or hwloc:FILE; +hwloc:FILE behind it: the inside of its hosts",
    )  # fmt: skip
    where.add_argument(
        "--cores",
        type=int,
        metavar="N",
        help="slots of every node, where the machine doesn't state them (default: the cores "
        "of +hwloc:FILE, or 1)",
    )
    where.add_argument(
        "--allocation", metavar="SLOTS",
        help="slots that ranks get: all, first:N, t3e:N, list:FILE or holes:FILE (default: the "
        "first, one for each rank)",
    )  # fmt: skip
    where.add_argument(
        "--job", action="append", default=[], metavar="KEY=VALUE,...",
        help="one of several jobs on the machine, e.g. grid=4x4x4,allocation=list:FILE "
        "(repeatable); keys: name, grid, periodic, weights, diagonals, graph, allocation",
    )  # fmt: skip
    how = parser.add_argument_group("how")
    how.add_argument(
        "--metric", default="hops", metavar="hops|load|internode|hop-bytes",
        help="metric to minimise (default: hops)",
    )  # fmt: skip
    how.add_argument(
        "--method",
        metavar="NAME",
        help="a single mapping method, which may be worse than ranks in their order, e.g. "
        "sort or node-bricks (default: the best of all)",
    )
    how.add_argument(
        "--time",
        metavar="TIME",
        help="budget of the search, as steps at a fixed speed, e.g. 50ms (default: about 20ms)",
    )
    how.add_argument(
        "--seed", type=int, default="0", metavar="N", help="seed of the search (default: 0)"
    )
    out = parser.add_argument_group("what comes out")
    out.add_argument("--json", action="store_true", help="print metrics and permutation as JSON")
    out.add_argument(
        "--emit", metavar="FORMAT",
        help="print a launcher's file in place of the report: openmpi-rankfile, mpich-hostfile, "
        "mpich-rankmap, cray-rank-order, slurm-arbitrary, csv; slots for leadline run",
    )  # fmt: skip
    out.add_argument("--plot", metavar="FILE", help="file for a picture, .svg, .pdf or .png")


def execute(arguments: argparse.Namespace) -> int:
    """Prints the mapping in the form asked for; 0, also where nothing better was found."""
    check_files(arguments)
    search = read_search(arguments)
    whole = read_machine(arguments.machine, arguments.cores)
    if arguments.job:
        map_jobs(arguments, search, whole)
    else:
        map_job(arguments, search, whole)
    return 0


def map_job(arguments: argparse.Namespace, search: Search, whole: Allocation) -> None:
    """Prints the mapping of the one job, or a launcher's file of it, and draws it."""
    from leadline.report.formats.json_text import document_text
    from leadline.report.formats.plain_text import print_document
    from leadline.report.programs.mapping import mapping_content
    from leadline.report.text.mapping import mapping_document
    from leadline.topology.job import Job, check_fit, ranks_of

    words = words_in(arguments)
    pattern = read_pattern(words)
    ranks = ranks_of(pattern)
    first = "all" if ranks == len(whole) else f"first:{ranks}"
    allocation = read_allocation(whole, words.allocation or first)
    check_fit(pattern, allocation)
    mapped = search.map(Job("job", pattern, allocation))
    if arguments.plot:
        write_picture(mapped, arguments.plot)
    if arguments.emit:
        print_placement(mapped, arguments.emit)
    elif arguments.json:
        print(document_text(mapping_content(mapped), indent=None))
    else:
        print_document(mapping_document(mapped))


def map_jobs(arguments: argparse.Namespace, search: Search, whole: Allocation) -> None:
    """Prints what the jobs do to each other, and how the machine is best divided among them."""
    import numpy as np

    from leadline.mapping.interference import share_machine
    from leadline.report.formats.json_text import document_text
    from leadline.report.formats.plain_text import print_document
    from leadline.report.programs.mapping import sharing_content
    from leadline.report.text.mapping import sharing_document

    if replace(words_in(arguments), allocation=None) != JobWords():
        raise UsageError("with --job each job has its own pattern: --job grid=4x4x4,periodic=1,1,0")
    if search.method:
        raise UsageError("--method is for one job; with --job all methods are tried")
    free = read_allocation(whole, arguments.allocation) if arguments.allocation else None
    jobs = read_jobs([parse_job_words(text) for text in arguments.job], free or whole, whole)
    # jobs may be moved to their own slots, and to those of --allocation
    numbers = [job.allocation.numbers for job in jobs] + ([free.numbers] if free else [])
    rough = replace(search, steps=0)
    sharing = share_machine(
        whole.take(np.unique(np.concatenate(numbers))),
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
    asks for, as a batch system would give them. One without a name is called by a letter.

    Raises:
        UsageError: Too few slots, two jobs of one name or on one slot.
    """
    import numpy as np

    from leadline.topology.allocation import first_slots
    from leadline.topology.job import Job, check_fit, ranks_of

    letters = (*ascii_uppercase, *(f"J{number}" for number in range(27, len(words) + 1)))
    names = [job.name or letter for job, letter in zip(words, letters, strict=False)]
    owners: dict[int, str] = {}
    placed: dict[str, Job] = {}
    for name, job in sorted(
        zip(names, words, strict=True), key=lambda one: one[1].allocation is None
    ):
        if name in placed:
            raise UsageError(f"two jobs are called {name!r}; give other names")
        pattern = read_pattern(job)
        if job.allocation is None:
            left = np.flatnonzero(~np.isin(free.numbers, list(owners)))
            allocation = first_slots(free.take(left), ranks_of(pattern))
        else:
            allocation = read_allocation(whole, job.allocation)
        check_fit(pattern, allocation)
        for number in allocation.numbers.tolist():
            if owners.setdefault(number, name) != name:
                raise UsageError(
                    f"jobs {owners[number]} and {name} both have slot {number} of {whole.name}; "
                    "allocations of jobs must be disjoint"
                )
        placed[name] = Job(name, pattern, allocation)
    return [placed[name] for name in names]


CSV = "csv"
"""A placement for no launcher: a row for each rank."""


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
    write(path, picture(mapped, shown, form_of(path)), "--plot")
