"""Templates of sentences: named fields, each with the form in which its value is written.

A table of sentences (`record.warnings`, `report.text.catalogue`) holds them whole; the code that
fills one gives values and no English. A field is written as Python formats it, or in a form:

    {names:join}          texts between commas: "a, b, c"
    {bytes:size}          "64 KiB"
    {seconds:time}        "1.30 ms"
    {share:.0f %}         a share as per cent, by a format of Python: "25 %"
    {ranks:# rank|# ranks}           by a number, or by how many there are: one, or others
    {lost:one block|# blocks|none}   with a third part, which is for zero alone
    {exact:to the bit|}              by a truth: true, or false
    {bounds: (#)|}                   by a text or None: there is any, or there is none

In such a part # stands for the value, and for a collection's length.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from enum import StrEnum
from functools import cache
from string import Formatter
from typing import Any

from leadline.units import format_size, format_time


class _Filling(Formatter):
    """Python's formatting with the forms above; every value that is given must be used."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """`value` in one of the forms, or as Python formats it."""
        if "|" in format_spec:
            return _chosen(value, format_spec.split("|"))
        if format_spec == "join":
            return ", ".join(map(str, value))
        if format_spec == "size":
            return format_size(value)
        if format_spec == "time":
            return format_time(value)
        if format_spec.endswith(" %"):
            return f"{100 * value:{format_spec.removesuffix(' %')}} %"
        return format(value, format_spec)

    def check_unused_args(
        self, used_args: Set[int | str], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """TypeError where a value is given that the template hasn't got."""
        if unused := kwargs.keys() - used_args:
            raise TypeError(f"the sentence has no fields {', '.join(sorted(unused))}")


def _chosen(value: Any, parts: Sequence[str]) -> str:
    """The part for `value`, as the module says."""
    if value is None or isinstance(value, str):
        return parts[0].replace("#", value) if value else parts[-1]
    number = len(value) if isinstance(value, Collection) else value
    part = parts[0] if number == 1 else parts[1] if number else parts[-1]
    return part.replace("#", f"{number:,}") if "#" in part else part


_FILLING = _Filling()


@cache
def fields_of(template: str) -> frozenset[str]:
    """Names of the fields of `template`."""
    return frozenset(name for _, name, _, _ in _FILLING.parse(template) if name is not None)


def filled(template: str, **values: object) -> str:
    """`template` with `values` in its fields.

    Raises:
        KeyError: a field has no value.
        TypeError: a value has no field.
    """
    return _FILLING.vformat(template, (), values)


class Sentence(StrEnum):
    """A table of sentences: a subclass whose members are templates, which fill in a call."""

    def __call__(self, **values: object) -> str:
        """The sentence with `values` in its fields; errors as for `filled`."""
        return filled(self.value, **values)
