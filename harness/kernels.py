"""Kernels for tests: over null and raw transports, sanitised or with a rank that misbehaves."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Sequence
from pathlib import Path

from harness.places import ROOT
from leadline.backends.backend import Backend
from leadline.backends.discovery import identify
from leadline.kernels.build import Additions, build_kernel, describe
from leadline.measure.spec import Variant

NATIVE = ROOT / "tests" / "native"
"""C programs that check the kernels, and faults that tests plant in them."""
FAULTS = Additions(sources=(NATIVE / "faults.c",), link_flags=("-Wl,--wrap=tp_recv",))
ONE_SIDED = ("put", "put_start", "get", "get_start", "put_flag", "fetch_add", "compare_swap")
LOST_PUTS = Additions(
    sources=(NATIVE / "lost_puts.c",),
    link_flags=tuple(f"-Wl,--wrap=tp_{name}" for name in ONE_SIDED),
)
RECEIVES = ("recv", "recv_any", "irecv", "recv_init")
LOST_RECEIVES = Additions(
    sources=(NATIVE / "lost_receives.c",),
    link_flags=tuple(f"-Wl,--wrap=tp_{name}" for name in RECEIVES),
)
MISDIRECTED = Additions(
    sources=(NATIVE / "misdirected.c",),
    link_flags=("-Wl,--wrap=tp_isend", "-Wl,--wrap=tp_irecv"),
)
PEERS = Additions(sources=(NATIVE / "peers.c",), link_flags=("-Wl,--wrap=tp_isend",))
UNPLACED = Additions(
    sources=(*PEERS.sources, NATIVE / "unplaced.c"),
    link_flags=(*PEERS.link_flags, "-Wl,--wrap=placements_find"),
)
"""As PEERS, and ranks stay in their order, or no placement is kept."""
APART = Additions(
    sources=(NATIVE / "apart.c",),
    link_flags=("-Wl,--wrap=sync_barrier", "-Wl,--wrap=progress_advance"),
)
HEAT = Additions(sources=(NATIVE / "application.c",))
"""With the smallest application, "heat"; what LEADLINE_PLANT says goes wrong in it."""
HEAT_BY_PUTS = Additions(sources=HEAT.sources, compile_flags=("-DHEAT_BY_PUTS",))
"""The same by one-sided operations."""
ALLOCATIONS = Additions(
    sources=(*HEAT.sources, NATIVE / "allocations.c"),
    link_flags=tuple(f"-Wl,--wrap=tp_{name}" for name in ("allocate", "release")),
)
"""The same; what LEADLINE_PLANT says happens to memory for messages."""
SLOW_PUTS = Additions(sources=(NATIVE / "slow_puts.c",), link_flags=("-Wl,--wrap=tp_put_flag",))
STENCIL = ("residual", "subtract", "smooth", "square")
FLIPPED_STENCIL = Additions(
    sources=(NATIVE / "flipped_stencil.c",),
    link_flags=tuple(f"-Wl,--wrap=stencil_{name}" for name in STENCIL),
)
"""MG whose residual has one coefficient with the wrong sign."""
STAP_FAULTS = Additions(
    sources=(NATIVE / "stap_faults.c",),
    link_flags=tuple(
        f"-Wl,--wrap={name}"
        for name in (
            "scene_take",
            "tp_alltoall",
            "weights_adapt",
            "detector_compare",
            "tp_gatherv",
        )
    ),
)
"""What LEADLINE_PLANT says goes wrong in "stap"."""
TIMED = ("clock_gettime", "getrusage", "tp_send")
VIRTUAL_TIME = Additions(
    sources=(NATIVE / "virtual_time.c",),
    link_flags=tuple(f"-Wl,--wrap={name}" for name in TIMED),
)
"""Over null alone: time passes as LEADLINE_COURSE says."""
AMONG_RANKS = ("clock_gettime", "tp_send", "tp_recv", "tp_sendrecv")
VIRTUAL_RANKS = Additions(
    sources=(NATIVE / "virtual_ranks.c",),
    compile_flags=(f"-I{NATIVE}",),
    link_flags=tuple(f"-Wl,--wrap={name}" for name in AMONG_RANKS),
)
"""Over tcp: time passes as ways_and_clocks says."""
SANITISERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SANITISED = Additions(compile_flags=SANITISERS)


def ways_and_clocks(
    ways: tuple[int, int, int, int], clocks: Sequence[tuple[int, int]] = ()
) -> dict[str, str]:
    """The environment of ranks in virtual time; see tests/native/virtual_ranks.c."""
    return {
        "LEADLINE_WAYS": ":".join(map(str, ways)),
        "LEADLINE_CLOCKS": ",".join(f"{ahead_ns}:{ppm}" for ahead_ns, ppm in clocks) or "0:0",
    }


def local_backend(kind: str) -> Backend:
    """The backend `kind` (null, shm, tcp or trace), which needs no library."""
    return Backend(
        name=kind,
        kind=kind,
        version="1",
        usable=True,
        launcher=None,
        compiler=None,
        environment={},
        reason=None,
        remedy=None,
        shared_memory="none",
    )


@functools.cache
def openshmem() -> Backend:
    """The OpenSHMEM on PATH, which tests/packages installs."""
    backend = identify(Path(str(shutil.which("oshcc"))))
    assert backend.usable, backend.reason
    return backend


def backend_of(kind: str) -> Backend:
    """A usable backend of `kind` (null, shm, tcp, trace or shmem)."""
    return openshmem() if kind == "shmem" else local_backend(kind)


def kernel(kind: str, additions: Additions | None = None) -> Path:
    """The kernel over `kind`."""
    return build_kernel(backend_of(kind), additions)


def variant(
    kind: str,
    name: str | None = None,
    fault: str | None = None,
    additions: Additions | None = None,
    **environment: str,
) -> Variant:
    """A variant over `kind`; `fault` is what LEADLINE_FAULT says in its ranks."""
    built = kernel(kind, FAULTS if fault else additions)
    said = environment | ({"LEADLINE_FAULT": fault} if fault else {})
    return Variant(name or kind, backend_of(kind), str(built), describe(built), said)
