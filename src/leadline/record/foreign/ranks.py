"""On how many ranks tables ran that don't say it themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from leadline.errors import UsageError
from leadline.record.foreign.collection import Source

_Place = tuple[int, int]
"""Of a source, and of a table in it."""
_Silent = Mapping[tuple[str, str | None], Sequence[_Place]]
"""By benchmark and variant the tables that don't say on how many ranks they ran."""


def with_ranks(sources: Sequence[Source], numbers: Sequence[int]) -> list[Source]:
    """`sources` with one of `numbers`, of `--ranks`, for each table that doesn't say its own.

    One number is that of all. Several are those of each benchmark's tables in the order in which
    they stand, or else of the files. UsageError where neither goes, or a file says otherwise.
    """
    given = _given(sources, numbers)
    _check_names(sources, given)
    return [
        replace(
            source,
            tables=tuple(
                replace(table, ranks=given.get((file, place), table.ranks))
                for place, table in enumerate(source.tables)
            ),
            ranks_given=any(table.ranks is None for table in source.tables),
        )
        for file, source in enumerate(sources)
    ]


def _given(sources: Sequence[Source], numbers: Sequence[int]) -> dict[_Place, int]:
    benchmarks = _silent(sources)
    places = [place for found in benchmarks.values() for place in found]
    if not places:
        _check_said(sources, numbers)
    if len(numbers) == 1:
        _check_one(sources, numbers[0], benchmarks)
        return dict.fromkeys(places, numbers[0])
    if all(len(found) == len(numbers) for found in benchmarks.values()):
        by_order = (zip(found, numbers, strict=True) for found in benchmarks.values())
        return {place: number for pairs in by_order for place, number in pairs}
    if len(sources) != len(numbers):
        raise _neither(sources, numbers, benchmarks)
    for source, number in zip(sources, numbers, strict=True):
        _check_said([source], [number])
    return {place: numbers[place[0]] for place in places}


def _check_one(sources: Sequence[Source], number: int, benchmarks: _Silent) -> None:
    """UsageError where outputs would be repetitions, and are named after other numbers of ranks.

    Repetitions are numbered one after the other; allreduce-4 and allreduce-8 aren't, on 4 ranks.
    """
    for found in benchmarks.values():
        files = list(dict.fromkeys(sources[file].file for file, _ in found))
        every = [_in_name(file) for file in files]
        told = [one - set[int]().union(*every[:1]).intersection(*every) for one in every]
        named = [min(one) for one in told if len(one) == 1]
        in_turn = sorted(named) == [*range(min(named, default=0), max(named, default=0) + 1)]
        if len(named) == len(files) > 1 and number in named and not in_turn:
            raise UsageError(
                f"--ranks {number} is one number for all of {', '.join(files)}, whose names say "
                f"{_spelled(named)}: give --ranks a number for each, or if they are repetitions, "
                "number them 1, 2, 3"
            )


def _silent(sources: Sequence[Source]) -> _Silent:
    found: dict[tuple[str, str | None], list[_Place]] = {}
    for file, source in enumerate(sources):
        for place, table in enumerate(source.tables):
            if table.ranks is None:
                found.setdefault((table.benchmark, table.variant), []).append((file, place))
    return found


def _check_said(sources: Sequence[Source], numbers: Sequence[int]) -> None:
    """UsageError where all of these say on how many ranks they ran, and one of `numbers` isn't."""
    said = {table.ranks for source in sources for table in source.tables}
    if None not in said and not said.issuperset(numbers):
        files = ", ".join(source.file for source in sources)
        raise UsageError(
            f"--ranks {_spelled(numbers)}: the text of {files} says itself on how many it ran: "
            f"{_spelled(sorted(filter(None, said)))}; --ranks is for tables that don't say theirs"
        )


def _neither(sources: Sequence[Source], numbers: Sequence[int], benchmarks: _Silent) -> UsageError:
    """What could be given in place of so many numbers."""
    (name, _), found = next(
        (key, found) for key, found in benchmarks.items() if len(found) != len(numbers)
    )
    first = [f"{sources[file].file}:{sources[file].tables[t].line}" for file, t in found[:2]]
    lines = ", ".join([*first, *["..."] * (len(found) > len(first))])
    times = {len(places) for places in benchmarks.values()}
    counts = sorted({1, len(sources)} | (times if len(times) == 1 else set()))
    return UsageError(
        f"--ranks {_spelled(numbers)}: {len(numbers)} numbers for {len(sources)} "
        f"file{'s' * (len(sources) != 1)}, in which {name} stands {len(found)} "
        f"time{'s' * (len(found) != 1)} ({lines}); give {' or '.join(map(str, counts))}: one for "
        "all, one for each file, or one for each time that a benchmark stands there"
    )


def _check_names(sources: Sequence[Source], given: Mapping[_Place, int]) -> None:
    """UsageError where files are named after each other's numbers: shells sort 16 before 4."""
    by_file: dict[int, set[int]] = {}
    for (file, _), number in given.items():
        by_file.setdefault(file, set()).add(number)
    numbers = set(given.values())
    named = {file: numbers & _in_name(sources[file].file) for file in by_file}
    alone = [one for found in named.values() if len(found) == 1 for one in found]
    wrong = [file for file, found in named.items() if not found & by_file[file]]
    if wrong and len(set(alone)) == len(by_file):
        raise UsageError(
            f"--ranks gives {sources[wrong[0]].file} {_spelled(sorted(by_file[wrong[0]]))} ranks, "
            f"and its name says {_spelled(sorted(named[wrong[0]]))}: shells sort names in an order "
            f"of their own; give --ranks {_spelled(alone)}, or files with other names"
        )


def _in_name(file: str) -> set[int]:
    """The whole numbers in the last part of a path."""
    return {int(digits) for digits in re.findall(r"\d+", re.split(r"[/\\]", file)[-1])}


def _spelled(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
