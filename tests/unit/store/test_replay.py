from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.errors import RecordError
from leadline.record.run import FORMAT_VERSION, Run
from leadline.store import finish, load
from leadline.store.lines import seal, unseal

CELLS = (pingpong(0), pingpong(8), BARRIER)


@pytest.fixture
def campaign(tmp_path: Path) -> Run:
    return Campaign(["mpich", "impi"], CELLS, blocks=2).write(tmp_path / "run")


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\n",
        seal({"kind": "end", "line": 1}),
        seal({"kind": "run", "line": 1, "metadata": {}}),
        seal({"kind": "run", "format": "1", "metadata": {}}),
        seal({"kind": "run", "format": 1, "metadata": []}),
        seal({"kind": "run", "format": 8, "metadata": {}}),
        seal({"kind": "run", "format": 8, "id": "../x", "metadata": {}}),
        seal({"kind": "run", "format": FORMAT_VERSION + 1, "metadata": {}}),
    ],
    ids=[
        "empty",
        "newline",
        "other_kind",
        "no_format",
        "format_text",
        "metadata_list",
        "no_id",
        "id_path",
        "newer",
    ],
)
def test_unreadable_header_names_file_and_line(
    tmp_path: Path, header: bytes, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "journal.jsonl").write_bytes(header)
    with pytest.raises(RecordError) as caught:
        load(tmp_path)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "journal.jsonl"), 1)
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot


def rewrite(path: Path, line: int, changes: dict[str, object]) -> None:
    """Changes fields of a line and gives it a checksum that fits."""
    lines = path.read_bytes().splitlines()
    lines[line - 1] = seal(
        {k: v for k, v in unseal(lines[line - 1]).items() if k != "crc32"} | changes
    )
    path.write_bytes(b"\n".join(lines) + b"\n")


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        (5, {"configuration": 7}),
        (5, {"cell": 7}),
        (5, {"ranks": [0, 2]}),
        (5, {"elapsed_ns": [[1], [1]]}),
        (5, {"kind": "poem"}),
        (5, {"kind": 5}),
        (5, {"line": 4}),
        (5, {"line": -1}),
        (4, {"index": 0}),
        (4, {"index": 5}),
        (2, {"first": 3}),
        (2, {"cells": [{"pattern": "pingpong"}]}),
        (2, {"cells": 3}),
        (17, {"complete": 1}),
    ],
)
def test_line_that_makes_no_sense_is_left_out_and_named(
    campaign: Run, line: int, changes: dict[str, object], snapshot: SnapshotAssertion
) -> None:
    rewrite(Path(campaign.path) / "journal.jsonl", line, changes)
    run = load(campaign.path)
    assert run.warnings[0].code == "journal_line"
    assert run.warnings[0].cause.replace(campaign.path, "RUN") == snapshot
    assert run.batches.rank.size < campaign.batches.rank.size or not run.complete


def test_lost_configuration_takes_its_slices_along_in_one_warning(
    campaign: Run, snapshot: SnapshotAssertion
) -> None:
    rewrite(Path(campaign.path) / "journal.jsonl", 3, {"variant": None})
    run = load(campaign.path)
    assert run.configurations == campaign.configurations[1:]
    chosen = campaign.batches.configuration == 1
    assert np.array_equal(run.batches.end_ns, campaign.batches.end_ns[chosen])
    assert set(run.batches.configuration.tolist()) == {0}
    assert [warning.cause.replace(campaign.path, "RUN") for warning in run.warnings] == snapshot


def test_missing_lines_are_noticed(campaign: Run, snapshot: SnapshotAssertion) -> None:
    path = Path(campaign.path) / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:6] + lines[9:]))
    assert load(campaign.path).warnings[0].cause.replace(campaign.path, "RUN") == snapshot


# -- fuzzing ---------------------------------------------------------------------------------------


def mutated(content: bytes, rng: random.Random) -> bytes:
    """`content` with one to three kinds of damage at random places."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(content) + 1)
        to = min(len(content), at + rng.randint(1, 300))
        lines = content.splitlines(keepends=True) or [b""]
        line = rng.randrange(len(lines))
        some = rng.choice(lines)
        garbage = rng.choice(
            [rng.randbytes(40), b"9" * 400, b"1e999", b"\n", b"[[[[", b'"', b"-", b"NaN", b"\x00"]
        )
        content = rng.choice(
            [
                content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :],
                content[:at],
                content[:at] + content[to:],
                content[:at] + garbage + content[at:],
                b"".join([*lines[:line], *lines[line + 1 :]]),
                b"".join([*lines[:line], some, *lines[line:]]),
                b"".join(rng.sample(lines, len(lines))),
            ]
        )
    return content


def recorded(run: Run) -> dict[tuple[object, ...], bytes]:
    """Every slice of a run under what it says it is, by value."""
    batches = run.batches
    keys = list(
        zip(
            (run.configurations[i].variant for i in batches.configuration),
            (run.cells[i] for i in batches.cell),
            batches.block.tolist(),
            batches.visit.tolist(),
            strict=True,
        )
    )
    rows: dict[tuple[object, ...], list[int]] = {}
    for row, key in enumerate(keys):
        rows.setdefault(key, []).append(row)
    names = ("rank", "batch", "start_ns", "end_ns", "repetitions", "flags")
    columns = np.array([getattr(batches, name) for name in names])
    return {key: columns[:, chosen].tobytes() for key, chosen in rows.items()}


def test_damaged_journal_gives_only_true_slices_or_a_record_error(campaign: Run) -> None:
    rng = random.Random(11)
    path = Path(campaign.path) / "journal.jsonl"
    original, truth = path.read_bytes(), recorded(campaign)
    outcomes = {"whole": 0, "part": 0, "error": 0}
    for _ in range(800):
        path.write_bytes(mutated(original, rng))
        try:
            run = load(campaign.path)
        except RecordError:
            outcomes["error"] += 1
            continue
        found = recorded(run)
        assert found.items() <= truth.items()
        assert run.warnings or found == truth or not run.complete
        outcomes["whole" if found == truth else "part"] += 1
    assert min(outcomes.values()) > 20, outcomes


def test_damaged_finished_run_gives_only_true_slices_or_a_record_error(campaign: Run) -> None:
    rng = random.Random(12)
    finish(campaign.path)
    truth = recorded(campaign)
    originals = {p: p.read_bytes() for p in Path(campaign.path).iterdir()}
    for _ in range(200):
        for path, content in originals.items():
            path.write_bytes(mutated(content, rng) if rng.random() < 0.5 else content)
        try:
            run = load(campaign.path)
        except RecordError:
            continue
        assert recorded(run).items() <= truth.items()


def nonsense(value: object, rng: random.Random) -> object:
    """Something of another type, sign, length or size, perhaps deep inside `value`."""
    if isinstance(value, list) and value and rng.random() < 0.6:
        at = rng.randrange(len(value))
        return [*value[:at], nonsense(value[at], rng), *value[at + 1 :]]
    return rng.choice(
        [None, True, -1, 0, 2**31, 2**63, 10**40, 0.5, "", "8", [], [[]], {}, {"a": [1]}, [value]]
    )


def test_nonsense_under_a_fitting_checksum_gives_a_run_or_a_record_error(campaign: Run) -> None:
    rng = random.Random(13)
    path = Path(campaign.path) / "journal.jsonl"
    original = path.read_bytes()
    lines = len(original.splitlines())
    for _ in range(400):
        path.write_bytes(original)
        line = rng.randint(1, lines)
        record = unseal(original.splitlines()[line - 1])
        name = rng.choice(list(record))
        rewrite(path, line, {name: nonsense(record[name], rng)})
        try:
            run = load(campaign.path)
        except RecordError:
            assert line == 1
            continue
        assert run.batches.rank.size <= campaign.batches.rank.size
