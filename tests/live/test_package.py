"""What users install: sdist -> wheel -> empty venv -> outside the checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from harness.places import ROOT
from tests.support.fake_library import script

from leadline.cli import COMMANDS
from leadline.cli.man_page import manual_pages

HEAVY = ("numpy", "scipy", "duckdb", "rich", "matplotlib")


def run(argv: Sequence[str | Path], cwd: Path, **variables: str) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        argv, cwd=cwd, env=environment | variables,
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{argv}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the sdist, and the wheel made from it."""
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--outdir", folder, ROOT], folder)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `leadline` command of a venv that has nothing but the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    # Compiled is what gets imported: all of numpy and matplotlib would take far longer.
    run([*pip, "install", "--quiet", "--no-compile", str(next(built.glob("*.whl")))], folder)
    return folder / "bin" / "leadline"


def c_sources() -> set[str]:
    native = ROOT / "src" / "leadline" / "native"
    return {
        str(p.relative_to(ROOT / "src"))
        for p in native.rglob("*")
        if p.suffix in {".c", ".h", ".cpp"}
    }


def page_assets() -> set[str]:
    assets = ROOT / "src" / "leadline" / "report" / "page" / "assets"
    return {str(path.relative_to(ROOT / "src")) for path in assets.iterdir()}


def machine_files() -> set[str]:
    machines = ROOT / "src" / "leadline" / "simulate" / "machines"
    return {str(path.relative_to(ROOT / "src")) for path in machines.iterdir()}


def tables_of_papers() -> set[str]:
    source = ROOT / "src"
    return {str(path.relative_to(source)) for path in source.glob("leadline/papers/*/*.csv")}


def test_wheel_has_the_package_with_all_c_sources_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    assert c_sources() | page_assets() | machine_files() | tables_of_papers() <= names
    assert "leadline/py.typed" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"leadline"}


def test_wheel_has_the_manual_pages_where_man_looks_for_them(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        data = {
            name.partition(".data/data/")[2]: wheel.read(name).decode()
            for name in wheel.namelist()
            if ".data/" in name
        }
    assert data == {f"share/man/man1/{name}": text for name, text in manual_pages().items()}


def test_sdist_has_tests_documentation_and_what_sets_them_up(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {f"src/{source}" for source in c_sources()} <= names
    assert {"README.md", "LICENSE", "Makefile", "setup.sh", "docs/reference.md"} <= names
    assert {"hatch_build.py", "tests/live/test_package.py"} <= names


def test_installed_wheel_compiles_and_runs_the_null_kernel(installed: Path, tmp_path: Path) -> None:
    """All that the wheel has is compiled, as quickly as goes: what is measured is nobody's."""
    assert run([installed, "--version"], tmp_path) == "leadline 0.1.0\n"
    quick = script(tmp_path / "cc", f'#!/bin/sh\nexec {shutil.which("cc")} "$@" -O0\n')
    around = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "CC": str(quick)}
    words = ["--backends", "null", "--patterns", "pingpong", "--sizes", "8", "--blocks", "1"]
    run([installed, "run", *words, "--out", "X"], tmp_path, **around)
    (row,) = json.loads(run([installed, "show", "X", "--json"], tmp_path))["rows"]
    assert (row["pattern"], row["backend"], row["size_bytes"]) == ("pingpong", "null", 8)
    assert row["median_s"] > 0


HELPED = [(), *((command,) for command in COMMANDS)]


@pytest.fixture(scope="module")
def imported() -> Mapping[str, list[str]]:
    """What a process has imported when it has printed a help, by the command helped with.

    Each is a fork of one that has only imported the command line.
    """
    program = (
        "import os, sys\n"
        "from leadline.cli import main\n"
        "for words in sys.argv[1:]:\n"
        "    if os.fork() == 0:\n"
        "        break\n"
        "    assert os.wait()[1] == 0\n"
        "else:\n"
        "    sys.exit()\n"
        "try:\n"
        "    main([*words.split(), '--help'])\n"
        "except SystemExit:\n"
        "    pass\n"
        "print('modules:', words, ':', *sys.modules, flush=True)\n"
    )
    output = run([sys.executable, "-c", program, *map(" ".join, HELPED)], ROOT)
    lines = [line.split(" : ") for line in output.splitlines() if line.startswith("modules:")]
    return {before.removeprefix("modules: "): after.split() for before, after in lines}


@pytest.mark.parametrize("words", HELPED, ids=" ".join)
def test_help_imports_nothing_heavy(
    words: tuple[str, ...], imported: Mapping[str, list[str]]
) -> None:
    modules = imported[" ".join(words)]
    assert "leadline.cli" in modules
    assert not set(HEAVY) & set(modules)
