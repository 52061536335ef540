from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.backends.kinds import INSTALLABLE, KINDS
from leadline.cli import COMMANDS, main
from leadline.cli.shells import SHELLS, Option, Subcommand, fish, zsh
from leadline.studies.catalogue import STUDIES

HOSTILE = Subcommand(
    "run",
    "it's $(touch broken) `touch broken` [a:b]",
    (
        Option("--buffers", "echo's \\ [which]: memory", True, ("echo", "cold:er")),
        Option("--out", "where", True, (), "-o"),
        Option("--machine", "it", True, ("t3d", "sp2"), or_file=True),
        Option("-h", "in short", False, ()),
    ),
)


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `leadline completion bash` prints."""
    program = Path(sys.executable).with_name("leadline")
    done = subprocess.run([program, "completion", "bash"], capture_output=True, check=True)
    path = tmp_path_factory.mktemp("bash") / "leadline.bash"
    path.write_bytes(done.stdout)
    return path


def completed(script: Path, *words: str) -> list[str]:
    """What bash proposes for the last of `words` after reading the script."""
    asking = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _leadline; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", asking, "bash", script, *words],
        capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands(script: Path) -> None:
    assert completed(script, "leadline", "") == list(COMMANDS)
    assert completed(script, "leadline", "comple") == ["completion"]


def test_bash_completes_the_options_of_the_command(script: Path) -> None:
    assert completed(script, "leadline", "compare", "--ba") == ["--baseline"]
    assert completed(script, "leadline", "run", "--bu") == ["--buffers", "--budget"]


def test_bash_completes_the_values_that_an_option_lists(script: Path) -> None:
    assert completed(script, "leadline", "run", "--buffers", "") == ["echo", "separate", "cold"]
    assert completed(script, "leadline", "run", "--buffers", "c") == ["cold"]


def test_bash_completes_names_of_sets_formats_shells_and_studies(script: Path) -> None:
    assert completed(script, "leadline", "run", "--suite", "o") == ["onesided"]
    assert completed(script, "leadline", "import", "--format", "n") == ["netpipe", "nccl"]
    assert completed(script, "leadline", "completion", "") == ["bash", "zsh", "fish"]
    assert completed(script, "leadline", "study", "") == list(STUDIES)


def test_bash_completes_machines_links_and_libraries(script: Path) -> None:
    for command in ("simulate", "run"):
        asked = ("leadline", command, "--machine", "cray-t3d")
        assert completed(script, *asked) == ["cray-t3d"]
    assert completed(script, "leadline", "map", "--machine", "cray") == []
    assert completed(script, "leadline", "hosts", "--link", "e") == ["ethernet-10"]
    assert completed(script, "leadline", "get", "") == list(INSTALLABLE)
    assert completed(script, "leadline", "simulate", "--library", "") == []
    for command in ("run", "study"):
        assert completed(script, "leadline", command, "--backends", "") == list(KINDS)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_help_is_completed_as_it_calls_itself(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert printed.count("print this in short") >= len(COMMANDS)
    assert printed.count("print all of this") == len(COMMANDS)
    assert "show this help message" not in printed


def test_bash_completes_patterns_with_their_options(script: Path) -> None:
    assert completed(script, "leadline", "run", "--patterns", "unexpected:") == [
        "unexpected:64",
        "unexpected:1024",
        "unexpected:16",
    ]
    assert completed(script, "leadline", "run", "--patterns", "halo:") == [
        "halo:at_once",
        "halo:corners",
        "halo:2x2x2",
    ]
    assert "ibcast:overlapped" in completed(script, "leadline", "run", "--patterns", "ibc")


def test_bash_completes_methods_of_mapping_as_words(script: Path) -> None:
    assert completed(script, "leadline", "map", "--method", "h") == [
        "hierarchical",
        "hyperplane",
        "hilbert",
        "hierarchical-sort",
    ]


def test_bash_leaves_other_words_to_its_own_completion_of_files(script: Path) -> None:
    assert completed(script, "leadline", "show", "run") == []
    assert "complete -o default" in script.read_text()


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert all(command in printed for command in COMMANDS)
    assert "baseline" in printed


def test_words_are_quoted_as_each_shell_does(tmp_path: Path) -> None:
    assert "'run:it'\\''s $(touch broken) `touch broken` [a:b]'" in zsh([HOSTILE])
    assert "'--buffers[echo'\\''s \\ (which), memory]:value:(echo cold\\:er)'" in zsh([HOSTILE])
    assert r"-d 'it\'s $(touch broken) `touch broken` [a:b]'" in fish([HOSTILE])
    assert "'-o[where]:value:_files' '--out[where]:value:_files'" in zsh([HOSTILE])
    assert "-l out -s o -r -d 'where'" in fish([HOSTILE])
    assert "'--machine[it]:value:{compadd - t3d sp2; _files}' '-h[in short]'" in zsh([HOSTILE])
    assert "-l machine -r -a 't3d sp2' -d 'it'" in fish([HOSTILE])
    assert "-s h -d 'in short'" in fish([HOSTILE])
    assert r"-l buffers -r -f -a 'echo cold:er' -d 'echo\'s \\ [which]: memory'" in fish([HOSTILE])


def test_another_shell_is_no_slip_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    message = "leadline completion: unknown shell 'tcsh'; choose from: bash, fish, zsh\n"
    assert capsys.readouterr().err == message


def test_unknown_shell_is_named_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bsh"]) == 2
    message = "leadline completion: unknown shell 'bsh'; did you mean 'bash'?\n"
    assert capsys.readouterr().err == message
