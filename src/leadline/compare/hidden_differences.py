"""Two runs may differ in more than what is under study: what is refused, what is footnoted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from leadline.compare.handovers import States, are_apart
from leadline.errors import UsageError
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.provenance import Provenance
from leadline.record.run import Buffers, Cell, Configuration, GridPlacement, Run

MACHINE_FACTORS = (
    "cpu", "cores", "allowed_cpus", "cpu_quota", "kernel", "clock_source", "governor",
)  # fmt: skip
"""Of HostFacts: what changes results and is seldom under study."""
BUILD_FACTORS = ("sockets", "numa_nodes", "threads_per_core", "network")
"""Likewise, where both are known: earlier runs have none."""
SETTINGS = ("transport", "hosts", "binding", "environment", "arguments", "placement")
"""Of a configuration, likewise; its version is what one most often studies."""
SHOWN = 80
"""Characters of the first line that only one library says of itself."""


def common_cells(first: Run, second: Run) -> tuple[Cell, ...]:
    """The cells that both runs have, in the order of the first.

    UsageError where there are none; it says so if only the buffer policy is in the way.
    """
    common = tuple(cell for cell in first.cells if cell in set(second.cells))
    if common:
        return common
    where = f"{first.path} and {second.path}"
    if {_any_buffers(cell) for cell in first.cells} & {_any_buffers(c) for c in second.cells}:
        seen = [", ".join(sorted({cell.buffers for cell in run.cells})) for run in (first, second)]
        raise UsageError(
            f"{where} used different buffers ({seen[0]}; {seen[1]}), which decide the result; "
            f"measure both with the same --buffers"
        )
    raise UsageError(f"{where} have no cell in common; measure the same --patterns and --sizes")


def _any_buffers(cell: Cell) -> Cell:
    return replace(cell, buffers=Buffers.ECHO)


def unmatched_cells(first: Run, second: Run) -> Iterator[Caveat]:
    """Says how many cells only one of the runs has."""
    alone = len(set(first.cells) ^ set(second.cells))
    if alone:
        yield CaveatKind.UNMATCHED_CELLS.because(
            f"{alone} cells are in one run only (pattern, size, buffers or cadence) and left out"
        )


def machine_differences(first: Run, second: Run) -> Iterator[Caveat]:
    """Names every factor of the machine in which the runs differ; unknown differs from known."""
    one, other = first.provenance, second.provenance
    yield from _differences("the runs", _factors(one), _factors(other))
    for name in BUILD_FACTORS:
        if None not in (getattr(one.machine, name), getattr(other.machine, name)):
            seen = {name: one.machine.shown(name)}, {name: other.machine.shown(name)}
            yield from _differences("the runs", *seen)


def inherited_differences(first: Run, second: Run) -> Iterator[Caveat]:
    """Names together the variables in which those differ that ranks of two runs inherited."""
    before, after = first.provenance.inherited, second.provenance.inherited
    if before is None or after is None:
        return
    names = sorted(before.keys() | after.keys())
    differing = [name for name in names if before.get(name) != after.get(name)]
    if differing:
        seen = [
            f"{name} ({before.get(name, 'not set')}; {after.get(name, 'not set')})"
            for name in differing
        ]
        yield CaveatKind.HIDDEN_DIFFERENCE.because(
            f"the runs: inherited variables differ: {', '.join(seen)}, and may be what the ratio "
            "shows",
            what=", ".join(differing),
        )


def library_differences(first: tuple[Run, str], second: tuple[Run, str]) -> Iterator[Caveat]:
    """Says so where libraries of the same version were built otherwise; each a run's variant."""
    texts = [run.provenance.libraries.get(variant, "") for run, variant in (first, second)]
    if not all(texts) or texts[0] == texts[1]:
        return
    lines = [text.splitlines() for text in texts]
    only = [[line for line in lines[i] if line not in lines[1 - i]] for i in (0, 1)]
    seen = tuple(" ".join(" ".join(each[:1] or ["nothing more"]).split())[:SHOWN] for each in only)
    what = "the build of its library"
    yield _difference(first[1], what, seen, "library's build (report shows its whole text)")


def library_changed(runs: tuple[Run, Run], of: tuple[Configuration, Configuration]) -> bool:
    """Whether its version or, where both runs know it, its compiler differs."""
    versions = {one.version for one in of}
    told = zip(runs, of, strict=True)
    compilers = {run.provenance.compilers.get(one.variant) for run, one in told}
    return len(versions) > 1 or len(compilers - {None}) > 1


def launcher_differences(first: Run, second: Run) -> Iterator[Caveat]:
    """Says so where a scheduler started the ranks of one of two runs; unknown differs from none."""
    seen = [run.provenance.options.get("launcher") for run in (first, second)]
    if None not in seen and seen[0] != seen[1]:
        words = tuple(map(str, seen))
        yield _difference("the runs", "the ranks' launcher", words, "--launcher")


def state_differences(first: States, second: States) -> Iterator[Caveat]:
    """Says where the cores of two runs were in different states, and in which."""
    seen = [one.counted.handover_ns for one in (first, second)]
    if are_apart(*seen):
        words = tuple(f"{one:.0f} ns" for one in seen if one is not None)
        what = "hand-over (leadline run --against RUN measures both in one run)"
        yield _difference("the runs", "the hand-over of a cache line", words, what)


def same_machine(first: Run, second: Run) -> bool:
    """Whether nothing is known that differs between the machines of two runs, its name included."""
    hosts = {run.machine.shown("host") for run in (first, second)}
    return len(hosts) == 1 and not list(machine_differences(first, second))


def _factors(provenance: Provenance) -> dict[str, str]:
    factors = {name: provenance.machine.shown(name) for name in MACHINE_FACTORS}
    return factors | {"background_load": provenance.background_load or "none"}


def configuration_differences(first: Configuration, second: Configuration) -> Iterator[Caveat]:
    """Names every setting in which two configurations that are compared differ."""
    before, after = (
        {name: getattr(configuration, name) for name in SETTINGS}
        for configuration in (first, second)
    )
    yield from _differences(first.variant, before, after)


def _differences(
    what: str, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[Caveat]:
    for name in before:
        if before[name] != after[name]:
            yield _difference(what, name, (_shown(before[name]), _shown(after[name])), name)


def _difference(whose: str, what: str, seen: Sequence[str], same: str) -> Caveat:
    """The warning that `what` differs, and that both are to have the `same`."""
    verb = "differ" if what.endswith("s") else "differs"
    return CaveatKind.HIDDEN_DIFFERENCE.because(
        f"{whose}: {what} {verb} ({'; '.join(seen)}) and may be what the ratio shows", what=same
    )


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={value[key]}" for key in sorted(value)) or "none"
    if isinstance(value, tuple | list):
        return " ".join(map(_shown, value)) or "none"
    return value.label if isinstance(value, GridPlacement) else str(value)
