"""Models made by hand, so that what uses them is tested without fitting anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leadline.models.forms import ClosedForm, Scaling, Term
from leadline.models.model import (
    Aggregate,
    Algorithm,
    Break,
    Breakpoint,
    Coefficient,
    HeldOut,
    Misfit,
    Model,
    NotFitted,
    Piece,
    RankSet,
    Residuals,
    Scatter,
)
from leadline.record.run import Origin, WhoseTime
from leadline.statistics.estimate import Estimate

BLOCKS = 12
SIZES = (0, 8, 512, 4096, 8192, 16384, 65536, 262_144, 524_288, 1 << 20, 2 << 20, 4 << 20)
LINE = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT)


def estimate(value: float, half_width: float = 0.05, blocks: int = BLOCKS) -> Estimate:
    """`value` with an interval of `half_width` times it; without blocks the value alone."""
    if not blocks:
        return Estimate(value)
    low, high = sorted((value * (1 - half_width), value * (1 + half_width)))
    return Estimate(value, low, high, 0.95, blocks)


def scattered(noise: float, misfit: float, quantile: float) -> Scatter:
    """With the same misfit everywhere."""
    everywhere = Misfit(misfit, quantile)
    return Scatter(noise, everywhere, everywhere, everywhere, None)


def piece(
    terms: Sequence[Term], least: int, most: int, values: Sequence[float], blocks: int = BLOCKS
) -> Piece:
    """One with the coefficients `values`, each known to 5 %; without blocks they were stated."""
    found = tuple(
        Coefficient(term, estimate(value, blocks=blocks))
        for term, value in zip(terms, values, strict=True)
    )
    covariance = np.diag((0.025 * np.array(values)) ** 2) if blocks else np.empty((0, 0))
    return Piece(least, most, found, covariance)


def breakpoint_at(
    below: int, above: int, kind: Break, jump: float, blocks: int = BLOCKS
) -> Breakpoint:
    """Between these two sizes."""
    bounds = (float(below), float(above), 0.95, blocks) if blocks else ()
    middle = (max(below, 1) * above) ** 0.5
    return Breakpoint(Estimate(middle, *bounds), kind, estimate(jump, 0.1, blocks))


def pingpong(variant: str = "mpich", ranks: int = 2) -> Model:
    """Three lines: a protocol switch between 8 KiB and 16 KiB, a cache edge below 1 MiB."""
    form = replace(LINE, pieces=3)
    pieces = (
        piece(form.terms, 0, 8192, (1.2e-6, 0.31e-9)),
        piece(form.terms, 16384, 524_288, (3.4e-6, 0.12e-9)),
        piece(form.terms, 1 << 20, 4 << 20, (-12e-6, 0.16e-9)),
    )
    breaks = (
        breakpoint_at(8192, 16384, Break.PROTOCOL_SWITCH, 1.4),
        breakpoint_at(524_288, 1 << 20, Break.CACHE_EDGE, 1.02),
    )
    return Model(
        variant=variant,
        pattern="pingpong",
        buffers="echo",
        cadence="streaming",
        threads=0,
        origin=Origin.MEASURED,
        whose_time=WhoseTime.ROOT,
        ranks=(ranks,),
        sizes_bytes=SIZES,
        blocks=BLOCKS,
        form=form,
        pieces=((RankSet.ALL, pieces),),
        breakpoints=breaks,
        scatter=scattered(0.01, 0.02, 2.2),
        held_out=HeldOut(0.02, 0.08, 0.05, 0.9, 3.0),
        aggregate=(Aggregate(ranks, estimate(8.3e9), estimate(28e3)),),
    )


def lacking() -> Model:
    """A ping-pong that predictions follow further than its form does."""
    seconds = np.linspace(-1e-7, 1e-7, len(SIZES))[None]
    return replace(pingpong(), residuals=Residuals(seconds, 0.25))


def bcast(variant: str = "mpich") -> Model:
    """A surface over 2 to 64 ranks in two pieces, with an algorithm that is told in one of them."""
    form = ClosedForm(Scaling.LOGARITHMIC, Scaling.LOGARITHMIC, 2)
    pieces = (
        piece(form.terms, 0, 8192, (0.4e-6, 1.1e-6, 0.02e-9, 0.3e-9)),
        piece(form.terms, 16384, 1_048_576, (2e-6, 2.5e-6, 0.05e-9, 0.1e-9)),
    )
    ranks = (2, 4, 8, 12, 16, 32, 64)
    return replace(
        pingpong(variant),
        pattern="bcast",
        cadence="isolated",
        whose_time=WhoseTime.SLOWEST,
        ranks=ranks,
        sizes_bytes=SIZES[:-2],
        form=form,
        pieces=((RankSet.ALL, pieces),),
        breakpoints=(breakpoint_at(8192, 16384, Break.PROTOCOL_SWITCH, 1.5),),
        algorithms=(
            Algorithm(0, 8192, "binomial", 0.97, "no other fits as well", estimate(1.3)),
            Algorithm(16384, 1_048_576, None, None, "two fit equally well", None),
        ),
        aggregate=tuple(Aggregate(p, estimate(8e9 * p), estimate(30e3)) for p in ranks),
    )


def reduce_apart(variant: str = "mpich") -> Model:
    """Powers of two apart from other numbers of ranks; one piece, linear start-up."""
    form = ClosedForm(Scaling.LINEAR, Scaling.CONSTANT, 1, powers_apart=True)
    families = tuple(
        (family, (piece(form.terms, 0, 1_048_576, values),))
        for family, values in (
            (RankSet.POWERS_OF_TWO, (0.5e-6, 0.2e-6, 0.4e-9)),
            (RankSet.OTHERS, (0.9e-6, 0.3e-6, 0.8e-9)),
        )
    )
    return replace(
        bcast(variant),
        pattern="reduce",
        ranks=(2, 3, 4, 5, 6, 7, 8, 12, 16),
        form=form,
        pieces=families,
        breakpoints=(),
        algorithms=(),
        aggregate=(),
    )


def barrier(variant: str = "mpich") -> Model:
    """Nothing but a start-up that grows with log2 p; one size, of 0 bytes."""
    form = ClosedForm(Scaling.LOGARITHMIC, None)
    return replace(
        bcast(variant),
        pattern="barrier",
        sizes_bytes=(0,),
        form=form,
        pieces=((RankSet.ALL, (piece(form.terms, 0, 0, (0.1e-6, 0.5e-6)),)),),
        breakpoints=(),
        algorithms=(),
        aggregate=(),
    )


def stated(variant: str = "torus") -> Model:
    """A line through simulated values, which have no blocks, and so no intervals."""
    return replace(
        pingpong(variant),
        origin=Origin.SIMULATED,
        blocks=0,
        form=LINE,
        pieces=((RankSet.ALL, (piece(LINE.terms, 0, 4 << 20, (5e-6, 1e-9), blocks=0),)),),
        breakpoints=(),
        scatter=None,
        held_out=None,
        aggregate=(),
    )


REFUSED = NotFitted("impi", "scan", "a line needs 3 sizes above 0 B, there are 2")
"""What no model is fitted to."""
EVERY = (pingpong(), bcast(), reduce_apart(), barrier(), stated())
"""One of every kind."""
