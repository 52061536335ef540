"""What machine files say that they were fitted to: ids, and how many constants went into it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from leadline.simulate.machine import MachineModel

_CONDITIONS = ("least_bytes", "summary")
"""Keys in a table of costs that cost nothing."""


def fitted_ids(machines: Iterable[MachineModel]) -> frozenset[str]:
    """All figures that a value of theirs was chosen to reach."""
    return frozenset(
        name for machine in machines for named in machine.fitted_to.values() for name in named
    )


def fitted_constants(machines: Iterable[MachineModel], paper: str) -> int:
    """How many numbers and choices of theirs were made by figures of the paper with this key.

    One that a file repeats, as a rate at both ends, is counted once a machine.
    """
    return sum(len(_constants(machine, paper)) for machine in machines)


def _constants(machine: MachineModel, paper: str) -> set[Any]:
    contents = tomllib.loads(machine.text)
    return {
        value
        for key, named in machine.fitted_to.items()
        if any(name.partition(".")[0] == paper for name in named)
        for value in _leaves(_at(contents, key))
    }


def _at(value: Any, key: str) -> Any:
    for word in key.split("."):
        value = value[word]
    return value


def _leaves(value: Any) -> Iterator[Any]:
    """Numbers and words in a table or list, or the one that it is."""
    if isinstance(value, dict):
        value = [inner for name, inner in value.items() if name not in _CONDITIONS]
    if isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif not isinstance(value, bool):
        yield value
