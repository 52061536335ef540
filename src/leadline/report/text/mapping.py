"""What `leadline map` prints for one job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from leadline.mapping import METRICS, RankMapping
from leadline.mapping.inside import HopsInside
from leadline.mapping.metrics import reaches
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.phrases import MISSING, plural, share
from leadline.topology.job import Job, label_of
from leadline.units import format_time, significant

LABELS: Mapping[str, str] = {
    "average_hops": "average hops",
    "max_hops": "most hops",
    "max_link_load": "load of the busiest link",
    "hop_bytes": "hop-bytes",
    "internode_edges": "inter-node edges",
    "max_node_edges": "most edges of a node",
}
"""By the name in JSON."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """A job, the metric that was to become small, and how its ranks are mapped."""

    job: Job
    metric: str
    mapping: RankMapping
    alone: bool = False
    """One method alone was asked, whose mapping may be worse than ranks in their order."""
    inside: HopsInside | None = None
    """None: the inside of hosts isn't described."""

    @property
    def before(self) -> Mapping[str, Any]:
        """Metrics of the identity."""
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
    return [Section(heading, metrics_table(mapped), tuple(_notes(mapped)))]


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


def _notes(mapped: Mapped) -> Iterator[str]:
    yield _verdict(mapped)
    chosen = METRICS[mapped.metric]
    worse = [name for name in LABELS if _is_worse(mapped, name)]
    if others := [
        f"{LABELS[name]} ({_exchange(mapped, name)})" for name in worse if name != chosen
    ]:
        begin = "Likewise more" if chosen in worse else "The price is more"
        yield f"{begin} of: {', '.join(others)}."
    if mapped.inside:
        yield _inside(mapped.inside)
    how = f"{mapped.mapping.method}{' alone' * mapped.alone}"
    yield f"Method: {how}, in {format_time(mapped.mapping.seconds)}."


def _inside(hops: HopsInside) -> str:
    had, has = number("hop_bytes", hops.in_order), number("hop_bytes", hops.mapped)
    other = f"{had} " if hops.mapped < hops.in_order else "the same "
    return f"Inside hosts: {has} hop-bytes; {other}with each host's ranks in their order."


def _verdict(mapped: Mapped) -> str:
    name, optimal = METRICS[mapped.metric], mapped.mapping.proven_optimal
    before, after = mapped.before[name], mapped.after[name]
    label = LABELS[name].capitalize()
    if _is_worse(mapped, name):
        return f"{label}: worse than ranks in their order ({_exchange(mapped, name)})."
    if after >= before and optimal:
        return f"{label}: ranks in their order are proven optimal."
    if after >= before:
        return f"{label}: nothing better than ranks in their order was found."
    return f"{label}: {share(1 - after / before)} less{'; proven optimal' * optimal}."


def _is_worse(mapped: Mapped, name: str) -> bool:
    return not reaches(mapped.after[name], mapped.before[name])


def _exchange(mapped: Mapped, name: str) -> str:
    return f"{number(name, mapped.after[name])} instead of {number(name, mapped.before[name])}"
