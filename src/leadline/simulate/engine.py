"""The C library in native/flow: its struct, and its one call."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import sys
from collections.abc import Callable, Iterator
from ctypes import POINTER, byref, c_char_p, c_int, c_int64

import numpy as np

from leadline.native.structures import DOUBLES, INT64S, ArraysStruct, doubles
from leadline.simulate.build import flow_library
from leadline.topology.networks import Float64

NO_MEMORY, TOO_LARGE, BAD_CAPACITY, BAD_CROWD, BAD_DELAY = range(1, 6)
BAD_BYTES, BAD_MOST, BAD_ROUTE, BAD_AFTER, CIRCLE = range(6, 11)
STOPPED = 11
Watch = ctypes.CFUNCTYPE(None, c_int64, POINTER(c_int))
"""flow_watch: how many tasks have ended; whether to go on, which holds 0 until it is told."""


class GraphStruct(ArraysStruct):
    """struct flow_graph."""

    _fields_ = (
        ("resources", c_int64),
        ("capacity", DOUBLES),
        ("crowd", INT64S),
        ("crowded", DOUBLES),
        ("tasks", c_int64),
        ("delay_s", DOUBLES),
        ("bytes", DOUBLES),
        ("most", DOUBLES),
        ("route_starts", INT64S),
        ("routes", INT64S),
        ("after_starts", INT64S),
        ("after", INT64S),
    )


@functools.cache
def library() -> ctypes.CDLL:
    """The library with its functions' types declared.

    Raises:
        MachineError, BuildError: No compiler, or it fails.
    """
    loaded = ctypes.CDLL(str(flow_library()))
    loaded.flow_status_text.restype = c_char_p
    loaded.flow_status_text.argtypes = [c_int]
    loaded.flow_run.restype = c_int
    loaded.flow_run.argtypes = [POINTER(GraphStruct), Watch, DOUBLES, DOUBLES, INT64S]
    return loaded


def run(graph: GraphStruct, watch: Callable[[float], None]) -> tuple[int, int, Float64, Float64]:
    """The status, the number of what is wrong, and when tasks begin and end, s; nan: never.

    What `watch` raises, KeyboardInterrupt too, ends the run and is raised here.
    """
    begun, ended = np.full((2, graph.tasks), np.nan)
    culprit = c_int64(-1)
    raised: list[BaseException] = []

    def go_on(over: int, answer: ctypes._Pointer[c_int]) -> None:
        watch(over / graph.tasks)
        answer.contents.value = 1

    with _kept(go_on, raised):
        status = library().flow_run(
            byref(graph), Watch(go_on), doubles(begun), doubles(ended), byref(culprit)
        )
    if status == STOPPED:
        raise raised[0] if raised else KeyboardInterrupt
    return status, culprit.value, begun, ended


@contextlib.contextmanager
def _kept(function: Callable[..., None], raised: list[BaseException]) -> Iterator[None]:
    """Keeps in `raised` what `function`, called from C, raises, which can't pass through C.

    No try in the function would do: a signal that has come meanwhile raises KeyboardInterrupt
    before its first line.
    """
    before = sys.unraisablehook

    def keep(seen: sys.UnraisableHookArgs) -> None:
        if seen.object in (function, None) and seen.exc_value is not None:
            raised.append(seen.exc_value)
        else:
            before(seen)

    sys.unraisablehook = keep
    try:
        yield
    finally:
        sys.unraisablehook = before


def status_text(status: int) -> str:
    """What went wrong, in words."""
    text: bytes = library().flow_status_text(status)
    return text.decode()
