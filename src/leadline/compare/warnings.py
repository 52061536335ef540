"""Warnings about a cell, a side or a whole run, and what to do about them.

Each warning has a code and a remedy (`record.warnings`); the conditions for them are here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from leadline.backends.kinds import is_raw
from leadline.compare.circumstances import EXCEEDED_SHARE, LINK_BOUND_SHARE, Circumstances, together
from leadline.compare.core_latencies import FAR, States, are_apart
from leadline.compare.medians import BlockMedians
from leadline.compare.samples import Samples
from leadline.compare.sides import Side
from leadline.record.curve import CurveKey
from leadline.record.provenance import Provenance
from leadline.record.run import Configuration, GridPlacement, Run
from leadline.record.slices import DISTURBED_SHARE, BatchFlag
from leadline.record.warnings import Factor, NotCounted, RunWarning, WarningKind, warning_of
from leadline.statistics.permutation import fewest_blocks
from leadline.units import format_size

OVERSUBSCRIBED = warning_of(WarningKind.OVERSUBSCRIBED)
LINK_BOUND = warning_of(WarningKind.LINK_BOUND, share=LINK_BOUND_SHARE)


def crowding(around: Circumstances) -> Iterator[RunWarning]:
    """Warn of more ranks than cores, and of the link that may excuse them."""
    if not around.oversubscribed:
        return
    yield OVERSUBSCRIBED if around.crowded else LINK_BOUND
    if around.link is not None and around.link_share is None:
        yield warning_of(WarningKind.LINK_RATE, link=around.link)
    elif around.link_share is not None and around.link_share > EXCEEDED_SHARE:
        yield warning_of(WarningKind.LINK_RATE, link=around.link, share=around.link_share)


def disturbed(around: Circumstances) -> RunWarning:
    """Warning that slices waited for cores, and how many."""
    times = {1: "once", 2: "twice"}.get(around.retaken, f"{around.retaken:,} times")
    return warning_of(
        WarningKind.DISTURBED,
        share=DISTURBED_SHARE,
        disturbed=around.disturbed,
        slices=around.slices,
        retaken=times if around.retaken > 0 else None,
        lost=around.lost,
    )


def handed_over(around: Circumstances) -> RunWarning:
    """Warning that the cores were in two states, and which of them the times are of."""
    counted, other = around.states.counted, around.states.other
    if (
        other.core_latency_ns is None
    ):  # of several pairs, each of which was near, one always was far
        return warning_of(
            WarningKind.CORE_STATES,
            visits=counted.visits,
            core_latency_ns=counted.core_latency_ns,
            times=FAR,
        )
    return warning_of(
        WarningKind.CORE_STATES,
        visits=counted.visits,
        core_latency_ns=counted.core_latency_ns,
        other_visits=other.visits,
        other_ns=other.core_latency_ns,
        lacking=f"{counted.visits:,}" if around.elsewhere else None,
    )


def too_few_blocks(blocks: int, lost: int) -> RunWarning:
    """Warning that `blocks` are too few for an interval, or that so many were `lost`."""
    needed = fewest_blocks(1)
    if blocks + lost < needed:
        return few_blocks(blocks)
    return warning_of(
        WarningKind.FEW_CLEAN_BLOCKS, measured=blocks + lost, counted=blocks, needed=needed
    )


def few_blocks(blocks: int, needed: int | None = None) -> RunWarning:
    """Warning that `blocks` are too few for a 95 % interval; with `needed` a test works, too.

    None: nothing is tested.
    """
    return warning_of(WarningKind.FEW_BLOCKS, measured=blocks, blocks=needed or fewest_blocks(1))


NOTABLE_READING = 0.02
"""Share of a batch that reading the clock may take: as much as a verdict's threshold usually is."""
USUAL_READING_NS = 30.0
"""Time to read the clock where a machine's isn't recorded."""
NOTABLE_RESIDUAL = 0.02
"""Share of an operation's time that hosts' clocks may differ by where it begins on all at once."""


def clock_bound(
    configuration: Configuration, flagged: bool, batch_s: float, reading_s: float
) -> Iterator[RunWarning]:
    """Warn that reading the clock is a notable part of a library's batches; not for raw limits.

    `flagged`: many of the batches are, by what their launch found. A smaller part decides nothing:
    verdicts are of ratios that differ by more.
    """
    if flagged and not is_raw(configuration.backend) and reading_s > NOTABLE_READING * batch_s:
        yield warning_of(WarningKind.CLOCK_BOUND, share=reading_s / batch_s)


def clocks_apart(around: Circumstances, operation_s: float) -> Iterator[RunWarning]:
    """Warn that a common beginning wasn't as common as an operation of so many seconds needs."""
    residual_ns = around.clock_residual_ns
    if residual_ns is not None and residual_ns * 1e-9 > NOTABLE_RESIDUAL * operation_s:
        residual_s = residual_ns * 1e-9
        yield warning_of(WarningKind.CLOCKS, residual_s=residual_s, share=residual_s / operation_s)


def disturbed_sides(pairs: Sequence[tuple[Side, Side]]) -> Iterator[RunWarning]:
    """Warn of each side whose ranks waited for cores in many slices, over all its cells."""
    for side in (side for pair in pairs for side in pair):
        around = together(side.circumstances)
        if around.spoilt:
            yield disturbed(around).of(side.label)


def handed_over_sides(pairs: Sequence[tuple[Side, Side]]) -> Iterator[RunWarning]:
    """Warn of each side whose cores were in two states in some cell, or not in the nearer one."""
    for side in (side for pair in pairs for side in pair):
        notable = (
            circumstance for circumstance in side.circumstances if circumstance.notably_outside
        )
        yield from (handed_over(circumstances).of(side.label) for circumstances in notable)


NOT_COUNTED = {
    BatchFlag.LATE: NotCounted.LATE,
    BatchFlag.APART: NotCounted.APART,
    BatchFlag.MISCOUNTED: NotCounted.MISCOUNTED,
}
"""Flags of batches that don't count."""


def untimed(run: Run, samples: Samples, medians: BlockMedians) -> tuple[RunWarning, ...]:
    """Warnings for each curve of each configuration with cells that were measured in vain."""
    in_vain = np.zeros(medians.seconds.shape[:2], np.bool_)
    in_vain[samples.configuration, samples.cell] = True
    in_vain &= ~np.any(medians.seconds > 0, axis=2)
    curves: dict[tuple[int, CurveKey], list[int]] = {}
    for c, k in np.argwhere(in_vain).tolist():
        curves.setdefault((c, CurveKey.of(run.cells[k], run.configurations[c])), []).append(k)
    # batches after warming up, all and then those left out for each of NOT_COUNTED, shape
    # (1 + flags, configurations, cells)
    groups = in_vain[samples.configuration, samples.cell]
    place = np.ravel_multi_index((samples.configuration, samples.cell), in_vain.shape)[groups]
    place = np.repeat(place, samples.numbers[groups])
    flags = samples.flags[samples.each(groups)]
    taken = (flags & int(BatchFlag.WARM_UP)) == 0
    chosen = [taken, *(taken & ((flags & int(flag)) != 0) for flag in NOT_COUNTED)]
    counts = [np.bincount(place[which], minlength=in_vain.size) for which in chosen]
    batches = np.reshape(counts, (len(chosen), *in_vain.shape))
    warnings: list[RunWarning] = []
    for (c, curve), cells in curves.items():
        sizes = ", ".join(format_size(run.cells[k].size_bytes) for k in cells)
        values: dict[str, object] = {
            "variant": run.configurations[c].variant,
            "pattern": curve.pattern,
            "sizes": None if sizes == format_size(0) else sizes,
            "ranks": curve.ranks,
        }
        every, *left_out = batches[:, c, cells].sum(axis=1).tolist()
        if every:
            values["batches"] = every
        if any(left_out):
            numbers = zip(left_out, NOT_COUNTED.values(), strict=True)
            values["lost"] = [why(number=number) for number, why in numbers if number]
        warnings.append(warning_of(WarningKind.NO_TIME, **values))
    return tuple(warnings)


INCOMPLETE = warning_of(WarningKind.INCOMPLETE)
HOSTS_DOWN = warning_of(WarningKind.HOST_DOWN)


def unfinished(*runs: Run) -> list[RunWarning]:
    """Reasons why some of `runs` have fewer blocks than planned, each of them once."""
    missing = [HOSTS_DOWN if run.awaits_hosts else INCOMPLETE for run in runs if not run.complete]
    return list(dict.fromkeys(missing))


def not_whole(run: Run) -> list[RunWarning]:
    """Warnings about what of `run` is damaged or missing; each names the run."""
    return named(run, (*run.damage, *unfinished(run)))


def named(run: Run, warnings: Iterable[RunWarning]) -> list[RunWarning]:
    """The warnings, each with the path of `run` in front of its cause."""
    names = f"{run.path}/", f"{run.path}:"
    return [
        warning if warning.cause.startswith(names) else warning.of(run.path) for warning in warnings
    ]


MACHINE_FACTORS = (
    "cpu", "cores", "allowed_cpus", "cpu_quota", "kernel", "clock_source", "governor",
)  # fmt: skip
"""Fields of HostFacts that change results and are seldom under study."""
BUILD_FACTORS = ("sockets", "numa_nodes", "threads_per_core", "network")
"""Further such fields, compared where both are known: earlier runs have none."""
SETTINGS = ("transport", "hosts", "binding", "environment", "arguments", "placement")
"""Such fields of a configuration; its version is what one most often studies."""
SHOWN = 80
"""Number of characters shown of the first line that only one library reports of itself."""


def unmatched_cells(first: Run, second: Run) -> Iterator[RunWarning]:
    """Warn that some cells are in one of the runs only, and how many."""
    alone = len(set(first.cells) ^ set(second.cells))
    if alone:
        yield warning_of(WarningKind.UNMATCHED_CELLS, cells=alone)


def machine_differences(first: Run, second: Run) -> Iterator[RunWarning]:
    """Warn of every factor of the machine in which the runs differ; unknown differs from known."""
    provenance, other = first.provenance, second.provenance
    yield from _differences("the runs", _factors(provenance), _factors(other))
    for name in BUILD_FACTORS:
        if None not in (getattr(provenance.machine, name), getattr(other.machine, name)):
            seen = {name: provenance.machine.shown(name)}, {name: other.machine.shown(name)}
            yield from _differences("the runs", *seen)


def inherited_differences(first: Run, second: Run) -> Iterator[RunWarning]:
    """Warn, at once, of all variables inherited by the ranks of two runs that differ."""
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
        yield warning_of(WarningKind.HIDDEN_DIFFERENCE, variables=seen, what=", ".join(differing))


def library_differences(first: tuple[Run, str], second: tuple[Run, str]) -> Iterator[RunWarning]:
    """Warn where libraries of the same version were built otherwise; each is a run's variant."""
    texts = [run.provenance.libraries.get(variant, "") for run, variant in (first, second)]
    if not all(texts) or texts[0] == texts[1]:
        return
    lines = [text.splitlines() for text in texts]
    only = [[line for line in lines[i] if line not in lines[1 - i]] for i in (0, 1)]
    seen = tuple(" ".join(" ".join(each[:1] or ["nothing more"]).split())[:SHOWN] for each in only)
    yield _difference(first[1], seen, *Factor.LIBRARY.value)


def launcher_differences(first: Run, second: Run) -> Iterator[RunWarning]:
    """Warn where a scheduler started the ranks of one of two runs; unknown differs from none."""
    launchers = [run.provenance.options.get("launcher") for run in (first, second)]
    if None not in launchers and launchers[0] != launchers[1]:
        yield _difference("the runs", tuple(map(str, launchers)), *Factor.LAUNCHER.value)


def state_differences(first: States, second: States) -> Iterator[RunWarning]:
    """Warn where the cores of two runs were in different states, and in which."""
    latencies_ns = [states.counted.core_latency_ns for states in (first, second)]
    if are_apart(*latencies_ns):
        words = tuple(f"{ns:.0f} ns" for ns in latencies_ns if ns is not None)
        yield _difference("the runs", words, *Factor.STATE.value)


def _factors(provenance: Provenance) -> dict[str, str]:
    factors = {name: provenance.machine.shown(name) for name in MACHINE_FACTORS}
    return factors | {"background_load": provenance.background_load or "none"}


def configuration_differences(first: Configuration, second: Configuration) -> Iterator[RunWarning]:
    """Warn of every setting in which two configurations that are compared differ."""
    before, after = (
        {name: getattr(configuration, name) for name in SETTINGS}
        for configuration in (first, second)
    )
    yield from _differences(first.variant, before, after)


def _differences(
    what: str, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[RunWarning]:
    for name in before:
        if before[name] != after[name]:
            yield _difference(what, (_shown(before[name]), _shown(after[name])), name, name)


def _difference(whose: str, seen: tuple[str, ...], factor: str, same: str) -> RunWarning:
    """Warning that `factor` differs, as `seen` in each, and that both are to have the `same`."""
    first, second = seen
    return warning_of(
        WarningKind.HIDDEN_DIFFERENCE,
        whose=whose,
        factor=factor,
        several=factor.endswith("s"),
        first=first,
        second=second,
        what=same,
    )


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={value[key]}" for key in sorted(value)) or "none"
    if isinstance(value, tuple | list):
        return " ".join(map(_shown, value)) or "none"
    return value.label if isinstance(value, GridPlacement) else str(value)
