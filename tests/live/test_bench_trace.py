"""What `make bench trace` starts is a command that the tool takes."""

from __future__ import annotations

import pytest
from bench import trace
from bench.live import local_backend

from leadline.kernels.build import build_kernel, describe


@pytest.mark.parametrize("name", ["barrier", "pingpong", "stap"])
def test_pattern_is_traced_with_a_size_or_without(name: str) -> None:
    """Patterns without sizes refuse one: that ended the benchmark."""
    patterns = describe(build_kernel(local_backend("trace"))).patterns
    assert trace._seconds(name, patterns[name]) > 0
