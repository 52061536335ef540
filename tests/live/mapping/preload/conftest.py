"""What several modules hold programs with the preload library to: the same without it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import pytest
from tests.support.neighbours import Printed
from tests.support.preloaded import run_named

from leadline.backends.backend import Backend


@pytest.fixture(scope="session")
def plain_surroundings(
    installed_backends: Mapping[str, Backend], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Printed]:
    """What surroundings.c prints by the library of a kind, nothing of ours preloaded."""

    @functools.cache
    def of(kind: str) -> Printed:
        backend = installed_backends[kind]
        return run_named(backend, tmp_path_factory.mktemp("plain"), "surroundings.c", {})

    return of
