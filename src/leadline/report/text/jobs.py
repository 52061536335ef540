"""What `leadline map --job` prints: each job, what they do to each other, the best division."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.mapping.interference import Division, Sharing
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.mapping import number
from leadline.report.text.phrases import plural, share
from leadline.topology.job import label_of

STATES = ("before", "mapped", "divided anew")


def sharing_document(sharing: Sharing, machine: str) -> Document:
    """The jobs, the load that each has to bear from each other, and who best goes where."""
    jobs = sharing.before.jobs
    ranks = plural(sum(len(job.allocation) for job in jobs), "rank")
    heading = SEPARATOR.join([f"{plural(len(jobs), 'job')} on {machine}", ranks, "average hops"])
    return [
        Section(heading, _hops_table(sharing)),
        Section(
            "load by one job on the links of another",
            _traffic_table(sharing),
            _foreign_load(sharing),
        ),
        Section("slots of the machine divided anew", None, tuple(_slots(sharing.divided))),
    ]


def _states(sharing: Sharing) -> tuple[Division, Division, Division]:
    return sharing.before, sharing.mapped, sharing.divided


def _hops_table(sharing: Sharing) -> Table:
    rows = [
        (
            job.name,
            label_of(job.pattern),
            *(f"{state.metrics[i].average_hops:.2f}" for state in _states(sharing)),
        )
        for i, job in enumerate(sharing.before.jobs)
    ]
    return Table(("job", "", *STATES), tuple(rows))


def _traffic_table(sharing: Sharing) -> Table:
    names = [job.name for job in sharing.before.jobs]
    rows = [
        (other, job, *(_load(float(state.traffic[i, j])) for state in _states(sharing)))
        for i, job in enumerate(names)
        for j, other in enumerate(names)
        if i != j
    ]
    rows.append(("all", "others", *(_load(state.foreign) for state in _states(sharing))))
    return Table(("by", "on links of", *STATES), tuple(rows))


def _load(value: float) -> str:
    return number("max_link_load", value)


def _foreign_load(sharing: Sharing) -> tuple[str, ...]:
    before, mapped, divided = (state.foreign for state in _states(sharing))
    if before == 0:
        return ("No job sends over links that another uses.",)
    moved = "no division was found that is better"
    if sharing.divided is not sharing.mapped:
        moved = f"dividing the slots anew leaves {_less(before, divided)}"
    return (f"Mapping each job's ranks leaves {_less(before, mapped)} of this load; {moved}.",)


def _less(before: float, after: float) -> str:
    return "none" if after == 0 else share(after / before)


def _slots(division: Division) -> Iterator[str]:
    for job in division.jobs:
        yield f"{job.name}: {ranges(job.allocation.numbers.tolist())}"


def ranges(numbers: Sequence[int]) -> str:
    """E.g. "0-3, 8, 10-11" for rising numbers."""
    runs: list[list[int]] = []
    for value in numbers:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
