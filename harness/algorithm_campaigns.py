"""Campaigns of collectives whose algorithm is known, and so what they take; and their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from harness.models import bcast, piece
from leadline.models.algorithms import CostForm, forms_of
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Algorithm, Model, RankSet
from leadline.models.observations import Observations
from leadline.models.recognition import recognise
from leadline.record.run import Origin

PATTERNS = (
    "bcast", "reduce", "allreduce", "allgather", "alltoall", "gather", "scatter",
    "reduce_scatter", "scan",
)  # fmt: skip
MIXED = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
POWERS = (2, 4, 8, 16, 32, 64)
SIZES = (8, 64, 512, 4096, 32_768, 262_144, 1_048_576)
FORM = ClosedForm(Scaling.LINEAR, Scaling.LINEAR)


def steady(ranks: int) -> float:
    return 1.0


@dataclass(frozen=True)
class Library:
    """Times of an algorithm over links that may change with the ranks that use them."""

    cost: CostForm
    alpha: float = 2e-6
    beta: float = 4e-10
    gamma: float = 1e-10
    latency: float = 0.0
    """Of a message that waits for the one before, in alphas."""
    slower: Callable[[int], float] = steady
    """By what factor messages and bytes are, on so many ranks."""
    messages_slower: Callable[[int], float] = steady
    """By what further factor messages are."""
    bytes_slower: Callable[[int], float] = steady

    def seconds(self, ranks: int, size_bytes: int) -> float:
        cost = self.cost(ranks)
        assert cost is not None
        phases = cost.messages if cost.phases is None else cost.phases
        messages = cost.messages + self.latency * phases
        messages *= self.alpha * self.messages_slower(ranks)
        moved = self.beta * cost.contributions * self.bytes_slower(ranks)
        moved += self.gamma * cost.combined
        return self.slower(ranks) * (messages + moved * size_bytes)


@dataclass(frozen=True)
class Noise:
    """Standard deviations of logarithms."""

    launch: float = 0.03
    """Of a block, at all sizes of one number of ranks."""
    cell: float = 0.02
    placement: float = 0.01
    """Of a number of ranks, in all blocks."""

    def of(self, shape: tuple[int, int, int], rng: np.random.Generator) -> np.ndarray:
        ranks, _, blocks = shape
        return np.exp(
            self.placement * rng.normal(size=(ranks, 1, 1))
            + self.launch * rng.normal(size=(ranks, 1, blocks))
            + self.cell * rng.standard_t(4, size=shape)
        )


def observed(
    pattern: str,
    library: Library,
    ranks: Sequence[int] = MIXED,
    sizes: Sequence[int] = SIZES,
    noise: Noise | None = None,
    seed: int = 0,
    blocks: int = 8,
) -> Observations:
    truth = np.array([[library.seconds(p, m) for m in sizes] for p in ranks])
    shape = (len(ranks), len(sizes), blocks)
    spread = np.ones(shape) if noise is None else noise.of(shape, np.random.default_rng(seed))
    return Observations(
        "mpich", pattern, "separate", "isolated", 0, Origin.MEASURED, tuple(ranks), tuple(sizes),
        truth[:, :, None] * spread,
    )  # fmt: skip


def fitted_to(observations: Observations) -> Model:
    """A model with one piece over all sizes; of its pieces recognition takes the ranges alone."""
    sizes = observations.sizes_bytes
    found = piece(FORM.terms, sizes[0], sizes[-1], (1e-6, 1e-6, 1e-9, 1e-9))
    return replace(
        bcast(),
        pattern=observations.pattern,
        ranks=observations.ranks,
        sizes_bytes=sizes,
        form=FORM,
        pieces=((RankSet.ALL, (found,)),),
        breakpoints=(),
    )


def decided(observations: Observations) -> Algorithm:
    (found,) = recognise(observations, fitted_to(observations), None)
    return found


def known(pattern: str, ranks: Sequence[int]) -> Mapping[str, CostForm]:
    return {name: form for name, form in forms_of(pattern).items() if all(map(form, ranks))}
