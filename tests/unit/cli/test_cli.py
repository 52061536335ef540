"""The command line as a whole."""

from __future__ import annotations

import pytest

from leadline.cli import CHAIN, COMMANDS, main
from leadline.cli.parsing.parser import overview


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


def test_words_of_the_command_line_steer_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["run", "--\x1b[2J"], ["\x1b[2J"]):
        with pytest.raises(SystemExit):
            main(words)
        output = capsys.readouterr().err
        assert "\\x1b[2J" in output
        assert "\x1b" not in output
