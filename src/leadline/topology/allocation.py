"""Slots of a machine in their order, and ways to choose some of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from leadline.errors import UsageError
from leadline.topology.networks import MOST_SLOTS, Int64, Machine, Network, Torus, t3e
from leadline.topology.readers.lines import NumberedLine, content_lines

_COORDINATE = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class NumberedHosts(Sequence[str]):
    """The names node0, node1 and so on: a million of them take no time and no memory."""

    length: int

    def __len__(self) -> int:
        """The number of names."""
        return self.length

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        """The name at `index`, or several."""
        numbers = range(self.length)[index]
        return f"node{numbers}" if isinstance(numbers, int) else [f"node{n}" for n in numbers]


@dataclass(frozen=True, slots=True)
class Inside:
    """The inside of a host; all hosts are alike."""

    name: str
    network: Network
    vertices: Int64
    """Shape (cores,): vertex of the network of each core."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """Slots in order, each with its place in the network and what a launcher calls it.

    A node has a host name; a vertex is a place in the network. They are the same except where
    several hosts share a router, or where the network is the inside of one host.
    """

    name: str
    network: Network
    numbers: Int64
    """Shape (slots,): number of the slot among all of the machine's."""
    vertices: Int64
    """Shape (slots,): vertex of the network."""
    nodes: Int64
    """Shape (slots,): index into `hosts`."""
    cores: Int64
    """Shape (slots,): number of the core within its host."""
    hosts: Sequence[str]
    inside: Inside | None = None
    """None: all cores of a host are equally near."""

    def __len__(self) -> int:
        """The number of slots."""
        return len(self.vertices)

    @property
    def machine(self) -> Machine:
        """The part that mappings need: the network and the vertex of each slot."""
        return Machine(network=self.network, slots=self.vertices, name=self.name)

    def take(self, chosen: Int64 | slice) -> Allocation:
        """The slots whose indices are `chosen`, in that order."""
        return replace(
            self,
            numbers=self.numbers[chosen],
            vertices=self.vertices[chosen],
            nodes=self.nodes[chosen],
            cores=self.cores[chosen],
        )


def allocation_of_nodes(
    name: str, network: Network, vertices: Int64, cores: Int64, hosts: tuple[str, ...] | None = None
) -> Allocation:
    """All slots of nodes: node by node, core by core.

    Args:
        name: The machine's.
        network: The network that connects the nodes.
        vertices: Shape (nodes,): the vertex of each node.
        cores: Shape (nodes,): the number of slots of each node.
        hosts: Names of the nodes; None: node0, node1 and so on.

    Raises:
        UsageError: There are more than MOST_SLOTS slots.
    """
    slots = sum(cores.tolist())
    if slots > MOST_SLOTS:
        raise UsageError(f"{name[:80]} has {slots:,} slots; {MOST_SLOTS:,} are the most")
    numbers = np.arange(slots, dtype=np.int64)
    first = _for_each_slot(np.cumsum(cores) - cores, cores)
    return Allocation(
        name=name,
        network=network,
        numbers=numbers,
        vertices=_for_each_slot(vertices, cores),
        nodes=_for_each_slot(np.arange(len(vertices), dtype=np.int64), cores),
        cores=np.subtract(numbers, first, out=first),
        hosts=hosts or NumberedHosts(len(vertices)),
    )


def furnished(whole: Allocation, host: Allocation) -> Allocation:
    """`whole`, with the inside of each host as `host` describes it, a machine of one host.

    Raises:
        UsageError: A host has more slots than `host` has cores.
    """
    most = int(whole.cores.max()) + 1
    if most > len(host):
        raise UsageError(
            f"{whole.name} has hosts of {most} cores, {host.name} has {len(host)}; give at most "
            "as many, by --cores where the machine doesn't say"
        )
    inside = Inside(host.name, host.network, host.vertices)
    return replace(whole, name=f"{whole.name}+{host.name}", inside=inside)


def _for_each_slot(values: Int64, cores: Int64) -> Int64:
    """Each node's value as often as it has cores; many times faster where all have as many."""
    if len(cores) and (cores == cores[0]).all():
        return np.broadcast_to(values[:, np.newaxis], (len(values), int(cores[0]))).flatten()
    return np.repeat(values, cores)


# -- choosing slots --------------------------------------------------------------------------------


def first_slots(whole: Allocation, count: int) -> Allocation:
    """The first `count` slots; UsageError if there are fewer."""
    if count > len(whole):
        raise UsageError(
            f"{whole.name} has {len(whole):,} slots free, {count:,} are needed; ask for fewer, or "
            "choose more slots"
        )
    return whole.take(slice(count))


def t3e_slots(whole: Allocation, count: int) -> Allocation:
    """The first `count` slots in the T3E's numbering of nodes; UsageError on another network."""
    network = whole.network
    if not isinstance(network, Torus) or len(network.dims) != 3:
        raise UsageError(
            f"the T3E's numbering is one of a three-dimensional torus, {whole.name} is none; "
            "use first:N"
        )
    order = t3e(network.dims, int(np.prod(network.dims)))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first_slots(whole.take(np.argsort(place[whole.vertices], kind="stable")), count)


def listed_slots(whole: Allocation, text: str, file: str) -> Allocation:
    """All slots of the nodes that `text` lists one a line, in that order.

    A node is given by its host name, by its number, or on a torus or mesh by its coordinates.

    Raises:
        LineError: No such node, or one that was listed before.
    """
    chosen = _listed_nodes(whole, text, file)
    by_node = np.argsort(whole.nodes, kind="stable")
    counts = np.bincount(whole.nodes, minlength=len(whole.hosts))
    first = np.cumsum(counts) - counts
    parts = [by_node[first[node] : first[node] + counts[node]] for node in chosen]
    return whole.take(np.concatenate(parts))


def slots_without(whole: Allocation, text: str, file: str) -> Allocation:
    """All slots but those of the nodes that `text` lists as for listed_slots."""
    missing = np.array(_listed_nodes(whole, text, file), dtype=np.int64)
    left = np.flatnonzero(~np.isin(whole.nodes, missing))
    if left.size == 0:
        raise UsageError(f"{file} lists every node of {whole.name}; none is left")
    return whole.take(left)


def _listed_nodes(whole: Allocation, text: str, file: str) -> list[int]:
    """Numbers of the nodes that `text` lists, in its order."""
    by_host = {host: node for node, host in enumerate(whole.hosts)}
    by_vertex = dict(zip(whole.vertices.tolist(), whole.nodes.tolist(), strict=True))
    lines: dict[int, int | None] = {}
    for line in content_lines(text, file):
        words = [word for word in " ".join(line.words).replace(",", " ").split() if word]
        if len(words) == 1 and words[0] in by_host:
            node = by_host[words[0]]
        else:
            if not words or not all(_COORDINATE.fullmatch(word) for word in words):
                raise line.error(f"{' '.join(line.words)!r} is no node of {whole.name}")
            first, *others = numbers = [int(word) for word in words]
            node = by_vertex.get(_vertex(whole, numbers, line), -1) if others else first
            if not 0 <= node < len(whole.hosts):
                raise line.error(f"{whole.name} has no node {' '.join(words)}")
        if node in lines:
            raise line.error(
                f"{' '.join(line.words)!r} is listed twice, first in line {lines[node]}"
            )
        lines[node] = line.number
    if not lines:
        raise UsageError(f"{file} lists no node; give one a line")
    return list(lines)


def _vertex(whole: Allocation, coordinates: list[int], line: NumberedLine) -> int:
    """The vertex at `coordinates`; -1: they lie outside the network."""
    dims = whole.network.dims if isinstance(whole.network, Torus) else (len(whole.hosts),)
    if len(dims) != len(coordinates):
        raise line.error(f"a node of {whole.name} has {len(dims)} coordinates")
    if any(x >= length for x, length in zip(coordinates, dims, strict=True)):
        return -1
    return int(np.ravel_multi_index(coordinates, dims))
