"""Mutations of all that comes from outside: no traceback, nothing lost in silence, within bounds.

python -m bench.faults MUTATOR:SEED:NUMBER ...    makes some of them again
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bench.faults_case import HELD, KINDS, Case, Maker, Outcome
from bench.faults_channel import channelled
from bench.faults_imports import imported
from bench.faults_machines import simulated
from bench.faults_maps import mapped
from bench.faults_resealed import resealed
from bench.faults_stored import raw
from bench.faults_words import worded
from bench.faults_workers import attempted


@dataclass(frozen=True, slots=True)
class Mutator:
    """What is mutated, and how often."""

    maker: Maker
    count: int


SEED = 20261124
PROCESSES = 2
SHOWN = 20
MUTATORS: Mapping[str, Mutator] = {
    "raw": Mutator(raw, 5_000),
    "resealed": Mutator(resealed, 4_000),
    "import": Mutator(imported, 28_000),
    "map": Mutator(mapped, 20_000),
    "machine": Mutator(simulated, 3_000),
    "channel": Mutator(channelled, 40_000),
    "words": Mutator(worded, 3_000),
}
MAKERS: Mapping[str, Maker] = {name: one.maker for name, one in MUTATORS.items()}


def cases_of(name: str, count: int, seed: int = SEED) -> list[Case]:
    """The first `count` mutations of the mutator `name`."""
    return [Case(name, seed, number) for number in range(count)]


def measure() -> dict[str, object]:
    """A row for each mutator; reached: none of its mutations came to anything wrong."""
    rows = []
    for name, mutator in MUTATORS.items():
        found = list(attempted(MAKERS, cases_of(name, mutator.count), PROCESSES))
        _tell(found)
        rows.append(row_of(name, found))
    return {"rows": rows, "reached": not any(row[kind] for row in rows for kind in KINDS)}


def row_of(name: str, outcomes: Iterable[Outcome]) -> dict[str, object]:
    """Of one mutator: how many, from which seed, what went wrong, and the longest in seconds."""
    found = list(outcomes)
    kinds = Counter(one.kind for one in found)
    words = Counter(one.words for one in found if one.kind == HELD)
    return {
        "mutator": name, "mutations": len(found), "seed": found[0].case.seed,
        **{kind: kinds[kind] for kind in KINDS},
        "longest_s": max(one.seconds for one in found), "met": dict(words.most_common()),
    }  # fmt: skip


def _tell(outcomes: Iterable[Outcome]) -> None:
    """Prints the first of those that went wrong, so that they can be made again."""
    wrong = [one for one in outcomes if one.kind != HELD]
    for one in wrong[:SHOWN]:
        print(f"{one.case}: {one.kind}: {one.words}", file=sys.stderr)


def main(names: list[str]) -> int:
    """Makes the mutations `names` again, and says what becomes of each; 0 where all hold."""
    outcomes = list(attempted(MAKERS, [Case.named(name) for name in names]))
    for one in outcomes:
        print(f"{one.case}: {one.kind}: {one.words} ({one.seconds:.3f} s)")
    return 0 if all(one.kind == HELD for one in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
