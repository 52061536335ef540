"""Which libraries `leadline run --against RUN` measures, of those that this machine has."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import library, on_path

from leadline.backends.discovery import find_backends, select
from leadline.cli import parser_for
from leadline.cli.commands.run import request_against_run
from leadline.cli.parsing.options import request_of
from leadline.errors import UsageError
from leadline.measure.spec import Request, VariantSpec
from leadline.record.run import Configuration


@dataclass(frozen=True)
class Measured(Campaign):
    """MPICH of one version, by its own compiler wrapper."""

    version: str = "9.9"
    mpicc: str = ""

    @property
    def metadata(self) -> Mapping[str, Any]:
        variants = (VariantSpec("mpich", "mpich"),)
        options = asdict(Request(patterns=("pingpong",), variants=variants, sizes=(8,)))
        stored = {**super().metadata, "options": options, "compilers": {"mpich": self.mpicc}}
        return json.loads(json.dumps(stored))  # type: ignore[no-any-return]

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        return tuple(replace(one, version=self.version) for one in super().configurations)


def compilers(run: Path, *words: str) -> tuple[str | None, ...]:
    """The compilers of the libraries, then and now, that --against compares."""
    arguments = parser_for("run").parse_args(["run", "--against", str(run), *words])
    request, (found,) = request_against_run(arguments, request_of(arguments))
    chosen = select(find_backends(request.wrappers), [found.before.backend, found.after.backend])
    return tuple(backend.compiler for backend in chosen)


@pytest.fixture
def run(bare_machine: Path) -> Path:
    """Of the build in own1, which only its path leads to."""
    mpicc = library(bare_machine / "own1")
    Measured(["mpich"], [pingpong(8)], blocks=1, mpicc=str(mpicc)).write(bare_machine / "run")
    return bare_machine / "run"


def test_build_that_was_given_by_its_path_is_found_again_beside_another_of_its_version(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = library(run.parent / "new")
    on_path(monkeypatch, [newer])
    assert compilers(run) == (str(run.parent / "own1/bin/mpicc"), str(newer))


def test_new_build_can_be_given_by_its_path(run: Path) -> None:
    newer = library(run.parent / "new", version="10.1")
    old = str(run.parent / "own1/bin/mpicc")
    assert compilers(run, "--backends", str(newer)) == (old, str(newer))
    assert compilers(run, "--backends", str(run.parent / "new")) == (old, str(newer))


def test_other_build_stands_in_for_one_that_is_gone_where_it_is_named_alone(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer, other = library(run.parent / "new", version="10.1"), library(run.parent / "own2")
    on_path(monkeypatch, [other])
    (run.parent / "own1/bin/mpicc").unlink()
    with pytest.raises(UsageError, match="own1/bin/mpicc"):
        compilers(run, "--backends", str(newer))
    named = ("--mpicc", str(other), "--backends", str(newer))
    assert compilers(run, *named) == (str(other), str(newer))


def test_build_that_does_not_work_any_more_is_said_with_the_reason(
    run: Path, snapshot: SnapshotAssertion
) -> None:
    newer = library(run.parent / "new", version="10.1")
    (run.parent / "own1/bin/mpiexec").unlink()
    with pytest.raises(UsageError) as refused:
        compilers(run, "--backends", str(newer))
    message = str(refused.value).replace(str(run.parent), "DIR")
    # what was measured, and of what is there, among libraries of the machine, why this one isn't
    measured, reason = (part for part in message.split(", ") if "DIR/own1" in part)
    assert (measured, reason.partition(")")[0]) == snapshot
