"""A Python whose pip installs a pretended MPI library."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.support.fake_library import library, script

from leadline.backends.install import Requirement, install
from leadline.errors import MachineError

PYTHON = """#!/bin/bash
echo "$*" >> "{folder}/calls"
case "$*" in
"-m pip --version") {pip} ;;
"-m venv"*) mkdir -p "${{@: -1}}/bin" ;;
*) {body} ;;
esac
"""
INSTALL = """
prefix=$(dirname "$(dirname "$4")")
cp -r "{source}/." "$prefix"
mkdir -p "$prefix/lib/python3.11/site-packages/{name}.dist-info"
printf 'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n' \\
    > "$prefix/lib/python3.11/site-packages/{name}.dist-info/METADATA"
"""


def python(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str, pip: str = "true") -> Path:
    text = PYTHON.format(folder=folder, body=body, pip=pip)
    path = script(folder / "python", text)
    monkeypatch.setattr(sys, "executable", str(path))
    return path


def that_installs_mpich(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Python whose pip installs a pretended MPICH 9.9; its calls are in the file `calls`."""
    library(folder / "wheel")
    body = INSTALL.format(source=folder / "wheel", name="mpich", version="9.9")
    return python(folder, monkeypatch, body)


def calls(folder: Path) -> list[str]:
    return (folder / "calls").read_text().splitlines() if (folder / "calls").exists() else []


def failure(requirement: Requirement) -> str:
    with pytest.raises(MachineError) as caught:
        install(requirement)
    return str(caught.value)
