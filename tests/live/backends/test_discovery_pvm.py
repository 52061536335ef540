"""PVM: where it is found, and what is said where it lacks something."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import script

from leadline.backends.discovery import find_backends
from leadline.backends.discovery.pvm import find_pvm


def test_pvm_is_found_where_debian_puts_it(bare_machine: Path) -> None:
    (pvm,) = (backend for backend in find_backends() if backend.kind == "pvm")
    assert (pvm.usable, pvm.shared_memory) == (True, "pvmd")
    assert re.fullmatch(r"3\.4\.\d+", pvm.version or "")
    assert pvm.environment["PVM_PATH"]
    assert os.access(str(pvm.launcher), os.X_OK)


def pvm_prefix(prefix: Path, lacks: str = "") -> Path:
    """A PVM as built from its sources: PVM_ROOT/include, PVM_ROOT/lib/PVM_ARCH."""
    own = prefix / "lib" / "LINUX64"
    for name in ("pvmd3", "pvmgs", "libpvm3.a"):
        if name != lacks:
            script(own / name, "#!/bin/sh\n")
    if lacks != "pvm3.h":
        script(prefix / "include" / "pvm3.h", '#define PVM_VER "3.4.7"\n')
    return prefix


@pytest.fixture
def only_compiler(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with a C compiler that knows no header but those of CPATH, and setpriv."""
    folder = bare_machine / "tools"
    include = f'{shutil.which("cc")} -nostdinc "$@"'
    script(folder / "cc", f"#!/bin/sh\nexec {include}\n")
    (folder / "setpriv").symlink_to(str(shutil.which("setpriv")))
    monkeypatch.setenv("PATH", str(folder))
    return bare_machine


def test_pvm_below_its_root_is_found_with_what_its_compiler_needs(
    only_compiler: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = pvm_prefix(only_compiler / "pvm3")
    monkeypatch.setenv("PVM_ROOT", str(prefix))
    pvm = find_pvm()
    own = prefix / "lib" / "LINUX64"
    assert (pvm.usable, pvm.version, pvm.launcher) == (True, "3.4.7", str(own / "pvmd3"))
    assert pvm.environment == {
        "PVM_ROOT": str(prefix),
        "PVM_ARCH": "LINUX64",
        "PVM_ALLOW_ROOT": "1",
        "PVM_PATH": str(own),
        "CPATH": str(prefix / "include"),
        "LIBRARY_PATH": str(own),
    }


@pytest.mark.parametrize(
    "lacks",
    [
        "pvm3.h",
        "pvmd3",
        "pvmgs",
    ],
)
def test_pvm_that_lacks_something_is_listed_with_the_reason_and_the_remedy(
    lacks: str, only_compiler: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("PVM_ROOT", str(pvm_prefix(only_compiler / "pvm3", lacks)))
    pvm = find_pvm()
    assert not pvm.usable
    assert (pvm.reason, pvm.remedy) == snapshot


def test_pvm_that_is_not_there_is_not_installed(
    only_compiler: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PVM_ROOT", str(only_compiler / "nowhere"))
    assert find_pvm().reason == "not installed"


def test_pvm_needs_what_ends_its_daemon(
    only_compiler: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("PVM_ROOT", str(pvm_prefix(only_compiler / "pvm3")))
    (only_compiler / "tools" / "setpriv").unlink()
    pvm = find_pvm()
    assert (pvm.reason, pvm.remedy) == snapshot
