"""Patterns of neighbours on a grid: who sends what to whom, and that a wrong neighbour is seen."""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from harness.contracts import contract
from harness.kernels import (
    LOST_RECEIVES,
    MISDIRECTED,
    SANITISED,
    kernel,
    local_backend,
    variant,
)
from harness.scripts import GRIDS, SLICE, ids, obey, obeyed, results
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import plan_for, run_campaign
from tests.support.virtual_machine import Machine
from tests.support.virtual_machine import kernel as pvm_kernel

from leadline.backends.backend import Backend
from leadline.compare.analysis import Analysis
from leadline.kernels.build import Additions
from leadline.kernels.messages import Fault, Message, read_records
from leadline.record.provenance import Sends

Step = tuple[int, ...]
BYTES = 100


@dataclass(frozen=True)
class Leg:
    """A message to a neighbour and the one from it, with where they lie among the rank's."""

    peer: int
    sent: int
    received: int
    """Tags."""
    block: int


def ran(words: str, ranks: int, slots: Sequence[int] = ()) -> str:
    environment = os.environ | {"LEADLINE_RANKS": str(ranks)}
    program = contract("grid", local_backend("null"), "logged")
    arguments = [str(program), words, ",".join(map(str, slots))]
    return subprocess.check_output(arguments, env=environment, text=True)


def schedules(words: str, ranks: int, slots: Sequence[int] = ()) -> list[list[list[Leg]]]:
    """By rank the phases of one repetition, each with its legs."""
    parts = ran(f"{words} size={BYTES}", ranks, slots).split("rank ")[1:]
    return [_phases(part.splitlines()[1:]) for part in parts]


def _phases(lines: Sequence[str]) -> list[list[Leg]]:
    """Sends and receives in turn, in slots that rise, until all of them are waited for."""
    phases: list[list[Leg]] = []
    calls: list[list[str]] = []
    slot = 0
    starts = {word: _lowest(word, lines) for word in ("send", "receive")}
    for line in lines:
        call = line.split()
        if call[0] != "wait":
            assert int(call[5]) == slot + len(calls)
            calls.append(call)
            continue
        assert list(map(int, call[1:])) == [slot, len(calls)]
        pairs = zip(calls[::2], calls[1::2], strict=True)
        phases.append([_leg(send, receive, starts) for send, receive in pairs])
        slot, calls = slot + len(calls), []
    assert calls == []
    blocks = [leg.block for phase in phases for leg in phase]
    assert blocks == [BYTES * place for place in range(len(blocks))]
    return phases


def _lowest(word: str, lines: Sequence[str]) -> int:
    return min((int(line.split()[4], 16) for line in lines if line.startswith(word)), default=0)


def _leg(send: Sequence[str], receive: Sequence[str], starts: Mapping[str, int]) -> Leg:
    assert (send[0], receive[0]) == ("send", "receive")
    assert send[1] == receive[1]
    assert send[3] == receive[3] == str(BYTES)
    sent_from, received_to = (int(call[4], 16) - starts[call[0]] for call in (send, receive))
    assert sent_from == received_to
    return Leg(int(send[1]), int(send[2]), int(receive[2]), sent_from)


# -- an independent description --------------------------------------------------------------------


def vertices(dims: Sequence[int]) -> list[Step]:
    """Row by row."""
    return list(itertools.product(*map(range, dims)))


def beside(vertex: Step, step: Step, dims: Sequence[int], periodic: bool) -> Step | None:
    """Where `step` leads from `vertex`; None: nowhere."""
    if any(s and length == 1 for s, length in zip(step, dims, strict=True)):
        return None
    there = tuple(v + s for v, s in zip(vertex, step, strict=True))
    inside = all(0 <= t < length for t, length in zip(there, dims, strict=True))
    wrapped = tuple(t % length for t, length in zip(there, dims, strict=True))
    return wrapped if inside or periodic else None


def expected(
    phases: Sequence[Sequence[Step]], dims: Sequence[int], periodic: bool, slots: Sequence[int] = ()
) -> list[list[set[tuple[int, Step]]]]:
    """By rank the phases that aren't empty, each the (peer, step) of its legs."""
    order = vertices(dims)
    rank_at = dict(zip(order, slots or range(len(order)), strict=True))
    found: dict[int, list[set[tuple[int, Step]]]] = {}
    for vertex in order:
        legs = [
            {(rank_at[to], step) for step in steps if (to := beside(vertex, step, dims, periodic))}
            for steps in phases
        ]
        found[rank_at[vertex]] = [phase for phase in legs if phase]
    return [found[rank] for rank in sorted(found)]


def along(axis: int, axes: int) -> list[Step]:
    return [tuple(s * (i == axis) for i in range(axes)) for s in (-1, 1)]


def corners(axis: int, axes: int) -> list[Step]:
    """Those whose last step is along `axis`."""
    steps = itertools.product((-1, 0, 1), repeat=axes)
    return [step for step in steps if max([i for i in range(axes) if step[i]], default=-1) == axis]


def tag_of(step: Step) -> int:
    """A number for each direction."""
    number = 0
    for s in step:
        number = 3 * number + s + 1
    return number


def require_as_expected(
    found: list[list[list[Leg]]], wanted: list[list[set[tuple[int, Step]]]], base: int = 15
) -> None:
    for legs, steps in zip(found, wanted, strict=True):
        assert [
            {(leg.peer, leg.sent - base, leg.received - base) for leg in phase} for phase in legs
        ] == [
            {(peer, tag_of(step), tag_of(tuple(-s for s in step))) for peer, step in phase}
            for phase in steps
        ]
        assert [len(phase) for phase in legs] == [len(phase) for phase in steps]


DIMS = [
    (2,), (3,), (8,), (2, 1), (1, 5), (2, 2), (3, 2), (2, 4), (1, 1, 3), (2, 2, 2), (3, 2, 4),
    (2, 1, 2, 1), (2, 3, 1, 2), (2, 2, 2, 2), (3, 3, 3, 3),
]  # fmt: skip


def words_of(dims: Sequence[int]) -> str:
    return "grid=" + "x".join(map(str, dims))


@pytest.mark.parametrize("dims", DIMS, ids=words_of)
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("with_corners", [False, True])
@pytest.mark.parametrize("at_once", [False, True])
def test_halo_goes_to_every_neighbour_axis_by_axis_or_at_once(
    dims: Step, periodic: bool, with_corners: bool, at_once: bool
) -> None:
    ranks, axes = len(vertices(dims)), len(dims)
    words = f"pattern=halo {words_of(dims)}" + " edges=periodic" * periodic
    words += " neighbours=corners" * with_corners + " steps=at_once" * at_once
    phases = [(corners if with_corners else along)(axis, axes) for axis in range(axes)]
    if at_once:
        phases = [list(itertools.chain(*phases))]
    require_as_expected(schedules(words, ranks), expected(phases, dims, periodic))


@pytest.mark.parametrize("dims", [d for d in DIMS if d[0] > 1], ids=words_of)
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("every", [False, True])
def test_cyclic_goes_along_the_first_axis_or_all(dims: Step, periodic: bool, every: bool) -> None:
    words = f"pattern=cyclic {words_of(dims)}" + " rings=open" * (not periodic)
    words += " axes=all" * every
    axes = range(len(dims)) if every else range(1)
    phase = [step for axis in axes for step in along(axis, len(dims))]
    found = schedules(words, len(vertices(dims)))
    require_as_expected(found, expected([phase], dims, periodic))


@pytest.mark.parametrize("dims", [d for d in DIMS if d[0] > 1], ids=words_of)
@pytest.mark.parametrize("periodic", [False, True])
def test_cyclic_in_two_steps_begins_with_the_upper_neighbour_on_even_places(
    dims: Step, periodic: bool
) -> None:
    words = f"pattern=cyclic_two_step {words_of(dims)}" + " rings=open" * (not periodic)
    down, up = along(0, len(dims))
    even = expected([[up], [down]], dims, periodic)
    odd = expected([[down], [up]], dims, periodic)
    rows = len(vertices(dims)) // dims[0]
    wanted = [(odd if rank // rows % 2 else even)[rank] for rank in range(len(even))]
    require_as_expected(schedules(words, len(even)), wanted)


@pytest.mark.parametrize("ranks", [2, 4, 6, 8, 10])
def test_pair_is_a_rank_and_the_one_half_of_all_further_on(ranks: int) -> None:
    half = ranks // 2
    peers = [[[leg.peer for leg in phase] for phase in rank] for rank in
             schedules("pattern=pair", ranks)]  # fmt: skip
    assert peers == [[[(rank + half) % ranks]] for rank in range(ranks)]


@pytest.mark.parametrize(
    ("words", "ranks", "dims"),
    [
        ("pattern=halo", 8, (2, 2, 2)), ("pattern=halo", 12, (3, 2, 2)),
        ("pattern=halo", 36, (4, 3, 3)), ("pattern=halo", 7, (7, 1, 1)),
        ("pattern=cyclic axes=all rings=open", 12, (4, 3)),
        ("pattern=cyclic axes=all rings=open", 5, (5, 1)),
    ],
)  # fmt: skip
def test_grid_that_nobody_gave_is_as_nearly_equal_as_can_be(
    words: str, ranks: int, dims: Step
) -> None:
    assert schedules(words, ranks) == schedules(f"{words} {words_of(dims)}", ranks)


@pytest.mark.parametrize(
    "words", ["pattern=pair", "pattern=cyclic", "pattern=cyclic_two_step", "pattern=halo grid=3x2"]
)
def test_placement_lays_the_grid_on_other_ranks(words: str) -> None:
    slots = (3, 0, 5, 1, 4, 2)
    plain, placed = schedules(words, 6), schedules(words, 6, slots)
    for vertex, rank in enumerate(slots):
        moved = [[(slots[leg.peer], leg.sent) for leg in phase] for phase in plain[vertex]]
        assert [[(leg.peer, leg.sent) for leg in phase] for phase in placed[rank]] == moved


@pytest.mark.parametrize(
    ("words", "ranks"),
    [
        ("pattern=halo grid=8x4x4", 4),
        ("pattern=cyclic grid=3", 4),
        ("pattern=pair", 3),
        ("pattern=halo", 1),
        ("pattern=cyclic grid=1x4", 4),
        ("pattern=cyclic_two_step grid=1x4", 4),
    ],
)
def test_grid_that_cannot_be_is_refused_in_words(
    words: str, ranks: int, snapshot: SnapshotAssertion
) -> None:
    assert ran(f"{words} size=8", ranks) == snapshot


# -- bytes -----------------------------------------------------------------------------------------


def require_results(messages: list[list[Message]], lines: Sequence[str]) -> None:
    assert [m for rank in messages for m in rank if isinstance(m, Fault)] == []
    for rank in messages:
        assert sorted(results(rank)) == ids(lines)


@pytest.mark.parametrize("ranks", GRIDS)
@pytest.mark.parametrize(
    ("kind", "additions"),
    [("null", SANITISED), ("shm", None), ("shm", SANITISED), ("tcp", SANITISED)],
    ids=["null", "shm", "shm sanitised", "tcp"],
)
def test_every_byte_reaches_every_neighbour(
    kind: str, ranks: int, additions: Additions | None, tmp_path: Path
) -> None:
    require_results(obey(kernel(kind, additions), GRIDS[ranks], tmp_path, ranks), GRIDS[ranks])


@pytest.mark.parametrize("ranks", GRIDS)
def test_every_byte_reaches_every_neighbour_over_openshmem(ranks: int, tmp_path: Path) -> None:
    require_results(obey(kernel("shmem"), GRIDS[ranks], tmp_path, ranks), GRIDS[ranks])


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("kind", ["mpich", "openmpi", "impi"])
def test_every_byte_reaches_every_neighbour_over_mpi(
    kind: str, ranks: int, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    require_results(obeyed(installed_backends[kind], GRIDS[ranks], ranks, tmp_path), GRIDS[ranks])


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("words", [(), ("inplace", "direct")], ids=" ".join)
def test_every_byte_reaches_every_neighbour_over_pvm(
    words: tuple[str, ...], ranks: int, tmp_path: Path
) -> None:
    script = tmp_path / "script"
    script.write_text("\n".join([*(f"{line} {SLICE}" for line in GRIDS[ranks]), "end\n"]))
    arguments = ("--script", str(script), "--records", str(tmp_path / "records"))
    with Machine(pvm_kernel(), ranks, words, arguments) as machine:
        assert not any(machine.wait()), machine.said_by(0)
    messages = [read_records(tmp_path / f"records.{rank}") for rank in range(ranks)]
    require_results(messages, GRIDS[ranks])


PLACED = tuple(
    f"id={number} {words} placement=1"
    for number, words in enumerate(
        (
            "pattern=pair size=8",
            "pattern=cyclic size=20000 grid=2x3 axes=all",
            "pattern=cyclic_two_step size=1001 buffers=cold cold_bytes=1000000",
            "pattern=halo size=100 edges=periodic neighbours=corners",
        ),
        start=2,
    )
)


@pytest.mark.parametrize("kind", ["shm", "tcp"])
def test_every_byte_reaches_every_neighbour_wherever_it_is_placed(
    kind: str, tmp_path: Path
) -> None:
    lines = ("placement id=1 number=1 ranks=6 first=0 slots=3,0,5,1,4,2", *PLACED)
    for rank in obey(kernel(kind), lines, tmp_path, ranks=6):
        assert [m for m in rank if isinstance(m, Fault)] == []
        assert sorted(results(rank)) == ids(PLACED)


def test_run_says_what_ranks_on_grids_send(tmp_path: Path) -> None:
    chosen = [variant("shm")]
    plan = plan_for(chosen, "pair,cyclic,halo:4,halo:2x2:corners", (8, 100), 1, ranks=4)
    run, _ = run_campaign(tmp_path / "run", chosen, plan)
    assert run.failures == ()
    assert run.provenance.sends == (
        Sends("pair", 4, 4, 1, in_pairs=True),
        Sends("cyclic", 4, 8, 2, in_pairs=False),
        Sends("halo:4", 4, 6, 2, in_pairs=False),
        Sends("halo:2x2:corners", 4, 12, 3, in_pairs=False),
    )
    assert {rate.pattern for rate in Analysis(run).rates} == {
        "pair", "cyclic", "halo:4", "halo:2x2:corners"
    }  # fmt: skip


# -- faults ----------------------------------------------------------------------------------------

RINGS = (
    "id=1 pattern=cyclic size=8 grid=4",
    "id=2 pattern=cyclic size=20000 buffers=separate grid=4",
    "id=3 pattern=cyclic size=1001 buffers=cold cold_bytes=1000000 grid=4",
    "id=4 pattern=halo size=8 grid=4 edges=periodic steps=at_once",
)
"""With two neighbours, so that each has one to be taken for."""
TORI = (
    "id=5 pattern=cyclic size=8 grid=2x2 axes=all",
    "id=6 pattern=halo size=100 grid=2x2 edges=periodic",
    "id=7 pattern=halo size=100 grid=2x2 edges=periodic neighbours=corners steps=at_once",
)
"""Where a neighbour is one twice."""


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("shm", "swapped"),
        ("shm", "mirror"),
        ("shm", "stale"),
        ("tcp", "swapped"),
        ("shmem", "stale"),
    ],
)
def test_message_of_another_neighbour_or_direction_fails_its_cell(
    kind: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_FAULT", f"{fault}:0")
    lines = RINGS if fault == "mirror" else RINGS + TORI
    for rank in obey(kernel(kind, MISDIRECTED), lines, tmp_path, ranks=4):
        assert sorted(m.id for m in rank if isinstance(m, Fault)) == ids(lines)


@pytest.mark.parametrize("line", [line for line in RINGS + TORI if "cold" not in line])
@pytest.mark.parametrize("fault", ["swapped", "stale"])
def test_message_that_goes_wrong_after_validation_fails_its_cell(
    line: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_FAULT", f"{fault}:100")
    long_enough = f"{line} repetitions=100"
    for rank in obey(kernel("shm", MISDIRECTED), (long_enough,), tmp_path, ranks=4):
        (wrong,) = [message for message in rank if isinstance(message, Fault)]
        assert "timed" in wrong.text


def test_message_that_arrives_elsewhere_fails_its_cell(tmp_path: Path) -> None:
    lines = tuple(line for line in GRIDS[4] if "size=0" not in line)
    for rank in obey(kernel("shm", LOST_RECEIVES), lines, tmp_path, ranks=4):
        assert sorted(m.id for m in rank if isinstance(m, Fault)) == ids(lines)
