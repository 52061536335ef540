"""Clocks of hosts whose offset and drift are planted: how nearly the fits find them.

Offsets by time namespaces of emulated hosts, in campaigns over several links and libraries; drift
by a kernel on this host whose clock gains, at each of several rates.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from harness.kernels import NATIVE, kernel
from harness.scripts import obey

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.lifecycle import hosts_up
from leadline.hosts.emulated.link import parse_link
from leadline.kernels.build import Additions
from leadline.kernels.messages import FittedClock
from leadline.store import load

PREFIX = "clockbench"
AHEAD_S = 86_400
LINKS = ("10Gbit", "atm-155", "ethernet-10")
LIBRARIES = ("tcp", "mpich")
RUNS = 3
DRIFTS_PPM = (20, 200, 1000)
READINGS = 12
PAUSE = "id={} pattern=barrier cadence=isolated slice_ns=100000000 max_batches=100000"
OTHER = ("unshare", "--uts", "sh", "-c", 'hostname other && exec "$@"', "sh")
LEAST_NS = 1000.0
SHARE = 0.1
"""Of the round trip, beyond LEAST_NS, that a clock may be off."""


@dataclass(frozen=True)
class Off:
    """How far one fit was off."""

    error_ns: float
    round_trip_ns: int

    @property
    def of_allowed(self) -> float:
        """1: as far as it may."""
        return self.error_ns / (LEAST_NS + SHARE * self.round_trip_ns)


def measure() -> dict[str, object]:
    """The worst fit of each link, library and drift, of what it may be off."""
    found = {
        f"offset, {library}, {link}": [off for _ in range(RUNS) for off in offsets(link, library)]
        for link in LINKS
        for library in LIBRARIES
    } | {
        f"drift of {ppm} ppm, tcp": [off for _ in range(RUNS) for off in drifts(ppm)]
        for ppm in DRIFTS_PPM
    }
    worst = max(one.of_allowed for some in found.values() for one in some)
    return {
        **{name: told(some) for name, some in found.items()},
        "worst, of what is allowed": round(worst, 2),
        "reached": worst <= 1,
    }


def told(found: Sequence[Off]) -> dict[str, float]:
    """The worst of `found`, and the usual one."""
    ordered = sorted(found, key=lambda one: one.of_allowed)
    worst, usual = ordered[-1], ordered[len(ordered) // 2]
    return {
        "fits": len(found),
        "median_ns": usual.error_ns,
        "worst_ns": worst.error_ns,
        "round_trip_ns": worst.round_trip_ns,
        "worst, of what is allowed": round(worst.of_allowed, 2),
    }


# -- offsets ---------------------------------------------------------------------------------------


def offsets(link: str, library: str) -> list[Off]:
    """Of every fit of a campaign between two hosts, one a day ahead."""
    with a_day_apart(link) as hosts, tempfile.TemporaryDirectory() as folder:
        words = (
            "--hosts", f"{hosts.prefix}[1-2]", "--backends", library,
            "--patterns", "barrier", "--blocks", "2", "--budget", "5s", "--out", f"{folder}/run",
        )  # fmt: skip
        subprocess.run(
            (sys.executable, "-m", "leadline", "run", *words), check=True, capture_output=True
        )
        fits = load(f"{folder}/run").clock_fits
    return [Off(abs(fit.offset_ns - AHEAD_S * 1e9), fit.round_trip_ns) for fit in fits]


def a_day_apart(link: str) -> AbstractContextManager[Cluster]:
    """Two hosts, the second with a clock that is a day ahead."""
    prefix = f"{PREFIX}{os.getpid()}x"
    return hosts_up(2, parse_link(link), prefix, {f"{prefix}2": AHEAD_S})


# -- drift -----------------------------------------------------------------------------------------


def drifts(ppm: int) -> list[Off]:
    """Of all fits but the first of a rank whose clock gains `ppm` microseconds in a second."""
    additions = Additions(
        sources=(NATIVE / "clocks_apart.c",),
        compile_flags=(f"-DDRIFT_PPM={ppm}",),
        link_flags=("-Wl,--wrap=clock_gettime",),
    )
    lines = [
        line
        for number in range(1, 2 * READINGS, 2)
        for line in (f"clocks id={number} apart=hosts", PAUSE.format(number + 1))
    ]
    with tempfile.TemporaryDirectory() as folder:
        _, rank = obey(kernel("tcp", additions), tuple(lines), Path(folder), 2, entering={1: OTHER})
    said = [one for one in rank if isinstance(one, FittedClock)][1:]
    drift = ppm * 1e-6
    truths = ((fit.here_ns - 3600e9) * drift / (1 + drift) + 3600e9 for fit in said)
    return [
        Off(abs(fit.offset_ns - truth), fit.round_trip_ns)
        for fit, truth in zip(said, truths, strict=True)
    ]
