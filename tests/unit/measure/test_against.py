from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.backends.backend import Backend
from leadline.errors import UsageError
from leadline.measure.against import (
    Libraries,
    compilers_of_run,
    request_against,
    request_of_run,
    successions,
)
from leadline.measure.spec import Request, VariantSpec
from leadline.record.run import Run


def backend(name: str, version: str, folder: str = "/usr") -> Backend:
    """A usable library whose compiler wrapper is below `folder`."""
    kind = name.partition("@")[0]
    return Backend(name, kind, version, True, "mpiexec", f"{folder}/mpicc", {}, None, None, "shm")


OLD, NEW = backend("mpich@4.3.2", "4.3.2", "/old"), backend("mpich", "5.0.2", "/new")
RAW = replace(backend("shm", "1"), compiler="cc")
REQUEST = Request(
    patterns=("pingpong",),
    variants=(
        VariantSpec("shm", "shm"),
        VariantSpec("mpich", "mpich", environment=(("A", "1"),)),
    ),
    sizes=(8,),
)


def measured(version: str = "4.3.2", **metadata: Any) -> Run:
    """A run of that order as it is read back, when mpich was of that version."""
    run = Campaign(["shm", "mpich"], [pingpong(8)], blocks=1, batches=3).run()
    stored: Mapping[str, Any] = json.loads(json.dumps({"options": asdict(REQUEST), **metadata}))
    versions = {"shm": "1", "mpich": version}
    configurations = tuple(replace(c, version=versions[c.variant]) for c in run.configurations)
    return replace(run, path="before", metadata=stored, configurations=configurations)


def test_each_library_becomes_two_variants_with_its_settings() -> None:
    run = measured()
    request = request_of_run(run)
    assert request == REQUEST
    found = successions(run, request, Libraries([NEW, OLD, RAW]))
    again = request_against(request, found)
    assert again.variants == (
        VariantSpec("mpich@4.3.2", "mpich@4.3.2", environment=(("A", "1"),)),
        VariantSpec("mpich@5.0.2", "mpich", environment=(("A", "1"),)),
    )
    assert (again.patterns, again.sizes) == (REQUEST.patterns, REQUEST.sizes)


def test_another_build_of_the_same_version_is_named_new() -> None:
    run = measured(compilers={"mpich": "/old/mpicc"})
    other = backend("mpich", "4.3.2", "/home/build")
    (found,) = successions(run, REQUEST, Libraries([other, OLD], [other], [], {"/old/mpicc": OLD}))
    assert (found.before.name, found.after.name) == ("mpich@old", "mpich@new")
    assert (found.before.backend, found.after.backend) == ("mpich@4.3.2", "mpich")


def test_version_that_is_gone_says_how_to_get_it_back(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as raised:
        successions(measured(compilers={"mpich": "/old/mpicc"}), REQUEST, Libraries([NEW, RAW]))
    assert str(raised.value) == snapshot


def test_another_build_of_the_version_that_is_gone_is_taken_only_where_it_is_named(
    snapshot: SnapshotAssertion,
) -> None:
    run, other = measured(compilers={"mpich": "/gone/mpicc"}), backend("mpich@4.3.2", "4.3.2")
    every = [NEW, other]
    for libraries in (
        Libraries(every),
        Libraries(every, successors=[other], stand_ins=[other]),
    ):
        with pytest.raises(UsageError) as refused:
            successions(run, REQUEST, libraries)
        assert str(refused.value) == snapshot
    (found,) = successions(run, REQUEST, Libraries(every, stand_ins=[other]))
    assert (found.before.backend, found.after.backend) == ("mpich@4.3.2", "mpich")


def test_compiler_that_is_another_versions_now_is_not_the_old_one(
    snapshot: SnapshotAssertion,
) -> None:
    run = measured(compilers={"mpich": "/new/mpicc"})
    with pytest.raises(UsageError) as refused:
        successions(run, REQUEST, Libraries([NEW], recorded={"/new/mpicc": NEW}))
    assert str(refused.value) == snapshot


def test_compilers_of_a_run_are_those_of_its_libraries() -> None:
    run = measured(compilers={"mpich": "/old/mpicc", "shm": "/usr/bin/cc"})
    assert compilers_of_run(run) == ("/old/mpicc",)
    assert compilers_of_run(measured()) == ()
    assert compilers_of_run(measured(compilers={"mpich": ["no", "path"]})) == ()


def test_nothing_newer_is_said_before_anything_is_measured(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as refused:
        successions(measured("5.0.2"), REQUEST, Libraries([NEW, OLD]))
    assert str(refused.value) == snapshot


def test_runs_that_do_not_say_what_they_were_asked_for_are_refused(
    snapshot: SnapshotAssertion,
) -> None:
    with pytest.raises(UsageError) as refused:
        request_of_run(replace(measured(), metadata={}))
    assert str(refused.value) == snapshot


def test_parts_of_an_order_that_an_older_run_has_not_are_as_usual() -> None:
    options = {k: v for k, v in measured().metadata["options"].items() if k != "patience_s"}
    assert request_of_run(replace(measured(), metadata={"options": options})) == REQUEST
