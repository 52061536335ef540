"""STAP: what an independent program finds, to the last bit on every number of ranks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from harness.contracts import contract
from harness.kernels import STAP_FAULTS, kernel, local_backend
from harness.ranks import said_by_rank_0
from harness.scripts import obey, results
from tests.support import stap as reference
from tests.support.calls import trace

from leadline.backends.preparation import loopback_address
from leadline.kernels.build import describe
from leadline.kernels.messages import Fault, Message
from leadline.patterns.pattern import Problem
from leadline.topology.phases import CallKind

SMALL, MEDIUM = reference.CUBES["small"], reference.CUBES["medium"]
shm, tcp = local_backend("shm"), local_backend("tcp")


@pytest.fixture(autouse=True)
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where ranks over tcp and over trace meet."""
    monkeypatch.setenv("LEADLINE_RENDEZVOUS", loopback_address())
    monkeypatch.setenv("LEADLINE_INBOX", str(tmp_path / "inbox"))


@dataclass(frozen=True)
class Said:
    """What a job said of a cube, but for the time."""

    words: dict[str, str]
    found: list[tuple[int, int, int, float]]
    total: float = field(compare=False)
    """Of all statistics, in another order on another number of ranks."""


def processed(program: Path, size: str, ranks: int) -> Said:
    lines = [line.split() for line in said_by_rank_0(program, ranks, size).splitlines()]
    words = {key: value for key, value, *_ in lines if key not in ("found", "seconds", "sum")}
    found = [tuple(map(float, line[1:])) for line in lines if line[0] == "found"]
    (total,) = (float(value) for key, value, *_ in lines if key == "sum")
    return Said(words, [(int(b), int(d), int(r), s) for b, d, r, s in found], total)


@pytest.fixture(scope="module")
def alone() -> Said:
    """What one rank says of a small cube."""
    return processed(contract("stap", shm), "small", 1)


@pytest.mark.parametrize("size", ["small", "medium", "large"])
def test_an_independent_program_finds_the_same(size: str) -> None:
    text, expected = processed(contract("stap", shm), size, 1), reference.found(size)
    assert text.words["checksum"] == expected.checksum
    assert text.words["codes"] == "0"
    places = [detection[:3] for detection in expected.detections]
    assert [detection[:3] for detection in text.found] == places
    assert places == [(t.beam, t.bin, t.gate) for t in reference.CUBES[size].targets]
    statistics = [detection[3] for detection in expected.detections]
    assert [detection[3] for detection in text.found] == pytest.approx(statistics, rel=1e-9)
    assert text.total == pytest.approx(expected.total, rel=1e-9)
    assert float(text.words["largest_other"]) == pytest.approx(expected.largest_other, rel=1e-9)
    assert min(statistics) >= 2 * reference.THRESHOLD
    assert expected.largest_other <= 0.75 * reference.THRESHOLD


@pytest.mark.parametrize("ranks", [2, 3, 4, 5, 6, 7, 8, 16])
def test_every_statistic_is_the_same_to_the_last_bit(ranks: int, alone: Said) -> None:
    assert processed(contract("stap", shm), "small", ranks) == alone


@pytest.mark.parametrize("ranks", [2, 3])
def test_sockets_carry_the_same_samples(ranks: int, alone: Said) -> None:
    assert processed(contract("stap", tcp), "small", ranks) == alone


@pytest.mark.parametrize("ranks", [2, 3])
def test_sanitisers_find_nothing(ranks: int, alone: Said) -> None:
    assert processed(contract("stap", shm, sanitised=True), "small", ranks) == alone


def faults(message: list[list[Message]]) -> list[Fault]:
    return [one for rank in message for one in rank if isinstance(one, Fault)]


@pytest.mark.parametrize(("kind", "ranks"), [("null", 1), ("shm", 1), ("shm", 3), ("shm", 4)])
def test_slice_of_cubes_is_checked_and_right(kind: str, ranks: int, tmp_path: Path) -> None:
    output = obey(kernel(kind), ("id=1 pattern=stap cube=small",), tmp_path, ranks)
    assert faults(output) == []
    for rank in output:
        assert results(rank)[1].solved is not None


@pytest.mark.parametrize(
    ("plant", "rank", "words"),
    [
        ("sample", 0, "checksum"),
        ("turn", 1, "codes turned wrong 2, expected 0"),
        ("bit", 1, "sum of turned samples "),
        ("stale", 0, "sum of turned samples "),
        ("weight", 0, "statistic"),
        ("plain", 0, "statistic"),
        ("alarm", 1, "largest other 41, expected 15.18"),
        ("report", 0, "detections 5, expected 6"),
        ("place", 0, "gate 2, expected 1"),
    ],
)
def test_planted_fault_fails_the_slice(plant: str, rank: int, words: str, tmp_path: Path) -> None:
    lines = ("id=1 pattern=stap cube=small",)
    environment = {"LEADLINE_PLANT": plant}
    output = obey(kernel("shm", STAP_FAULTS), lines, tmp_path, environment=environment)
    (first, *_) = faults([output[rank]])
    assert first.code == "wrong_result"
    assert words in first.text


def test_trace_has_one_exchange_and_the_work_around_it(tmp_path: Path) -> None:
    ranks = 4
    logs, found = trace(("id=1 pattern=stap cube=small",), ranks, tmp_path)
    assert found == []
    block = 16 * SMALL.channels * (SMALL.pulses // ranks) * (SMALL.gates // ranks)
    for log in logs:
        sent = [call for call in log[1] if call.operation.startswith("alltoall:")]
        assert {call.size_bytes for call in sent} == {block}
        assert len([call for call in sent if call.kind is CallKind.SEND]) == ranks - 1
        work = [call.number for call in log[1] if call.kind is CallKind.WORK]
        assert len(work) == 2
        assert sum(work) == problem("small").flop // ranks


def problem(size: str) -> Problem:
    application = describe(kernel("shm")).patterns["stap"].application
    assert application is not None
    return application.problems[size]


@pytest.mark.parametrize("cube", [SMALL, MEDIUM], ids=["small", "medium"])
def test_described_flop_are_counted_from_the_loops_and_memory_holds_three_cubes(
    cube: reference.Cube,
) -> None:
    (size,) = [name for name, one in reference.CUBES.items() if one == cube]
    text = processed(contract("stap", shm), size, 1)
    samples = cube.channels * cube.pulses * cube.gates
    assert problem(size).flop == int(text.words["flop"])
    assert 3 * 16 * samples < problem(size).bytes < 3.5 * 16 * samples
