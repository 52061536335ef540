"""K. Hwang, C. Wang and C.-L. Wang's "Evaluating MPI collective communication ..." (HPCA 1997).

IBM SP2, Cray T3D and Intel Paragon, with the messages of the STAP radar programs. Of the paper only
the abstract is at hand: the closed forms themselves aren't in it. Its GBytes/s are taken for
10^9 bytes/s, which it doesn't say.
"""

from __future__ import annotations

from functools import partial

from leadline.papers.published import NOT_RECOVERABLE, Contradiction, PublishedFigure

KEY = "collectives"
TITLE = "Evaluating MPI collective communication on the SP2, T3D, and Paragon multicomputers"
SOURCE = f'K. Hwang, C. Wang, C.-L. Wang, "{TITLE}", HPCA 1997, the abstract'
T3D, PARAGON, SP2 = "Cray T3D", "Intel Paragon", "IBM SP2"
ALL = "SP2, T3D, Paragon"
_figure = partial(PublishedFigure, library="MPI", where="abstract")


def _range(name: str, value_ms: float, end: str) -> PublishedFigure:
    return _figure(
        id=f"{KEY}.range.64.{name}",
        system=ALL,
        operation="various collectives",
        procs="64",
        bytes="65536",
        quantity="time",
        value=value_ms,
        unit="ms",
        condition=f"{end} end of range over machines and operations",
    )


def _total_exchange(name: str, system: str, value: float) -> PublishedFigure:
    return _figure(
        id=f"{KEY}.total-exchange.{name}.64",
        system=system,
        operation="total exchange",
        procs="64",
        quantity="aggregate_bandwidth",
        value=value,
        unit="GBytes/s",
        condition="asymptotic aggregated bandwidth; decimal/binary not stated",
    )


FIGURES: tuple[PublishedFigure, ...] = (
    _figure(
        id=f"{KEY}.barrier.t3d.time",
        system=T3D,
        operation="barrier",
        quantity="time",
        value=3,
        unit="us",
        condition="hardwired barrier",
    ),
    _figure(
        id=f"{KEY}.barrier.others.ratio",
        system="IBM SP2 / Intel Paragon",
        operation="barrier",
        quantity="ratio",
        value=30,
        unit="x",
        condition="T3D at least 30 times faster, i.e. SP2, Paragon >= 90 us",
    ),
    _range("least", 5.12, "low"),
    _range("most", 675, "high"),
    _total_exchange("t3d", T3D, 1.745),
    _total_exchange("paragon", PARAGON, 0.879),
    _total_exchange("sp2", SP2, 0.818),
    _figure(
        id=f"{KEY}.closed-forms",
        system=ALL,
        operation="all collectives",
        quantity=NOT_RECOVERABLE,
        value=None,
        condition="closed-form coefficients are in the paper, not in its abstract",
    ),
)
CONTRADICTIONS = (
    Contradiction(
        (
            f"{KEY}.range.64.most",
            *(f"{KEY}.total-exchange.{name}.64" for name in ("t3d", "paragon", "sp2")),
        ),
        "64 KBytes over 64 nodes take up to 675 ms",
        "a total exchange of as much takes 151, 301 and 323 ms at the printed bandwidths",
        "the slowest isn't a total exchange at its asymptotic bandwidth; which it is isn't said",
    ),
)
