"""The kernels themselves, obeying a script instead of the front-end."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness.kernels import LOST_PUTS, NATIVE, SANITISED, kernel
from harness.patience import PATIENCE_S
from harness.scripts import EVERY_PATTERN, TWO_RANKS, ids, obey, results
from syrupy.assertion import SnapshotAssertion

from leadline.errors import MachineError
from leadline.kernels.build import Additions, describe
from leadline.kernels.description import parse_description
from leadline.kernels.messages import Fault, Hello, Message, Result
from leadline.native.compiler import run
from leadline.patterns.pattern import parse_choice
from leadline.record.slices import BatchFlag

pytestmark = pytest.mark.long

ONE_SIDED = (
    "id=1 pattern=put size=8 cadence=streaming",
    "id=2 pattern=put size=100000 buffers=separate cadence=isolated",
    "id=3 pattern=get size=5000 buffers=cold cold_bytes=1000000 cadence=streaming",
    "id=4 pattern=get size=8 cadence=streaming",
    "id=5 pattern=put_window size=8 cadence=streaming",
    "id=6 pattern=put_window size=5000 buffers=cold cold_bytes=1000000 cadence=streaming",
    "id=7 pattern=get_window size=1001 buffers=separate cadence=streaming",
    "id=8 pattern=put_flag size=8 cadence=streaming",
    "id=9 pattern=put_flag size=0 cadence=streaming",
    "id=10 pattern=put_flag size=5000 buffers=cold cold_bytes=1000000 cadence=streaming",
    "id=11 pattern=put_flag size=100001 buffers=separate cadence=isolated",
    "id=12 pattern=fetch_add cadence=streaming",
    "id=13 pattern=fetch_add cadence=streaming contention=contended",
    "id=14 pattern=compare_swap buffers=cold cold_bytes=100000 cadence=streaming",
    "id=15 pattern=compare_swap cadence=streaming contention=contended",
    "id=16 pattern=gsum_master cadence=isolated",
    "id=17 pattern=gmax_master cadence=streaming",
    "id=18 pattern=gland_master buffers=cold cold_bytes=10000 cadence=streaming",
    "id=19 pattern=vector_sum_log2 size=800000 cadence=isolated",
    "id=20 pattern=vector_sum_log2 size=64 buffers=cold cold_bytes=100000 cadence=streaming",
)


DATATYPES = (
    "id=1 pattern=pingpong_strided size=8 cadence=streaming",
    "id=2 pattern=pingpong_struct size=4800 buffers=cold cold_bytes=1000000",
)
MANY_CORES = Additions(
    sources=(NATIVE / "many_cores.c",), link_flags=("-Wl,--wrap=sched_getaffinity",)
)
CLOCKS_APART = Additions(
    sources=(NATIVE / "clocks_apart.c",), link_flags=("-Wl,--wrap=clock_gettime",)
)
THREADS = (
    "id=1 pattern=pingpong_multiple size=8 cadence=streaming",
    "id=2 pattern=pingpong_threads size=0 cadence=streaming",
    "id=3 pattern=pingpong_threads size=100 buffers=cold cold_bytes=100000 cadence=isolated",
)
NON_BLOCKING = (
    "id=1 pattern=ibarrier cadence=isolated",
    "id=2 pattern=ibarrier cadence=streaming overlap=tested",
    "id=3 pattern=ibcast size=1000 cadence=isolated root=rotating overlap=overlapped",
    "id=4 pattern=iallreduce size=800 cadence=isolated overlap=tested op=max",
    "id=5 pattern=iallgather size=77 cadence=streaming overlap=computing",
    "id=6 pattern=ialltoall size=9 buffers=cold cold_bytes=100000 overlap=overlapped",
    "id=7 pattern=ibarrier cadence=streaming overlap=overlapped work=20000",
    "id=8 pattern=ibcast size=8 cadence=isolated overlap=tested work=1000",
    "id=9 pattern=iallreduce size=8 cadence=streaming overlap=computing work=1000000",
)


def flagged(result: Result, flag: BatchFlag) -> list[bool]:
    return [bool(flags & flag) for flags in result.batches[:, 2].tolist()]


@pytest.fixture(scope="module")
def over_shm(tmp_path_factory: pytest.TempPathFactory) -> list[list[Message]]:
    """What both ranks say of every pattern over shared memory."""
    return obey(kernel("shm"), EVERY_PATTERN, tmp_path_factory.mktemp("every_pattern"))


@pytest.mark.parametrize("kind", ["null", "shm", "tcp", "trace"])
def test_every_pattern_records_batches_in_order_of_time(kind: str, tmp_path: Path) -> None:
    """Sanitised, which finds nothing."""
    require_batches(obey(kernel(kind, SANITISED), EVERY_PATTERN, tmp_path)[0])


def test_every_pattern_of_an_optimised_kernel_does(over_shm: list[list[Message]]) -> None:
    require_batches(over_shm[0])


def require_batches(root: list[Message]) -> None:
    assert isinstance(root[0], Hello)
    assert root[0].size == 2
    assert sorted(results(root)) == ids(EVERY_PATTERN)
    for result in results(root).values():
        start, end = result.batches[:, 0], result.batches[:, 1]
        assert 3 + 2 <= len(start) <= 64 + 2
        assert (end >= start).all()
        assert (np.diff(start) > 0).all()
        assert flagged(result, BatchFlag.WARM_UP) == [True] * 2 + [False] * (len(start) - 2)


def test_isolated_samples_of_all_ranks_share_their_deadlines(
    over_shm: list[list[Message]],
) -> None:
    first, second = over_shm
    isolated = [line for line in EVERY_PATTERN if "isolated" in line and "pingpong" not in line]
    assert len(isolated) > 20
    for id_ in ids(isolated):
        deadlines = [results(rank)[id_].batches[:, 0].tolist() for rank in (first, second)]
        assert deadlines[0] == deadlines[1]
        assert results(first)[id_].repetitions == 1


def test_only_the_root_records_where_the_time_is_the_roots(over_shm: list[list[Message]]) -> None:
    _, second = over_shm
    assert len(results(second)[1].batches) == 0


def test_given_repetitions_are_kept_and_zero_is_calibrated(tmp_path: Path) -> None:
    lines = (
        "id=1 pattern=pingpong size=8 cadence=streaming repetitions=17",
        "id=2 pattern=pingpong size=8 cadence=streaming batch_ns=50000",
    )
    output = results(obey(kernel("null"), lines, tmp_path)[0])
    assert output[1].repetitions == 17
    assert output[2].repetitions > 1000  # an empty call takes nanoseconds


@pytest.mark.parametrize("ranks", [1, 3, 5])
@pytest.mark.parametrize("kind", ["shm", "trace"])
def test_odd_numbers_of_ranks_measure_collectives(kind: str, ranks: int, tmp_path: Path) -> None:
    lines = tuple(
        line.replace("isolated", "streaming").replace("root=1", "")
        for line in EVERY_PATTERN
        if not any(f"pattern={name} " in line for name in TWO_RANKS)
    )
    for rank in obey(kernel(kind), lines, tmp_path, ranks):
        assert sorted(results(rank)) == ids(lines)


@pytest.mark.parametrize("ranks", [2, 3])
def test_every_pattern_gives_a_result_over_openshmem(ranks: int, tmp_path: Path) -> None:
    for text in obey(kernel("shmem"), EVERY_PATTERN, tmp_path, ranks)[:2]:
        assert sorted(results(text)) == ids(EVERY_PATTERN)


@pytest.mark.parametrize(
    ("kind", "additions", "ranks"),
    [
        ("null", SANITISED, 2),
        ("shm", None, 2),
        ("shm", SANITISED, 3),
        ("shm", SANITISED, 5),
        ("trace", None, 2),
        ("trace", SANITISED, 3),
        ("shmem", None, 2),
        ("shmem", None, 3),
    ],
)
def test_every_one_sided_pattern_gives_a_result(
    kind: str, additions: Additions | None, ranks: int, tmp_path: Path
) -> None:
    output = obey(kernel(kind, additions), ONE_SIDED, tmp_path, ranks)
    assert sorted(results(output[0])) == list(range(1, len(ONE_SIDED) + 1))


@pytest.mark.parametrize("kind", ["shm", "trace", "shmem"])
def test_one_sided_operation_that_never_reached_its_target_fails_its_cell(
    kind: str, tmp_path: Path
) -> None:
    moving = tuple(line for line in ONE_SIDED if "size=0" not in line)
    output = obey(kernel(kind, LOST_PUTS), moving, tmp_path)
    failed = {message.id for rank in output for message in rank if isinstance(message, Fault)}
    assert failed == {int(line.split("=")[1].split()[0]) for line in moving}


@pytest.mark.parametrize("kind", ["shm", "tcp", "trace"])
def test_barriers_are_validated_without_comparing_clocks_of_hosts(
    kind: str, tmp_path: Path
) -> None:
    lines = (
        "id=1 pattern=barrier cadence=streaming",
        "id=2 pattern=barrier_dissemination cadence=streaming",
    )
    for text in obey(kernel(kind, CLOCKS_APART), lines, tmp_path, 3):
        assert sorted(results(text)) == ids(lines)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("pattern=pingpang", "pattern=pingpang"),
        ("size=8", "pattern=?"),
        ("pattern=barrier size=-1", "size=-1"),
        ("pattern=barrier size=99999999999999999999", "size=99999999999999999999"),
        ("pattern=barrier buffers=warm", "buffers=warm"),
        ("pattern=bcast root=7", "root=7"),
        ("pattern=barrier colour=red", "colour=red"),
        ("pattern", "pattern"),
        ("shortcut id=1 share=4294967296 next=1", "shortcut"),
        ("shortcut id=1 share=1 next=0", "shortcut"),
        ("clocks id=1 apart=never", "clocks"),
        ("clocks id", "clocks"),
    ],
)
def test_command_that_makes_no_sense_ends_the_rank_and_names_the_word(
    line: str, word: str, tmp_path: Path
) -> None:
    script = tmp_path / "script"
    script.write_text(line + "\n")
    done = subprocess.run(
        [str(kernel("null")), "--script", str(script), "--records", str(tmp_path / "r")],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    assert f"can't obey {word} in" in done.stderr


def test_description_needs_no_job(tmp_path: Path) -> None:
    null, shm = describe(kernel("null")), describe(kernel("shm"))
    assert not null.carries_payload
    assert shm.carries_payload
    assert null.patterns["barrier_futex"].algorithm == "absent"
    assert shm.patterns["barrier_futex"].algorithm == "futex"
    assert null.patterns["barrier_dissemination"].algorithm == "dissemination"
    assert shm.patterns["bcast"].algorithm != "absent"
    assert shm.patterns["ibcast"].algorithm == "absent"


def test_description_says_what_a_message_has_room_for() -> None:
    patterns = describe(kernel("null")).patterns
    room = {name: patterns[name].blocks for name in ("bcast", "gather", "neighbor_alltoall")}
    assert room == {"bcast": 1, "gather": 0, "neighbor_alltoall": 4}
    assert (patterns["gatherv"].largest_share, patterns["gather"].largest_share) == (2, 1)


def test_description_has_the_kinds_and_bounds_of_options() -> None:
    described = json.loads(run([str(kernel("null")), "--describe"], {}))
    options = {pattern["name"]: pattern["options"] for pattern in described["patterns"]}
    assert options["unexpected"] == {
        "depth": {"kind": "number", "least": 1, "most": 1024, "default": 1}
    }
    assert options["iallreduce"]["op"] == {"kind": "word", "words": ["sum", "max", "land"]}
    assert options["iallreduce"]["work"] == {
        "kind": "time", "least": 1000, "most": 100_000_000, "default": 0, "needs": "overlap"
    }  # fmt: skip


def test_no_two_options_of_a_pattern_share_a_word_or_stand_bare() -> None:
    for pattern in describe(kernel("null")).patterns.values():
        words = [word for option in pattern.options.values() for word in option.words]
        assert len(words) == len(set(words)), pattern.name
        bare = [key for key, option in pattern.options.items() if option.stands_bare("4")]
        assert len(bare) <= 1, pattern.name


def test_description_names_the_phases_of_a_slice_in_order() -> None:
    phases = describe(kernel("null")).phases
    assert (phases[0], phases[-1]) == ("idle", "timing")


def test_kernel_whose_flags_are_not_the_records_is_refused(snapshot: SnapshotAssertion) -> None:
    described = json.loads(run([str(kernel("null")), "--describe"], {}))
    assert parse_description(json.dumps(described)).phases
    described["flags"]["late"] = 8
    with pytest.raises(MachineError) as caught:
        parse_description(json.dumps(described))
    assert str(caught.value) == snapshot


def test_what_a_loader_prints_beside_a_description_is_passed_over() -> None:
    here = kernel("null")
    preloading = {"LD_PRELOAD": "/none.so"}
    assert describe(here, preloading) == describe(here)
    output = run([str(here), "--describe"], {})
    beside = "{hello\nfrom a loader {\n"
    assert parse_description(beside + output) == parse_description(output)
    with pytest.raises(MachineError, match="'hello'"):
        parse_description("hello\n")


def test_description_says_which_patterns_are_windows() -> None:
    patterns = describe(kernel("null")).patterns
    windows = {name: p.windows for name, p in patterns.items() if p.windows != "none"}
    assert windows == {
        "put_window": "one", "get_window": "one", "stream": "one", "message_rate": "pair"
    }  # fmt: skip
    assert set(windows) == {n for n, p in patterns.items() if p.messages_per_repetition > 2}
    assert all(
        patterns[n].messages_in_flight == patterns[n].messages_per_repetition for n in windows
    )
    assert [n for n, p in patterns.items() if p.in_pairs] == ["message_rate", "pair"]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("pair", 1), ("cyclic", 2), ("cyclic:8", 2), ("cyclic:all", 4), ("cyclic:2x2x2:all", 6),
        ("cyclic_two_step:4x2", 2), ("halo", 6), ("halo:8", 2), ("halo:2x2x2x1", 8),
        ("halo:corners", 26), ("halo:4x2:periodic:corners", 8), ("halo:2x2x2x1:corners", 80),
    ],
)  # fmt: skip
def test_message_of_every_neighbour_has_a_block_of_its_own(text: str, blocks: int) -> None:
    patterns = describe(kernel("null")).patterns
    choice = parse_choice(text, patterns)
    assert choice.blocks(patterns[choice.name], 8) == blocks


@pytest.mark.parametrize("cores", [2, 1024, 4096, 100_000])
def test_rank_says_all_cores_that_it_may_run_on_however_many(
    cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MANY_CORES", str(cores))
    wrapped = replace(MANY_CORES, compile_flags=SANITISED.compile_flags)
    ((hello, *_),) = obey(kernel("null", wrapped), (), tmp_path)
    assert isinstance(hello, Hello)
    assert hello.cores == tuple(range(0, cores, 2))


@pytest.mark.parametrize("kind", ["null", "trace"])
@pytest.mark.parametrize("lines", [NON_BLOCKING, DATATYPES], ids=["non_blocking", "datatypes"])
def test_patterns_that_raw_transports_lack_record_batches(
    lines: tuple[str, ...], kind: str, tmp_path: Path
) -> None:
    for text in obey(kernel(kind, SANITISED), lines, tmp_path):
        assert sorted(results(text)) == ids(lines)


@pytest.mark.parametrize("additions", [None, SANITISED], ids=["plain", "sanitised"])
def test_two_threads_record_batches(additions: Additions | None, tmp_path: Path) -> None:
    (output,) = obey(kernel("null", additions), THREADS, tmp_path)
    assert sorted(results(output)) == ids(THREADS)


@pytest.mark.parametrize("words", [[], ["--scripts"], ["--script", "a"], ["--describe", "x"]])
def test_wrong_arguments_get_a_usage_line(words: list[str]) -> None:
    done = subprocess.run(
        [str(kernel("null")), *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr[:6]) == (2, "usage:")
