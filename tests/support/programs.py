"""Models with coefficients that are known exactly, so that what a program takes can be reckoned."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from harness.models import scattered

from leadline.models.calls import Calls, CallSize, ProgramCall
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Coefficient, Model, Piece, RankSet, Scatter
from leadline.models.program import Programs, TradeOff, trade_off
from leadline.record.run import Origin
from leadline.report.document import Section
from leadline.report.text.program import CONDITIONS, program_document, program_sentences
from leadline.statistics.estimate import Estimate

TREE = ClosedForm(Scaling.LOGARITHMIC, None)
LINE = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT)
SURE = scattered(noise=0.03, misfit=0.04, quantile=2.0)
"""Intervals of a factor of exp(2 sqrt(0.03^2 + 0.04^2)) = exp(0.1) either side."""
WIDTH = math.exp(0.1)
BARRIERS = Calls((ProgramCall("barrier", CallSize(0)),))


def model(
    pattern: str = "barrier",
    form: ClosedForm = TREE,
    values: Sequence[float] = (0.0, 1e-3),
    ranks: tuple[int, ...] = (2, 3, 1024),
    scatter: Scatter | None = SURE,
    sizes: tuple[int, ...] = (0, 2**30),
) -> Model:
    """One piece whose coefficients are known exactly; by default 1 ms log2 p."""
    sizes = sizes if form.per_byte else (0,)
    coefficients = tuple(
        Coefficient(term, Estimate(value, n=12))
        for term, value in zip(form.terms, values, strict=True)
    )
    covariance = np.zeros((len(values), len(values)) if scatter else (0, 0))
    piece = Piece(sizes[0], sizes[-1], coefficients, covariance)
    return Model(
        variant="mpich",
        pattern=pattern,
        buffers="echo",
        cadence="isolated",
        threads=0,
        origin=Origin.MEASURED,
        ranks=ranks,
        sizes_bytes=sizes,
        blocks=12,
        form=form,
        pieces=((RankSet.ALL, (piece,)),),
        breakpoints=(),
        scatter=scatter,
        held_out=None,
    )


def program(
    work_s: float = 1.0, ranks: Sequence[int] = (2, 4, 8), calls: Calls = BARRIERS
) -> TradeOff:
    """By default 1 s of work beside a barrier of 1 ms log2 p, known to a factor of exp(0.1)."""
    return trade_off([model(), model("gather", LINE, (1e-6, 1e-9))], work_s, 0.0, calls, ranks)


def without_conditions(found: Programs) -> list[Section]:
    """The document but for what its models are of, whatever it reckons."""
    return [one for one in program_document(found) if one.heading != CONDITIONS]


def said(found: TradeOff) -> str:
    return " ".join(program_sentences(found))
