"""Where ranks are laid in a pattern's grid: as makes a metric small, or as a file says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from leadline.errors import UsageError, unknown_name
from leadline.files import read_text
from leadline.hosts.placement import Hosts
from leadline.mapping import METRICS, evaluate, map_ranks
from leadline.measure.grids import grid_of
from leadline.measure.plan import Group, Plan
from leadline.measure.spec import Variant, VariantSpec
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import GridPlacement
from leadline.topology.communication import Grid
from leadline.topology.networks import Machine
from leadline.topology.readers.slots import parse_slots
from leadline.topology.words import synthetic_machine

OF_FILES = "internode"
"""The metric by which a file's placement is judged."""

Slots = tuple[int, ...]
"""Of each rank, a permutation."""


def machine_of(hosts: Hosts, ranks: int) -> Machine:
    """The nodes that `ranks` slots lie on, one a rank in the order of ranks, e.g. nodes:4x4."""
    counts = list(Counter(hosts.place(rank, ranks) for rank in range(ranks)).values())
    if len(set(counts)) == 1:
        return synthetic_machine(f"nodes:{len(counts)}x{counts[0]}").machine
    return synthetic_machine(f"nodes:{','.join(map(str, counts))}").machine


def slots_in_files(variants: Sequence[VariantSpec | Variant]) -> dict[str, Slots]:
    """The slots in every file that a map of `variants` names, by its name.

    Raises:
        UsageError: A map is neither a metric nor a file that can be read.
        LineError: A file has no permutation.
    """
    named = {one.map: one.name for one in variants if one.map and one.map not in METRICS}
    return {file: parse_slots(_text(file, variant), file) for file, variant in named.items()}


def _text(file: str, variant: str) -> str:
    try:
        return read_text(file)
    except UsageError as error:
        why = str(error).removeprefix(f"{file}: ")
        raise UsageError(
            f"variant {variant!r}: map:{file} is neither a metric nor a file of slots: "
            f"{unknown_name('metric', file, METRICS)}; as a file: {why}"
        ) from None


def placed(
    plan: Plan, hosts: Hosts, variants: Sequence[Variant], files: Mapping[str, Slots]
) -> Plan:
    """`plan` with the placements that variants' maps come to.

    Args:
        plan: What will be measured; made where no grid is laid.
        hosts: That ranks are spread over.
        variants: Of which some have a map: a metric, or a name in `files`.
        files: Slots by the name of their file.

    Raises:
        UsageError: A file has slots for more or fewer ranks than a pattern.
    """
    mapped = [variant for variant in variants if variant.map]
    if not mapped:
        return plan
    groups = tuple(
        replace(group, placements=_placements(group, hosts, mapped, files)) for group in plan.groups
    )
    caveats = [caveat for group in groups for caveat in gains_nothing(group.placements)]
    return replace(plan, groups=groups, caveats=(*plan.caveats, *caveats))


def _placements(
    group: Group, hosts: Hosts, mapped: Sequence[Variant], files: Mapping[str, Slots]
) -> dict[str, tuple[GridPlacement, ...]]:
    """By variant with a map where it lays the grid of each pattern that it has in `group`."""
    found = {}
    for variant in mapped:
        machine = _ground(variant, hosts, group.ranks)
        grids = {
            planned.choice.label: grid_of(planned.choice, planned.pattern, group.ranks)
            for planned in group.cells
            if variant.name in planned.variants
        }
        found[variant.name] = tuple(
            placement(pattern, grid, machine, variant.map, files) for pattern, grid in grids.items()
        )
    return {variant: laid for variant, laid in found.items() if laid}


def _ground(variant: Variant, hosts: Hosts, ranks: int) -> Machine:
    """The machine that the ranks of `variant` are on, or that they are simulated on."""
    simulated = variant.simulated_on
    return simulated.launches[ranks].machine if simulated else machine_of(hosts, ranks)


def gains_nothing(placements: Mapping[str, Sequence[GridPlacement]]) -> Iterator[Caveat]:
    """Says whose placement is no better by its metric than ranks in their order."""
    for variant, of_variant in placements.items():
        for laid in of_variant:
            if laid.metric in METRICS and laid.after == laid.before:
                yield CaveatKind.NO_GAIN.because(
                    f"{variant}: no better placement of {laid.pattern} on {laid.machine} was found "
                    f"by {laid.metric}, which is {laid.before:g} with ranks in their order"
                )


def placement(
    pattern: str, grid: Grid, machine: Machine, map_word: str, files: Mapping[str, Slots]
) -> GridPlacement:
    """Where the vertices of `grid` are laid on `machine`; by a metric never worse than in order.

    Equal arguments give equal slots everywhere.

    Args:
        pattern: With its options.
        grid: Its grid, a vertex a slot.
        machine: A slot a rank.
        map_word: A metric or a name in `files`.
        files: Slots by the name of their file.

    Raises:
        UsageError: A file has slots for more or fewer ranks.
    """
    if map_word in METRICS:
        found = map_ranks(grid, machine, metric=map_word)
        slots, judged = tuple(found.permutation.tolist()), [found.before, found.after]
    else:
        slots = _slots_for(pattern, len(machine.slots), map_word, files)
        orders = range(len(slots)), slots
        judged = [evaluate(grid, machine, np.array(one, dtype=np.int64)) for one in orders]
    figure = METRICS.get(map_word, METRICS[OF_FILES])
    before, after = (float(getattr(metrics, figure)) for metrics in judged)
    return GridPlacement(pattern, slots, map_word, machine.name, before, after)


def _slots_for(pattern: str, ranks: int, file: str, files: Mapping[str, Slots]) -> Slots:
    if len(files[file]) != ranks:
        raise UsageError(
            f"{file} has {len(files[file])} slots, {pattern} has {ranks} ranks; give a file with a "
            "slot for each"
        )
    return files[file]
