"""Several jobs of `leadline simulate` at once: --job pattern=halo:4x4x4,ranks=64,..."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import TYPE_CHECKING

from leadline.cli.machines import read_allocation
from leadline.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from leadline.measure.spec import Order
    from leadline.simulate.campaign import Setup, SimulatedJob
    from leadline.topology.allocation import Allocation

KEYS = ("name", "pattern", "ranks", "allocation")
_NEXT_KEY = re.compile(r",(?=\w+=)")


@dataclass(frozen=True, slots=True)
class _Words:
    """What the user wrote of one job."""

    name: str
    pattern: str
    ranks: int
    allocation: str | None


def read_simulated_jobs(texts: Sequence[str], setup: Setup, order: Order) -> list[SimulatedJob]:
    """The jobs, each of one pattern, on slots that no two of them share.

    One without an allocation gets the machine's first slots, in its order, that no job has.

    Args:
        texts: As written after --job.
        setup: The machine, and how ranks are laid.
        order: Sizes and root.

    Raises:
        UsageError: A key is unknown or missing, too few slots, two jobs of one name or on one slot.
    """
    from leadline.measure.tracing import described_cells
    from leadline.simulate.campaign import SimulatedJob

    words = [_words(text, ascii_uppercase[number % 26]) for number, text in enumerate(texts)]
    if len({one.name for one in words}) < len(words):
        raise UsageError("two jobs have one name; give others: --job name=..,pattern=..")
    return [
        SimulatedJob(
            one.name,
            replace(setup, variant=f"{setup.variant}-{one.name}", pool=pool),
            described_cells(replace(order, patterns=(one.pattern,), ranks=(one.ranks,))),
        )
        for one, pool in zip(words, _pools(words, setup), strict=True)
    ]


def _words(text: str, letter: str) -> _Words:
    from leadline.cli.options import whole_number

    found: dict[str, str] = {}
    for part in _NEXT_KEY.split(text):
        key, _, value = part.partition("=")
        if key not in KEYS:
            raise unknown_name("key of --job", key, KEYS)
        if key in found:
            raise UsageError(f"--job {text!r} has {key} twice; give it once")
        found[key] = value
    for key in ("pattern", "ranks"):
        if not found.get(key):
            raise UsageError(f"--job {text!r} has no {key}; write pattern=halo:4x4x4,ranks=64")
    ranks = whole_number(found["ranks"], "--job ranks=", 1)
    return _Words(found.get("name", letter), found["pattern"], ranks, found.get("allocation"))


def _pools(words: Sequence[_Words], setup: Setup) -> list[Allocation]:
    """The slots of each job; those that ask for theirs come first."""
    import numpy as np

    from leadline.topology.allocation import first_slots

    whole = setup.machine.whole()
    order = setup.machine.allocate(len(whole))
    taken: dict[int, str] = {}
    pools: dict[str, Allocation] = {}
    for one in sorted(words, key=lambda one: one.allocation is None):
        if one.allocation is None:
            free = order.take(np.flatnonzero(~np.isin(order.numbers, list(taken))))
        else:
            free = read_allocation(whole, one.allocation)
        pools[one.name] = first_slots(free, one.ranks)
        for number in pools[one.name].numbers.tolist():
            if taken.setdefault(number, one.name) != one.name:
                raise UsageError(
                    f"jobs {taken[number]} and {one.name} both have slot {number} of "
                    f"{whole.name}; allocations of jobs must be disjoint"
                )
    return [pools[one.name] for one in words]
