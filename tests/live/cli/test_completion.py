from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.backends.kinds import INSTALLABLE, KINDS
from leadline.cli import COMMANDS
from leadline.papers.catalogue import STUDIES


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
