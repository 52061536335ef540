"""What the benchmark of mapped programs makes of its turns, and that no row costs another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from bench.kept import Kept, Row
from bench.mapping.halo_programs import YIELDING, HaloProgram
from bench.mapping.live import EXCHANGES, HOSTS, MESSAGE_BYTES, RANKS, TURNS, halo_row, tried

from leadline.backends.backend import Backend
from leadline.errors import MachineError
from leadline.hosts.placement import Hosts

EDGES = (24, 16, 8, 4)
BITS_PER_S = 8e6
FULL_S = EDGES[2] * MESSAGE_BYTES * 8 * EXCHANGES / BITS_PER_S
"""What the default's exchanges take on a link that is never idle."""
Shares = Mapping[tuple[str, str], float]
"""Times, by rate and mapping."""
TAKEN: Shares = {
    ("whole", "default"): 1.25, ("whole", "mapped"): 0.625,
    ("half", "default"): 2.5, ("half", "mapped"): 1.25,
}  # fmt: skip
"""In such times: 0.8 of the link used."""


def halo(edges: tuple[int, ...] = EDGES, shares: Shares = TAKEN) -> Row:
    """The row where each turn takes the same, those in `shares` another time."""
    changed = {**TAKEN, **shares}
    seconds = {case: [share * FULL_S] * TURNS for case, share in changed.items()}
    return halo_row("a program", edges, seconds, BITS_PER_S)


def test_halo_reaches_its_goals_and_has_an_interval() -> None:
    row = halo()
    assert row["reached"]
    assert row["faster"] == pytest.approx((2, 2, 2))
    assert row["least_used"] == pytest.approx({"default": 0.8, "mapped": 0.8})
    slower = row["slower_at_half"]
    assert isinstance(slower, Mapping)
    assert slower["mapped"] == pytest.approx((2, 2, 2))


@pytest.mark.parametrize(
    "shares",
    [
        {("whole", "mapped"): 1.25, ("half", "mapped"): 2.5},
        {("whole", "default"): 1.45, ("half", "default"): 2.9},
        {("whole", "mapped"): 0.73, ("half", "mapped"): 1.46},
        {("half", "default"): 2.1},
        {("half", "mapped"): 1.05},
    ],
    ids=["no_gain", "idle_link", "idle_link_mapped", "half_is_no_limit", "half_mapped"],
)
def test_each_missed_goal_is_told(shares: Shares) -> None:
    assert not halo(shares=shares)["reached"]


def test_other_edges_than_those_counted_by_hand_miss_the_goal() -> None:
    assert not halo((24, 16, 8, 5))["reached"]


def test_use_of_the_link_is_the_least_of_all_turns() -> None:
    seconds = {case: [share * FULL_S] * TURNS for case, share in TAKEN.items()}
    seconds["whole", "mapped"][-1] = 2 * FULL_S
    row = halo_row("a program", EDGES, seconds, BITS_PER_S)
    used = row["least_used"]
    assert isinstance(used, Mapping)
    assert used["mapped"] == pytest.approx(0.25)
    assert not row["reached"]


def test_row_that_fails_costs_no_other_and_is_measured_again(tmp_path: Path) -> None:
    def fails() -> Row:
        raise MachineError("a rank died")

    def holds() -> Row:
        return {"reached": True}

    kept = Kept(tmp_path / "rows.jsonl")
    first = tried(kept, ("pair", "a"), holds)
    assert first["reached"]
    failed = tried(kept, ("pair", "b"), fails)
    assert failed == {"failed": "pair, b: a rank died", "reached": False}
    after = Kept(tmp_path / "rows.jsonl")
    assert tried(after, ("pair", "a"), fails) == first
    assert tried(after, ("pair", "b"), holds)["reached"]


@pytest.mark.parametrize(("kind", "words"), [("mpich", ()), ("openmpi", YIELDING)])
def test_halo_is_launched_from_the_first_host_as_by_a_user_there(
    kind: str, words: tuple[str, ...]
) -> None:
    backend = Backend(kind, kind, "5", True, "/bin/mpiexec", "/bin/mpicc", {}, None, None, "no")
    names = tuple(f"a{number}" for number in range(1, HOSTS + 1))
    hosts = Hosts(names, "/agent", emulated=True)
    command = HaloProgram("halo", backend, Path("/halo")).launch(hosts, RANKS, ("4x4", "0"))
    assert command.argv[0] == "/bin/mpiexec"
    assert command.argv[-len(words) - 5 :] == (*words, "-n", str(RANKS), "/halo", "4x4", "0")
    assert "a1" in " ".join(command.argv)
