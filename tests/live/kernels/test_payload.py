"""Contents of messages: every byte of the payload is checked, gaps stay, no reduction is a copy."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from functools import reduce
from itertools import pairwise, product

import pytest

from leadline.kernels.build import SOURCES
from leadline.native.compiler import c_compiler

STRIDED, STRUCT = 1, 2
PAYLOAD = {STRIDED: [*range(8)], STRUCT: [*range(4), *range(8, 16), *range(16, 20)]}
"""Places of an element's bytes."""
ELEMENT = {STRIDED: 16, STRUCT: 24}
SENDER, OFFSET, ELEMENTS = 1, 64, 3


@pytest.fixture(scope="module")
def payload(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    target = tmp_path_factory.mktemp("payload") / "payload.so"
    command = [
        c_compiler(),
        "-shared",
        "-fPIC",
        f"-I{SOURCES}",
        str(SOURCES / "patterns" / "payload.c"),
        "-o",
        str(target),
    ]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(target))


def received(payload: ctypes.CDLL, form: int) -> ctypes.Array[ctypes.c_ubyte]:
    """Memory that a message of `form` arrived in as it should."""
    memory = (ctypes.c_ubyte * (ELEMENT[form] * ELEMENTS))()
    size, offset = ctypes.c_size_t(len(memory)), ctypes.c_size_t(OFFSET)
    payload.payload_clear(memory, size, SENDER, offset)
    payload.payload_fill_form(memory, size, form, SENDER, offset)
    return memory


def checker(payload: ctypes.CDLL, form: int) -> Callable[[ctypes.Array[ctypes.c_ubyte]], bool]:
    payload.payload_check_form.restype = ctypes.c_bool

    def right(memory: ctypes.Array[ctypes.c_ubyte]) -> bool:
        mismatch = ctypes.byref(Mismatch())
        size, offset = ctypes.c_size_t(len(memory)), ctypes.c_size_t(OFFSET)
        return bool(payload.payload_check_form(memory, size, form, SENDER, offset, mismatch))

    return right


@pytest.mark.parametrize("form", [STRIDED, STRUCT])
def test_any_changed_byte_is_found_in_the_payload_and_in_the_gaps(
    form: int, payload: ctypes.CDLL
) -> None:
    memory, right = received(payload, form), checker(payload, form)
    assert right(memory)
    for place in range(len(memory)):
        memory[place] ^= 1
        assert not right(memory), place
        memory[place] ^= 1


@pytest.mark.parametrize("form", [STRIDED, STRUCT])
def test_filling_writes_the_elements_bytes_and_nothing_between(
    form: int, payload: ctypes.CDLL
) -> None:
    filled = bytes(received(payload, form))
    whole = (ctypes.c_ubyte * len(filled))()
    size, offset = ctypes.c_size_t(len(filled)), ctypes.c_size_t(OFFSET)
    payload.payload_fill(whole, size, SENDER, offset)
    same = [place for place in range(len(filled)) if filled[place] == whole[place]]
    element = ELEMENT[form]
    assert same == [e * element + place for e in range(ELEMENTS) for place in PAYLOAD[form]]


# -- elements of reductions ------------------------------------------------------------------------

DOUBLE, INT64 = 0, 1
SUM, MAX, LAND = 0, 1, 2
COMBINE: dict[int, Callable[[float, float], float]] = {
    SUM: lambda one, other: one + other,
    MAX: max,
    LAND: lambda one, other: int(one != 0 and other != 0),
}
REDUCTIONS = [(DOUBLE, SUM), (DOUBLE, MAX), (INT64, SUM), (INT64, MAX), (INT64, LAND)]


class Mismatch(ctypes.Structure):
    """As patterns/payload.h has it."""

    _fields_ = (
        ("offset_bytes", ctypes.c_size_t),
        ("expected", ctypes.c_uint64),
        ("seen", ctypes.c_uint64),
        ("quantity", ctypes.c_char_p),
        ("real", ctypes.c_bool),
        ("expected_real", ctypes.c_double),
        ("seen_real", ctypes.c_double),
    )


class Reduction(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("op", ctypes.c_int), ("ranks", ctypes.c_int))


class Elements:
    """What the ranks of a job contribute from `offset` on, and whether a result is right."""

    def __init__(self, payload: ctypes.CDLL, reduction: Reduction, count: int, offset: int) -> None:
        payload.payload_check_elements.restype = ctypes.c_bool
        self._payload, self._reduction = payload, reduction
        self._count, self._offset = ctypes.c_size_t(count), ctypes.c_size_t(offset)
        number = ctypes.c_double if reduction.type == DOUBLE else ctypes.c_int64
        self._memory = (number * count)()

    def contributed(self, rank: int) -> list[float]:
        self._payload.payload_fill_elements(
            self._memory, self._count, self._reduction, rank, self._offset
        )
        return list(self._memory)

    def combined(self, ranks: int) -> list[float]:
        def both(one: list[float], other: list[float]) -> list[float]:
            combine = COMBINE[self._reduction.op]
            return [combine(*pair) for pair in zip(one, other, strict=True)]

        return reduce(both, map(self.contributed, range(ranks)))

    def right(self, result: list[float], ranks: int) -> bool:
        self._memory[:] = result
        mismatch = ctypes.byref(Mismatch())
        return bool(
            self._payload.payload_check_elements(
                self._memory, self._count, self._reduction, ranks, self._offset, mismatch
            )
        )


def repetitions(
    payload: ctypes.CDLL, kind: tuple[int, int], ranks: int, count: int, first: int = 6
) -> list[Elements]:
    """The elements of two repetitions in succession, as validation runs them."""
    reduction = Reduction(*kind, ranks)
    apart = ctypes.c_size_t.in_dll(payload, "payload_apart").value
    return [Elements(payload, reduction, count, apart * i) for i in (first, first + 1)]


@pytest.mark.parametrize("kind", REDUCTIONS)
@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 8])
def test_every_prefix_of_the_ranks_combined_is_right(
    kind: tuple[int, int], ranks: int, payload: ctypes.CDLL
) -> None:
    for elements, ranks_so_far in product(
        repetitions(payload, kind, ranks, 40), range(1, ranks + 1)
    ):
        assert elements.right(elements.combined(ranks_so_far), ranks_so_far)


@pytest.mark.parametrize("first", range(0, 10, 2))
@pytest.mark.parametrize("count", [1, 13])
@pytest.mark.parametrize("kind", REDUCTIONS[:-1])
@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
def test_copy_from_any_one_rank_fails_in_one_of_two_repetitions(
    ranks: int, kind: tuple[int, int], count: int, first: int, payload: ctypes.CDLL
) -> None:
    both = repetitions(payload, kind, ranks, count, first)
    for prefix, rank in product(range(2, ranks + 1), range(ranks)):
        assert not all(e.right(e.contributed(rank), prefix) for e in both), (prefix, rank)


@pytest.mark.parametrize("first", [6, 7])
@pytest.mark.parametrize("kind", REDUCTIONS[:-1])
@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
def test_no_rank_has_the_largest_at_two_places_side_by_side(
    ranks: int, kind: tuple[int, int], first: int, payload: ctypes.CDLL
) -> None:
    for elements in repetitions(payload, kind, ranks, 40, first):
        columns = zip(*map(elements.contributed, range(ranks)), strict=True)
        largest = [column.index(max(column)) for column in columns]
        assert all(one != other for one, other in pairwise(largest))


@pytest.mark.parametrize("ranks", [2, 3, 5])
def test_conjunction_of_a_message_of_13_is_no_copy_and_needs_every_rank(
    ranks: int, payload: ctypes.CDLL
) -> None:
    for elements in repetitions(payload, (INT64, LAND), ranks, 13):
        every = elements.combined(ranks)
        assert set(every) == {0, 1}
        for rank in range(ranks):
            assert not elements.right(elements.contributed(rank), ranks)
            others = [elements.contributed(r) for r in range(ranks) if r != rank]
            without = [int(all(truths)) for truths in zip(*others, strict=True)]
            assert without != every


@pytest.mark.parametrize("kind", REDUCTIONS[:-1])
def test_every_rank_has_the_largest_somewhere_in_each_repetition(
    kind: tuple[int, int], payload: ctypes.CDLL
) -> None:
    for elements in repetitions(payload, kind, 5, 10):
        columns = zip(*map(elements.contributed, range(5)), strict=True)
        assert {column.index(max(column)) for column in columns} == set(range(5))
