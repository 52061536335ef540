"""The C library of native/mapping: compiled and loaded on first use, its structs, its calls."""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import (
    POINTER,
    byref,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline import native
from leadline.errors import MachineError, UsageError
from leadline.native.libraries import shared_library
from leadline.native.structures import DOUBLES, INT64S, ArraysStruct, point
from leadline.topology.communication import Communication, Grid
from leadline.topology.networks import Machine, Torus

SOURCES = native.FOLDER / "mapping"


def mapping_library(flags: Sequence[str] = ()) -> str:
    """The shared object's path; `flags` for compiling and linking are for tests."""
    return str(shared_library(SOURCES, flags))


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
    dense = [  # the same switches numbered 0, 1, ... at each level, in order
        np.unique(column, return_inverse=True)[1].reshape(-1) for column in network.ancestors.T
    ]
    ancestors = np.stack(dense, axis=1).astype(np.int64)
    point(struct, ancestors=ancestors, vertex_of_slot=machine.slots)
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


NO_MEMORY, MISFIT, NOT_APPLICABLE = 1, 8, 11
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "map_status_text": (c_char_p, [c_int]),
    "map_problem_make": (
        c_int,
        [POINTER(PatternStruct), POINTER(MachineStruct), POINTER(c_void_p)],
    ),
    "map_problem_free": (None, [c_void_p]),
    "map_edges": (
        None,
        [c_void_p, POINTER(c_int64), POINTER(c_int64), POINTER(c_double)],
    ),
    "map_evaluate": (c_int, [c_void_p, POINTER(c_int64), POINTER(MetricsStruct)]),
    "map_links": (c_int64, [c_void_p]),
    "map_link_loads": (c_int, [c_void_p, POINTER(c_int64), POINTER(c_double)]),
    "map_network_links": (c_int, [POINTER(MachineStruct), POINTER(c_int64)]),
    "map_route": (
        c_int,
        [POINTER(MachineStruct), POINTER(MessagesStruct), POINTER(c_int64), POINTER(c_int64)],
    ),
    "map_lower_bound": (c_int, [c_void_p, c_int, POINTER(c_double)]),
    "map_reaches": (c_int, [c_double, c_double]),
    "map_grid_traffic": (c_int, [c_void_p, POINTER(PatternStruct), POINTER(c_double)]),
    "map_grid_forecast": (c_int, [c_void_p, POINTER(PatternStruct), POINTER(c_double)]),
    "map_method_name": (c_char_p, [c_int]),
    "map_by": (c_int, [c_void_p, c_int, c_int, c_int64, c_uint64, POINTER(c_int64)]),
    "map_best": (
        c_int,
        [c_void_p, c_int, c_int64, c_uint64, POINTER(c_int64), POINTER(c_int32)],
    ),
    "map_within": (
        c_int,
        [c_void_p, c_int, c_int64, c_uint64, c_int64, POINTER(c_int64), POINTER(c_int32)],
    ),
}


@functools.cache
def library() -> ctypes.CDLL:
    """The library with its functions' types declared.

    Raises:
        MachineError, BuildError: No compiler, or it fails.
    """
    loaded = ctypes.CDLL(mapping_library())
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a status, and checks that."""
    check(getattr(library(), name)(*arguments))


def check(status: int) -> None:
    """Nothing for MAP_OK.

    Raises:
        UsageError: The problem can't be mapped.
        MachineError: The memory doesn't suffice.
    """
    if status == NO_MEMORY:
        raise MachineError(f"can't map: {status_text(status)}; map fewer ranks")
    if status:
        raise UsageError(f"can't map: {status_text(status)}")


def status_text(status: int) -> str:
    """The message for a status."""
    text: bytes = library().map_status_text(status)
    return text.decode()


@functools.cache
def method_names() -> tuple[str, ...]:
    """The names of the methods, by their numbers."""
    names: list[str] = []
    while (name := library().map_method_name(len(names))) is not None:
        names.append(name.decode())
    return tuple(names)


@contextmanager
def problem(pattern: Communication, machine: Machine) -> Iterator[c_void_p]:
    """A checked problem, freed in the end.

    Raises:
        UsageError: The pattern or the machine isn't one, or they don't fit.
    """
    made = c_void_p()
    given = pattern_struct(pattern), machine_struct(machine)
    status = library().map_problem_make(byref(given[0]), byref(given[1]), byref(made))
    if status == MISFIT:
        if isinstance(pattern, Grid):
            ranks, what = math.prod(pattern.dims), f"the grid {'x'.join(map(str, pattern.dims))}"
        else:
            ranks, what = len(pattern.starts) - 1, "the graph"
        raise UsageError(
            f"{what} has {ranks:,} ranks, the allocation on {machine.name} has "
            f"{len(machine.slots):,} slots; they must be as many"
        )
    check(status)
    try:
        yield made
    finally:
        library().map_problem_free(made)
