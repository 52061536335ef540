"""The links that messages pass, one way each, as the mapping library counts their loads."""

from __future__ import annotations

from ctypes import byref, c_int64

import numpy as np
import numpy.typing as npt

from leadline.mapping.library import MachineStruct, call, machine_struct, messages_struct
from leadline.native.structures import int64s
from leadline.topology.networks import Int64, Machine, Network

UInt32 = npt.NDArray[np.uint32]


def links_of(network: Network) -> int:
    """The number of directed links, as link_loads counts them; UsageError if it is no network."""
    links = c_int64()
    call("map_network_links", byref(_struct_of(network)), byref(links))
    return links.value


def route(
    network: Network, sources: Int64, destinations: Int64, down: UInt32 | None = None
) -> tuple[Int64, Int64]:
    """The links that each message passes, in order, numbered as by link_loads.

    Args:
        network: A torus is passed along its first axis, then along the second.
        sources: Shape (messages,): vertices.
        destinations: Shape (messages,): vertices.
        down: Shape (messages,): bit k is set where a message goes down along axis k of a torus
            if both ways are as long; None: up along all.

    Returns:
        Starts, shape (messages + 1,), and links: those of message i are
        `links[starts[i] : starts[i + 1]]`, none where it stays on its vertex.

    Raises:
        UsageError: A vertex that is none, or the network isn't one.
    """
    machine = _struct_of(network)
    messages = messages_struct(sources, destinations, down)
    starts = np.zeros(len(sources) + 1, dtype=np.int64)
    call("map_route", byref(machine), byref(messages), int64s(starts), None)
    links = np.empty(int(starts[-1]), dtype=np.int64)
    call("map_route", byref(machine), byref(messages), int64s(starts), int64s(links))
    return starts, links


def _struct_of(network: Network) -> MachineStruct:
    return machine_struct(Machine(network, np.empty(0, dtype=np.int64), "network"))
