"""Where compiler wrappers are looked for, and in which order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import library, script
from tests.support.texts import refusals

from leadline.backends.discovery.wrappers import (
    Wrapper,
    configured_wrappers,
    given_wrappers,
    wrappers,
)
from leadline.backends.kinds import KINDS
from leadline.errors import UsageError
from leadline.files import cache_directory, config_directory, data_directory


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found_in(root: Path, given: tuple[str, ...] = ()) -> list[Path]:
    """Wrappers below `root`; this machine's own don't matter."""
    return [w.path for w in wrappers(given, root) if w.path.is_relative_to(root)]


@pytest.mark.parametrize(
    "place",
    [
        "usr/bin/mpicc.mpich",
        "usr/lib64/mpich/bin/mpicc",
        "usr/lib64/openmpi/bin/mpicc",
        "usr/lib/x86_64-linux-gnu/openmpi/bin/mpicc",
        "usr/local/bin/mpicc",
        "opt/mpich-4.2/bin/mpicc",
        "opt/openmpi/5.0.3/bin/mpicc",
        "opt/intel/oneapi/mpi/2021.13/bin/mpicc",
    ],
)
def test_usual_prefix_is_looked_into(bare_machine: Path, place: str) -> None:
    path = script(bare_machine / place, "")
    assert found_in(bare_machine) == [path]


@pytest.mark.parametrize(
    "place",
    [
        "linux-x86_64/mpich-4.2-abc/bin/mpicc",
        "linux-debian12/gcc-12/openmpi-5.0-abc/bin/mpicc",
        "linux-x86_64/intel-oneapi-mpi-2021-abc/mpi/2021.13/bin/mpicc",
    ],
)
def test_spack_tree_is_looked_into(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("SPACK_ROOT", str(bare_machine / "sp"))
    path = script(bare_machine / "sp/opt/spack" / place, "")
    assert found_in(bare_machine) == [path]


@pytest.mark.parametrize(
    "text",
    ["set root {}\nprepend-path PATH $root/bin", 'prepend_path("PATH", pathJoin("{}","bin"))'],
)
def test_prefix_named_in_a_modulefile_is_looked_into(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    path = script(bare_machine / "site/x/bin/mpicc", "")
    other = script(bare_machine / "site/y/bin/mpicc", "")
    modules = bare_machine / "modules"
    monkeypatch.setenv("MODULEPATH", f"/nonexistent:{modules}")
    for name, prefix in (("openmpi/5.0", path), ("compiler/1", other)):
        (modules / name).parent.mkdir(parents=True)
        (modules / name).write_text(text.format(prefix.parent.parent))
    assert found_in(bare_machine) == [path]


def test_order_is_configured_then_installed_then_path_then_given(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, configured, on_path = (library(bare_machine / name) for name in ("a", "b", "c"))
    older, newer = (library(data_directory() / "mpi" / f"mpich-{v}") for v in ("9.2", "10.1"))
    library(data_directory() / "mpi" / ".new.x9")
    usual = script(bare_machine / "usr/local/bin/mpicc", "")
    config_directory().mkdir(parents=True)
    (config_directory() / "config.toml").write_text(f"[[mpi]]\nmpicc = '{configured}'\n")
    monkeypatch.setenv("PATH", f"relative:{on_path.parent}:/usr/bin")
    expected = [configured, newer, older, on_path, usual, given]
    assert found_in(bare_machine, (str(given),)) == expected


def test_installation_reached_by_two_links_is_found_once(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = library(bare_machine / "real")
    (bare_machine / "linked").symlink_to(bare_machine / "real")
    (bare_machine / "bin").mkdir()
    (bare_machine / "bin/mpicc").hardlink_to(path)
    folders = [path.parent, bare_machine / "linked/bin", bare_machine / "bin"]
    monkeypatch.setenv("PATH", ":".join(map(str, folders)))
    assert found_in(bare_machine) == [path]


def test_dangling_link_is_not_a_wrapper(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bare_machine / "mpicc").symlink_to("/nonexistent")
    monkeypatch.setenv("PATH", str(bare_machine))
    assert found_in(bare_machine) == []


def test_given_path_without_a_file_is_a_usage_error(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        given_wrappers(["/nonexistent/mpicc"])
    assert str(caught.value) == snapshot


def test_given_folder_is_that_of_the_wrapper_in_it(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    mpicc = library(bare_machine)
    prefix = str(bare_machine)
    assert given_wrappers([prefix, f"{prefix}/", f"{prefix}/bin"]) == [Wrapper(mpicc)] * 3
    (bare_machine / "empty").mkdir()
    with pytest.raises(UsageError) as caught:
        given_wrappers([str(bare_machine / "empty")])
    assert str(caught.value).replace(prefix, "DIR") == snapshot


def test_given_word_without_a_slash_is_looked_up_on_path(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = library(bare_machine)
    monkeypatch.setenv("PATH", str(path.parent))
    assert given_wrappers(["mpicc"]) == [Wrapper(path)]


@pytest.mark.usefixtures("here")
def test_bad_config_file_is_named_with_what_is_wrong(snapshot: SnapshotAssertion) -> None:
    file = Path("config.toml")
    texts = [
        "mpi = 3\n",
        "[[mpi]]\nname = 'x'\n",
        "[[mpi]]\nmpicc = 7\n",
        "[[mpi]]\nmpicc = 'bin/mpicc'\n",
        "[[mpi]]\nmpicc = '/nonexistent'\n",
        "[[mpi]]\nmpicc='/bin/sh'\nname='x'\n[[mpi]]\nmpicc='/bin/sh'\nname='x'\n",
    ]

    def read(text: str) -> None:
        file.write_text(text)
        configured_wrappers(file)

    assert refusals(read, texts, UsageError) == snapshot
    with pytest.raises(UsageError, match=r"^config\.toml: .*line 1\b"):
        read("[[mpi]\n")


@pytest.mark.parametrize("content", [b"a = " + b"9" * 5000, b"a = '\xff'"])
def test_config_file_that_python_cannot_read_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"config\.toml: "):
        configured_wrappers(file)


def test_config_file_that_cannot_be_opened_is_named_once(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "config.toml").mkdir()
    with pytest.raises(UsageError) as caught:
        configured_wrappers(tmp_path / "config.toml")
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot


def configured(name: str) -> list[Wrapper]:
    """By a file in this folder."""
    file = Path("config.toml")
    file.write_text(f"[[mpi]]\nmpicc = '/bin/sh'\nname = {json.dumps(name)}\n")
    return configured_wrappers(file)


@pytest.mark.usefixtures("here")
def test_configured_library_is_not_called_as_a_kind(snapshot: SnapshotAssertion) -> None:
    """The library overhead would be computed against a library that is called shm."""
    assert refusals(configured, [*KINDS, "SHM", "mpich@5.0.2", "shm#2"], UsageError) == snapshot


@pytest.mark.usefixtures("here")
def test_configured_name_is_a_word_of_the_command_line(snapshot: SnapshotAssertion) -> None:
    names = ["", "two words", "a,b", "a=b", "-x", "/bin/x", "\x1b[31m", "a\nb"]
    told = refusals(configured, names, UsageError)
    assert told == snapshot
    assert all(text.isprintable() for text in told.values())


@pytest.mark.usefixtures("here")
def test_configured_name_of_its_own_is_taken() -> None:
    assert configured("my-mpich") == [Wrapper(Path("/bin/sh"), "my-mpich")]


def test_missing_config_file_configures_nothing(tmp_path: Path) -> None:
    assert configured_wrappers(tmp_path / "config.toml") == []


def test_relative_xdg_variable_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CACHE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", "here")
    monkeypatch.setenv("HOME", "/home/x")
    assert cache_directory() == Path("/home/x/.cache/leadline")
    assert config_directory() == Path("/home/x/.config/leadline")
    assert data_directory() == Path("/home/x/.local/share/leadline")
