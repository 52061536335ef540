"""What tests remove is a killed launch's, and what they start ends, also where they fail."""

from __future__ import annotations

import signal
import subprocess

import pytest
from tests.support.processes import ended


def test_process_of_a_test_that_fails_is_not_waited_for() -> None:
    with pytest.raises(ZeroDivisionError), ended(subprocess.Popen(["sleep", "600"])) as process:
        1 // 0  # noqa: B018
    assert process.returncode == -signal.SIGKILL
