"""Which libraries are taken of those that a machine has, by their names or by a wrapper's path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import below, library, on_path, script

from leadline.backends.discovery import find_backends, of_wrappers, select
from leadline.errors import UsageError

pytestmark = pytest.mark.usefixtures("asked_before")


def test_unknown_name_is_refused_with_the_nearest(bare_machine: Path) -> None:
    with pytest.raises(UsageError, match=r"'mpihc'.* 'mpich'"):
        select(find_backends(), ["shm", "mpihc"])


def test_library_that_is_not_installed_is_refused_with_the_command(bare_machine: Path) -> None:
    backends = find_backends([str(library(bare_machine, "openmpi"))])
    name = next(b.name for b in backends if b.reason == "not installed")
    with pytest.raises(UsageError, match=f"leadline get {name}$"):
        select(backends, [name])


def test_chosen_ones_come_in_the_order_asked_for(bare_machine: Path) -> None:
    assert [b.name for b in select(find_backends(), ["null", "shm"])] == ["null", "shm"]


def test_path_chooses_the_backend_that_is_already_known(bare_machine: Path) -> None:
    mpicc = library(bare_machine / "x")
    backends = find_backends([str(mpicc)])
    (bare_machine / "link").symlink_to(mpicc)
    assert select(backends, [str(bare_machine / "link")]) == below(bare_machine, backends)


def test_path_of_a_library_not_found_before_is_identified_and_named(bare_machine: Path) -> None:
    first, second, third = (library(bare_machine / v, "mpich", v) for v in ("1.1", "2.2", "3.3"))
    chosen = select(find_backends([str(first)]), [str(second), str(third), "mpich"])
    assert [b.name for b in chosen] == ["mpich@2.2", "mpich@3.3", "mpich"]


def test_libraries_keep_their_names_whatever_a_command_line_names(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = library(bare_machine / "own", "mpich", "2"), library(bare_machine / "x", "mpich")
    on_path(monkeypatch, [own])
    before = below(bare_machine, find_backends())
    after = below(bare_machine, find_backends([str(other), str(own)]))
    assert [b.name for b in before] == ["mpich"]
    assert after[:-1] == before
    assert (after[-1].name, after[-1].compiler) == ("mpich@9.9", str(other))


def test_compiler_that_is_no_librarys_is_refused(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    """It is the compiler of backends without a wrapper, and was taken for the first of them."""
    cc = shutil.which("cc")
    with pytest.raises(UsageError, match=rf"^{cc} "):
        select(find_backends(), [str(cc)])
    with pytest.raises(UsageError) as silent:
        of_wrappers(find_backends(["/bin/true"]), ["/bin/true"])
    assert str(silent.value) == snapshot


def test_broken_library_that_is_given_is_refused_with_its_own_reason(
    bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    broken = script(bare_machine / "bin/mpicc", "#!/bin/sh\n# MPICH\necho no license; exit 1\n")
    with pytest.raises(UsageError, match=": no license") as caught:
        of_wrappers(find_backends([str(broken)]), [str(broken)])
    reason, _, remedy = str(caught.value).partition("; remedy: ")
    assert reason.replace(str(bare_machine), "DIR") == snapshot
    assert str(broken) in remedy


def test_wrapper_of_several_standards_is_chosen_by_its_name(bare_machine: Path) -> None:
    mpicc = library(bare_machine / "x", "openmpi")
    oshcc = mpicc.with_name("oshcc")
    oshcc.symlink_to(mpicc)
    with pytest.raises(UsageError, match="oshcc'"):
        select(find_backends([str(mpicc)]), [str(oshcc)])


def test_prefix_chooses_the_library_in_it(bare_machine: Path) -> None:
    mpicc = library(bare_machine / "x")
    (chosen,) = select([], [str(bare_machine / "x")])
    assert (chosen.name, chosen.compiler) == ("mpich", str(mpicc))


def test_bare_name_of_a_folder_is_told_how_to_be_given(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library(bare_machine / "pref")
    monkeypatch.chdir(bare_machine)
    with pytest.raises(UsageError, match=r"'pref'.* \./pref\)$"):
        select(find_backends(), ["pref"])
    (chosen,) = select([], ["./pref"])
    assert chosen.name == "mpich"


def test_kind_and_version_choose_what_goes_by_the_plain_name(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = library(bare_machine / "own"), library(bare_machine / "x")
    on_path(monkeypatch, [first])
    (plain,) = select(find_backends(), ["mpich@9.9"])
    assert (plain.name, plain.compiler) == ("mpich", str(first))
    (named,) = select(find_backends([str(second)]), ["mpich@9.9"])
    assert (named.name, named.compiler) == ("mpich@9.9", str(second))
