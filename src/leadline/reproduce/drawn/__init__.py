"""Figures of the papers, a module each: `figures` says what its curves are simulated as."""

from __future__ import annotations

from collections.abc import Mapping

from leadline.reproduce.curves import PaperFigures
from leadline.reproduce.drawn import collectives, cray_mpt, ethernet_atm, t3e_mapping, t3e_mpi

DRAWN: Mapping[str, PaperFigures] = {
    "t3e-mpi": t3e_mpi.figures,
    "cray-mpt": cray_mpt.figures,
    "collectives": collectives.figures,
    "ethernet-atm": ethernet_atm.figures,
    "t3e-mapping": t3e_mapping.figures,
}
"""By the keys of papers."""
