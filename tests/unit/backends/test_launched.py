"""Which MPI a launcher's command line starts ranks of."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import LAUNCHERS, script

from leadline.backends.discovery.launched import launched
from leadline.errors import UsageError


def test_program_that_is_not_called_as_launchers_are_is_never_started(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    text = f"#!/bin/sh\ntouch {tmp_path}/started\necho '{LAUNCHERS['mpich']}'\n"
    path = script(tmp_path / "app", text)
    with pytest.raises(UsageError) as caught:
        launched([str(path)])
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot
    assert not (tmp_path / "started").exists()
