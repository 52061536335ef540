from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness.places import DATA
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import RecordError
from leadline.record.foreign import FORMATS, PrintedTable, read_tables
from leadline.record.run import WhoseTime

EXAMPLES = DATA / "imports"


def tables(name: str, form: str | None = None) -> dict[str, PrintedTable]:
    _, found = read_tables((EXAMPLES / name).read_text(), name, form)
    return {table.benchmark: table for table in found}


def values(table: PrintedTable) -> dict[int, float]:
    return {row.size_bytes: row.seconds for row in table.rows}


def problem(text: str, form: str | None = None) -> RecordError:
    with pytest.raises(RecordError) as raised:
        read_tables(text, "out.txt", form)
    return raised.value


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.txt")), ids=lambda path: path.stem)
def test_every_example_is_told_by_its_content(path: Path) -> None:
    form, found = read_tables(path.read_text(), path.name)
    assert path.name.startswith(form)
    assert all(table.rows for table in found)


def test_osu_latency_is_the_root_s_time_between_two_ranks() -> None:
    table = tables("osu_latency-7.4.txt")["osu_mpi_latency"]
    assert (table.ranks, table.whose_time, table.line) == (2, WhoseTime.ROOT, 2)
    assert values(table)[65536] == pytest.approx(11.9e-6)
    assert table.rows[0].line == 5


def test_osu_s_oldest_heading_gives_the_same_benchmark() -> None:
    assert values(tables("osu_latency-2.0.txt")["osu_mpi_latency"]) == {0: 1.25e-6, 1: 1.5e-6}


def test_osu_bandwidth_becomes_seconds_per_message() -> None:
    found = values(tables("osu_bw-7.5.txt")["osu_mpi_bandwidth"])
    assert found == pytest.approx({1: 0.25e-6, 8: 0.25e-6, 1024: 0.4e-6, 1048576: 100e-6})


def test_osu_pairs_are_two_ranks_each() -> None:
    table = tables("osu_mbw_mr-5.7.txt")["osu_mpi_multiple_bandwidth_message_rate"]
    assert table.ranks == 30
    assert values(table) == pytest.approx({1: 0.125e-6, 8: 0.125e-6})


def test_osu_collective_is_the_mean_over_an_unknown_number_of_ranks() -> None:
    table = tables("osu_reduce-7.3-full.txt")["osu_mpi_cuda_reduce_latency"]
    assert (table.ranks, table.whose_time) == (None, WhoseTime.MEAN)
    assert values(table) == pytest.approx({1: 50.25e-6, 2: 51.5e-6})


def test_osu_barrier_has_no_size() -> None:
    table = tables("osu_barrier-7.3.txt")["osu_mpi_barrier_latency"]
    assert values(table) == pytest.approx({0: 3.25e-6})


def test_osu_non_blocking_collective_is_its_time_without_computation() -> None:
    table = tables("osu_iallreduce-7.3.txt")["osu_mpi_non_blocking_allreduce_latency"]
    assert values(table) == pytest.approx({4: 6.25e-6, 8: 6.5e-6})


def test_imb_has_a_table_for_each_benchmark() -> None:
    found = tables("imb-mpi1-2021.11-impi.txt")
    assert [*found] == ["imb_pingpong", "imb_exchange", "imb_allreduce", "imb_barrier"]
    assert {table.ranks for table in found.values()} == {2}
    assert values(found["imb_pingpong"])[1024] == pytest.approx(0.60e-6)
    assert found["imb_pingpong"].whose_time is WhoseTime.ROOT


def test_imb_collective_is_the_slowest_rank_s() -> None:
    table = tables("imb-mpi1-2021.11-impi.txt")["imb_allreduce"]
    assert table.whose_time is WhoseTime.SLOWEST
    assert values(table)[64] == pytest.approx(0.84e-6)


def test_netpipe_is_its_time_and_agrees_with_its_mbps() -> None:
    table = tables("netpipe-3.7.2-tcp.txt")["netpipe"]
    assert (table.ranks, len(table.rows)) == (2, 58)
    assert values(table)[4099] == pytest.approx(7.61e-6)
    assert 4099 * 8 / 2**20 / values(table)[4099] == pytest.approx(4110.17, rel=1e-3)


def test_nccl_has_a_table_out_of_place_and_one_in_place() -> None:
    found = tables("nccl-all_reduce-2.17.6.txt")
    assert [*found] == [f"nccl_all_reduce:float:sum:-1:{w}_place" for w in ("out_of", "in")]
    for table, time in zip(found.values(), (40e-6, 41e-6), strict=True):
        assert table.ranks == 2
        assert values(table)[1048576] == pytest.approx(time)


def test_nccl_s_older_columns_are_read_as_well() -> None:
    found = tables("nccl-all_reduce-2.0.txt")
    assert [*found] == ["nccl:float:sum:out_of_place", "nccl:float:sum:in_place"]


def test_nccl_time_that_was_not_measured_has_no_row() -> None:
    text = (EXAMPLES / "nccl-all_reduce-2.17.6.txt").read_text()
    _, found = read_tables(re.sub(r"41\.00 .*N/A", "N/A N/A N/A N/A", text), "x")
    assert [len(table.rows) for table in found] == [3, 2]


@pytest.mark.parametrize("text", ["", "\n", "no benchmark printed this\n1 2\n"])
def test_foreign_text_is_refused_with_all_formats_named(text: str) -> None:
    assert ", ".join(FORMATS) in str(problem(text))


def test_text_of_another_format_than_told_is_refused(snapshot: SnapshotAssertion) -> None:
    error = problem((EXAMPLES / "osu_bw-7.5.txt").read_text(), "imb")
    assert str(error) == snapshot


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.txt")), ids=lambda path: path.stem)
def test_text_cut_inside_its_last_row_is_refused_at_that_line(path: Path) -> None:
    _, found = read_tables(path.read_text(), path.name)
    last = max(row.line for table in found for row in table.rows)
    lines = path.read_text().split("\n")[:last]
    error = problem("\n".join([*lines[:-1], lines[-1][:-2]]))
    assert error.line == last


@pytest.mark.parametrize("form", ["osu", "imb", "netpipe", "nccl"])
def test_heading_without_a_row_is_refused(form: str, snapshot: SnapshotAssertion) -> None:
    path = min(EXAMPLES.glob(f"{form}*"))
    _, found = read_tables(path.read_text(), path.name)
    rows = {row.line for table in found for row in table.rows}
    kept = [t for n, t in enumerate(path.read_text().split("\n"), 1) if n not in rows]
    assert str(problem("\n".join(kept))) == snapshot


def test_malformed_row_is_refused_with_its_line(snapshot: SnapshotAssertion) -> None:
    head = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n1   0.5\n"
    rows = ["8   nan", "8   -1.0", "8.5   1.0", "8", "mpirun: rank 1 died"]
    told = refusals(lambda row: read_tables(f"{head}{row}\n", "out.txt"), rows, RecordError)
    assert told == snapshot


def test_groups_at_the_same_time_are_refused_by_name() -> None:
    text = (EXAMPLES / "imb-mpi1-2021.11-impi.txt").read_text()
    error = problem(text.replace("# #processes = 2", "# ( 2 groups of 2 processes each)", 1))
    assert "-multi" in str(error)
    assert text.split("\n")[(error.line or 0) - 1].startswith("# #processes")


def test_imb_benchmark_without_a_known_column_is_refused(snapshot: SnapshotAssertion) -> None:
    text = (EXAMPLES / "imb-mpi1-2021.11-impi.txt").read_text()
    assert str(problem(text.replace("t[usec]", "t_ovrl[usec]"))) == snapshot


def test_imb_heading_after_the_last_end_is_refused_at_the_last_line(
    snapshot: SnapshotAssertion,
) -> None:
    text = (EXAMPLES / "imb-mpi1-2021.11-impi.txt").read_text() + "# Benchmarking Bcast\n"
    error = problem(text)
    assert str(error) == snapshot
    assert error.line == text.count("\n")


def test_second_nccl_test_in_one_file_is_refused_rather_than_lost(
    snapshot: SnapshotAssertion,
) -> None:
    text = (EXAMPLES / "nccl-all_reduce-2.17.6.txt").read_text()
    assert str(problem(text + text)) == snapshot


def test_values_before_the_first_heading_are_refused_rather_than_passed_over(
    snapshot: SnapshotAssertion,
) -> None:
    text = (EXAMPLES / "osu_latency-7.4.txt").read_text()
    with pytest.raises(RecordError) as caught:
        read_tables(f"starting on 4 nodes at 12:30\n8    0.42\n{text}", "f")
    assert str(caught.value) == snapshot
    form, tables = read_tables(f"loaded mpich 5.0\n4 nodes\n{text}", "f")
    assert (form, len(tables)) == ("osu", 1)
