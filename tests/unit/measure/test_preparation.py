"""Kernels are compiled before there is a plan, and whoever waits is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.kernels import backend_of, kernel

from leadline.backends.backend import Backend
from leadline.errors import BuildError
from leadline.kernels.build import is_built
from leadline.measure import preparation
from leadline.measure.preparation import _built, _specs
from leadline.measure.spec import Request, VariantSpec


def test_kernel_is_known_to_be_in_the_cache_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel("null")
    assert is_built(backend_of("null"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert not is_built(backend_of("null"))


def test_who_waits_is_told_of_each_kernel_that_is_compiled_and_of_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log: list[object] = []

    def build(backend: Backend) -> Path:
        log.append(backend.name)
        if backend.name == "tcp":
            raise BuildError(["cc"], "no such luck")
        return Path(backend.name)

    monkeypatch.setattr(preparation, "build_kernel", build)
    monkeypatch.setattr(preparation, "is_built", lambda backend: backend.name == "shm")
    backends = {name: backend_of(name) for name in ("shm", "null", "tcp")}
    found = _built(backends, lambda names, done: log.append((*names, done)))
    assert log == [("null", "tcp", 0), "null", ("null", "tcp", 1), "tcp", ("null", "tcp", 2), "shm"]
    assert (found["shm"], found["null"]) == (Path("shm"), Path("null"))
    assert isinstance(found["tcp"], BuildError)


def test_nobody_is_told_where_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "build_kernel", lambda backend: Path("kernel"))
    monkeypatch.setattr(preparation, "is_built", lambda backend: True)

    def told(*words: object) -> None:
        raise AssertionError(words)

    assert _built({"null": backend_of("null")}, told) == {"null": Path("kernel")}


def test_library_that_is_named_by_its_version_keeps_its_own_name() -> None:
    mpich = Backend("mpich", "mpich", "5.0.2", True, "mpiexec", "mpicc", {}, None, None, "shm")
    named = _specs(Request(patterns=("pingpong",), backends=("mpich@5.0.2",)), [mpich])
    assert named == [VariantSpec("mpich", "mpich@5.0.2")]
