"""Scripted libraries can do what kernels can, and are nobody's to choose."""

from __future__ import annotations

import json
import subprocess

import pytest
from harness.kernels import kernel

from leadline.backends.discovery import find_backends
from leadline.backends.kinds import KINDS
from leadline.scripted.campaigns import DESCRIPTION


def test_description_is_what_the_null_kernel_says_of_itself(request: pytest.FixtureRequest) -> None:
    output = subprocess.check_output([str(kernel("null")), "--describe"], text=True)
    if request.config.getoption("update_snapshots"):
        DESCRIPTION.write_text(output)
    assert json.loads(DESCRIPTION.read_text()) == json.loads(output)


def test_library_that_is_only_played_is_not_found_on_any_machine() -> None:
    assert [kind.name for kind in KINDS.values() if not kind.sources] == ["scripted"]
    assert "scripted" not in [backend.kind for backend in find_backends()]
