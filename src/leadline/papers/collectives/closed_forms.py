"""Closed forms of the SP2's, the T3D's and the Paragon's operations, fitted to what is simulated.

Times of all seven operations over 2 to 64 nodes and 16 B to 1 MiB, as `leadline fit` takes them;
R_inf(64) of each form beside the slope between 1 and 2 MB, which no form was fitted to. How closed
forms grow is what Hwang, Wang and Wang (HPCA 1997) say of them; their coefficients aren't printed.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from leadline.models.aggregate import aggregates, contributions
from leadline.models.closed_form import fit
from leadline.models.model import Model
from leadline.models.observations import Observations
from leadline.papers.recipe import ReproducedForm
from leadline.papers.simulation import LINE_BYTES, CellSpec, Seconds, alone, slope_rate
from leadline.record.run import Cadence, Origin

MACHINES = ("cray-t3d", "intel-paragon", "ibm-sp2")
LIBRARY = "mpi"
BARRIER = "barrier"
OPERATIONS = ("bcast", "gather", "scatter", "reduce", "scan", "alltoall")
"""Operations that move messages."""
NODES = (2, 4, 8, 16, 32, 64)
MOST = NODES[-1]
SIZES = (16, 256, 4096, 65_536, 262_144, 1 << 20)


def forms_from(seconds: Seconds) -> tuple[ReproducedForm, ...]:
    """Fits the times of ASKED, in its order."""
    return _fitted(tuple(seconds))


def forms_in(times: Mapping[CellSpec, float]) -> tuple[ReproducedForm, ...]:
    """Fits the times of ASKED, found by what was asked."""
    return _fitted(tuple(times[spec] for spec in ASKED))


@functools.lru_cache(maxsize=1)
def _fitted(seconds: tuple[float, ...]) -> tuple[ReproducedForm, ...]:
    """Kept, since several sentences are about the same forms."""
    times = dict(zip(ASKED, seconds, strict=True))
    return tuple(
        _form(times, machine, operation)
        for machine in MACHINES
        for operation in (BARRIER, *OPERATIONS)
    )


def _spec(machine: str, operation: str, nodes: int, size_bytes: int) -> CellSpec:
    return alone((machine, LIBRARY), operation, nodes, size_bytes)


def _sizes(operation: str) -> tuple[int, ...]:
    return (0,) if operation == BARRIER else SIZES


def _all() -> Iterator[CellSpec]:
    for machine in MACHINES:
        for operation in (BARRIER, *OPERATIONS):
            for nodes in NODES:
                for size in _sizes(operation):
                    yield _spec(machine, operation, nodes, size)
        for operation in OPERATIONS:
            for size in LINE_BYTES:
                yield _spec(machine, operation, MOST, size)


ASKED = tuple(_all())


def _form(times: Mapping[CellSpec, float], machine: str, operation: str) -> ReproducedForm:
    """The form of an operation's times, and its limit on MOST nodes by the form and by a slope."""
    sizes = _sizes(operation)
    seconds: Sequence[Sequence[float]] = [
        [times[_spec(machine, operation, nodes, size)] for size in sizes] for nodes in NODES
    ]
    observations = Observations(
        variant=machine,
        pattern=operation,
        buffers="",
        cadence=str(Cadence.ISOLATED),
        threads=1,
        origin=Origin.SIMULATED,
        ranks=NODES,
        sizes_bytes=sizes,
        seconds=np.array(seconds)[:, :, None],
    )
    model = fit(observations)
    if not isinstance(model, Model):
        raise ValueError(f"{machine}, {operation}: {model.reason}")
    ((_, pieces),) = model.pieces
    limits = aggregates(model, lambda nodes: contributions(operation, nodes))
    delivered, slope = contributions(operation, MOST), None
    if operation != BARRIER and delivered is not None:
        line = [times[_spec(machine, operation, MOST, size)] for size in LINE_BYTES]
        slope = delivered * slope_rate(line)
    return ReproducedForm(
        machine=machine,
        operation=operation,
        formula=model.form.name,
        coefficients=tuple(
            (coefficient.term.name, coefficient.value.value)
            for piece in pieces
            for coefficient in piece.coefficients
        ),
        pieces=tuple(pieces),
        startup=model.form.startup,
        rate_bytes_per_s=next(
            (limit.bytes_per_s.value for limit in limits if limit.ranks == MOST), None
        ),
        slope_bytes_per_s=slope,
    )
