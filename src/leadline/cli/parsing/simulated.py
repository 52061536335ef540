"""Simulated machines as a command line names them: where ranks are placed, and what they do.

Also several jobs at once: --job pattern=halo:4x4x4,ranks=64,...
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING

from leadline.cli.parsing.jobs import read_allocation
from leadline.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from leadline.measure.spec import Request
    from leadline.simulate.campaign import Setup, SimulatedJob
    from leadline.simulate.machine import MachineModel
    from leadline.topology.allocation import Allocation

DEFAULT_PATTERNS, DEFAULT_RANKS = "pingpong,pair,halo", "2"


def jobs_by_machine(arguments: argparse.Namespace) -> list[list[SimulatedJob]]:
    """The jobs on the machine, and those on the changed one where --what-if asks for it.

    Without --job there is one, of all patterns and without a name.

    Raises:
        UsageError: Something asked for doesn't exist or can't be.
        FileError: A file isn't what it is to be.
    """
    from leadline.cli.parsing.options import ranks_of, root_of, sizes_of, words
    from leadline.measure.spec import Request
    from leadline.measure.tracing import described_cells
    from leadline.simulate.campaign import SimulatedJob, check_placements
    from leadline.simulate.replay import check_replayable

    given = {
        "--patterns": arguments.patterns != DEFAULT_PATTERNS,
        "--ranks": arguments.ranks != DEFAULT_RANKS,
        "--allocation": arguments.allocation is not None,
    }
    for option in (option for option, is_given in given.items() if is_given and arguments.job):
        raise UsageError(
            f"{option} is for one job alone; write into each --job what it is of: "
            "pattern=halo:4x4x4,ranks=64,allocation=list:FILE"
        )
    setups = _setups(arguments)
    ranks = ranks_of(arguments.ranks)
    request = Request(
        patterns=tuple(words(arguments.patterns, "--patterns")),
        sizes=sizes_of(arguments.sizes),
        sizes_asked=arguments.sizes is not None,
        ranks=ranks,
        root=root_of(arguments.root, ranks),
    )
    if arguments.job:
        by_setup = [read_simulated_jobs(arguments.job, setup, request) for setup in setups]
    else:
        cells = described_cells(request)
        by_setup = [[SimulatedJob("", setup, cells)] for setup in setups]
    for jobs in by_setup:
        check_placements(jobs)
        for job in jobs if arguments.plot else ():
            check_replayable(job.setup, job.cells)
    return by_setup


def _setups(arguments: argparse.Namespace) -> list[Setup]:
    """The machine, and the changed one where --what-if asks for it.

    What differs from the default is in the name: "cray-t3e-900", "cray-t3e-900-cray-mpi-hops".
    """
    from leadline.files import read_text
    from leadline.measure.spec import check_name, name_from
    from leadline.simulate.campaign import MAPPINGS, Setup
    from leadline.simulate.machine_files import machine_named
    from leadline.simulate.what_if import changed, suffix_of
    from leadline.topology.readers.slots import parse_slots

    machine, mapping = machine_named(arguments.machine), arguments.mapping
    library = library_of(machine, arguments.library)
    slots: dict[str, tuple[int, ...]] = {}
    if mapping not in MAPPINGS:
        if not Path(mapping).exists() and not Path(mapping).suffix and "/" not in mapping:
            raise unknown_name("--mapping, and no file of slots,", mapping, MAPPINGS)
        slots = {mapping: parse_slots(read_text(mapping), mapping)}
    parts = [machine.name]
    parts += [library] if library != next(iter(machine.profiles)) else []
    parts += [Path(mapping).stem] if mapping != "default" else []
    name = check_name(arguments.name or name_from("-".join(parts)))
    wanted = [(name, machine, "")]
    if arguments.what_if is not None:
        beside = check_name(name + suffix_of(arguments.what_if))
        wanted.append((beside, changed(machine, arguments.what_if), arguments.what_if))
    return [
        Setup(
            name, model, model.profiles[library], mapping, slots, what_if, pool_of(model, arguments)
        )
        for name, model, what_if in wanted
    ]


def pool_of(machine: MachineModel, arguments: argparse.Namespace) -> Allocation | None:
    """The slots that --allocation chooses; None: it isn't given."""
    if arguments.allocation is None:
        return None
    return read_allocation(machine.whole(), arguments.allocation)


def library_of(machine: MachineModel, name: str | None) -> str:
    """The library that --library names, or the machine's first; UsageError: it hasn't got it."""
    if name is not None and name not in machine.profiles:
        known = ", ".join(machine.profiles)
        raise UsageError(f"unknown library of {machine.name} {name!r}; choose from: {known}")
    return name or next(iter(machine.profiles))


KEYS = ("name", "pattern", "ranks", "allocation")
_NEXT_KEY = re.compile(r",(?=\w+=)")


@dataclass(frozen=True, slots=True)
class _Words:
    """What the user wrote of one job."""

    name: str
    pattern: str
    ranks: int
    allocation: str | None


def read_simulated_jobs(texts: Sequence[str], setup: Setup, request: Request) -> list[SimulatedJob]:
    """The jobs, each of one pattern, on slots that no two of them share.

    One without an allocation gets the machine's first slots, in its order, that no job has.

    Args:
        texts: As written after --job.
        setup: The machine, and how ranks are placed.
        request: Sizes and root.

    Raises:
        UsageError: A key is unknown or missing, too few slots, two jobs of one name or on one slot.
    """
    from leadline.measure.tracing import described_cells
    from leadline.simulate.campaign import SimulatedJob

    words = [_words(text, ascii_uppercase[number % 26]) for number, text in enumerate(texts)]
    if len({word.name for word in words}) < len(words):
        raise UsageError("two jobs have one name; give others: --job name=..,pattern=..")
    return [
        SimulatedJob(
            one.name,
            replace(setup, variant=f"{setup.variant}-{one.name}", pool=pool),
            described_cells(replace(request, patterns=(one.pattern,), ranks=(one.ranks,))),
        )
        for one, pool in zip(words, _pools(words, setup), strict=True)
    ]


def _words(text: str, letter: str) -> _Words:
    """The words in one --job; one without a name is called `letter`."""
    from leadline.cli.parsing.options import whole_number

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
    """The slots of each job; those with an allocation of their own choose first."""
    import numpy as np

    from leadline.topology.allocation import first_slots

    whole = setup.machine.whole()
    order = setup.machine.allocate(len(whole))
    taken: dict[int, str] = {}
    pools: dict[str, Allocation] = {}
    for word in sorted(words, key=lambda word: word.allocation is None):
        if word.allocation is None:
            free = order.take(np.flatnonzero(~np.isin(order.numbers, list(taken))))
        else:
            free = read_allocation(whole, word.allocation)
        pools[word.name] = first_slots(free, word.ranks)
        for number in pools[word.name].numbers.tolist():
            if taken.setdefault(number, word.name) != word.name:
                raise UsageError(
                    f"jobs {taken[number]} and {word.name} both have slot {number} of "
                    f"{whole.name}; allocations of jobs must be disjoint"
                )
    return [pools[word.name] for word in words]
