"""The structs of mapping.h as ctypes, filled from patterns and machines."""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int32, c_int64, c_uint8, c_uint32

import numpy as np
import numpy.typing as npt

from leadline.native.structures import DOUBLES, INT64S, ArraysStruct, point
from leadline.topology.communication import Communication, Grid
from leadline.topology.networks import Machine, Torus

_FLAGS = ctypes.POINTER(c_uint8)
_MASKS = ctypes.POINTER(c_uint32)
GRID, GRAPH = 0, 1
TORUS, TREE = 0, 1


class PatternStruct(ArraysStruct):
    """struct map_pattern."""

    _fields_ = (
        ("kind", c_int32),
        ("ndims", c_int32),
        ("dims", INT64S),
        ("periodic", _FLAGS),
        ("weights", DOUBLES),
        ("diagonals", c_int32),
        ("ranks", c_int64),
        ("starts", INT64S),
        ("neighbours", INT64S),
        ("edge_weights", DOUBLES),
    )


class MachineStruct(ArraysStruct):
    """struct map_machine."""

    _fields_ = (
        ("kind", c_int32),
        ("ndims", c_int32),
        ("dims", INT64S),
        ("periodic", _FLAGS),
        ("vertices", c_int64),
        ("levels", c_int32),
        ("ancestors", INT64S),
        ("slots", c_int64),
        ("vertex_of_slot", INT64S),
    )


class MessagesStruct(ArraysStruct):
    """struct map_messages."""

    _fields_ = (
        ("count", c_int64),
        ("sources", INT64S),
        ("destinations", INT64S),
        ("down", _MASKS),
    )


class MetricsStruct(ctypes.Structure):
    """struct map_metrics."""

    _fields_ = tuple(
        (name, c_double)
        for name in (
            "average_hops",
            "max_hops",
            "max_link_load",
            "hop_bytes",
            "internode_edges",
            "max_node_edges",
        )
    )


def pattern_struct(pattern: Communication) -> PatternStruct:
    """`pattern` as C sees it; the struct keeps the arrays alive."""
    if isinstance(pattern, Grid):
        struct = PatternStruct(GRID, len(pattern.dims), diagonals=int(pattern.diagonals))
        weights = np.array(pattern.weights, dtype=np.float64).reshape(-1)
        point(struct, dims=pattern.dims, periodic=pattern.periodic, weights=weights)
        return struct
    struct = PatternStruct(GRAPH, ranks=len(pattern.starts) - 1)
    point(
        struct,
        starts=pattern.starts,
        neighbours=pattern.neighbours,
        edge_weights=pattern.weights,
    )
    return struct


def machine_struct(machine: Machine) -> MachineStruct:
    """`machine` as C sees it; the struct keeps the arrays alive."""
    network = machine.network
    if isinstance(network, Torus):
        struct = MachineStruct(TORUS, len(network.dims), slots=len(machine.slots))
        point(
            struct,
            dims=network.dims,
            periodic=network.periodic,
            vertex_of_slot=machine.slots,
        )
        return struct
    vertices, levels = network.ancestors.shape
    struct = MachineStruct(TREE, vertices=vertices, levels=levels, slots=len(machine.slots))
    point(struct, ancestors=_numbered_densely(network.ancestors), vertex_of_slot=machine.slots)
    return struct


def messages_struct(
    sources: npt.NDArray[np.int64],
    destinations: npt.NDArray[np.int64],
    down: npt.NDArray[np.uint32] | None,
) -> MessagesStruct:
    """Messages between vertices as C sees them; the struct keeps the arrays alive."""
    struct = MessagesStruct(len(sources))
    ties = {} if down is None else {"down": down}
    point(struct, sources=sources, destinations=destinations, **ties)
    return struct


def _numbered_densely(ancestors: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The same switches numbered 0, 1, ... at each level, in order."""
    columns = [np.unique(column, return_inverse=True)[1].reshape(-1) for column in ancestors.T]
    return np.stack(columns, axis=1).astype(np.int64)
