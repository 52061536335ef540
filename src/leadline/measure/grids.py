"""The grids on which patterns exchange: their shape, what is sent, and where ranks are placed.

Kernels describe the grids. What is sent are facts that rates are made of, stored with a run. Ranks
are placed where that makes a metric small, or as a file says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from leadline.errors import UsageError, unknown_name
from leadline.files import read_text
from leadline.hosts.placement import Hosts
from leadline.mapping import METRICS, dims_create, evaluate, map_ranks
from leadline.measure.cells import PlannedCell
from leadline.measure.plan import Plan
from leadline.measure.spec import Variant, VariantSpec
from leadline.patterns.pattern import CORNERS, NO_WINDOWS, Pattern, PatternChoice
from leadline.record.provenance import Sends
from leadline.record.run import GridPlacement
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.topology.communication import Grid, messages_on
from leadline.topology.networks import Machine
from leadline.topology.readers.slots import parse_slots
from leadline.topology.words import synthetic_machine


def grid_of(choice: PatternChoice, pattern: Pattern, ranks: int) -> Grid:
    """The grid of a pattern that has one, of `ranks` vertices; every message weighs 1."""
    dims = choice.dims
    if not dims:
        dims = (2, ranks // 2) if pattern.in_pairs else dims_create(ranks, pattern.axes)
    along = choice.axes_along(pattern)
    options = {key: option.words[0] for key, option in pattern.options.items() if option.words}
    options |= {chosen.key: chosen.value for chosen in choice.options}
    return Grid(
        dims,
        periodic=("periodic" in options.values(),) * len(dims),
        weights=((1.0, 1.0),) * along + ((0.0, 0.0),) * (len(dims) - along),
        diagonals=CORNERS in choice.options,
    )


def windows_of(cells: Iterable[PlannedCell]) -> dict[str, str]:
    """By pattern that sends windows of messages: "one" window, or one for each "pair" of ranks."""
    patterns = (planned.pattern for planned in cells)
    return {pattern.name: pattern.windows for pattern in patterns if pattern.windows != NO_WINDOWS}


def sends_of(groups: Iterable[tuple[int, Sequence[PlannedCell]]]) -> tuple[Sends, ...]:
    """What patterns on a grid send in a repetition, in messages.

    `groups` has pairs of a number of ranks and the cells that are measured with it; each pattern is
    counted once for each number of ranks.
    """
    found = {}
    for ranks, cells in groups:
        for planned in cells:
            if planned.pattern.axes:
                messages = messages_on(grid_of(planned.choice, planned.pattern, ranks))
                label = planned.choice.label
                found[label, ranks] = Sends(
                    label,
                    ranks,
                    messages.all_ranks,
                    messages.busiest_rank,
                    planned.pattern.in_pairs,
                )
    return tuple(found.values())


OF_FILES = "internode"
"""The metric by which a file's placement is judged."""

Slots = tuple[int, ...]
"""The slot of each rank, a permutation."""


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
    slots = {}
    for file, variant in named.items():
        try:
            text = read_text(file)
        except UsageError as error:
            why = str(error).removeprefix(f"{file}: ")
            raise UsageError(
                f"variant {variant!r}: map:{file} is neither a metric nor a file of slots: "
                f"{unknown_name('metric', file, METRICS)}; as a file: {why}"
            ) from None
        slots[file] = parse_slots(text, file)
    return slots


def placed(
    plan: Plan, hosts: Hosts, variants: Sequence[Variant], files: Mapping[str, Slots]
) -> Plan:
    """`plan` with the placements that variants' maps come to.

    Args:
        plan: What will be measured, its groups without placements.
        hosts: That ranks are spread over.
        variants: Of which some have a map: a metric, or a name in `files`.
        files: Slots by the name of their file.

    Raises:
        UsageError: A file has slots for more or fewer ranks than a pattern.
    """
    mapped = [variant for variant in variants if variant.map]
    if not mapped:
        return plan
    groups = []
    for group in plan.groups:
        placements = {}
        for variant in mapped:
            simulated, ranks = variant.simulated_on, group.ranks
            machine = simulated.launches[ranks].machine if simulated else machine_of(hosts, ranks)
            grids = {
                planned.choice.label: grid_of(planned.choice, planned.pattern, ranks)
                for planned in group.cells
                if variant.name in planned.variants
            }
            if grids:
                placements[variant.name] = tuple(
                    placement(pattern, grid, machine, variant.map, files)
                    for pattern, grid in grids.items()
                )
        groups.append(replace(group, placements=placements))
    warnings = [warning for group in groups for warning in gains_nothing(group.placements)]
    return replace(plan, groups=tuple(groups), warnings=(*plan.warnings, *warnings))


def gains_nothing(placements: Mapping[str, Sequence[GridPlacement]]) -> Iterator[RunWarning]:
    """A warning for each placement that is no better by its metric than ranks in their order."""
    for variant, of_variant in placements.items():
        for placed_grid in of_variant:
            metric, before = placed_grid.metric, placed_grid.before
            if metric in METRICS and placed_grid.after == before:
                yield warning_of(
                    WarningKind.NO_GAIN,
                    variant=variant,
                    pattern=placed_grid.pattern,
                    machine=placed_grid.machine,
                    metric=metric,
                    before=before,
                )


def placement(
    pattern: str, grid: Grid, machine: Machine, map_word: str, files: Mapping[str, Slots]
) -> GridPlacement:
    """Where the vertices of `grid` are placed on `machine`; by a metric never worse than in order.

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
        mapping = map_ranks(grid, machine, metric=map_word)
        slots, judged = tuple(mapping.permutation.tolist()), [mapping.before, mapping.after]
    else:
        slots, ranks = files[map_word], len(machine.slots)
        if len(slots) != ranks:
            raise UsageError(
                f"{map_word} has {len(slots)} slots, {pattern} has {ranks} ranks; give a file with "
                "a slot for each"
            )
        orders = range(len(slots)), slots
        judged = [evaluate(grid, machine, np.array(order, dtype=np.int64)) for order in orders]
    figure = METRICS.get(map_word, METRICS[OF_FILES])
    before, after = (float(getattr(metrics, figure)) for metrics in judged)
    return GridPlacement(pattern, slots, map_word, machine.name, before, after)
