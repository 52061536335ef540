"""`leadline exec`: OpenSHMEM programs as the papers started them, and any launcher's words."""

from __future__ import annotations

import pytest

from leadline.backends.discovery import launched
from leadline.backends.discovery.launched import is_no_shmem
from leadline.processes import CommandResult


def test_openshmem_that_the_loader_does_not_find_is_one_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "\tlinux-vdso.so.1 (0x0000)\n\tliboshmem.so.40 => not found\n"
    monkeypatch.setattr(launched, "run", lambda argv, patience_s: CommandResult(0, text))
    assert not is_no_shmem("app")
