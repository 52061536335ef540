"""What to know before a number is believed, and what to do: of a cell, a side, a whole run.

Each warning has a code and a remedy (`record.caveats`); here is what gives cause for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from leadline.backends.kinds import is_raw
from leadline.compare.circumstances import EXCEEDED_SHARE, LINK_BOUND_SHARE, Circumstances, together
from leadline.compare.handovers import FAR, States, Where, are_apart
from leadline.compare.medians import BlockMedians
from leadline.compare.samples import Samples
from leadline.compare.sides import Side
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.curve import CurveKey
from leadline.record.provenance import Provenance
from leadline.record.run import Configuration, GridPlacement, Run
from leadline.record.slices import DISTURBED_SHARE, BatchFlag, Counts
from leadline.statistics.permutation import fewest_blocks
from leadline.units import format_size, format_time

OVERSUBSCRIBED = CaveatKind.OVERSUBSCRIBED.because(
    "more ranks or threads than cores: the scheduler was measured along with the library"
)

LINK_BOUND = CaveatKind.LINK_BOUND.because(
    "more ranks or threads than cores, but a link carried at least "
    f"{100 * LINK_BOUND_SHARE:.0f} % of what its rate allows"
)


def crowding(around: Circumstances) -> Iterator[Caveat]:
    """What is to be said of more ranks than cores, and of the link that may excuse them."""
    if not around.oversubscribed:
        return
    yield OVERSUBSCRIBED if around.crowded else LINK_BOUND
    if around.link is not None and around.link_share is None:
        yield CaveatKind.LINK_RATE.because(f"{around.link} doesn't say what it allows")
    elif around.link_share is not None and around.link_share > EXCEEDED_SHARE:
        yield CaveatKind.LINK_RATE.because(
            f"{around.link} carried {100 * around.link_share:.0f} % of what its rate allows: the "
            "rate isn't the link's, or a burst was measured"
        )


def disturbed(around: Circumstances, whose: str = "") -> Caveat:
    """The warning that slices waited for cores, and how many."""
    times = {1: "once", 2: "twice"}.get(around.retaken, f"{around.retaken:,} times")
    again = f", though slices were taken again {times}" * (around.retaken > 0)
    lost = {0: "", 1: "; the median of one block doesn't count"}.get(
        around.lost, f"; the medians of {around.lost:,} blocks don't count"
    )
    return CaveatKind.DISTURBED.because(
        f"{whose}ranks waited for a core for over {100 * DISTURBED_SHARE:.0f} % of the time in "
        f"{around.disturbed} of {around.slices} slices{again}{lost}"
    )


def handed_over(around: Circumstances, whose: str = "") -> Caveat:
    """The warning that the cores were in two states, and which of them the times are of."""
    counted, other = around.states.counted, around.states.other
    handed = "ranks' cores handed a cache line to and fro in"
    if other.handover_ns is None:  # of several pairs, each of which was near, one always was far
        return CaveatKind.HANDOVER.because(
            f"{whose}in each of {counted.visits:,} visits some {handed} "
            f"{counted.handover_ns:.0f} ns, at least {FAR:.0f} times what they took at best"
        )
    which = "which don't count"
    if around.elsewhere:
        which = f"which count here, as this cell has none of the {counted.visits:,}"
    return CaveatKind.HANDOVER.because(
        f"{whose}in {counted.visits:,} of the run's visits {handed} "
        f"{counted.handover_ns:.0f} ns, in {other.visits:,} in {other.handover_ns:.0f} ns, {which}"
    )


def too_few_blocks(blocks: int, lost: int) -> Caveat:
    """The warning that `blocks` are too few for an interval, or that so many were `lost`."""
    needed = fewest_blocks(1)
    if blocks + lost < needed:
        return few_blocks(blocks)
    return CaveatKind.FEW_CLEAN_BLOCKS.because(
        f"of {blocks + lost} blocks {blocks} count, as ranks waited for a core in the others; an "
        f"interval of 95 % takes {needed}"
    )


def few_blocks(blocks: int, needed: int | None = None) -> Caveat:
    """The warning that `blocks` are too few for a 95 % interval; with `needed` a test works, too.

    None: nothing is tested.
    """
    return CaveatKind.FEW_BLOCKS.because(
        f"{blocks} block{'s' * (blocks != 1)} can't support a 95 % interval",
        blocks=needed or fewest_blocks(1),
    )


NOTABLE_READING = 0.02
"""Of a batch, the clock's part: as much as a verdict's threshold usually is."""
USUAL_READING_NS = 30.0
"""Of the clock, where a machine doesn't say."""
NOTABLE_RESIDUAL = 0.02
"""Of an operation's time: what hosts' clocks may be apart where it begins on all at once."""


def clock_bound(
    configuration: Configuration, flagged: bool, batch_s: float, reading_s: float
) -> Iterator[Caveat]:
    """That readings of the clock are a notable part of a library's batches; raw limits have none.

    `flagged`: many of the batches are, by what their launch found. A smaller part decides nothing:
    verdicts are of ratios that differ by more.
    """
    if flagged and not is_raw(configuration.backend) and reading_s > NOTABLE_READING * batch_s:
        yield CaveatKind.CLOCK_BOUND.because(
            f"reading the clock takes {100 * reading_s / batch_s:.0f} % of what is timed at once"
        )


def clocks_apart(around: Circumstances, operation_s: float) -> Iterator[Caveat]:
    """That a common beginning wasn't as common as an operation of so many seconds asks for."""
    residual_ns = around.clock_residual_ns
    if residual_ns is not None and residual_ns * 1e-9 > NOTABLE_RESIDUAL * operation_s:
        yield CaveatKind.CLOCKS.because(
            f"hosts' clocks were {format_time(residual_ns * 1e-9)} apart at the end of visits, "
            f"{100 * residual_ns * 1e-9 / operation_s:.0f} % of the time that is measured from a "
            "common beginning"
        )


def disturbed_sides(pairs: Sequence[tuple[Side, Side]]) -> Iterator[Caveat]:
    """Of each side whose ranks waited for cores in many slices, over all that it is compared in."""
    for side in (side for pair in pairs for side in pair):
        around = together(side.circumstances)
        if around.spoilt:
            yield disturbed(around, f"{side.label}: ")


def handed_over_sides(pairs: Sequence[tuple[Side, Side]]) -> Iterator[Caveat]:
    """Of each side whose cores were in two states in some cell, or not in the nearer one."""
    for side in (side for pair in pairs for side in pair):
        notable = (one for one in side.circumstances if one.notably_outside)
        yield from (handed_over(one, f"{side.label}: ") for one in notable)


CAUSES = {
    BatchFlag.LATE: "a rank started late",
    BatchFlag.APART: "ranks that were to contend ran apart",
    BatchFlag.MISCOUNTED: "the number of repetitions was badly wrong",
}


def untimed(run: Run, samples: Samples, medians: BlockMedians) -> tuple[Caveat, ...]:
    """A caveat for each curve of each configuration with cells that were measured in vain."""
    in_vain = np.zeros(medians.seconds.shape[:2], np.bool_)
    in_vain[samples.configuration, samples.cell] = True
    in_vain &= ~np.any(medians.seconds > 0, axis=2)
    curves: dict[tuple[int, CurveKey], list[int]] = {}
    for c, k in np.argwhere(in_vain).tolist():
        curves.setdefault((c, CurveKey.of(run.cells[k], run.configurations[c])), []).append(k)
    batches = _batches(samples, in_vain)
    return tuple(
        CaveatKind.NO_TIME.because(f"{_where(run, c, curve, cells)}: {_why(batches[:, c, cells])}")
        for (c, curve), cells in curves.items()
    )


def _batches(samples: Samples, in_vain: Where) -> Counts:
    """After warming up, all and then those left out for each of CAUSES.

    Shape (1 + causes, configurations, cells), 0 where not `in_vain`.
    """
    groups = in_vain[samples.configuration, samples.cell]
    cell = np.ravel_multi_index((samples.configuration, samples.cell), in_vain.shape)[groups]
    flags = samples.flags[samples.each(groups)]
    place = np.repeat(cell, samples.numbers[groups])
    taken = (flags & int(BatchFlag.WARM_UP)) == 0
    chosen = [taken, *(taken & ((flags & int(flag)) != 0) for flag in CAUSES)]
    found = [np.bincount(place[those], minlength=in_vain.size) for those in chosen]
    return np.reshape(found, (len(chosen), *in_vain.shape))


def _where(run: Run, configuration: int, curve: CurveKey, cells: list[int]) -> str:
    sizes = ", ".join(format_size(run.cells[k].size_bytes) for k in cells)
    at = "" if sizes == format_size(0) else f" at {sizes}"
    variant = run.configurations[configuration].variant
    return f"{variant}, {curve.pattern}{at}, {curve.ranks} rank{'s' * (curve.ranks != 1)}"


def _why(batches: Counts) -> str:
    """Of some cells, shape (1 + causes, cells)."""
    every, *left_out = batches.sum(axis=1).tolist()
    if every == 0:
        return "no batch was taken after warming up"
    if not any(left_out):
        return f"each of {every:,} batches took less than the clock can tell"
    numbers = zip(left_out, CAUSES.values(), strict=True)
    why = ", ".join(f"in {number:,} {cause}" for number, cause in numbers if number)
    return f"none of {every:,} batches counts: {why}"


INCOMPLETE = CaveatKind.INCOMPLETE.because("a run was interrupted: later blocks are missing")
HOSTS_DOWN = CaveatKind.HOST_DOWN.because("hosts went down: blocks with ranks on them are missing")


def unfinished(*runs: Run) -> list[Caveat]:
    """Why some of `runs` have fewer blocks than they were to have, each reason once."""
    missing = [HOSTS_DOWN if run.awaits_hosts else INCOMPLETE for run in runs if not run.complete]
    return list(dict.fromkeys(missing))


def not_whole(run: Run) -> list[Caveat]:
    """What of `run` is damaged or missing; each names it."""
    return named(run, (*run.damage, *unfinished(run)))


def named(run: Run, caveats: Iterable[Caveat]) -> list[Caveat]:
    """`caveats`, each of which says that it is of `run`."""
    names = f"{run.path}/", f"{run.path}:"
    return [
        one if one.cause.startswith(names) else replace(one, cause=f"{run.path}: {one.cause}")
        for one in caveats
    ]


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
