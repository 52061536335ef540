"""How ranks are mapped, in tables and sentences.

What `leadline map` prints for one job, and for several that share a network; the grids of
`leadline dims`; and the placements of ranks that a campaign has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from leadline.mapping import METRICS, Metrics, RankMapping
from leadline.mapping.inside import HopsInside
from leadline.mapping.metrics import reaches
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.catalogue import MappingWords
from leadline.report.text.phrases import MISSING, plural, share
from leadline.topology.job import Job, label_of
from leadline.units import significant

if TYPE_CHECKING:  # `leadline map` loads neither
    from leadline.mapping.interference import Sharing
    from leadline.record.run import Configuration, GridPlacement

LABELS: Mapping[str, str] = {
    "average_hops": "average hops",
    "max_hops": "most hops",
    "max_link_load": "load of the busiest link",
    "hop_bytes": "hop-bytes",
    "internode_edges": "inter-node edges",
    "max_node_edges": "most edges of a node",
}
"""Metrics of a mapping by their names in JSON."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """A job, the metric that was minimised, and how its ranks are mapped."""

    job: Job
    metric: str
    mapping: RankMapping
    alone: bool = False
    """Only one method was asked for, whose mapping may be worse than ranks in their order."""
    inside: HopsInside | None = None
    """None: the inside of hosts isn't described."""

    @property
    def before(self) -> Mapping[str, Any]:
        """Metrics of ranks in their order, the identity."""
        return asdict(self.mapping.before)

    @property
    def after(self) -> Mapping[str, Any]:
        """Metrics of the mapping."""
        return asdict(self.mapping.after)


def mapping_document(mapped: Mapped) -> Document:
    """One table of metrics before and after, and what to make of them."""
    job = mapped.job
    heading = SEPARATOR.join(
        [
            f"{label_of(job.pattern)} on {job.allocation.name}",
            plural(len(job.allocation), "rank"),
            f"least {LABELS[METRICS[mapped.metric]]}",
        ]
    )
    chosen = METRICS[mapped.metric]
    worse = [name for name in LABELS if _is_worse(mapped, name)]
    notes = [_verdict(mapped)]
    if others := [f"{LABELS[one]} ({_exchange(mapped, one)})" for one in worse if one != chosen]:
        more = MappingWords.LIKEWISE if chosen in worse else MappingWords.PRICE
        notes.append(more(metrics=others))
    if hops := mapped.inside:
        had, has = number("hop_bytes", hops.in_order), number("hop_bytes", hops.mapped)
        less = hops.mapped < hops.in_order
        notes.append(MappingWords.INSIDE(mapped=has, in_order=had if less else None))
    notes.append(
        MappingWords.METHOD(
            method=mapped.mapping.method, alone=mapped.alone, seconds=mapped.mapping.seconds
        )
    )
    return [Section(heading, metrics_table(mapped), tuple(notes))]


def metrics_table(mapped: Mapped) -> Table:
    """A row a metric; the lower bound beside the one that was chosen."""
    chosen, bound = METRICS[mapped.metric], mapped.mapping.lower_bound
    rows = [
        (
            LABELS[name],
            number(name, mapped.before[name]),
            number(name, mapped.after[name]),
            number(name, bound) if name == chosen else MISSING,
        )
        for name in LABELS
    ]
    return Table(("", "before", "after", "lower bound"), tuple(rows))


def number(name: str, value: float) -> str:
    """A metric's value: averages with two decimals, counts as they are."""
    if name == "average_hops":
        return f"{value:.2f}"
    return f"{value:,.0f}" if value == round(value) else significant(value)


def _verdict(mapped: Mapped) -> str:
    name, optimal = METRICS[mapped.metric], mapped.mapping.proven_optimal
    before, after = mapped.before[name], mapped.after[name]
    label = LABELS[name].capitalize()
    if _is_worse(mapped, name):
        return MappingWords.WORSE(metric=label, change=_exchange(mapped, name))
    if after >= before and optimal:
        return MappingWords.ORDER_OPTIMAL(metric=label)
    if after >= before:
        return MappingWords.NOTHING_BETTER(metric=label)
    return MappingWords.LESS(metric=label, share=share(1 - after / before), optimal=optimal)


def _is_worse(mapped: Mapped, name: str) -> bool:
    return not reaches(mapped.after[name], mapped.before[name])


def _exchange(mapped: Mapped, name: str) -> str:
    before, after = number(name, mapped.before[name]), number(name, mapped.after[name])
    return MappingWords.INSTEAD(after=after, before=before)


# -- several jobs on one network -------------------------------------------------------------------

STATES = ("before", "mapped", "divided again")


def sharing_document(sharing: Sharing, machine: str) -> Document:
    """Jobs with their average hops, the load that they put on each other's links, the best slots.

    Args:
        sharing: The jobs on their slots, mapped, and with the slots divided again.
        machine: Its name.
    """
    states = (sharing.before, sharing.mapped, sharing.divided)
    jobs = sharing.before.jobs
    ranks = plural(sum(len(job.allocation) for job in jobs), "rank")
    heading = SEPARATOR.join([f"{plural(len(jobs), 'job')} on {machine}", ranks, "average hops"])
    hops = tuple(
        (
            job.name,
            label_of(job.pattern),
            *(f"{state.metrics[i].average_hops:.2f}" for state in states),
        )
        for i, job in enumerate(jobs)
    )
    loads = [
        (other.name, job.name, *(_load(float(state.traffic[i, j])) for state in states))
        for i, job in enumerate(jobs)
        for j, other in enumerate(jobs)
        if i != j
    ]
    loads.append(("all", "others", *(_load(state.foreign) for state in states)))
    before, mapped, divided = (state.foreign for state in states)
    if before == 0:
        note = MappingWords.NO_SHARING()
    elif sharing.divided is sharing.mapped:
        note = MappingWords.NO_DIVISION(mapped=_less(before, mapped))
    else:
        note = MappingWords.DIVISION(mapped=_less(before, mapped), divided=_less(before, divided))
    slots = tuple(
        f"{job.name}: {ranges(job.allocation.numbers.tolist())}" for job in sharing.divided.jobs
    )
    return [
        Section(heading, Table(("job", "", *STATES), hops)),
        Section(
            "load by one job on the links of another",
            Table(("by", "on links of", *STATES), tuple(loads)),
            (note,),
        ),
        Section("slots of the machine divided again", None, slots),
    ]


def _load(value: float) -> str:
    return number("max_link_load", value)


def _less(before: float, after: float) -> str:
    return "none" if after == 0 else share(after / before)


def ranges(numbers: Sequence[int]) -> str:
    """Rising numbers as ranges, e.g. "0-3, 8, 10-11"."""
    runs: list[list[int]] = []
    for value in numbers:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


# -- grids -----------------------------------------------------------------------------------------

SHOWN = ("average_hops", "hop_bytes", "internode_edges")


@dataclass(frozen=True, slots=True)
class Factorisation:
    """A grid that holds all ranks."""

    name: str
    dims: tuple[int, ...]
    metrics: Metrics | None
    """Metrics of a cube cut so and mapped; None where no machine was given."""


def dims_document(factorisations: Sequence[Factorisation]) -> Document:
    """A row a grid, with what it costs on the machine if there is one."""
    dims = factorisations[0].dims
    heading = f"{plural(math.prod(dims), 'rank')} in {plural(len(dims), 'dimension')}"
    metrics = factorisations[0].metrics is not None
    columns = ("", "grid", *(LABELS[name] for name in SHOWN if metrics))
    rows: list[tuple[str, ...]] = []
    for each in factorisations:
        values = asdict(each.metrics) if each.metrics is not None else {}
        costs = (number(name, values[name]) for name in SHOWN if name in values)
        rows.append((each.name, "x".join(map(str, each.dims)), *costs))
    return [
        Section(
            heading, Table(columns, tuple(rows)), (MappingWords.EQUAL_PARTS(),) if metrics else ()
        )
    ]


# -- placements in a campaign ----------------------------------------------------------------------


def placement_words(placed: GridPlacement) -> str:
    """E.g. "halo by internode on nodes:4x4, inter-node edges 24 -> 16"."""
    figure = METRICS.get(placed.metric, "internode_edges")
    before, after = (number(figure, value) for value in (placed.before, placed.after))
    return f"{placed.label}, {LABELS[figure]} {before} -> {after}"


def placement_sections(configurations: Sequence[Configuration]) -> Iterator[Section]:
    """A sentence for each placement; no section where ranks are in their order everywhere."""
    found = [
        f"{configuration.variant}, {plural(configuration.ranks, 'rank')}: {placement_words(placed)}"
        for configuration in configurations
        for placed in configuration.placement
    ]
    if found:
        yield Section("placement of ranks", notes=tuple(found))
