"""Calibrated machines as files: what is written is read, printed and refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.calibrated import NODE, SIZES, found, simulated

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.errors import FileError, UsageError
from leadline.record.run import Origin
from leadline.simulate.calibration import calibrated
from leadline.simulate.machine_files import machine_named, machine_text, parse_machine
from leadline.store import load


def test_what_is_written_is_read(tmp_path: Path) -> None:
    made = found(simulated(tmp_path, NODE, "2", "pingpong,pingpong_sync,bcast,gather")).machine
    read = parse_machine(machine_text(made), "again.toml")
    assert read.profiles == made.profiles
    assert (read.sources, read.fitted) == (made.sources, made.fitted)
    assert (read.name, read.network) == ("again", "nodes:1x2")


def test_what_was_simulated_is_not_said_to_be_measured(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    machine = found(simulated(tmp_path, NODE, "2", "pingpong")).machine
    (library,) = machine.profiles.values()
    assert [machine.summary, library.summary] == snapshot


def test_libraries_keep_names_with_dots_and_paths_what_toml_has_no_text_for(tmp_path: Path) -> None:
    """ "openmpi@4.1.4" and "mpich@3.1.4" were both read as "4", so that one of them was lost."""
    made = found(simulated(tmp_path, NODE, "2", "pingpong,bcast")).machine
    (library,) = made.profiles.values()
    names = ("openmpi@4.1.4", "mpich@3.1.4")
    strange = 'calibrated from \x7f \udcff "quoted" \n \\ \u00fc'
    made = replace(
        made,
        profiles={name: replace(library, name=name) for name in names},
        sources={**made.sources, "profiles": strange},
    )
    text = machine_text(made)
    read = parse_machine(text, "again.toml")
    assert read.profiles == made.profiles
    assert read.sources["profiles"] == strange.replace("\udcff", "\\udcff")
    wrong = text.replace("gap_s_per_byte = ", "gap_s_per_byte = -", 1)
    line = 1 + next(n for n, one in enumerate(wrong.splitlines()) if "= -" in one)
    with pytest.raises(FileError, match=f"again.toml:{line}: ") as caught:
        parse_machine(wrong, "again.toml")
    assert "profiles.openmpi@4.1.4.standard[0].gap_s_per_byte" in str(caught.value)


def test_the_command_writes_the_file_and_prints_what_is_held_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, file = simulated(tmp_path, NODE, "2", "pingpong,bcast,exchange"), tmp_path / "here.toml"
    capsys.readouterr()
    assert main(["calibrate", str(run), "--machine", "here", "--out", str(file)]) == 0
    machine = machine_named(str(file))
    assert machine.name == "here"
    assert machine.sources["profiles"].startswith(f"calibrated from {run}, ")
    assert machine.sources["profiles"].endswith(": pingpong, bcast")
    text = capsys.readouterr().out
    assert re.search(r"node +bcast +linear +its own +0\S* % +0\S* % +6\n", text)
    assert re.search(r"node +exchange +- +- ", text)
    assert all(float(share) < 1 for share in re.findall(r"(\S+) %", text))


def test_what_json_says_keeps_to_its_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, file = simulated(tmp_path, NODE, "2", "pingpong,bcast,exchange"), tmp_path / "here.toml"
    capsys.readouterr()
    assert main(["calibrate", str(run), "--machine", "here", "--out", str(file), "--json"]) == 0
    output = capsys.readouterr().out
    json_schema.check("calibrate", output)
    content = json.loads(output)
    assert content["held_out"]["all"]["count"] == 12
    assert content["held_out"]["all"]["median_error"] < 0.01
    assert [one["pattern"] for one in content["not_fitted"]["patterns"]] == ["exchange"]
    assert content["held_out"]["rows"][1]["algorithm"] == "linear"
    assert content["held_out"]["rows"][1]["cells"][0]["size_bytes"] == 64


@pytest.mark.parametrize(("patterns", "sizes"), [("bcast", SIZES), ("pingpong", "8,64")])
def test_a_run_without_a_ping_pong_of_some_sizes_is_refused(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    patterns: str,
    sizes: str,
    snapshot: SnapshotAssertion,
) -> None:
    directory, file = tmp_path / "run", tmp_path / "here.toml"
    told = ["--machine", "cray-t3d", "--patterns", patterns, "--sizes", sizes]
    assert main(["simulate", *told, "--out", str(directory)]) == 0
    assert main(["calibrate", str(directory), "--machine", "here", "--out", str(file)]) == 2
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot
    assert not file.exists()


def test_ranks_that_share_cores_tell_nothing(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    read = load(str(simulated(tmp_path, NODE, "2,4", "pingpong")))
    crowded = tuple(
        replace(one, origin=Origin.MEASURED, oversubscribed=one.ranks > 2)
        for one in read.configurations
    )
    machine = calibrated(Analysis(replace(read, configurations=crowded)), "again", "a test").machine
    assert machine.network == "nodes:1x2"
    every = tuple(replace(one, oversubscribed=True) for one in crowded)
    with pytest.raises(UsageError) as caught:
        calibrated(Analysis(replace(read, configurations=every)), "again", "a test")
    assert str(caught.value) == snapshot
