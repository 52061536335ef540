"""Protocol switches that are forced: the breakpoint found brackets each, at three sizes.

What moves a library's switch over shared memory, found by trying (ping-pong, 2 ranks):

* Open MPI 5: `btl_sm_eager_limit`. Messages with their header up to it are copied through shared
  memory; longer ones wait for the receiver, 0.26 to 2.0 us at 2 KiB.
* MPICH 5: `MPIR_CVAR_CH4_IPC_CMA_P2P_THRESHOLD`. From it on the receiver reads the sender's memory,
  1.1 to 3.2 us at 2 KiB. `MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE` isn't it: MPICH ends at 4096.
* Intel MPI 2021.18: nothing moved a switch of its own shared memory, whose times are smooth:
  `I_MPI_SHM_EAGER_THRESHOLD`, `_CMA_THRESHOLD` (with `_CMA=1`), `_FRAME_THRESHOLD`,
  `_INPLACE_THRESHOLD`, `_CELL_BWD_SIZE`; `_CELL_FWD_SIZE` moves one only with `_CELL_FWD_NUM=1`,
  and not to that size. Over libfabric's `shm` the switch is above 4 KiB, whatever
  `I_MPI_EAGER_THRESHOLD` or `MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD` say: it is held to that one size.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.live import Quiet, mpi_backends, variant_of

from leadline.compare.analysis import Analysis
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request, Variant
from leadline.models.closed_form import fit
from leadline.models.model import Model, NotFitted
from leadline.models.observations import observations_of
from validation.models.runs import SIZES

BUDGET_S, BLOCKS = 120.0, 8
"""Of each library; with fewer than six blocks breakpoints have no bounds."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A variable that moves a library's switch."""

    kind: str
    variable: str
    limits: tuple[int, ...]
    """In bytes, which are its values."""
    besides: Mapping[str, str] = field(default_factory=dict)


SETTINGS = (
    Setting("openmpi", "OMPI_MCA_btl_sm_eager_limit", (2048, 8192, 32768)),
    Setting("mpich", "MPIR_CVAR_CH4_IPC_CMA_P2P_THRESHOLD", (1024, 2048, 4096)),
    Setting("impi", "FI_PROVIDER", (4096,), {"I_MPI_FABRICS": "ofi", "FI_PROVIDER": "shm"}),
)


def brackets(model: Model, limit: int) -> bool:
    """Whether a breakpoint's bounds hold the limit, or, of few blocks, the sizes around it do."""
    pieces = model.pieces[0][1]
    around = zip(pieces, pieces[1:], model.breakpoints, strict=False)
    bounds = (at.bytes.bounds or (a.most_bytes, b.least_bytes) for a, b, at in around)
    return any(low <= limit <= high for low, high in bounds)


def variants(setting: Setting) -> list[Variant]:
    """The library with each limit."""
    backend = mpi_backends()[setting.kind]
    plain = variant_of(backend, setting.kind)
    return [
        replace(
            plain,
            name=f"{setting.kind}-{limit}",
            environment={**plain.environment, setting.variable: str(limit), **setting.besides},
        )
        for limit in setting.limits
    ]


def measure(budget_s: float = BUDGET_S) -> dict[str, object]:
    """A row for each limit: the breakpoints found, and whether one brackets it."""
    rows = [row for setting in SETTINGS for row in _rows(setting, budget_s)]
    return {"rows": rows, "reached": all(row["brackets"] for row in rows)}


def _rows(setting: Setting, budget_s: float) -> Iterator[dict[str, object]]:
    request = Request(patterns=("pingpong",), sizes=SIZES, budget_s=budget_s, blocks=BLOCKS)
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        run = conduct(prepare(request, variants(setting)), Path(scratch) / "run", Quiet())
        found = observations_of(Analysis(run))
        for limit, observations in zip(setting.limits, found, strict=True):
            model = fit(observations)
            if isinstance(model, NotFitted):
                raise RuntimeError(f"{observations.label}: {model.reason}")
            yield {
                "variant": observations.label,
                "variable": setting.variable,
                "limit": limit,
                "breakpoints": [
                    [one.bytes.low, one.bytes.value, one.bytes.high, str(one.kind)]
                    for one in model.breakpoints
                ],
                "brackets": brackets(model, limit),
            }
