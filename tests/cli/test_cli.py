"""The command line as a whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.cli import CHAIN, COMMANDS, main
from leadline.cli.overview import overview


def test_help_has_every_command_once_along_the_chain(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    commands = [line.split()[0] for line in lines if line[:2] == "  " and line[2:3].isalpha()]
    assert [name for name in commands if name in COMMANDS] == list(COMMANDS)
    assert sum(map(len, CHAIN.values())) == len(COMMANDS)
    links = [line for line in lines if line.endswith(":") and line[:-1] in CHAIN]
    assert links == [f"{link}:" for link in CHAIN]
    assert any("--buffers separate" in line and "OSU" in line for line in lines)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_help_keeps_within_the_terminal(width: int) -> None:
    assert max(map(len, overview(CHAIN, width).splitlines())) <= max(width, 70)


def test_option_that_a_command_does_not_know_leads_to_the_one_that_was_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--backend", "shm"])
    assert ended.value.code == 2
    message = "leadline run: unknown option '--backend'; did you mean '--backends'?\n"
    assert capsys.readouterr().err == message


def test_words_of_the_command_line_steer_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["run", "--\x1b[2J"], ["\x1b[2J"]):
        with pytest.raises(SystemExit):
            main(words)
        said = capsys.readouterr().err
        assert "\\x1b[2J" in said
        assert "\x1b" not in said


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_on_a_full_disk_is_one_line_and_status_1(unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "leadline", "dims", "12"],
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.stderr == "leadline dims: output: No space left on device\n"
    assert done.returncode == 1


def test_output_without_the_letters_for_it_has_question_marks() -> None:
    command = (sys.executable, "-m", "leadline", "reproduce", "--paper", "t3e-mpi")
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=ascii_only, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii() and "t3e-mpi ? simulated on" in done.stdout
