"""Contents of messages with gaps: every byte of the payload is checked, and that gaps stay."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable

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
        mismatch = (ctypes.c_uint64 * 3)()
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
