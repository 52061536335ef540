"""Starting launches, all at once: who said hello in time, and what went wrong with the others."""

from __future__ import annotations

import time
from collections.abc import Sequence

from leadline.errors import LaunchError
from leadline.kernels.server import ControlServer
from leadline.measure.launch import Launch


def start_together(
    server: ControlServer, launches: Sequence[Launch], patience_s: float
) -> dict[str, LaunchError]:
    """Starts all launches at once and waits until their ranks said hello.

    Args:
        server: Where ranks connect.
        launches: Not yet started.
        patience_s: How long to wait.

    Returns:
        Token -> what went wrong, for the launches that didn't come up; those are ended.
    """
    failed: dict[str, LaunchError] = {}
    for launch in launches:
        try:
            launch.start()
        except LaunchError as error:
            failed[launch.token] = error
    deadline = time.monotonic() + patience_s
    while waiting := [la for la in launches if la.token not in failed and not la.is_ready]:
        _welcome(server, launches, failed)
        for launch in waiting:  # who was refused may have ended by now: the reason is known
            if launch.token not in failed and not launch.is_ready:
                _note_end(launch, failed, time.monotonic() >= deadline, patience_s)
    for launch in launches:
        if launch.token in failed:
            launch.kill()
    return failed


def _welcome(
    server: ControlServer, launches: Sequence[Launch], failed: dict[str, LaunchError]
) -> None:
    by_token = {launch.token: launch for launch in launches}
    for connection, hello in server.accept(0.1):
        launch = by_token.get(connection.token or "")
        if launch is None or launch.token in failed:
            connection.close()
            continue
        try:
            launch.join(connection, hello)
        except LaunchError as error:
            failed[launch.token] = error
            connection.close()


def _note_end(
    launch: Launch, failed: dict[str, LaunchError], overdue: bool, patience_s: float
) -> None:
    statuses = [process.poll() for process in launch.started]
    ended = next((i for i, status in enumerate(statuses) if status is not None), 0)
    argv, role = launch.commands[ended].argv, launch.commands[ended].role
    if statuses[ended] is not None:
        problem = (
            f"{launch.label}: {f'its {role} ' if role else ''}ended before all ranks were ready "
            f"(exit status {statuses[ended]}); the launcher is {argv[0]}, the library that of "
            f"{launch.library}"
        )
    elif overdue:
        problem = f"{launch.label}: not ready after {patience_s:.0f} s"
    else:
        return
    failed[launch.token] = LaunchError(problem, argv, statuses[ended], launch.output_tail())
