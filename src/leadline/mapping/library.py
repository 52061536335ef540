"""The C library: loaded, and compiled before that, on first use."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_uint64, c_void_p
from typing import Any

from leadline.errors import MachineError, UsageError
from leadline.mapping.build import mapping_library
from leadline.mapping.structures import (
    MachineStruct,
    MessagesStruct,
    MetricsStruct,
    PatternStruct,
    machine_struct,
    pattern_struct,
)
from leadline.topology.communication import Communication, Grid
from leadline.topology.networks import Machine

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
    loaded = ctypes.CDLL(str(mapping_library()))
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
        UsageError: What was given can't be mapped.
        MachineError: The memory doesn't suffice.
    """
    if status == NO_MEMORY:
        raise MachineError(f"can't map: {status_text(status)}; map fewer ranks")
    if status:
        raise UsageError(f"can't map: {status_text(status)}")


def status_text(status: int) -> str:
    """What went wrong, in words."""
    text: bytes = library().map_status_text(status)
    return text.decode()


@functools.cache
def method_names() -> tuple[str, ...]:
    """The methods, by their numbers."""
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
        raise UsageError(_misfit(pattern, machine))
    check(status)
    try:
        yield made
    finally:
        library().map_problem_free(made)


def _misfit(pattern: Communication, machine: Machine) -> str:
    slots = len(machine.slots)
    if isinstance(pattern, Grid):
        ranks = 1
        for length in pattern.dims:
            ranks *= length
        what = f"the grid {'x'.join(map(str, pattern.dims))}"
    else:
        ranks, what = len(pattern.starts) - 1, "the graph"
    return (
        f"{what} has {ranks:,} ranks, the allocation on {machine.name} has {slots:,} slots; "
        "they must be as many"
    )
