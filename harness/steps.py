"""What is started for a step, as campaigns do it: prepared first."""

from __future__ import annotations

from leadline.backends.backend import Backend
from leadline.backends.kinds import launcher_for
from leadline.backends.launchers import Command, JobStep
from leadline.backends.preparation import prepare


def commands_of(backend: Backend, step: JobStep) -> list[Command]:
    """The processes to start for `step`."""
    return launcher_for(backend).commands(prepare(backend, step))
