"""The words that describe jobs: machines, allocations and patterns.

They are options of their own, or stand together in --job KEY=VALUE,...; the files that they name
are read here.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from leadline.errors import UsageError, unknown_name
from leadline.files import read_text

if TYPE_CHECKING:
    from leadline.topology.allocation import Allocation
    from leadline.topology.communication import Communication, Graph

INSIDE = "+hwloc:"
"""Between a machine and the file that says how its hosts are inside."""
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
    from dataclasses import replace

    if text == "all":
        return whole
    return replace(_chosen(whole, text), name=f"{whole.name}, {text}")


def _chosen(whole: Allocation, text: str) -> Allocation:
    from leadline.topology.allocation import first_slots, listed_slots, slots_without, t3e_slots

    kind, _, body = text.partition(":")
    if kind not in ALLOCATION_KINDS:
        raise unknown_name("kind of allocation", kind, ALLOCATION_KINDS)
    if kind == "all" or not body:
        raise UsageError(f"allocation {text!r} is none; write all, first:N, t3e:N or list:FILE")
    if kind in ("first", "t3e"):
        take = first_slots if kind == "first" else t3e_slots
        return take(whole, _count(body, text))
    choose = listed_slots if kind == "list" else slots_without
    return choose(whole, read_text(body), body)


def _count(body: str, text: str) -> int:
    if not (body.isascii() and body.isdigit()) or int(body[:12]) < 1:
        raise UsageError(f"allocation {text!r} needs a number of slots, at least 1")
    return int(body[:12])


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
    """The words of the one job that --grid or --graph describes."""
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
