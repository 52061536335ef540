"""When tasks end that wait for each other and share links: flows, max-min fair at every moment.

The C library in native/flow computes it; here are its struct and its one call.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from ctypes import POINTER, byref, c_char_p, c_int, c_int64
from dataclasses import dataclass
from typing import Any

import numpy as np

from leadline import native
from leadline.errors import MachineError, UsageError
from leadline.native.libraries import shared_library
from leadline.native.structures import DOUBLES, INT64S, ArraysStruct, doubles, point
from leadline.topology.networks import Float64, Int64

SOURCES = native.FOLDER / "flow"


def flow_library(flags: Sequence[str] = ()) -> str:
    """The shared object's path; `flags` for compiling and linking are for tests."""
    return str(shared_library(SOURCES, flags))


NO_MEMORY, TOO_LARGE, BAD_CAPACITY, BAD_CROWD, BAD_DELAY = range(1, 6)
BAD_BYTES, BAD_MOST, BAD_ROUTE, BAD_AFTER, CIRCLE = range(6, 11)
STOPPED = 11
Watch = ctypes.CFUNCTYPE(None, c_int64, POINTER(c_int))
"""flow_watch: how many tasks have ended; whether to go on, 0 until it is set."""


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
    loaded = ctypes.CDLL(flow_library())
    loaded.flow_status_text.restype = c_char_p
    loaded.flow_status_text.argtypes = [c_int]
    loaded.flow_run.restype = c_int
    loaded.flow_run.argtypes = [POINTER(GraphStruct), Watch, DOUBLES, DOUBLES, INT64S]
    return loaded


def run(graph: GraphStruct, watch: Callable[[float], None]) -> tuple[int, int, Float64, Float64]:
    """The status, the number of the task or resource at fault, when tasks begin and end, s, or nan.

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
    """Keeps in `raised` what `function`, called from C, raises, as C can't pass it on.

    A try in the function isn't enough: a signal that has arrived meanwhile raises KeyboardInterrupt
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
    """The message for a status."""
    text: bytes = library().flow_status_text(status)
    return text.decode()


@dataclass(frozen=True, slots=True)
class TaskGraph:
    """What tasks wait for and use; native/flow/flow.h defines every word.

    Arrays per task have shape (tasks,), arrays per resource (resources,).
    """

    capacity_bytes_per_s: Float64
    """Per resource (a link, a bus, a network interface); inf: no limit."""
    delay_s: Float64
    """Delay of a task after its predecessors: latency, overhead, computing."""
    size_bytes: Float64
    """Bytes that it moves after the delay; 0: it ends."""
    most_bytes_per_s: Float64
    """Rate limit of its own; inf: none."""
    route_starts: Int64
    """Shape (tasks + 1,): where each task's resources begin in `routes`."""
    routes: Int64
    """Resources that a task's bytes use, each listed once."""
    after_starts: Int64
    """Shape (tasks + 1,): where each task's predecessors begin in `after`."""
    after: Int64
    """Tasks that must have ended before a task begins."""
    crowd: Int64 | None = None
    """Per resource: number of flows above which its capacity is multiplied by `crowded`."""
    crowded: Float64 | None = None


@dataclass(frozen=True, slots=True)
class TaskTimes:
    """Shape (tasks,) each, s from the beginning of the first."""

    begun_s: Float64
    """When all predecessors have ended; the delay comes after it."""
    ended_s: Float64


class CircleError(UsageError):
    """Tasks wait for each other in a circle, and so forever."""

    def __init__(self, tasks: tuple[int, ...]) -> None:
        """Each of `tasks` waits for the next one, the last one for the first."""
        self.tasks = tasks
        named = ", ".join(map(str, tasks[:8])) + (", ..." if len(tasks) > 8 else "")
        super().__init__(f"{len(tasks)} tasks wait for each other in a circle: {named}")


class NoMemoryError(MachineError):
    """There are more tasks than the memory has room for."""

    def __init__(self) -> None:
        """The message with its remedy."""
        super().__init__("the memory doesn't suffice for so many tasks; simulate fewer ranks")


Watcher = Callable[[float], None]
"""Called with the share of tasks that have ended, 0 to 1; what it raises ends the run."""


def unwatched(_: float) -> None:
    """A watcher that ignores the progress."""


def flow(graph: TaskGraph, watch: Watcher = unwatched) -> TaskTimes:
    """When each task of `graph` begins and ends.

    Args:
        graph: Tasks and resources.
        watch: Called every few milliseconds.

    Raises:
        CircleError: Some never end.
        UsageError: An invalid value, named with its task or resource.
        NoMemoryError: Not enough memory.
        MachineError: No compiler for the library.
    """
    _check_shapes(graph)
    struct = GraphStruct(resources=len(graph.capacity_bytes_per_s), tasks=len(graph.size_bytes))
    point(  # the struct keeps the arrays alive
        struct,
        capacity=graph.capacity_bytes_per_s,
        delay_s=graph.delay_s,
        bytes=graph.size_bytes,
        most=graph.most_bytes_per_s,
        route_starts=graph.route_starts,
        routes=graph.routes,
        after_starts=graph.after_starts,
        after=graph.after,
        **({} if graph.crowd is None else {"crowd": graph.crowd, "crowded": graph.crowded}),
    )
    status, culprit, begun, ended = run(struct, watch)
    if status == NO_MEMORY:
        raise NoMemoryError
    if status == CIRCLE:
        raise CircleError(_circle(graph, ended))
    if status:
        where = _place_of(graph, status, culprit)
        raise UsageError(f"can't simulate: {status_text(status)}{where}")
    return TaskTimes(begun, ended)


def _check_shapes(graph: TaskGraph) -> None:
    if (graph.crowd is None) != (graph.crowded is None):
        raise UsageError("crowd and crowded come together; give both or neither")
    resources, tasks = len(graph.capacity_bytes_per_s), len(graph.size_bytes)
    for name in ("route_starts", "after_starts"):
        _check_shape(graph, name, tasks + 1)
    _check_shape(graph, "routes", int(graph.route_starts[-1]))
    _check_shape(graph, "after", int(graph.after_starts[-1]))
    for name in ("delay_s", "most_bytes_per_s"):
        _check_shape(graph, name, tasks)
    for name in ("crowd", "crowded") if graph.crowd is not None else ():
        _check_shape(graph, name, resources)


def _check_shape(graph: TaskGraph, name: str, length: int) -> None:
    shape = getattr(graph, name).shape
    if shape != (length,):
        raise UsageError(f"{name} has shape {shape} where ({length},) is needed")


def _place_of(graph: TaskGraph, status: int, culprit: int) -> str:
    """The task or resource with the wrong value, and the value: " (task 3: -1)"."""
    values: dict[int, tuple[str, tuple[Any, ...]]] = {
        BAD_CAPACITY: ("resource", (graph.capacity_bytes_per_s,)),
        BAD_CROWD: ("resource", (graph.crowd, graph.crowded)),
        BAD_DELAY: ("task", (graph.delay_s,)),
        BAD_BYTES: ("task", (graph.size_bytes,)),
        BAD_MOST: ("task", (graph.most_bytes_per_s,)),
        BAD_ROUTE: ("task", ()),
        BAD_AFTER: ("task", ()),
    }
    what, arrays = values.get(status, ("", ()))
    numbers = ", ".join(f"{array[culprit]:g}" for array in arrays)
    return f" ({what} {culprit}{': ' * bool(arrays)}{numbers})" if what else ""


def _circle(graph: TaskGraph, ended: Float64) -> tuple[int, ...]:
    """Some tasks of which each waits for the next one, and the last one for the first."""
    task = int(np.flatnonzero(np.isnan(ended))[0])
    way: dict[int, None] = {}
    while task not in way:
        way[task] = None
        before = graph.after[graph.after_starts[task] : graph.after_starts[task + 1]]
        task = int(before[np.isnan(ended[before])][0])
    tasks = tuple(way)
    return tasks[tasks.index(task) :]
