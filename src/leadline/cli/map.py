"""`leadline map`: which rank goes on which processor, before and after."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from leadline.cli.job_words import JobWords, read_pattern, words_in
from leadline.cli.machines import read_allocation, read_machine
from leadline.cli.map_files import check_files, print_placement, write_picture
from leadline.cli.search import Search, read_search

if TYPE_CHECKING:
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
        from leadline.cli.jobs import map_jobs

        map_jobs(arguments, search, whole)
    else:
        _map_one(arguments, search, whole)
    return 0


def _map_one(arguments: argparse.Namespace, search: Search, whole: Allocation) -> None:
    from leadline.report.formats.json_text import document_text
    from leadline.report.formats.terminal import print_document
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
