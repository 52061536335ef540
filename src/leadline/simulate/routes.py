"""Resources that messages share: links, and the ways out of nodes, into them and through them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from leadline.errors import MachineError
from leadline.mapping import routes
from leadline.simulate.machine import MachineModel
from leadline.topology.allocation import Allocation
from leadline.topology.networks import Float64, Int64, Network, Torus

NO_CROWD = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, slots=True)
class Routes:
    """The ways of messages; a split message has several, which carry equal parts of it."""

    messages: Int64
    """Shape (ways,): the message of each; not falling."""
    shares: Float64
    """Shape (ways,): the part of its bytes."""
    starts: Int64
    """Shape (ways + 1,): where the resources of each begin."""
    resources: Int64
    """For each way its links in order, then those of its nodes; none inside a node."""
    latency_s: Float64
    """Shape (ways,): latency of the network interface and of all hops; 0 inside a node."""

    def then(self, resources: Int64, which: npt.NDArray[np.bool_]) -> Routes:
        """The same ways, of which those in `which` end with their row of `resources`."""
        starts, joined = _joined(np.diff(self.starts), self.resources, resources, which)
        return replace(self, starts=starts, resources=joined)


@dataclass(frozen=True, slots=True)
class Fabric:
    """The resources of a machine, and which messages pass which."""

    machine: MachineModel
    allocation: Allocation
    capacities: Float64
    """Shape (resources,), B/s: links as mapping.link_loads counts them (parallel ones one after
    the other; a shared medium: one), then for all vertices the ways out, those in, the buses."""
    crowd: Int64
    """Shape (resources,): with more flows than this the capacity is multiplied by `crowded`."""
    crowded: Float64
    """Shape (resources,)."""
    lanes: Int64
    """Shape (links + 1,): the resource of each link, the first of those that are parallel."""

    def route(self, sources: Int64, destinations: Int64) -> Routes:
        """The ways of messages between slots of the allocation.

        Args:
            sources: Shape (messages,): slots.
            destinations: Shape (messages,): slots.
        """
        vertices, network = self.allocation.vertices, self.allocation.network
        begin, end = vertices[sources], vertices[destinations]
        messages, down = _ways(network, begin, end, self.machine.ties == "split")
        begin, end = begin[messages], end[messages]
        starts, links = routes.route(network, begin, end, down)
        hops = np.diff(starts)
        latency_s = self.machine.nic.latency_s + hops * self.machine.links.latency_s
        if self.machine.links.shared:
            first = 1
            passed, links = np.minimum(hops, 1), np.zeros(np.count_nonzero(hops), dtype=np.int64)
        else:
            first, passed = int(self.lanes[-1]), hops
            parallel = self.lanes[links + 1] - self.lanes[links]
            links = self.lanes[links] + np.repeat(end, hops) % parallel  # by the destination
        count = vertices_of(network)
        of_nodes = [first + begin, first + count + end]
        if self.machine.nic.bus_bytes_per_s is not None:
            of_nodes += [first + 2 * count + begin, first + 2 * count + end]
        joined = _joined(passed, links, np.stack(of_nodes, axis=1), begin != end)
        return Routes(
            messages=messages,
            shares=1.0 / np.bincount(messages, minlength=len(sources))[messages],
            starts=joined[0],
            resources=joined[1],
            latency_s=np.where(begin != end, latency_s, 0.0),
        )

    def beside(self, capacities: Float64) -> Fabric:
        """The same with more resources after its own, which no crowd slows down."""
        more = len(capacities)
        return replace(
            self,
            capacities=np.append(self.capacities, capacities),
            crowd=np.append(self.crowd, np.full(more, NO_CROWD, dtype=np.int64)),
            crowded=np.append(self.crowded, np.ones(more)),
        )


def fabric_of(machine: MachineModel, allocation: Allocation) -> Fabric:
    """The resources of `machine`, whose slots `allocation` is a part of.

    MachineError: memory has no room for them.
    """
    network, nic, vertices = allocation.network, machine.nic, vertices_of(allocation.network)
    try:
        lanes, of_links = _lanes(machine, network)
        of_nodes = [nic.out_bytes_per_s, nic.in_bytes_per_s]
        if nic.bus_bytes_per_s is not None:
            of_nodes.append(nic.bus_bytes_per_s)
        capacities = np.concatenate([of_links, np.repeat(of_nodes, vertices)])
        crowd = np.full(len(capacities), NO_CROWD, dtype=np.int64)
        crowded = np.ones(len(capacities))
        if nic.crowd is not None:
            crowd[-vertices:], crowded[-vertices:] = nic.crowd.most_flows, nic.crowd.factor
    except MemoryError:
        raise MachineError(
            f"{machine.name}: memory has no room for a network of {vertices:,} places; free "
            "memory, or give a smaller network"
        ) from None
    return Fabric(machine, allocation, capacities, crowd, crowded, lanes)


def vertices_of(network: Network) -> int:
    """The number of vertices."""
    if isinstance(network, Torus):
        return int(np.prod(network.dims))
    return len(network.ancestors)


def _lanes(machine: MachineModel, network: Network) -> tuple[Int64, Float64]:
    """Each link's first resource, shape (links + 1,), and the capacities of all of these, B/s."""
    rate, links = machine.links.bytes_per_s, routes.links_of(network)
    if machine.links.shared:
        return np.zeros(links + 1, dtype=np.int64), np.array([rate])
    if isinstance(network, Torus):
        parallel = np.ones(links, dtype=np.int64)
    else:
        switches = [len(np.unique(column)) for column in network.ancestors.T]
        levels = [1, *machine.links.parallel]
        levels += [1] * (1 + len(switches) - len(levels))
        parallel = np.repeat(levels, 2 * np.array([len(network.ancestors), *switches]))
    if machine.ties == "split":
        return np.arange(links + 1, dtype=np.int64), parallel * np.float64(rate)
    lanes = np.concatenate([[0], np.cumsum(parallel)])
    return lanes, np.full(int(lanes[-1]), rate)


def _ways(
    network: Network, begin: Int64, end: Int64, split: bool
) -> tuple[Int64, routes.UInt32 | None]:
    """The message of each way, and a bit for each axis along which it goes down by choice."""
    messages = np.arange(len(begin), dtype=np.int64)
    if not split or not isinstance(network, Torus):
        return messages, None
    down = np.zeros(len(begin), dtype=np.uint32)
    places = zip(*(np.unravel_index(each, network.dims) for each in (begin, end)), strict=True)
    for axis, (a, b) in enumerate(places):
        half = network.periodic[axis] & (2 * np.abs(a - b) == network.dims[axis])
        tied = half[messages]
        messages = np.concatenate([messages, messages[tied]])
        down = np.concatenate([down, down[tied] | np.uint32(1 << axis)])
    order = np.argsort(messages, kind="stable")
    return messages[order], down[order]


def _joined(
    passed: Int64, links: Int64, ends: Int64, moving: npt.NDArray[np.bool_]
) -> tuple[Int64, Int64]:
    """Starts and resources: for each way its links, then, if it is `moving`, its row of `ends`."""
    starts = np.concatenate([[0], np.cumsum(passed + moving * ends.shape[1])])
    resources = np.empty(int(starts[-1]), dtype=np.int64)
    shift = starts[:-1] - (np.cumsum(passed) - passed)
    resources[np.arange(len(links)) + np.repeat(shift, passed)] = links
    last = starts[1:][moving, np.newaxis]
    resources[last - np.arange(ends.shape[1], 0, -1)] = ends[moving]
    return starts, resources
