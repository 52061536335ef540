"""The words that name machines, allocations and patterns, read with the files that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leadline.errors import UsageError, unknown_name
from leadline.files import read_text

if TYPE_CHECKING:
    from leadline.topology.allocation import Allocation
    from leadline.topology.communication import Graph

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
    from leadline.topology.readers.coordinates import parse_coordinates
    from leadline.topology.readers.hostfile import parse_hostfile
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
