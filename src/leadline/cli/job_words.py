"""The words that describe a job: as options of their own, or together in --job KEY=VALUE,..."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from leadline.cli.machines import read_graph
from leadline.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from leadline.topology.communication import Communication


@dataclass(frozen=True, slots=True)
class JobWords:
    """What the user wrote about one job; None where nothing."""

    name: str | None = None
    grid: str | None = None
    graph: str | None = None
    periodic: str | None = None
    weights: str | None = None
    diagonals: str | None = None
    allocation: str | None = None


KEYS = tuple(field.name for field in fields(JobWords))
_NEXT_KEY = re.compile(rf",(?=(?:{'|'.join(KEYS)})=)")


def parse_job_words(text: str) -> JobWords:
    """The words in e.g. "grid=4x4x4,periodic=1,0,0,allocation=list:nodes".

    A comma in a value is kept, unless a key follows it.

    Raises:
        UsageError: A part without "=", an unknown key, or one that comes twice.
    """
    words: dict[str, str] = {}
    for part in _NEXT_KEY.split(text):
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise UsageError(f"--job {text!r}: {part!r} is not KEY=VALUE, e.g. grid=4x4x4")
        if key not in KEYS:
            raise unknown_name("key of --job", key, KEYS)
        if key in words:
            raise UsageError(f"--job {text!r} has {key} twice")
        words[key] = value
    return JobWords(**words)


def words_in(arguments: argparse.Namespace) -> JobWords:
    """The words of the one job that --grid or --graph describes."""
    given = {key: getattr(arguments, key) for key in KEYS if key not in ("name", "diagonals")}
    return JobWords(**given, diagonals="1" if arguments.diagonals else None)


def read_pattern(words: JobWords) -> Communication:
    """The communication pattern of a job; a graph's file is read.

    Raises:
        UsageError: Neither a grid nor a graph, both, or a grid's word beside a graph.
    """
    from leadline.topology.words import parse_grid

    if (words.grid is None) == (words.graph is None):
        raise UsageError("a job is either a grid or a graph; give one, e.g. --grid 8x4x1")
    if words.graph is not None:
        if words.periodic or words.weights or words.diagonals:
            raise UsageError("periodic, weights and diagonals are for grids, not for a graph")
        return read_graph(words.graph)
    if words.diagonals not in (None, "0", "1"):
        raise UsageError(f"diagonals={words.diagonals} is neither 0 nor 1")
    return parse_grid(str(words.grid), words.periodic, words.weights, words.diagonals == "1")
