"""What `leadline simulate` refuses, and in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from leadline.cli import main
from leadline.errors import UsageError
from leadline.simulate import campaign
from leadline.simulate.shipped import machine_named
from leadline.simulate.timing import Timed
from leadline.store import load

DEADLOCK = (
    "it ends in a deadlock: rank 0 waits to send 1 MiB to rank 1 (tag 5); rank 1 waits to send "
    "1 MiB to rank 0 (tag 5)"
)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--machine", "cray-t3e-90"], "did you mean 'cray-t3e-900'"),
        (["--library", "mpch"], "unknown library of cray-t3e-900 'mpch'; choose from: mpich, cray"),
        (["--patterns", "pari"], "did you mean 'pair'"),
        (
            ["--mapping", "hop"],
            "no file of slots, 'hop'; did you mean 'hops'",
        ),
        (["--mapping", "./slots"], "slots: No such file or directory"),
        (
            ["--ranks", "1000", "--patterns", "pair"],
            "cray-t3e-900 (torus:8x8x8) has 512 slots, 1,000 ranks need as many; take fewer ranks, "
            "or a copy of the file with a larger network",
        ),
        (
            ["--ranks", "63", "--patterns", "halo:4x4x4"],
            "halo:4x4x4 (64 vertices) can't run with 63 ranks (give as many --ranks as the grid "
            "has vertices, or other lengths)",
        ),
        (["--mapping", "nowhere"], "nowhere"),
        (["--allocation", "last:4"], "allocation"),
        (
            ["--allocation", "first:4", "--ranks", "8", "--patterns", "pair"],
            "first:4 has 4 slots free, 8 are needed; ask for fewer, or choose more slots",
        ),
        (["--what-if", "link=fast"], "no factor"),
        (
            ["--ranks", "3", "--patterns", "pair"],
            "pair can't run with 3 ranks: it takes an even number (give",
        ),
        (["--ranks", "2", "--patterns", "pair", "--name", "a b"], "a b"),
        (
            ["--patterns", "barrier_counter"],
            "nothing to simulate: barrier_counter makes no sense over messages alone",
        ),
        (["--patterns", "pack", "--sizes", "8"], "nothing of it costs time there (left out; give"),
        (["--ranks", "1", "--patterns", "bcast"], "bcast: nothing to send with 1 rank (give"),
        (
            ["--mapping", "paper", "--patterns", "pingpong,bcast"],
            "lays ranks of patterns with a grid, and none of pingpong, bcast has one; leave",
        ),
        (
            ["--mapping", "paper", "--machine", "sun-ethernet-10", "--patterns", "pair"],
            "sorts a grid over the axes of a torus, which nodes:16x1 is not",
        ),
        (["--what-if", ""], "--what-if changes nothing"),
        (["--what-if", "dims=8x8"], "--what-if dims=8x8 has 2 lengths, torus:8x8x8 has 3"),
        (["--plot", "picture.gif"], "end the name in .svg, .pdf or .png"),
        (["--plot", "nowhere/picture.svg"], "there is no directory nowhere"),
    ],
)
def test_what_cannot_be_is_named(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = ["simulate", "--machine", "cray-t3e-900", "--out", str(tmp_path / "run")]
    assert main([*usual, *words]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pattern=pair"], "has no ranks"),
        (
            ["pattern=pair,ranks=4,foo=1"],
            "unknown key of --job 'foo'; choose from: allocation, name",
        ),
        (["patern=pair,ranks=2"], "did you mean 'pattern'"),
        (["pattern=pair,ranks=2,ranks=4"], "has ranks twice"),
        (["name=x,pattern=pair,ranks=2", "name=x,pattern=pair,ranks=2"], "one name"),
        (["pattern=pair,ranks=2,allocation=first:4"] * 2, "both have slot 0"),
        (["pattern=pair,ranks=512", "pattern=pair,ranks=2"], "0 slots free"),
    ],
)
def test_jobs_that_cannot_be_are_named(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = [part for word in words for part in ("--job", word)]
    usual = ["simulate", "--machine", "cray-t3e-900", "--out", str(tmp_path / "run")]
    assert main([*usual, *jobs]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--ranks 4", "--patterns halo", "--allocation first:4"])
def test_what_each_job_says_itself_is_refused_beside_them(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", "--machine", "cray-t3e-900", "--job", "pattern=pair,ranks=2"]
    name, value = option.split()
    assert main([*words, name, value, "--out", str(tmp_path / "run")]) == 2
    assert f"{name} is for one job alone" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [["--patterns", "barrier,pair", "--ranks", "4"], ["--job", "pattern=barrier,ranks=4"]],
)
def test_barrier_of_the_hardware_is_refused_before_anything_is_simulated(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    usual = ["simulate", "--machine", "cray-t3d", "--plot", "picture.svg", "--out", str(out)]
    assert main([*usual, *words]) == 2
    assert "cray-t3d has a barrier of its own, which sends no messages" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("bytes_per_s = 12.5e9\n", "", "m.toml:8: [links] has no bytes_per_s; add it"),
        ("bytes_per_s = 12.5e9", "bytes_per_s = -1e9",
         "m.toml:9: links.bytes_per_s = -1000000000.0 must be more than 0, and at most 1e+30"),
        ("bytes_per_s = 12.5e9", "bandwidth = 12.5e9",
         "m.toml:9: unknown key of [links] 'bandwidth'; choose from: bytes_per_s, latency_s, "),
        ('"tree:40x66x1"', '"tree:40x66"',
         "m.toml:11: links.parallel has 1 levels, 'tree:40x66' has 0 with links upwards"),
    ],
)  # fmt: skip
def test_machine_file_that_cannot_be_is_refused_with_its_line(
    old: str, new: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = machine_named("infiniband-fat-tree").text
    assert old in text
    (tmp_path / "m.toml").write_text(text.replace(old, new, 1))
    out = tmp_path / "run"
    assert main(["simulate", "--machine", f"{tmp_path}/m.toml", "--out", str(out)]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_deadlock_of_all_cells_is_an_error_that_names_ranks_and_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(campaign, "_timed", deadlocked)
    words = ["--patterns", "pair", "--sizes", "1MiB", "--out", str(tmp_path / "run")]
    assert main(["simulate", "--machine", "cray-t3e-900", *words]) == 2
    assert f"pair 1 MiB on 2 ranks: {DEADLOCK}" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_deadlock_of_one_cell_is_a_warning_beside_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_others = campaign._timed

    def timed(cast: campaign.Cast, *rest: object) -> Timed:
        pair = cast.planned.choice.name == "pair"
        return deadlocked() if pair else of_others(cast, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(campaign, "_timed", timed)
    words = ["--patterns", "pingpong,pair", "--sizes", "1MiB", "--out", str(tmp_path / "run")]
    assert main(["simulate", "--machine", "cray-t3e-900", *words]) == 1
    run = load(tmp_path / "run")
    assert [cell.pattern for cell in run.cells] == ["pingpong"]
    (caveat,) = run.warnings
    assert (caveat.code, caveat.cause) == ("unsimulated", f"pair 1 MiB on 2 ranks: {DEADLOCK}")


def deadlocked(*_: object) -> Timed:
    raise UsageError(DEADLOCK)
