"""Records of every version of the format, as they were written, read as they always were."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from harness.places import DATA
from harness.synthetic import BARRIER, configuration, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.rewritten import TABLE, rewritten
from tests.support.texts import numbers

from leadline.compare.analysis import Analysis
from leadline.errors import RecordError
from leadline.record.fields import FormatError
from leadline.record.quantities import UNKNOWN
from leadline.record.run import (
    FORMAT_VERSION,
    Cell,
    ClockFit,
    Configuration,
    Failure,
    GridPlacement,
    Host,
    Origin,
    Run,
    Stated,
)
from leadline.record.terms import current_label
from leadline.record.warnings import FORMER_CODES, RunWarning
from leadline.store import load
from leadline.store.lines import LATER, decode, encode, seal, unseal
from leadline.store.parquet import run_of

FROM_JOURNAL = shutil.ignore_patterns("*.parquet", "run.json")


@pytest.fixture(params=["finished", "journal"])
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[int], Run]:
    """Loads a copy of the golden record of a version: the whole one, or its journal alone."""

    def read(version: int) -> Run:
        left_out = FROM_JOURNAL if request.param == "journal" else None
        shutil.copytree(DATA / f"format-{version}", tmp_path / f"run-{version}", ignore=left_out)
        return load(tmp_path / f"run-{version}")

    return read


def check_batches(run: Run) -> None:
    batches = run.batches
    assert batches.configuration.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert batches.rank.tolist() == [0, 0, 1, 1, 0, 0, 1, 1]
    assert batches.batch.tolist() == [0, 1] * 4
    assert batches.flags.tolist() == [1, 0] * 4
    assert (batches.end_ns - batches.start_ns).tolist() == [50, 40, 51, 41, 30, 20, 31, 21]
    assert batches.start_ns.tolist()[:4] == [10**9, 10**9 + 81, 10**9, 10**9 + 81]
    assert set(batches.repetitions.tolist()) == {20}
    assert set(run.repetitions.values()) == {20}


def test_format_1(golden: Callable[[int], Run]) -> None:
    run = golden(1)
    assert run.complete
    assert run.metadata["machine"]["cores"] == 2
    assert run.configurations == (configuration("mpich"), configuration("impi"))
    assert {one.origin for one in run.configurations} == {Origin.MEASURED}
    assert run.cells == (pingpong(8), BARRIER)
    assert run.failures == (Failure(1, 1, 0, "hang", "rank 1 stuck in barrier"),)
    assert run.warnings == (RunWarning("binding", "rank 0 runs on cores 0,1", "use --bind none"),)
    check_batches(run)
    assert set(run.batches.launch.tolist()) == {UNKNOWN}


def test_format_2(golden: Callable[[int], Run]) -> None:
    run = golden(2)
    assert [one.origin for one in run.configurations] == [Origin.IMPORTED] * 2
    assert [one.source for one in run.stated] == ["osu_latency-7.4.txt", "osu_reduce-7.3-full.txt"]
    assert run.stated[1].seconds == (5.025e-05, 5.15e-05)
    assert run.stated[1].low == run.stated[1].high == ()


def test_format_3(golden: Callable[[int], Run]) -> None:
    run = golden(3)
    assert run.configurations == (
        replace(configuration("mpich"), hosts=("node01", "node02")),
        replace(configuration("impi"), threads=2, oversubscribed=True),
        replace(
            configuration("openmpi"),
            variant="osu",
            backend="imported",
            binding=(),
            origin=Origin.IMPORTED,
        ),
    )
    assert run.stated == (Stated(2, "osu_latency.txt", (0,), (4.1e-07,), (5,)),)
    assert run.hosts == ()
    assert run.clock_fits == ()
    check_batches(run)
    assert set(run.batches.launch.tolist()) == {UNKNOWN}


def test_format_4(golden: Callable[[int], Run]) -> None:
    run = golden(4)
    laid = GridPlacement("halo:2x1", (1, 0), "internode", "2 hosts of 1 slot", 1.0, 1.0)
    assert run.configurations == (
        replace(configuration("mpich"), hosts=("node01", "node02"), placement=(laid,)),
        replace(configuration("impi"), threads=2, oversubscribed=True),
        Configuration("osu", "imported", "unknown", 2, (), origin=Origin.IMPORTED),
        Configuration("t3e", "simulator", "unknown", 2, (), origin=Origin.SIMULATED),
        Configuration("fit", "model", "unknown", 2, (), origin=Origin.PREDICTED),
    )
    assert run.hosts == (
        Host("node01", "boot-1", "boot-1:0", (0, 1)),
        Host("node02", "boot-2", "boot-2:0", (0, 1)),
    )
    assert run.clock_fits == (ClockFit("node02", 0, -1250.5, 1.5e-6, 80.0),)
    assert run.stated == (
        Stated(2, "osu_latency.txt", (0,), (4.1e-07,), (5,)),
        Stated(3, "cray-t3e-900", (0,), (1.4e-05,)),
        Stated(4, "model.json", (0, 1), (4e-07, 2e-06), (), (3.5e-07, 1.5e-06), (4.5e-07, 2.5e-06)),
    )
    check_batches(run)
    assert run.batches.launch.tolist() == [0] * 4 + [1] * 4


def test_format_4_says_what_went_on_during_slices(golden: Callable[[int], Run]) -> None:
    run = golden(4)
    assert run.strips is not None
    assert run.conditions is not None
    assert run.strips.launch.tolist() == [0, 0, 1, 1]
    assert run.strips.first.tolist() == [0, 2, 4, 6]
    found = run.conditions
    assert found.window_ns.tolist() == [200, 210, UNKNOWN, UNKNOWN]
    assert found.run_delay_ns.tolist() == [0, 30, UNKNOWN, UNKNOWN]
    assert found.involuntary_switches.tolist() == [0, 1, UNKNOWN, UNKNOWN]
    assert found.minor_faults.tolist() == [2, UNKNOWN, UNKNOWN, UNKNOWN]
    assert found.link.tolist() == ["node01 eth0 tx"] * 2 + [""] * 2
    assert found.link_bytes.tolist() == [120, 120, 0, 0]
    assert found.link_bytes_per_s.tolist() == [1.25e6, 1.25e6, 0, 0]


def test_format_4_has_no_attempts_and_no_warm_up(golden: Callable[[int], Run]) -> None:
    run = golden(4)
    assert run.strips is not None
    assert run.conditions is not None
    assert run.strips.attempt.tolist() == [0] * 4
    assert set(run.batches.attempt.tolist()) == {0}
    assert run.conditions.warm_up_ns.tolist() == [UNKNOWN] * 4
    assert run.conditions.warm_up_converged.tolist() == [UNKNOWN] * 4


def test_format_4_has_no_core_latencies(golden: Callable[[int], Run]) -> None:
    run = golden(4)
    assert run.conditions is not None
    assert run.conditions.core_latency_ns.tolist() == [UNKNOWN] * 4


def test_format_5(golden: Callable[[int], Run]) -> None:
    run = golden(5)
    assert run.strips is not None
    assert run.conditions is not None
    assert run.strips.attempt.tolist() == [0, 0, 0, 0, 1, 1]
    assert run.batches.attempt.tolist() == [0] * 8 + [1] * 4
    assert run.batches.flags.tolist() == [*[1, 0] * 4, 9, 0, 1, 16]
    found = run.conditions
    assert found.warm_up_ns.tolist() == [20_000_000] * 2 + [150_000] * 2 + [UNKNOWN] * 2
    assert found.warm_up_operations.tolist() == [4711] * 2 + [640] * 2 + [UNKNOWN] * 2
    assert found.warm_up_converged.tolist() == [0, 0, 1, 1, UNKNOWN, UNKNOWN]
    assert found.core_latency_ns.tolist() == [95, *[UNKNOWN] * 5]


def test_format_6_says_when_clocks_were_fitted_and_how_sure_that_is(
    golden: Callable[[int], Run],
) -> None:
    begin, end = golden(6).clock_fits
    assert begin == ClockFit("node02", 0, -1250.5, 0.0, UNKNOWN, 0, 0, 5_000_000_000, 150, 84_000)
    assert (end.residual_ns, end.visit, end.launch, end.round_trip_ns) == (80.0, 0, 0, 83_000)
    (before,) = golden(5).clock_fits
    assert (before.visit, before.launch, before.round_trip_ns) == (UNKNOWN,) * 3


def test_format_7_says_what_applications_spent(golden: Callable[[int], Run]) -> None:
    found, before = golden(7).conditions, golden(6).conditions
    assert found is not None
    assert before is not None
    assert found.communication_ns.tolist() == [UNKNOWN] * 2 + [12, 15] + [UNKNOWN] * 2
    assert found.repetitions_ns.tolist() == [UNKNOWN] * 2 + [20, 21] + [UNKNOWN] * 2
    assert before.communication_ns.tolist() == before.repetitions_ns.tolist() == [UNKNOWN] * 6


def test_format_7_says_what_was_verified(golden: Callable[[int], Run]) -> None:
    found, before = golden(7).conditions, golden(6).conditions
    assert found is not None
    assert before is not None
    assert found.verified.tolist() == [""] * 2 + ["norm"] * 2 + [""] * 2
    assert found.verified_expected.tolist() == [0] * 2 + [5.307707005734e-05] * 2 + [0] * 2
    assert found.verified_seen.tolist() == [0] * 2 + [5.3077070057e-05] * 2 + [0] * 2
    assert before.verified.tolist() == [""] * 6
    assert before.verified_expected.tolist() == before.verified_seen.tolist() == [0] * 6


def test_format_8_says_whose_each_file_is(golden: Callable[[int], Run], tmp_path: Path) -> None:
    run, before = golden(8), golden(7)
    assert run.id == "0123456789abcdef0123456789abcdef"
    assert before.id == ""
    assert {run_of(path) for path in (tmp_path / "run-8").glob("*.parquet")} <= {run.id}
    assert replace(run, id="", path="").hosts == before.hosts


# -- what isn't of the format ----------------------------------------------------------------------


def replaced(directory: Path, line: int, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes one line of the journal, its checksum made right again."""
    shutil.copytree(DATA / "format-4", directory, ignore=FROM_JOURNAL)
    path = directory / "journal.jsonl"
    lines = path.read_bytes().splitlines()
    record = unseal(lines[line - 1])
    change(record)
    record.pop("crc32", None)
    lines[line - 1] = seal(record)
    path.write_bytes(b"\n".join(lines) + b"\n")


MET = ("window_ns", "run_delay_ns", "involuntary_switches", "minor_faults")
WAITED = {name: [1, 2] for name in MET}
WARM_UP = {"elapsed_ns": 1, "operations": 1}
LINK = {"name": "x", "bytes": 1, "window_ns": 1}
SPENT = "communication"
TIMES = {"communication_ns": [1, 2], "repetitions_ns": [3, 4]}
LAID = {"pattern": "", "metric": "hops", "machine": "", "before": 2.0, "after": 1.0}


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        (2, "origin", "guessed"),
        (2, "threads", -1),
        (2, "placement", [LAID | {"slots": [0, 0]}]),
        (2, "placement", [LAID | {"slots": [0, 2, 1]}]),
        (8, "cores", [0, -1]),
        (10, "drift", "fast"),
        pytest.param(10, "drift", 10**400, id="10-drift-huge"),
        (11, "launch", -2),
        (11, "disturbance", {"window_ns": [1, 2]}),
        (11, "disturbance", "none"),
        (11, "disturbance", WAITED | {"core_latency_ns": [95]}),
        (11, "disturbance", WAITED | {"core_latency_ns": [95, -2]}),
        (11, SPENT, {"communication_ns": [1, 2]}),
        (11, SPENT, TIMES | {"repetitions_ns": [3]}),
        (11, SPENT, TIMES | {"repetitions_ns": [3, -2]}),
        (11, "attempt", -1),
        (11, "warm_up", {"elapsed_ns": 1}),
        (11, "warm_up", WARM_UP | {"converged": 1}),
        (11, "link", {"name": "x"}),
        (11, "link", LINK | {"bytes_per_s": -1.0}),
        (13, "configuration", 0),
        (15, "low", [3.5e-7]),
        (15, "low", [4.1e-7, 1.5e-6]),
        (15, "communication_share", [0.1, 1.5]),
        (15, "communication_most", [0.1, 0.2]),
    ],
)
def test_bad_value_is_left_out_with_its_line(
    tmp_path: Path, line: int, field: str, value: object, snapshot: SnapshotAssertion
) -> None:
    replaced(tmp_path / "run", line, lambda record: record.update({field: value}))
    place = f"{tmp_path}/run/journal.jsonl:{line}: "
    causes = [warning.cause for warning in load(tmp_path / "run").warnings]
    (text,) = (cause.removeprefix(place) for cause in causes if cause.startswith(place))
    assert text == snapshot


def test_repetitions_of_an_import_are_blocks_since_format_9() -> None:
    run = load(DATA / "format-9")
    assert [(table.source, table.block) for table in run.stated] == [("a.txt", 0), ("b.txt", 1)]
    assert Analysis(run).medians.seconds.tolist() == [[[0.5e-6, 0.75e-6], [1e-6, 1.25e-6]]]


def test_format_10(golden: Callable[[int], Run]) -> None:
    run = golden(10)
    assert [cell.pattern for cell in run.cells] == ["alltoallv:skewed", "barrier"]
    assert run.configurations[0].algorithms["alltoallv"] == "native"
    assert run.conditions is not None
    assert run.conditions.core_latency_ns.tolist() == [95, *[UNKNOWN] * 5]
    assert [table.block for table in run.stated] == [0, 0, 0]


def test_former_names_of_patterns_are_read_by_those_of_today() -> None:
    run = load(DATA / "format-9-former-names")
    names = ("alltoall", "alltoallv", "ialltoall")
    assert tuple(dict.fromkeys(cell.pattern for cell in run.cells)) == names
    assert tuple(run.configurations[0].algorithms) == names


def test_former_name_of_a_placements_pattern_is_read_by_that_of_today(tmp_path: Path) -> None:
    laid = LAID | {"pattern": "total_exchange", "slots": [1, 0]}
    replaced(tmp_path / "run", 2, lambda record: record.update(placement=[laid]))
    (placed,) = load(tmp_path / "run").configurations[0].placement
    assert placed.pattern == "alltoall"


@pytest.mark.parametrize(
    "item",
    [
        configuration("mpich"),
        pingpong(8),
        Stated(2, "osu_latency.txt", (0,), (4.1e-07,)),
        Failure(1, 1, 0, "hang", "rank 1 stuck in barrier"),
    ],
    ids=lambda item: type(item).__name__,
)
def test_field_that_no_format_lacked_has_no_default(
    item: Configuration | Cell | Stated | Failure,
) -> None:
    kind, record = type(item), json.loads(json.dumps(encode(item)))
    for name in record:
        fewer = {key: value for key, value in record.items() if key != name}
        if name in LATER.get(kind, ()):
            decode(kind, fewer)
        else:
            with pytest.raises(FormatError, match=f"lacks '{name}'"):
                decode(kind, fewer)


def test_former_name_keeps_its_options() -> None:
    assert current_label("total_exchangev:skewed") == "alltoallv:skewed"
    assert current_label("halo:2x1") == "halo:2x1"


@pytest.mark.parametrize(("former", "now"), FORMER_CODES.items())
def test_former_codes_of_warnings_are_read_by_those_of_today(
    tmp_path: Path, former: str, now: str
) -> None:
    replaced(tmp_path / "run", 17, lambda record: record.update(code=former))
    assert RunWarning(now, "rank 0 runs on cores 0,1", "use --bind none") in (
        load(tmp_path / "run").warnings
    )


def test_newer_format_names_file_and_line(tmp_path: Path) -> None:
    replaced(tmp_path / "run", 1, lambda record: record.update(format=FORMAT_VERSION + 1))
    newer = rf"journal.jsonl:1: .*\b{FORMAT_VERSION + 1}\b.*\b{FORMAT_VERSION}\b"
    with pytest.raises(RecordError, match=newer):
        load(tmp_path / "run")


def test_newer_run_json_names_the_file(tmp_path: Path) -> None:
    shutil.copytree(DATA / "format-4", tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    record = json.loads(path.read_bytes())
    del record["crc32"]
    path.write_bytes(seal(record | {"format": FORMAT_VERSION + 1}, indent=2))
    (damage,) = [one for one in load(tmp_path / "run").warnings if one.code == "parquet"]
    assert str(tmp_path / "run" / "run.json") in damage.cause
    assert str(FORMAT_VERSION + 1) in numbers(damage.cause)


# -- tables that somebody wrote anew ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("slices", f"* REPLACE (9 AS configuration) {TABLE}"),
        ("slices", f"* REPLACE (-1 AS configuration) {TABLE}"),
        ("slices", f"* REPLACE (2 AS cell) {TABLE}"),
        ("slices", f"* REPLACE (rank + 1 AS rank) {TABLE}"),
        ("slices", f"* REPLACE (-2 AS launch) {TABLE}"),
        ("slices", f"* REPLACE (1099511627776 AS visit) {TABLE}"),
        ("slices", f"* REPLACE (0 AS repetitions) {TABLE}"),
        ("slices", f"* REPLACE ('many' AS length) {TABLE}"),
        ("slices", f"* REPLACE (-1.0 AS link_bytes_per_s) {TABLE}"),
        ("slices", f"*, -1 AS attempt {TABLE}"),
        ("slices", f"*, -2 AS core_latency_ns {TABLE}"),
        ("slices", f"*, -2 AS communication_ns {TABLE}"),
        ("slices", f"*, 2 AS warm_up_converged {TABLE}"),
        ("slices", f"* {TABLE} WHERE rank = 0"),
        ("slices", f"* {TABLE} LIMIT 3"),
        ("slices", f"* EXCLUDE launch {TABLE}"),
        ("batches", f"* {TABLE} LIMIT 7"),
        ("batches", f"* REPLACE (end_ns + CAST(0.5 AS DOUBLE) AS end_ns) {TABLE}"),
    ],
)
def test_table_that_is_not_the_runs_is_damage(
    table: str, change: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    shutil.copytree(DATA / "format-4", tmp_path / "run")
    rewritten(tmp_path / "run", table, change)
    run = load(tmp_path / "run")
    (damage,) = [one.cause for one in run.warnings if one.code == "parquet"]
    assert damage.replace(str(tmp_path), "DIR") == snapshot
    check_batches(run)


def test_table_that_lacks_a_column_of_batches_is_damage(tmp_path: Path) -> None:
    shutil.copytree(DATA / "format-4", tmp_path / "run")
    rewritten(tmp_path / "run", "batches", f"* EXCLUDE end_ns {TABLE}")
    run = load(tmp_path / "run")
    (damage,) = [one.cause for one in run.warnings if one.code == "parquet"]
    assert damage.startswith(f"{tmp_path}/run/batches.parquet: ")
    assert '"end_ns"' in damage
    check_batches(run)
