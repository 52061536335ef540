"""Placements on their way to a kernel: in pieces, checked at both ends."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

from harness.contracts import contract
from harness.kernels import SANITISED, kernel, local_backend
from harness.scripts import obey
from syrupy.assertion import SnapshotAssertion

from leadline.kernels.messages import Fault, Message, Placed, Result, read_records
from leadline.kernels.placements import SLOTS_A_PIECE, pieces

IN_TWO = ("number=7 ranks=4 first=0 slots=2,0", "number=7 ranks=4 first=2 slots=3,1")


def lines(some: Sequence[str], id_: int = 1) -> list[str]:
    return [f"placement id={id_} {piece}" for piece in some]


def placed(
    script: Sequence[str], ranks: int, numbers: Sequence[int], folder: Path
) -> tuple[list[Message], list[str]]:
    """What a rank over null answers to `script`, and where it lays a grid by each of `numbers`."""
    program = contract("placed", local_backend("null"), sanitised=True)
    (folder / "script").write_text("".join(f"{line}\n" for line in script))
    done = subprocess.run(
        [program, folder / "script", folder / "records", *map(str, numbers)],
        env=os.environ | {"LEADLINE_RANKS": str(ranks)}, check=True, text=True, capture_output=True,
    )  # fmt: skip
    return read_records(folder / "records.0"), done.stdout.splitlines()


def test_pieces_are_put_together_and_kept_by_their_number(tmp_path: Path) -> None:
    other = ["number=2 ranks=4 first=0 slots=3,2,1,0"]
    script = [*lines(IN_TWO), *lines(other, 2)]
    output, laid = placed(script, 4, [7, 2, 0, 3], tmp_path)
    assert output == [Placed(1, 0), Placed(2, 0)]
    assert laid == ["2 0 3 1 ", "3 2 1 0 ", "0 1 2 3 ", "none"]


def test_placement_of_a_hundred_thousand_slots_arrives_whole(tmp_path: Path) -> None:
    ranks = 100_000
    slots = random.Random(0).sample(range(ranks), ranks)
    script = lines([*pieces(5, slots, ranks)])
    assert len(script) == -(-ranks // SLOTS_A_PIECE)
    output, (laid,) = placed(script, ranks, [5], tmp_path)
    assert output == [Placed(1, 0)]
    assert [int(word) for word in laid.split()] == slots


def test_line_of_a_hundred_thousand_slots_is_read(tmp_path: Path) -> None:
    ranks = 100_000
    whole = ",".join(map(str, reversed(range(ranks))))
    script = lines([f"number=1 ranks={ranks} first=0 slots={whole}"])
    assert placed(script, ranks, [], tmp_path)[0] == [Placed(1, 0)]


def piece(first: int, slots: str, number: int = 7, ranks: int = 4) -> str:
    return f"number={number} ranks={ranks} first={first} slots={slots}"


NO_PLACEMENTS = [
    [piece(0, "2,0")],
    [piece(0, "2,0"), piece(3, "1")],
    [piece(0, "2,0"), piece(0, "2,0")],
    [piece(2, "3,1"), piece(0, "2,0")],
    [piece(0, "2,0,3,2")],
    [piece(0, "2,0,3,4")],
    [piece(0, "2,0,3,1,0")],
    [piece(0, "0,1,2,3,4", ranks=5)],
    [piece(0, "0", ranks=1)],
    [piece(0, "2,0"), piece(2, "3,1", number=8)],
    [piece(0, "2,0"), piece(2, "3,1", ranks=5)],
    [piece(0, "0,1,2,3", number=0)],
    [piece(0, "")],
    [piece(0, "2,,0,1")],
    [piece(0, "2,-1,0,1")],
    [piece(0, "2,x")],
    [piece(0, "2;0")],
    [piece(0, "2,99999999999999999999")],
]


def test_pieces_that_are_no_placement_are_refused_once_and_not_kept(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    good, texts = lines([piece(0, "3,2,1,0", number=9)], 2), {}
    for some in NO_PLACEMENTS:
        output, laid = placed([*lines(some), *good], 4, [7, 9], tmp_path)
        refused, kept = output
        assert isinstance(refused, Fault)
        assert (refused.id, refused.code) == (1, "refused")
        assert kept == Placed(2, 0)
        assert laid == ["none", "3 2 1 0 "]
        texts[" + ".join(some)] = refused.text
    assert texts == snapshot


def test_number_means_one_placement_for_good(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    script = [*lines(IN_TWO), *lines([piece(0, "0,1,2,3")], 2)]
    (first, second), laid = placed(script, 4, [7], tmp_path)
    assert first == Placed(1, 0)
    assert isinstance(second, Fault)
    assert second.text == snapshot
    assert laid == ["2 0 3 1 "]


def test_all_ranks_answer_and_refused_placements_end_nothing(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    script = (
        *lines(IN_TWO),
        *lines([piece(0, "0,0,0,0", number=8)], 2),
        *lines([piece(0, "1")], 3),
        "id=4 pattern=barrier placement=7",
        "id=5 pattern=barrier placement=8",
        "id=6 pattern=barrier placement=0",
    )
    never_made = []
    for rank, text in enumerate(obey(kernel("shm", SANITISED), script, tmp_path, 4)):
        answers = [
            (m.id, type(m).__name__, m.rank) for m in text if isinstance(m, Result | Placed | Fault)
        ]
        assert [answer[:2] for answer in answers] == [
            (1, "Placed"), (2, "Fault"), (3, "Fault"), (4, "Result"), (5, "Fault"), (6, "Result"),
        ]  # fmt: skip
        assert {answer[2] for answer in answers} == {rank}
        assert isinstance(text[5], Fault)
        never_made.append(text[5].text)
    assert never_made == snapshot
