"""Closed forms whose coefficients and breakpoints are known, drawn at random, and their campaigns.

Every form of `leadline.models.forms`: point to point in up to four pieces, each breakpoint a
protocol switch (a jump up, and bytes that cost less above it) or a cache edge (no jump, and bytes
that cost more); collectives with every start-up and every factor of m, some in pieces, some with
powers of two apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Break
from leadline.models.observations import Observations
from leadline.record.run import Origin
from leadline.statistics.intervals import Floats
from validation.models.noise import Noise

ONE, LOG, LINEAR = Scaling.CONSTANT, Scaling.LOGARITHMIC, Scaling.LINEAR
POINT_TO_POINT = (
    ClosedForm(ONE, None),
    *(ClosedForm(ONE, ONE, pieces) for pieces in (1, 2, 3, 4)),
)
COLLECTIVES = (
    *(ClosedForm(t0, factor) for t0 in (ONE, LOG, LINEAR) for factor in (None, ONE, LOG, LINEAR)),
    ClosedForm(LOG, ONE, 2),
    ClosedForm(LOG, LINEAR, 2),
    ClosedForm(LINEAR, LINEAR, 2),
    ClosedForm(LOG, LOG, 3),
    ClosedForm(LOG, ONE, powers_apart=True),
    ClosedForm(LOG, LINEAR, powers_apart=True),
)
FEWEST_SIZES = 4
"""Of a piece."""
TYPICAL_RANKS = 12.0


@dataclass(frozen=True, slots=True)
class Design:
    """What a campaign measures, and what is held out of it."""

    ranks: tuple[int, ...]
    sizes_bytes: tuple[int, ...]
    held_out_ranks: tuple[int, ...]
    held_out_bytes: tuple[int, ...]
    blocks: int = 12


def _between(sizes: Sequence[int]) -> tuple[int, ...]:
    """A size between each two, by ratio."""
    pairs = itertools.pairwise(sizes)
    return tuple(dict.fromkeys(round((a * b) ** 0.5) for a, b in pairs if b > a + 1))


def _halves(exponents: range) -> tuple[int, ...]:
    """Zero, and powers of two with a size between each two."""
    found = [round(2 ** (half / 2)) for half in range(2 * exponents[0], 2 * exponents[-1] + 1)]
    return (0, *dict.fromkeys(found))


PAIR_SIZES = _halves(range(1, 23))
PAIR = Design((2,), PAIR_SIZES, (), _between(PAIR_SIZES))
MANY_SIZES = (0, *(1 << i for i in range(3, 23)))
MANY = Design(
    (2, 3, 4, 6, 8, 12, 24, 32, 48, 64), MANY_SIZES, (5, 16, 20, 40), _between(MANY_SIZES)
)
FORMS = (*((form, PAIR) for form in POINT_TO_POINT), *((form, MANY) for form in COLLECTIVES))
"""Each with what its campaigns measure."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A form with its numbers."""

    form: ClosedForm
    coefficients: Floats
    """Shape (families, pieces, terms); families: all, or powers of two and the others."""
    breaks: tuple[float, ...]
    """Sizes at which the next piece begins, in bytes."""
    kinds: tuple[Break, ...]
    """What each of these is."""

    def seconds(self, ranks: Sequence[int], sizes_bytes: Sequence[int]) -> Floats:
        """Shape (ranks, sizes)."""
        p, m = np.array(ranks, float)[:, None], np.array(sizes_bytes, float)
        pieces = np.searchsorted(np.array(self.breaks), m, side="right")
        family = _families(ranks)[:, None] if self.form.powers_apart else np.zeros((len(p), 1), int)
        chosen = np.moveaxis(self.coefficients[family, pieces[None, :]], -1, 0)
        terms = zip(chosen, self.form.terms, strict=True)
        return np.array(sum(factor * term.of(p, m) for factor, term in terms))


@dataclass(frozen=True, slots=True)
class Case:
    """A truth and what its campaigns are like."""

    truth: Truth
    design: Design
    noise: Noise
    """Of its blocks."""

    def campaign(self, rng: np.random.Generator) -> Observations:
        """One, as a model is fitted to it."""
        ranks, sizes = self.design.ranks, self.design.sizes_bytes
        return observed(self._seconds(ranks, sizes, rng), ranks, sizes)

    def medians(
        self, ranks: Sequence[int], sizes_bytes: Sequence[int], rng: np.random.Generator
    ) -> Floats:
        """Those of another campaign, shape (ranks, sizes)."""
        return np.median(self._seconds(ranks, sizes_bytes, rng), axis=2)

    def _seconds(
        self, ranks: Sequence[int], sizes_bytes: Sequence[int], rng: np.random.Generator
    ) -> Floats:
        shape = (len(ranks), self.design.blocks)
        logs = self.noise.campaign(shape, sizes_bytes, rng)
        found: Floats = self.truth.seconds(ranks, sizes_bytes)[:, :, None] * np.exp(logs)
        return found


def observed(
    seconds: Floats, ranks: Sequence[int], sizes_bytes: Sequence[int], pattern: str = "allreduce"
) -> Observations:
    """What a model is fitted to, of block medians in `seconds`: shape (ranks, sizes, blocks)."""
    return Observations(
        variant="simulated",
        pattern=pattern,
        buffers="echo",
        cadence="isolated",
        threads=1,
        origin=Origin.MEASURED,
        ranks=tuple(ranks),
        sizes_bytes=tuple(sizes_bytes),
        seconds=seconds,
    )


def _families(ranks: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """0: a power of two, 1: another number."""
    return np.array([int(p & (p - 1) != 0) for p in ranks])


def draw(form: ClosedForm, design: Design, rng: np.random.Generator) -> Truth:
    """One whose numbers are of this order on machines of today, all terms of some weight."""
    breaks, kinds = _breaks(form, design, rng)
    pieces = [_first_piece(form, rng)]
    for at, kind in zip(breaks, kinds, strict=True):
        pieces.append(_next_piece(form, pieces[-1], at, kind, rng))
    first = np.array(pieces)
    families = [first, first * rng.uniform(1.3, 2)] if form.powers_apart else [first]
    return Truth(form, np.array(families), breaks, kinds)


def _breaks(
    form: ClosedForm, design: Design, rng: np.random.Generator
) -> tuple[tuple[float, ...], tuple[Break, ...]]:
    """Where pieces begin: between two measured sizes, each piece with some of these."""
    count = form.pieces - 1
    sizes = design.sizes_bytes
    least = max(FEWEST_SIZES, next(i for i, size in enumerate(sizes) if size >= 256))
    while True:
        places = np.sort(rng.choice(range(least, len(sizes) - FEWEST_SIZES), count, replace=False))
        if (np.diff(places) >= FEWEST_SIZES).all():
            break
    share = rng.uniform(size=count)
    at = [sizes[i] * (sizes[i + 1] / sizes[i]) ** s for i, s in zip(places, share, strict=True)]
    edges = len(design.ranks) == 1  # among many ranks a byte's cost and its growth aren't one edge
    kinds = (Break.PROTOCOL_SWITCH, Break.CACHE_EDGE)[: 1 + edges]
    return tuple(at), tuple(kinds[rng.integers(len(kinds))] for _ in at)


def _first_piece(form: ClosedForm, rng: np.random.Generator) -> Floats:
    latency_s = np.exp(rng.uniform(np.log(0.3e-6), np.log(5e-6)))
    byte_s = np.exp(rng.uniform(np.log(0.05e-9), np.log(1e-9)))
    return np.array([
        (byte_s if term.per_byte else latency_s) * _weight(term.scaling, rng) for term in form.terms
    ])  # fmt: skip


def _weight(scaling: Scaling, rng: np.random.Generator) -> float:
    """Of what grows, beside the constant: as much, within a factor of some, at a few ranks."""
    if scaling is ONE:
        return 1.0
    return float(rng.uniform(0.3, 1.5) if scaling is LOG else rng.uniform(0.05, 0.5))


def _next_piece(
    form: ClosedForm, below: Floats, at: float, kind: Break, rng: np.random.Generator
) -> Floats:
    """A switch lengthens start-up so that the time jumps by a fifth to twice; bytes cost less.

    At a cache edge bytes cost half as much again or up to three times, and the start-up gives way.
    Both are so at a typical number of ranks.
    """
    per_byte = np.array([term.per_byte for term in form.terms])
    there = np.array([TYPICAL_RANKS]), np.array([at])
    terms = np.array([float(term.of(*there)[0]) for term in form.terms])
    switch = kind is Break.PROTOCOL_SWITCH
    above = below * (rng.uniform(0.3, 0.9) if switch else rng.uniform(1.5, 3.0))
    jump = rng.uniform(1.2, 2.0) if switch else 1.0
    startup = below[~per_byte] @ terms[~per_byte]
    wanted = jump * (below @ terms) - above[per_byte] @ terms[per_byte]
    return np.where(per_byte, above, below * wanted / startup)
