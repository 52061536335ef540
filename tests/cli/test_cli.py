"""The command line as a whole."""

from __future__ import annotations

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
