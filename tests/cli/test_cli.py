"""The command line as a whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.cli import main


def test_word_that_a_command_does_not_know_leads_to_the_help_of_that_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--backend", "shm"])
    assert ended.value.code == 2
    message = "leadline run: unrecognized arguments: --backend shm; see leadline run --help\n"
    assert capsys.readouterr().err == message


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
