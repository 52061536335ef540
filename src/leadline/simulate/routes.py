"""What a machine's messages share: links, and the ways out of nodes, into them and through them."""

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
    """The ways of messages; one that is split has several, which carry equal parts of it."""

    messages: Int64
    """Shape (ways,): which message; not falling."""
    shares: Float64
    """Shape (ways,): the part of its bytes."""
    starts: Int64
    """Shape (ways + 1,): where the resources of each begin."""
    resources: Int64
    """Of each way the links in their order, then those of its nodes; none inside a node."""
    latency_s: Float64
    """Shape (ways,): of the network's interface and of all hops; 0 inside a node."""

    def then(self, resources: Int64, which: npt.NDArray[np.bool_]) -> Routes:
        """The same, where those in `which` pass after all others their row of `resources`."""
        starts, joined = _joined(np.diff(self.starts), self.resources, resources, which)
        return replace(self, starts=starts, resources=joined)


@dataclass(frozen=True, slots=True)
class Fabric:
    """The resources of a machine, and who passes which."""

    machine: MachineModel
    allocation: Allocation
    capacities: Float64
    """Shape (resources,), B/s: links as mapping.link_loads counts them (parallel ones one after
    the other; a shared medium: one), then of all vertices the ways out, those in, the buses."""
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
        messages, down = _ways(network, begin, end, self.machine.split_ties)
        begin, end = begin[messages], end[messages]
        starts, links = routes.route(network, begin, end, down)
        hops = np.diff(starts)
        latency_s = self.machine.nic.latency_s + hops * self.machine.links.latency_s
        if self.machine.links.shared:
            passed, links = np.minimum(hops, 1), np.zeros(np.count_nonzero(hops), dtype=np.int64)
        else:
            passed, links = hops, self._lane(links, np.repeat(end, hops))
        joined = _joined(passed, links, self._ends(begin, end), begin != end)
        return Routes(
            messages=messages,
            shares=1.0 / np.bincount(messages, minlength=len(sources))[messages],
            starts=joined[0],
            resources=joined[1],
            latency_s=np.where(begin != end, latency_s, 0.0),
        )

    def beside(self, capacities: Float64) -> Fabric:
        """The same with more resources after its own, that no crowd slows down."""
        more = len(capacities)
        return replace(
            self,
            capacities=np.append(self.capacities, capacities),
            crowd=np.append(self.crowd, np.full(more, NO_CROWD, dtype=np.int64)),
            crowded=np.append(self.crowded, np.ones(more)),
        )

    def _lane(self, links: Int64, end: Int64) -> Int64:
        """Of parallel links the one that messages to a vertex take."""
        return self.lanes[links] + end % (self.lanes[links + 1] - self.lanes[links])

    def _ends(self, begin: Int64, end: Int64) -> Int64:
        """Shape (ways, resources of the two nodes)."""
        first = 1 if self.machine.links.shared else int(self.lanes[-1])
        vertices = vertices_of(self.allocation.network)
        columns = [first + begin, first + vertices + end]
        if self.machine.nic.bus_bytes_per_s is not None:
            columns += [first + 2 * vertices + begin, first + 2 * vertices + end]
        return np.stack(columns, axis=1)


def fabric_of(machine: MachineModel, allocation: Allocation) -> Fabric:
    """The resources of `machine`, of whose slots `allocation` are some.

    MachineError: memory has no room for them.
    """
    try:
        return _fabric_of(machine, allocation)
    except MemoryError:
        size = f"{vertices_of(allocation.network):,} places"
        raise MachineError(
            f"{machine.name}: memory has no room for a network of {size}; free memory, or give a "
            "smaller network"
        ) from None


def _fabric_of(machine: MachineModel, allocation: Allocation) -> Fabric:
    lanes, of_links = _links(machine, allocation.network)
    nic, vertices = machine.nic, vertices_of(allocation.network)
    of_nodes = [nic.out_bytes_per_s, nic.in_bytes_per_s]
    if nic.bus_bytes_per_s is not None:
        of_nodes.append(nic.bus_bytes_per_s)
    capacities = np.concatenate([of_links, np.repeat(of_nodes, vertices)])
    crowd = np.full(len(capacities), NO_CROWD, dtype=np.int64)
    crowded = np.ones(len(capacities))
    if nic.crowd is not None:
        crowd[-vertices:], crowded[-vertices:] = nic.crowd.most_flows, nic.crowd.factor
    return Fabric(machine, allocation, capacities, crowd, crowded, lanes)


def vertices_of(network: Network) -> int:
    """How many there are."""
    if isinstance(network, Torus):
        return int(np.prod(network.dims))
    return len(network.ancestors)


def _links(machine: MachineModel, network: Network) -> tuple[Int64, Float64]:
    """Of each link its first resource (and one more), and the capacities of all of these."""
    rate, links = machine.links.bytes_per_s, routes.links_of(network)
    if machine.links.shared:
        return np.zeros(links + 1, dtype=np.int64), np.array([rate])
    parallel = _parallel(machine, network, links)
    if machine.split_ties:
        return np.arange(links + 1, dtype=np.int64), parallel * np.float64(rate)
    lanes = np.concatenate([[0], np.cumsum(parallel)])
    return lanes, np.full(int(lanes[-1]), rate)


def _parallel(machine: MachineModel, network: Network, links: int) -> Int64:
    """Shape (links,): how many there are of each."""
    if isinstance(network, Torus):
        return np.ones(links, dtype=np.int64)
    switches = [len(np.unique(column)) for column in network.ancestors.T]
    levels = [1, *machine.links.parallel]
    levels += [1] * (1 + len(switches) - len(levels))
    return np.repeat(levels, 2 * np.array([len(network.ancestors), *switches]))


def _ways(
    network: Network, begin: Int64, end: Int64, split: bool
) -> tuple[Int64, routes.UInt32 | None]:
    """The message of each way, and along which axes the way goes down where it may choose."""
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
    """Starts and resources: of each way its links, then, if it is `moving`, its row of `ends`."""
    starts = np.concatenate([[0], np.cumsum(passed + moving * ends.shape[1])])
    resources = np.empty(int(starts[-1]), dtype=np.int64)
    shift = starts[:-1] - (np.cumsum(passed) - passed)
    resources[np.arange(len(links)) + np.repeat(shift, passed)] = links
    last = starts[1:][moving, np.newaxis]
    resources[last - np.arange(ends.shape[1], 0, -1)] = ends[moving]
    return starts, resources
