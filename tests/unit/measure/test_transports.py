"""Who carried messages is asked again where a launch contradicts it, and only there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.disturbed import slice_at

from leadline.backends.backend import UNKNOWN
from leadline.measure.transports import Transports
from leadline.record.slices import Slice
from leadline.record.warnings import RunWarning


class Book:
    """A journal that keeps what it is told."""

    def __init__(self) -> None:
        self.transports: list[tuple[int, str]] = []
        self.warnings: list[RunWarning] = []

    def add_transport(self, configuration: int, transport: str) -> None:
        self.transports.append((configuration, transport))

    def add_warning(self, warning: RunWarning) -> None:
        self.warnings.append(warning)


class Machine:
    """Where a library sends by `now` and /dev/shm may be short; counts who asks."""

    def __init__(self) -> None:
        self.short, self.now, self.asked = False, "ob1 sm", 0

    def shared_memory_is_short(self) -> bool:
        return self.short

    def transport_of(self, *_: object) -> str:
        self.asked += 1
        return self.now


@pytest.fixture
def machine() -> Any:
    return Machine()


def openmpi() -> Any:
    return SimpleNamespace(
        name="openmpi", transport="ob1 sm", simulated_on=None, backend=None, environment={},
        arguments=(),
    )  # fmt: skip


def prepared(*names: str) -> Any:
    """Over Open MPI, on hosts of these names."""
    request = SimpleNamespace(hosts=SimpleNamespace(names=names))
    return SimpleNamespace(variants=(openmpi(),), request=request, job=None)


PLACES = {("openmpi", (2, 0)): 0, ("other", (2, 0)): 1, ("openmpi", (4, 0)): 2}


def launch(*segments: str) -> Any:
    return SimpleNamespace(label="openmpi", note=SimpleNamespace(segments=segments))


@pytest.fixture
def check(machine: Any) -> tuple[Book, Callable[..., None]]:
    assert not machine.short
    book: Any = Book()
    held = Transports(prepared(), book, PLACES, machine)
    return book, lambda block, *segments: held.check([launch(*segments)], block)


Check = tuple[Book, Callable[..., None]]


def test_nobody_asks_while_launches_are_alike(machine: Any, check: Check) -> None:
    for block in range(3):
        check[1](block, "sm_segment.a")
    assert (machine.asked, check[0].transports, check[0].warnings) == (0, [], [])


def test_full_memory_makes_all_its_configurations_unknown(
    machine: Any, check: Check, snapshot: SnapshotAssertion
) -> None:
    book, begin = check
    begin(0, "sm_segment.a")
    machine.short, machine.now = True, "ob1 tcp"
    begin(1)
    begin(2)
    assert machine.asked == 1
    assert book.transports == [(0, UNKNOWN), (2, UNKNOWN)]
    (text,) = book.warnings
    assert text.code == "transport"
    assert text.cause == snapshot


def test_little_room_that_changes_nothing_is_no_contradiction(machine: Any, check: Check) -> None:
    book, begin = check
    machine.short = True
    begin(0, "sm_segment.a")
    begin(1, "sm_segment.b")
    assert (machine.asked, book.transports, book.warnings) == (1, [], [])


def test_launch_without_segments_asks_though_there_is_room(machine: Any, check: Check) -> None:
    book, begin = check
    begin(0, "sm_segment.a")
    machine.now = UNKNOWN
    begin(1)
    assert machine.asked == 1
    assert book.transports == [(0, UNKNOWN), (2, UNKNOWN)]


def test_launches_on_hosts_are_not_judged_by_the_memory_of_this_one(machine: Any) -> None:
    book: Any = Book()
    held = Transports(prepared("h1", "h2"), book, PLACES, machine)
    machine.short = True
    held.check([launch()], 0)
    assert machine.asked == 0


# -- times that contradict -------------------------------------------------------------------------


def slice_that_took(nanoseconds: int, run_delay: float = 0) -> Slice:
    ends = nanoseconds * np.arange(1, 6)
    taken = slice_at(0, (0, 0), ends.tolist(), run_delay)
    return replace(taken, start_ns=taken.end_ns - nanoseconds)


def blocks(held: Transports, *nanoseconds: int) -> None:
    for block, took in enumerate(nanoseconds):
        held.took(slice_that_took(took), took * 1e-9)
        held.end_block(block)


def test_block_of_another_kind_asks(machine: Any, snapshot: SnapshotAssertion) -> None:
    """16 times as long, as over sockets."""
    book: Any = Book()
    machine.now = "ob1 tcp"
    blocks(Transports(prepared(), book, PLACES, machine), 1000, 1100, 16000, 16000)
    assert machine.asked == 1
    assert book.transports == [(0, UNKNOWN), (2, UNKNOWN)]
    assert [one.cause for one in book.warnings] == snapshot


def test_slow_machine_that_sends_as_before_is_asked_thrice(machine: Any) -> None:
    book: Any = Book()
    blocks(Transports(prepared(), book, PLACES, machine), 1000, *(4**n * 1000 for n in range(1, 8)))
    assert (machine.asked, book.transports, book.warnings) == (3, [], [])


def test_machine_too_slow_for_an_answer_contradicts_nothing(machine: Any) -> None:
    book: Any = Book()
    machine.now = UNKNOWN
    blocks(Transports(prepared(), book, PLACES, machine), 1000, 5000)
    assert (machine.asked, book.transports, book.warnings) == (1, [], [])


def test_ranks_that_waited_for_cores_say_nothing_of_the_way(machine: Any) -> None:
    book: Any = Book()
    held = Transports(prepared(), book, PLACES, machine)
    blocks(held, 1000, 1000)
    held.took(slice_that_took(16000, run_delay=0.5), 16e-6)
    held.end_block(2)
    assert machine.asked == 0
