"""Debian's libraries, whose headers are older, compile kernels without a warning."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.neighbours import DEBIAN, debian_backend

from leadline.kernels.build import SOURCES, kind_sources
from leadline.native.compiler import compile_all


@pytest.mark.parametrize("name", DEBIAN)
def test_sources_over_mpi_compile_with_its_wrapper(name: str, tmp_path: Path) -> None:
    backend = debian_backend(name)
    sources = kind_sources(backend.kind)
    flags = (f"-I{SOURCES}",)
    objects = compile_all(
        str(backend.compiler), sources, tmp_path, flags, dict(backend.environment)
    )
    assert len(objects) == len(sources) > 1
