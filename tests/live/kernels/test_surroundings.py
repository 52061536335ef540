"""What kernels say of the time around their batches: delays, interruptions, links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from harness.kernels import NATIVE, SANITISED, kernel
from harness.scripts import obey, results

from leadline.kernels.build import Additions
from leadline.kernels.messages import Surroundings

NO_PROC = Additions(sources=(NATIVE / "no_proc.c",), link_flags=("-Wl,--wrap=open",))
BARRIER = "id=1 pattern=barrier cadence=streaming"
MESSAGES = "id=2 pattern=pingpong size=8 cadence=streaming links=1"


def surroundings(
    folder: Path, ranks: int = 2, additions: Additions | None = None
) -> list[Surroundings]:
    """Of each rank, first those of the barrier, then those of the messages."""
    output = obey(kernel("shm", additions), (BARRIER, MESSAGES), folder, ranks)
    return [results(rank)[id_].around for id_ in (1, 2) for rank in output]


def interfaces() -> set[str]:
    lines = Path("/proc/self/net/dev").read_text().splitlines()[2:]
    return {line.partition(":")[0].strip() for line in lines} - {"lo"}


def test_every_rank_says_what_kept_it_from_running(tmp_path: Path) -> None:
    for around in surroundings(tmp_path):
        assert around.window_ns > 0
        assert around.run_delay_ns >= 0
        assert around.involuntary_switches >= 0
        assert around.minor_faults >= 0


def test_ranks_that_share_a_core_wait_for_it(tmp_path: Path) -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        waited = [around.run_delay_ns for around in surroundings(tmp_path)]
    finally:
        os.sched_setaffinity(0, allowed)
    assert max(waited) > 0


@pytest.mark.parametrize("additions", [None, SANITISED], ids=["plain", "sanitised"])
def test_links_are_read_where_they_are_asked_for(
    additions: Additions | None, tmp_path: Path
) -> None:
    first, second, *asked = surroundings(tmp_path, additions=additions)
    assert (first.links, second.links) == ((), ())
    for around in asked:
        ends = {f"{name} {end}" for name in interfaces() for end in ("tx", "rx")}
        assert {link.name for link in around.links} == ends
        assert all(link.window_ns > 0 for link in around.links)


def test_what_the_system_does_not_say_is_unknown(tmp_path: Path) -> None:
    for around in surroundings(tmp_path, additions=NO_PROC):
        assert around.run_delay_ns == -1
        assert around.involuntary_switches >= 0
        assert around.links == ()
