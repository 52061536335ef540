"""`leadline hosts`: words that are refused before anything is made."""

from __future__ import annotations

import pytest

from leadline.cli import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "the following arguments are required: ACTION"),
        ("rise", "unknown action 'rise'; leadline hosts -h lists them"),
        ("up --cou 2", "unknown option '--cou'; did you mean '--count'?"),
        ("list --prefix h", "unknown option '--prefix'; see leadline hosts list --help"),
        ("stop", "the following arguments are required: HOST"),
    ],
)
def test_action_that_cannot_be_is_one_line(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["hosts", *words.split()])
    assert ended.value.code == 2
    printed = capsys.readouterr().err
    assert said in printed
    assert printed.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("up --count 0", "--count '0' must be at least 1"),
        ("up --link 0Mbit", "more than zero"),
        ("up --link gigabyte", "did you mean 'gigabit'"),
        ("up --clock h1", "--clock 'h1': write HOST=+3s"),
        ("up --clock h1=1.5s", "in whole seconds"),
        ("up --clock h1=1 --clock h1=2", "--clock names 'h1' twice"),
        ("exec h1", "what is to run on 'h1'? give -- COMMAND"),
        ("down --prefix h1", "letters, or digits between letters"),
    ],
)
def test_value_that_cannot_be_is_one_line(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hosts", *words.split()]) == 2
    printed = capsys.readouterr().err
    assert said in printed
    assert printed.count("\n") == 1
