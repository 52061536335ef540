"""C structs whose pointers lead to numpy's arrays."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

INT64S = ctypes.POINTER(ctypes.c_int64)
DOUBLES = ctypes.POINTER(ctypes.c_double)


class ArraysStruct(ctypes.Structure):
    """A struct that keeps the arrays that it points to."""

    kept: list[npt.NDArray[Any]]


def int64s(array: npt.NDArray[np.int64]) -> Any:
    """A pointer to the items of a contiguous array, which must outlive the pointer."""
    return array.ctypes.data_as(INT64S)


def doubles(array: npt.NDArray[np.float64]) -> Any:
    """A pointer to the items of a contiguous array, which must outlive the pointer."""
    return array.ctypes.data_as(DOUBLES)


def point(struct: ArraysStruct, **fields: Any) -> None:
    """Sets `fields` to the arrays given, or to copies of the type that the field points to."""
    declared = {field[0]: field[1] for field in struct._fields_}
    struct.kept = []
    for name, values in fields.items():
        pointer: Any = declared[name]
        array = np.ascontiguousarray(values, dtype=pointer._type_)
        struct.kept.append(array)
        setattr(struct, name, array.ctypes.data_as(pointer))
