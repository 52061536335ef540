"""The structs of mapping.h as ctypes, filled from patterns and machines."""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int32, c_int64, c_uint8, c_uint32
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.topology.communication import Communication, Grid
from leadline.topology.networks import Machine, Torus

_Int64s = ctypes.POINTER(c_int64)
_Doubles = ctypes.POINTER(c_double)
_Flags = ctypes.POINTER(c_uint8)
_Masks = ctypes.POINTER(c_uint32)
GRID, GRAPH = 0, 1
TORUS, TREE = 0, 1


class PatternStruct(ctypes.Structure):
    """struct map_pattern; keeps the arrays that it points to."""

    kept: list[npt.NDArray[Any]]
    _fields_ = (
        ("kind", c_int32),
        ("ndims", c_int32),
        ("dims", _Int64s),
        ("periodic", _Flags),
        ("weights", _Doubles),
        ("diagonals", c_int32),
        ("ranks", c_int64),
        ("starts", _Int64s),
        ("neighbours", _Int64s),
        ("edge_weights", _Doubles),
    )


class MachineStruct(ctypes.Structure):
    """struct map_machine; keeps the arrays that it points to."""

    kept: list[npt.NDArray[Any]]
    _fields_ = (
        ("kind", c_int32),
        ("ndims", c_int32),
        ("dims", _Int64s),
        ("periodic", _Flags),
        ("vertices", c_int64),
        ("levels", c_int32),
        ("ancestors", _Int64s),
        ("slots", c_int64),
        ("vertex_of_slot", _Int64s),
    )


class MessagesStruct(ctypes.Structure):
    """struct map_messages; keeps the arrays that it points to."""

    kept: list[npt.NDArray[Any]]
    _fields_ = (
        ("count", c_int64),
        ("sources", _Int64s),
        ("destinations", _Int64s),
        ("down", _Masks),
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


def int64s(array: npt.NDArray[np.int64]) -> Any:
    """A pointer to the items of a contiguous array, which must outlive it."""
    return array.ctypes.data_as(_Int64s)


def doubles(array: npt.NDArray[np.float64]) -> Any:
    """A pointer to the items of a contiguous array, which must outlive it."""
    return array.ctypes.data_as(_Doubles)


def _point(struct: PatternStruct | MachineStruct | MessagesStruct, **fields: Any) -> None:
    """Sets the fields to copies of the arrays of the types that they point to."""
    types = {_Int64s: np.int64, _Doubles: np.float64, _Flags: np.uint8, _Masks: np.uint32}
    declared = {field[0]: field[1] for field in struct._fields_}
    struct.kept = []
    for name, values in fields.items():
        pointer: Any = declared[name]
        array = np.ascontiguousarray(values, dtype=types[pointer])
        struct.kept.append(array)
        setattr(struct, name, array.ctypes.data_as(pointer))


def pattern_struct(pattern: Communication) -> PatternStruct:
    """`pattern` as C sees it; the struct keeps the arrays alive."""
    if isinstance(pattern, Grid):
        struct = PatternStruct(GRID, len(pattern.dims), diagonals=int(pattern.diagonals))
        weights = np.array(pattern.weights, dtype=np.float64).reshape(-1)
        _point(struct, dims=pattern.dims, periodic=pattern.periodic, weights=weights)
        return struct
    struct = PatternStruct(GRAPH, ranks=len(pattern.starts) - 1)
    _point(
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
        _point(
            struct,
            dims=network.dims,
            periodic=network.periodic,
            vertex_of_slot=machine.slots,
        )
        return struct
    vertices, levels = network.ancestors.shape
    struct = MachineStruct(TREE, vertices=vertices, levels=levels, slots=len(machine.slots))
    _point(struct, ancestors=_numbered_densely(network.ancestors), vertex_of_slot=machine.slots)
    return struct


def messages_struct(
    sources: npt.NDArray[np.int64],
    destinations: npt.NDArray[np.int64],
    down: npt.NDArray[np.uint32] | None,
) -> MessagesStruct:
    """Messages between vertices as C sees them; the struct keeps the arrays alive."""
    struct = MessagesStruct(len(sources))
    ties = {} if down is None else {"down": down}
    _point(struct, sources=sources, destinations=destinations, **ties)
    return struct


def _numbered_densely(ancestors: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The same switches numbered 0, 1, ... at each level, in order."""
    columns = [np.unique(column, return_inverse=True)[1].reshape(-1) for column in ancestors.T]
    return np.stack(columns, axis=1).astype(np.int64)
