"""hwloc's XML of one host (lstopo --of xml): which cores share a cache, a package, the machine."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

import numpy as np

from leadline.topology.allocation import Allocation
from leadline.topology.networks import Int64, Tree
from leadline.topology.readers.hostlist import check_host
from leadline.topology.readers.lines import LineError, NumberedLine

_NUMBER = re.compile(r"[0-9]{1,9}")
DEEPEST = 64
"""Deepest nesting of objects; machines have a dozen levels."""
MEMORY_AND_DEVICES = ("Bridge", "PCIDev", "OSDev", "Misc", "MemCache")


@dataclass(slots=True)
class _Cores:
    """Cores in order; for each, by type from the top down, the objects that hold it."""

    elements: list[ET.Element] = field(default_factory=list)
    holders: list[dict[str, int]] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    objects: int = 0


def parse_hwloc(text: str, file: str) -> Allocation:
    """A slot for each core of one host, in hwloc's logical order.

    The innermost objects that hold several cores (an L3 cache, a NUMA node, a package) are the
    vertices, so that node metrics are about them; outer ones are the levels of a tree.

    Raises:
        LineError: Not hwloc's XML, no core in it, or an invalid host name.
    """
    root = _root(text, file)
    cores = _cores(root, file)
    names = (info.get("value") for info in root.iter("info") if info.get("name") == "HostName")
    host = check_host(next(names, None) or "localhost", NumberedLine(file, None, ()))
    levels = _levels(cores)
    vertices, first = np.unique(levels[:, 0], return_index=True)
    outer = levels[first, 1:] if levels.shape[1] > 1 else levels[first]
    count = len(cores.holders)
    return Allocation(
        name=f"hwloc:{file}",
        network=Tree(ancestors=outer),
        numbers=np.arange(count, dtype=np.int64),
        vertices=np.searchsorted(vertices, levels[:, 0]).astype(np.int64),
        nodes=np.zeros(count, dtype=np.int64),
        cores=np.arange(count, dtype=np.int64),
        hosts=(host,),
    )


def parse_processors(text: str, file: str) -> tuple[tuple[int, ...], ...]:
    """For each slot of parse_hwloc the system's numbers of that core's processors.

    Raises:
        LineError: As for parse_hwloc, or a core has none.
    """
    processors: list[tuple[int, ...]] = []
    for index, core in enumerate(_cores(_root(text, file), file).elements):
        units = (unit for unit in core.iter("object") if unit.get("type") == "PU")
        words = (unit.get("os_index", "") for unit in units)
        numbers = tuple(int(word) for word in words if _NUMBER.fullmatch(word))
        if not numbers:
            raise LineError(file, None, f"core {index} has no processor with a number (os_index)")
        processors.append(numbers)
    return tuple(processors)


def _root(text: str, file: str) -> ET.Element:
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise LineError(file, error.position[0], f"not XML: {error}") from None
    if root.tag != "topology":
        raise LineError(file, None, f"<{root.tag}> is not hwloc's; export with lstopo --of xml")
    return root


def _cores(root: ET.Element, file: str) -> _Cores:
    cores = _Cores()
    if not _collect(root, {}, cores, DEEPEST):
        raise LineError(file, None, f"more than {DEEPEST} objects within each other: no machine's")
    if not cores.holders:
        raise LineError(file, None, "no core in it; export it with lstopo --of xml")
    return cores


def _collect(element: ET.Element, above: dict[str, int], cores: _Cores, deepest: int) -> bool:
    """Adds the cores in `element`; False where objects are nested more than `deepest` deep."""
    kind = element.get("type", element.tag)
    if kind in MEMORY_AND_DEVICES:
        return True
    if kind == "Core":
        cores.elements.append(element)
        cores.holders.append(above)
        return True
    if kind not in cores.types:
        cores.types.append(kind)
    cores.objects += 1
    holders = {**above, kind: cores.objects}
    children = element.findall("object")
    return all(deepest > 0 and _collect(one, holders, cores, deepest - 1) for one in children)


def _levels(cores: _Cores) -> Int64:
    """Shape (cores, levels): the object that holds each core, from the innermost type up.

    A core without an object of some type takes the one below, so that levels stay nested. Types
    that hold single cores, or the same cores as the one below, make no level of their own.
    """
    below = -1 - np.arange(len(cores.holders), dtype=np.int64)
    levels: list[Int64] = []
    for kind in reversed(cores.types):
        level = np.array(
            [holders.get(kind, inner) for holders, inner in zip(cores.holders, below, strict=True)],
            dtype=np.int64,
        )
        if len(np.unique(level)) < len(np.unique(below)):
            levels.append(level)
        below = level
    return np.stack(levels or [np.zeros_like(below)], axis=1)
