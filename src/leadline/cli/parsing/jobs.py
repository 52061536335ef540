"""The words of `leadline map`: machines, allocations, patterns, and how a mapping is sought.

Those of a job are options of their own, or stand together in --job KEY=VALUE,...; the files that
they name are read here.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from leadline.errors import UsageError, unknown_name
from leadline.files import read_text
from leadline.units import parse_duration

if TYPE_CHECKING:
    from leadline.report.text.mapping import Mapped
    from leadline.topology.allocation import Allocation
    from leadline.topology.communication import Communication, Graph
    from leadline.topology.job import Job

INSIDE = "+hwloc:"
"""Separator of a machine and the file that describes the inside of its hosts."""
ALLOCATION_KINDS = ("all", "first", "t3e", "list", "holes")


def read_machine(text: str, cores: int | None) -> Allocation:
    """All slots of the machine `text`, which may name files; `cores` of each node, if given.

    Behind "+hwloc:" a file describes the inside of every host, and says how many cores it has where
    neither the machine nor `cores` does.
    """
    from leadline.topology.allocation import furnished
    from leadline.topology.readers.hwloc import parse_hwloc
    from leadline.topology.words import COUNTED_KINDS, split_description

    outer, plus, path = text.partition(INSIDE)
    if not plus:
        return _read_whole(text, cores)
    kind, _ = split_description(outer)
    if kind == "hwloc" or not path:
        raise UsageError(f"{text!r}: write e.g. torus:8x8x8+hwloc:FILE, the inside of its hosts")
    host = parse_hwloc(read_text(path), path)
    counted = cores is not None or kind in COUNTED_KINDS
    return furnished(_read_whole(outer, cores if counted else len(host)), host)


def _read_whole(text: str, cores: int | None) -> Allocation:
    """All slots of a machine whose hosts have no described inside."""
    from leadline.topology.readers.hosts import parse_coordinates, parse_hostfile
    from leadline.topology.readers.hwloc import parse_hwloc
    from leadline.topology.readers.slurm import parse_slurm_topology
    from leadline.topology.words import (
        SYNTHETIC_KINDS,
        cores_per_node,
        split_description,
        synthetic_machine,
    )

    kind, body = split_description(text)
    if kind in SYNTHETIC_KINDS:
        return synthetic_machine(text, cores)
    each = cores_per_node(kind, cores)
    if kind == "hwloc":
        return parse_hwloc(read_text(body), body)
    parsers = {
        "coordinates": parse_coordinates, "hosts": parse_hostfile, "slurm": parse_slurm_topology,
    }  # fmt: skip
    return parsers[kind](read_text(body), body, each)


def read_allocation(whole: Allocation, text: str) -> Allocation:
    """The slots of `whole` that `text` chooses: all, first:N, t3e:N, list:FILE or holes:FILE."""
    from leadline.topology.allocation import first_slots, listed_slots, slots_without, t3e_slots

    if text == "all":
        return whole
    kind, _, body = text.partition(":")
    if kind not in ALLOCATION_KINDS:
        raise unknown_name("kind of allocation", kind, ALLOCATION_KINDS)
    if kind == "all" or not body:
        raise UsageError(f"allocation {text!r} is none; write all, first:N, t3e:N or list:FILE")
    if kind in ("first", "t3e"):
        if not (body.isascii() and body.isdigit()) or int(body[:12]) < 1:
            raise UsageError(f"allocation {text!r} needs a number of slots, at least 1")
        take = first_slots if kind == "first" else t3e_slots
        chosen = take(whole, int(body[:12]))
    else:
        choose = listed_slots if kind == "list" else slots_without
        chosen = choose(whole, read_text(body), body)
    return replace(chosen, name=f"{whole.name}, {text}")


def read_graph(path: str) -> Graph:
    """The communication graph in a file."""
    from leadline.topology.readers.graph import parse_graph

    return parse_graph(read_text(path), path)


@dataclass(frozen=True, slots=True)
class JobWords:
    """What the user wrote about one job; None where nothing."""

    name: str | None = None
    grid: str | None = None
    graph: str | None = None
    periodic: str | None = None
    weights: str | None = None
    diagonals: str | None = None
    allocation: str | None = None


KEYS = tuple(field.name for field in fields(JobWords))
_NEXT_KEY = re.compile(rf",(?=(?:{'|'.join(KEYS)})=)")


def parse_job_words(text: str) -> JobWords:
    """The words in e.g. "grid=4x4x4,periodic=1,0,0,allocation=list:nodes".

    A comma in a value is kept, unless a key follows it.

    Raises:
        UsageError: A part without "=", an unknown key, or one that comes twice.
    """
    words: dict[str, str] = {}
    for part in _NEXT_KEY.split(text):
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise UsageError(f"--job {text!r}: {part!r} is not KEY=VALUE, e.g. grid=4x4x4")
        if key not in KEYS:
            raise unknown_name("key of --job", key, KEYS)
        if key in words:
            raise UsageError(f"--job {text!r} has {key} twice")
        words[key] = value
    return JobWords(**words)


def words_in(arguments: argparse.Namespace) -> JobWords:
    """What the user wrote about the one job that --grid or --graph describes."""
    given = {key: getattr(arguments, key) for key in KEYS if key not in ("name", "diagonals")}
    return JobWords(**given, diagonals="1" if arguments.diagonals else None)


def read_pattern(words: JobWords) -> Communication:
    """The communication pattern of a job; a graph's file is read.

    Raises:
        UsageError: Neither a grid nor a graph, both, or a grid's word beside a graph.
    """
    from leadline.topology.words import parse_grid

    if (words.grid is None) == (words.graph is None):
        raise UsageError("a job is either a grid or a graph; give one, e.g. --grid 8x4x1")
    if words.graph is not None:
        if words.periodic or words.weights or words.diagonals:
            raise UsageError("periodic, weights and diagonals are for grids, not for a graph")
        return read_graph(words.graph)
    if words.diagonals not in (None, "0", "1"):
        raise UsageError(f"diagonals={words.diagonals} is neither 0 nor 1")
    return parse_grid(str(words.grid), words.periodic, words.weights, words.diagonals == "1")


@dataclass(frozen=True, slots=True)
class Search:
    """What a mapping is to minimise, and how long it is sought."""

    metric: str
    steps: int
    seed: int
    method: str | None = None
    """The only method that proposes mappings; None: all do."""

    def map(self, job: Job) -> Mapped:
        """The best mapping found for `job`."""
        from leadline.mapping import map_ranks
        from leadline.mapping.inside import arranged
        from leadline.report.text.mapping import Mapped

        mapping = map_ranks(
            job.pattern, job.allocation.machine,
            metric=self.metric, steps=self.steps, seed=self.seed, method=self.method,
        )  # fmt: skip
        alone, inside = self.method is not None, job.allocation.inside
        if inside is None:
            return Mapped(job, self.metric, mapping, alone)
        mapping, hops = arranged(job, inside, mapping, steps=self.steps, seed=self.seed)
        return Mapped(job, self.metric, mapping, alone, hops)


def read_search(arguments: argparse.Namespace) -> Search:
    """The search that --metric, --method, --time and --seed ask for; UsageError: a wrong word."""
    from leadline.mapping import DEFAULT_STEPS, METRICS, STEPS_PER_SECOND

    if arguments.metric not in METRICS:
        raise unknown_name("metric", arguments.metric, METRICS)
    if not 0 <= arguments.seed < 2**63:
        raise UsageError(f"--seed {arguments.seed} must be at least 0 and below 2^63")
    steps = DEFAULT_STEPS
    if arguments.time:
        steps = max(1, round(parse_duration(arguments.time) * STEPS_PER_SECOND))
    method, names = arguments.method, method_words()
    if method is not None and method not in names.values():
        if method not in names:
            raise unknown_name("method", method, names)
        method = names[method]
    return Search(arguments.metric, steps, arguments.seed, method)


def method_words() -> dict[str, str]:
    """Each method by the word that names it on the command line, where blanks are dashes."""
    from leadline.mapping import METHODS

    return {name.replace(" ", "-"): name for name in METHODS}
