"""What enters by an import can be read back: numbers, counts and names are checked there."""

from __future__ import annotations

import json

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import RecordError
from leadline.record.foreign import read_tables
from leadline.record.foreign.collection import MOST_PLACES, ImportedTables, Source
from leadline.record.foreign.table import (
    LEAST_SECONDS,
    MOST_SECONDS,
    ForeignError,
    PrintedRow,
    PrintedTable,
    number,
)
from leadline.record.quantities import LONGEST_S, MOST_NUMBERED
from leadline.record.run import WhoseTime

LATENCY = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n"
BANDWIDTH = "# OSU MPI Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n"
PAIRS = "# OSU MPI Multiple Bandwidth Test v7.4\n# [ pairs: {} ]\n# Size  MB/s\n1 2\n"
IMB_TITLE, IMB_END = "#    Intel(R) MPI Benchmarks\n", "# All processes entering MPI_Finalize\n"
IMB = (
    f"{IMB_TITLE}# Benchmarking PingPong\n# #processes = {{}}\n#bytes #repetitions t[usec]\n"
    f" 8 100 {{}}\n{IMB_END}"
)
NCCL = (
    "# Rank  0 x\n#  size  count  type  redop  time  algbw  busbw  #wrong\n"
    " 1024 256 {} sum {} 1 1 0\n# Avg bus bandwidth\n"
)
NETPIPE = "Now starting the main loop\n  0: {} bytes 9 times -->  4.38 Mbps in  {} usec\n"
SECTIONS = "PARAMETER p\nPOINTS {}\nMETRIC {}\nREGION {}\nDATA {}\n"


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as raised:
        read_tables(text, "out.txt")
    return raised.value


@pytest.mark.parametrize("word", ["0", "0.00", "-0.00", "+5", ".5", "5.", "1e-9", "1.5E+03"])
def test_numbers_as_c_prints_them_are_read(word: str) -> None:
    assert number(word, 1) == float(word)


NO_NUMBERS = ["1_0.5", "0x10", "0x1p3", "nan", "inf", "infinity", "1e999", "1e-999", "1e-320",
              "١٢", "½", "1,5", "1 2", "", ".", "e5", "--1", "-1"]  # fmt: skip


@pytest.mark.parametrize("word", NO_NUMBERS)
def test_what_c_prints_as_no_finite_number_is_refused(word: str) -> None:
    with pytest.raises(ForeignError) as raised:
        number(word, 7)
    assert raised.value.line == 7


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{LATENCY}8 1_0.5\n", 3),
        (f"{LATENCY}8 1e300\n", 3),
        (f"{LATENCY}8 1e-12\n", 3),
        (f"{BANDWIDTH}8 1e305\n", 3),
        (f"{BANDWIDTH}8 1e-280\n", 3),
        (IMB.format(2, "1e300"), 5),
        (NCCL.format("float", "1e300"), 3),
        (NETPIPE.format(8, "1e300"), 2),
        (NETPIPE.format("٨", "1.5"), 2),
        (SECTIONS.format(2, "time", "a", "1e300"), 5),
        (SECTIONS.format(2, "time", "a", "5e-324"), 5),
        (SECTIONS.format("2_0", "time", "a", "1"), 2),
    ],
)
def test_value_that_no_run_holds_is_refused_by_its_line(text: str, line: int) -> None:
    assert refused(text).line == line


@pytest.mark.parametrize("text", [PAIRS, IMB], ids=["pairs", "processes"])
def test_absurd_number_of_pairs_or_processes_is_refused(
    text: str, snapshot: SnapshotAssertion
) -> None:
    counts = ["0", "-1", str(10**12), "9" * 5000, "٤", "1_0", "x"]
    told = refusals(
        lambda count: read_tables(text.format(count, "1.5"), "out.txt"), counts, RecordError
    )
    assert told == snapshot


def test_times_that_are_let_in_fit_a_run() -> None:
    assert 0 < LEAST_SECONDS < MOST_SECONDS < LONGEST_S


@pytest.mark.parametrize("bad", ["\x1b[31m", "\x00", "\x7f", "\x9b", "\u202e"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (NCCL.replace("{}", "fl{}oat", 1).replace("{} 1 1", "1 1 1"), 3),
        (SECTIONS.format(2, "time", "a{}->b", "1"), 4),
        (SECTIONS.format(2, "vis{}its", "a", "1"), 3),
    ],
)
def test_name_that_would_steer_a_terminal_is_refused(text: str, line: int, bad: str) -> None:
    error = refused(text.format(bad))
    assert error.line == line
    assert str(error).isprintable()


@pytest.mark.parametrize("where", ["callpath", "metric"])
@pytest.mark.parametrize("bad", ["\ud800", "\x1b"], ids=["surrogate", "escape"])
def test_name_that_is_no_utf_8_is_refused_in_json_too(
    where: str, bad: str, snapshot: SnapshotAssertion
) -> None:
    usual = {"params": {"p": 2}, "value": 1, "callpath": "a", "metric": "time"}
    error = refused(f"{json.dumps(usual)}\n{json.dumps(usual | {where: f'a{bad}b'})}\n")
    assert error.line == 2
    assert str(error) == snapshot
    newer = {"parameters": ["p"], "measurements": {f"a{bad}": {"time": 1}}}
    assert str(refused(json.dumps(newer))).isprintable()


def test_imb_s_frame_around_nothing_is_refused(snapshot: SnapshotAssertion) -> None:
    assert str(refused(f"{IMB_TITLE}\n{IMB_END}")) == snapshot


def test_more_values_than_a_run_has_places_are_refused_before_anything_is_written() -> None:
    assert MOST_PLACES <= MOST_NUMBERED
    tables = tuple(
        PrintedTable("x", n, n, WhoseTime.ROOT, (PrintedRow(n, n, 1.0),)) for n in range(1, 1026)
    )
    with pytest.raises(RecordError, match=r"^f:1025: .* 1,025 .* 1,025 "):
        ImportedTables("many").take([Source("f", "osu", tables)])


LONG = 200_000


@pytest.mark.parametrize(
    "text",
    [
        f"# OSU x v{'1' * LONG} x\n",
        f"# size count type{' ' * LONG}x\n",
        f"PARAMETER p\nPOINTS 2\nREGION{' ' * LONG}\x0bx\n",
    ],
)
def test_long_line_takes_no_longer_than_it_is(text: str) -> None:
    refused(text)
