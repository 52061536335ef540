"""`leadline simulate`: from a machine's name to a run that the other commands read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.texts import numbers

from leadline.cli import main
from leadline.record.run import Origin, Run
from leadline.simulate import campaign
from leadline.simulate.timing import Timed
from leadline.store import load

PAIR_2_MB_S = 200.0
"""Of the paper on the T3E's contention; its machine's bus is fitted to it."""
NUMBERED = re.compile(r"(\w+ )?[\d.,]+( \w+)?")


def simulated(tmp_path: Path, *words: str) -> Run:
    out = tmp_path / "run"
    assert main(["simulate", "--machine", "cray-t3e-900", "--out", str(out), *words]) == 0
    return load(out)


def rates_mb_s(run: Run) -> dict[tuple[str, str, int], float]:
    """By variant, pattern and ranks."""
    return {
        (of.variant, run.cells[cell].pattern, of.ranks): run.cells[cell].size_bytes / seconds / 1e6
        for stated in run.stated
        for of in [run.configurations[stated.configuration]]
        for cell, seconds in zip(stated.cells, stated.seconds, strict=True)
    }


def test_run_states_a_value_a_cell_and_keeps_the_machine(tmp_path: Path) -> None:
    run = simulated(tmp_path, "--ranks", "2,64", "--patterns", "pair,halo:4x4x4", "--sizes", "1MiB")
    assert {one.origin for one in run.configurations} == {Origin.SIMULATED}
    rates = rates_mb_s(run)
    assert set(rates) == {
        ("cray-t3e-900", "pair", 2),
        ("cray-t3e-900", "pair", 64),
        ("cray-t3e-900", "halo:4x4x4", 64),
    }
    assert rates["cray-t3e-900", "pair", 2] == pytest.approx(PAIR_2_MB_S, rel=0.05)
    assert rates["cray-t3e-900", "halo:4x4x4", 64] < PAIR_2_MB_S / 6
    (facts,) = run.provenance.simulations
    assert (facts.machine, facts.mapping, facts.what_if) == ("cray-t3e-900", "default", "")
    assert 'network = "torus' in facts.machine_file
    assert [one.code for one in run.warnings] == ["grid_ranks"]


def test_equal_words_give_equal_times(tmp_path: Path) -> None:
    words = ("--ranks", "8", "--patterns", "pair,halo", "--sizes", "64KiB")
    first, second = (simulated(tmp_path / name, *words).stated for name in "ab")
    assert first == second


def test_what_is_simulated_when_somebody_ends_it_is_kept(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    times = iter([1e-3, 2e-3])

    def third_is_interrupted(*_: object) -> Timed:
        if (took := next(times, None)) is None:
            raise KeyboardInterrupt
        return Timed(took)

    monkeypatch.setattr(campaign, "_outcome", third_is_interrupted)
    words = ["--ranks", "2,4", "--patterns", "pair,bcast", "--sizes", "8", "--what-if", "link=2x"]
    out = tmp_path / "run"
    assert main(["simulate", "--machine", "cray-t3e-900", "--out", str(out), *words]) == 130
    run = load(out)
    assert [stated.seconds for stated in run.stated] == [(1e-3, 2e-3)]
    assert not run.complete
    printed = capsys.readouterr()
    assert printed.err.replace(str(tmp_path), "DIR") == snapshot
    assert "incomplete" in printed.out


def test_nothing_is_written_where_the_first_cell_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> Timed:
        raise KeyboardInterrupt

    monkeypatch.setattr(campaign, "_outcome", interrupted)
    out = tmp_path / "run"
    assert main(["simulate", "--machine", "cray-t3e-900", "--out", str(out)]) == 130
    assert not out.exists()


def test_mapped_pairs_no_longer_share_links(tmp_path: Path) -> None:
    words = ("--ranks", "128", "--patterns", "pair", "--sizes", "4MB")
    before, after = (
        simulated(tmp_path / mapping, *words, "--mapping", mapping)
        for mapping in ("default", "load")
    )
    assert rates_mb_s(before)["cray-t3e-900", "pair", 128] == pytest.approx(174, rel=0.01)
    assert rates_mb_s(after)["cray-t3e-900-load", "pair", 128] == pytest.approx(200, rel=0.01)
    (placement,) = after.configurations[0].placement
    assert (placement.pattern, placement.metric) == ("pair", "load")


def test_mapping_that_gains_nothing_says_so(tmp_path: Path) -> None:
    words = ("--ranks", "64", "--patterns", "pair", "--sizes", "8", "--mapping", "hops")
    (warning,) = simulated(tmp_path, *words).warnings
    assert warning.code == "no_gain"


def test_pairs_of_64_pes_row_by_row_have_less_than_half_and_all_of_it_mapped(
    tmp_path: Path,
) -> None:
    """The paper's contention: four pairs on a link, where ranks follow the axes of the torus."""
    words = ("--ranks", "64", "--patterns", "pair", "--sizes", "4MB", "--allocation", "first:64")
    before, after = (
        simulated(tmp_path / mapping, *words, "--mapping", mapping)
        for mapping in ("default", "hops")
    )
    (unordered,), (mapped,) = (rates_mb_s(run).values() for run in (before, after))
    assert unordered == pytest.approx(348 / 4, rel=0.01)
    assert mapped == pytest.approx(PAIR_2_MB_S, rel=0.02)


def test_halo_of_128_pes_is_as_the_paper_has_it_by_its_numbering(tmp_path: Path) -> None:
    """124 MB/s unordered; each PE sends six messages."""
    words = ("--ranks", "128", "--patterns", "halo:8x4x4", "--sizes", "4MB")
    run = simulated(tmp_path, *words)
    assert 6 * rates_mb_s(run)["cray-t3e-900", "halo:8x4x4", 128] == pytest.approx(124, rel=0.1)


def test_barrier_of_the_hardware_takes_what_the_file_says(tmp_path: Path) -> None:
    words = ("--machine", "cray-t3d", "--library", "shmem", "--ranks", "2,64")
    run = simulated(tmp_path, *words, "--patterns", "barrier")
    seconds = [each for one in run.stated for each in one.seconds]
    assert seconds == pytest.approx([0.65e-6, 0.80e-6])
    assert {one.algorithms["barrier"] for one in run.configurations} == {"hardware"}


def test_what_costs_nothing_is_left_out_and_said(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    words = ("--patterns", "pack,pingpong", "--sizes", "64KiB")
    run = simulated(tmp_path, *words)
    assert [pattern for _, pattern, _ in rates_mb_s(run)] == ["pingpong"]
    (warning,) = run.warnings
    assert warning.code == "no_cost"
    assert warning.cause == snapshot


def test_cell_that_takes_too_long_is_left_out_and_the_others_stay(tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    asked = ["--ranks", "16", "--patterns", "pingpong,alltoall", "--sizes", "8,1PiB"]
    assert main(["simulate", "--machine", "sun-ethernet-10", *asked, "--out", out]) == 1
    run = load(out)
    assert [(run.cells[c].pattern, run.cells[c].size_bytes) for c in run.stated[0].cells] == [
        ("pingpong", 8), ("pingpong", 2**50), ("alltoall", 8),
    ]  # fmt: skip
    (warning,) = run.warnings
    assert warning.code == "too_long"
    assert warning.cause.startswith("alltoall 1,024 TiB ")
    assert numbers(warning.cause)[:2] == ["1,024", "16"]


def test_cell_that_takes_too_long_on_the_changed_machine_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "run")
    asked = ["--patterns", "pingpong", "--sizes", "8,1PiB", "--what-if", "link=0.000001x"]
    assert main(["simulate", "--machine", "cray-t3e-900", *asked, "--out", out]) == 1
    (warning,) = load(out).warnings
    assert warning.cause.startswith("cray-t3e-900+link1e-06x: pingpong 1,024 TiB ")
    capsys.readouterr()
    assert main(["compare", out, "--baseline", "cray-t3e-900"]) == 0
    assert "1,024 TiB  -" in capsys.readouterr().out


def test_collectives_of_one_rank_are_left_out_as_pairs_are(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    run = simulated(tmp_path, "--ranks", "1,2", "--patterns", "bcast,barrier", "--sizes", "8,64")
    assert [one.ranks for one in run.configurations] == [2]
    (warning,) = run.warnings
    assert warning.code == "too_few_ranks"
    assert warning.cause == snapshot


def test_what_if_stands_beside_the_machine(tmp_path: Path) -> None:
    run = simulated(
        tmp_path, "--ranks", "128", "--patterns", "pair", "--sizes", "4MB", "--what-if", "link=2x"
    )
    rates = {variant: rate for (variant, _, _), rate in rates_mb_s(run).items()}
    assert set(rates) == {"cray-t3e-900", "cray-t3e-900+link2x"}
    assert rates["cray-t3e-900+link2x"] == pytest.approx(200, rel=0.01)


def test_jobs_over_one_link_are_slower_together_than_alone(tmp_path: Path) -> None:
    """Two pairs of PEs, one of each pair on either side of a link."""
    words = ["--sizes", "4MB"]
    for name, places in (("a", "0,0,0\n0,0,2\n"), ("b", "0,0,1\n0,0,3\n")):
        (tmp_path / name).write_text(places)
        words += ["--job", f"name={name},pattern=pair,ranks=2,allocation=list:{tmp_path / name}"]
    run = simulated(tmp_path, *words)
    rates = {variant: rate for (variant, _, _), rate in rates_mb_s(run).items()}
    for name in "ab":
        assert rates[f"cray-t3e-900-{name}"] == pytest.approx(PAIR_2_MB_S, rel=0.01)
        assert rates[f"cray-t3e-900-{name}+others"] == pytest.approx(348 / 2, rel=0.01)


def test_job_without_an_allocation_gets_the_next_slots(tmp_path: Path) -> None:
    run = simulated(tmp_path, *["--job", "pattern=pair,ranks=256"] * 2, "--sizes", "8")
    assert {one.variant for one in run.configurations} == {
        "cray-t3e-900-A", "cray-t3e-900-A+others", "cray-t3e-900-B", "cray-t3e-900-B+others",
    }  # fmt: skip


def test_jobs_on_a_changed_machine_stand_beside_those_on_it(tmp_path: Path) -> None:
    jobs = ["--job", "pattern=pair,ranks=64,allocation=first:64", "--job", "pattern=pair,ranks=2"]
    run = simulated(tmp_path, *jobs, "--sizes", "4MB", "--what-if", "link=2x")
    rates = {variant: rate for (variant, _, _), rate in rates_mb_s(run).items()}
    assert set(rates) == {
        f"cray-t3e-900{change}-{name}{beside}"
        for change in ("", "+link2x") for name in "AB" for beside in ("", "+others")
    }  # fmt: skip
    assert rates["cray-t3e-900+link2x-A"] == pytest.approx(2 * rates["cray-t3e-900-A"], rel=0.01)


def test_single_job_has_no_others(tmp_path: Path) -> None:
    run = simulated(tmp_path, "--job", "pattern=pair,ranks=2", "--sizes", "8")
    assert [one.variant for one in run.configurations] == ["cray-t3e-900-A"]


def test_mapping_says_what_it_does_not_lay(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    words = ("--ranks", "128", "--patterns", "pair,bcast", "--sizes", "8", "--mapping", "load")
    (warning,) = simulated(tmp_path, *words).warnings
    assert warning.code == "no_grid"
    assert warning.cause == snapshot


@pytest.mark.parametrize(
    "command",
    [
        "show {run}",
        "compare {run} --baseline cray-t3e-900",
        "fit {run}",
        "export {run} --csv",
        "sql {query} {run}",
    ],
)
def test_other_commands_read_it(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = simulated(
        tmp_path, "--ranks", "2,4,8", "--patterns", "pair,bcast", "--sizes", "8,1KiB,64KiB,1MiB",
        "--what-if", "latency=2x",
    )  # fmt: skip
    capsys.readouterr()
    words = [word.format(run=run.path, query="FROM configurations") for word in command.split()]
    assert main(words) in (0, 3)
    assert "cray-t3e-900" in capsys.readouterr().out


def test_figure_is_drawn_of_it(tmp_path: Path) -> None:
    words = ("--ranks", "8", "--patterns", "pair", "--sizes", "8,1KiB,64KiB,1MiB")
    figure = tmp_path / "figure.svg"
    run = simulated(tmp_path, *words, "--what-if", "link=2x")
    assert main(["plot", run.path, "--out", str(figure)]) == 0
    assert "cray-t3e-900" in figure.read_text()


def test_picture_shows_links_and_times_before_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    words = ("--ranks", "64", "--patterns", "pair", "--sizes", "8,1MiB", "--allocation", "first:64")
    picture = tmp_path / "picture.svg"
    simulated(tmp_path, *words, "--mapping", "hops", "--plot", str(picture))
    assert str(picture) in capsys.readouterr().err
    assert sentences_of(picture) == snapshot


def texts_of(picture: Path) -> list[str]:
    nodes = (one for one in ElementTree.parse(picture).iter() if one.tag.endswith("text"))
    return ["".join(one.itertext()).strip() for one in nodes]


def sentences_of(picture: Path) -> list[str]:
    """Texts that are more than a number, its unit, or whose it is."""
    return [text for text in texts_of(picture) if not NUMBERED.fullmatch(text)]


def test_picture_has_the_changed_machine_too(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    picture = tmp_path / "picture.svg"
    words = ("--ranks", "8", "--patterns", "halo", "--sizes", "64KiB", "--mapping", "load")
    simulated(tmp_path, *words, "--what-if", "link=2x", "--plot", str(picture))
    assert sentences_of(picture) == snapshot


def test_picture_has_each_job_alone_and_all_together(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    picture = tmp_path / "picture.svg"
    words = ("--job", "pattern=pair,ranks=4", "--job", "name=own,pattern=halo,ranks=8")
    simulated(tmp_path, *words, "--sizes", "8,64KiB", "--plot", str(picture))
    assert "own 7" in texts_of(picture), "a row of the timeline"
    assert sentences_of(picture) == snapshot


@pytest.mark.parametrize(
    "machine",
    ["infiniband-fat-tree", "ibm-sp2", "sun-ethernet-10", "intel-paragon", "tofu-torus"],
)
def test_every_kind_of_network_is_drawn(
    machine: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    picture = tmp_path / "picture.svg"
    words = ["--ranks", "16", "--patterns", "halo", "--sizes", "64KiB", "--plot", str(picture)]
    out = str(tmp_path / "run")
    assert main(["simulate", "--machine", machine, "--out", out, *words]) == 0
    assert sentences_of(picture) == snapshot


def test_png_is_drawn_of_one_state(tmp_path: Path) -> None:
    picture = tmp_path / "picture.PNG"
    simulated(
        tmp_path, "--ranks", "4", "--patterns", "bcast", "--sizes", "8", "--plot", str(picture)
    )
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_json_is_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulated(tmp_path, "--patterns", "pingpong", "--sizes", "8", "--json")
    printed = capsys.readouterr().out
    json_schema.check("simulate", printed)
    rows = json.loads(printed)["rows"]
    assert [row["origin"] for row in rows] == ["simulated"]
