"""Starting launches, all at once: who said hello in time, and what went wrong with the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leadline.errors import LaunchError
from leadline.kernels.connection import Connection
from leadline.kernels.server import ControlServer
from leadline.kernels.strangers import Cause, StrangerError
from leadline.measure.clearing import HUNG_UP_S, gone
from leadline.measure.launch import Launch, kill
from leadline.record.caveats import Caveat, CaveatKind

LEAVE_LOOK_S = 0.005
LOOK_S = 0.1
"""Between looks at who has ended: a thousand processes looked at for each that says hello take
longer than all of them to start."""


def start_together(
    server: ControlServer, launches: Sequence[Launch], patience_s: float
) -> dict[int, LaunchError]:
    """Starts all launches at once and waits until their ranks said hello.

    Args:
        server: Where ranks connect.
        launches: Not yet started.
        patience_s: How long to wait.

    Returns:
        Number of the launch -> what went wrong, for those that didn't come up; they are ended.
    """
    failed: dict[int, LaunchError] = {}
    for launch in launches:
        try:
            launch.start()
        except LaunchError as error:
            failed[launch.number] = error
    clock = server.clock
    deadline, next_look = clock.monotonic() + patience_s, 0.0
    while waiting := [la for la in launches if la.number not in failed and la.missing]:
        _welcome(server, launches, failed)
        if clock.monotonic() < next_look:
            continue
        next_look = clock.monotonic() + LOOK_S
        for launch in waiting:  # who was refused may have ended by now: the reason is known
            if launch.number not in failed and launch.missing:
                _note_end(launch, failed, clock.monotonic() >= deadline, patience_s)
    give_up(server, [launch for launch in launches if launch.number in failed])
    for launch in launches:
        if launch.number not in failed:
            launch.note_segments()
    return failed


def give_up(server: ControlServer, launches: Sequence[Launch]) -> None:
    """Ends launches, of whose ranks some may be on their way to say hello."""
    for launch in launches:
        launch.note_segments()
        launch.hung_up = server.hang_up(launch.credentials.name)
    kill(launches)


def break_off(server: ControlServer, launches: Sequence[Launch]) -> None:
    """Ends launches that are being started; nobody else is awaited.

    Whoever connects is turned away, and ends by itself, as its launcher does then: launchers that
    are told to end while they start clear up less.
    """
    for launch in launches:
        launch.note_segments()
        server.hang_up(launch.credentials.name)
    clock = server.clock
    deadline = clock.monotonic() + HUNG_UP_S
    while clock.monotonic() < deadline and not all(gone(launch.started) for launch in launches):
        server.turn_away()
        clock.sleep(LEAVE_LOOK_S)
    give_up(server, launches)


def _welcome(
    server: ControlServer, launches: Sequence[Launch], failed: dict[int, LaunchError]
) -> None:
    by_name = {launch.credentials.name: launch for launch in launches}
    credentials = {launch.credentials.name: launch.credentials for launch in launches}
    arrivals = server.accept(0.1, credentials, sum(launch.missing for launch in launches))
    for meeting in server.met():
        _meet(server, by_name[meeting.launch], meeting.connection, failed)
    for arrival in arrivals:
        launch = by_name[arrival.launch]
        if launch.number in failed:
            arrival.connection.close()
            continue
        try:
            launch.join(arrival.connection, arrival.hello)
        except StrangerError as stranger:
            server.refuse(arrival.connection, stranger.cause)
        except LaunchError as error:
            failed[launch.number] = error
            arrival.connection.close()


def _meet(
    server: ControlServer, launch: Launch, relay: Connection, failed: dict[int, LaunchError]
) -> None:
    """Starts what waits for the relay of `launch`, if that is still wanted."""
    if launch.number in failed:
        relay.close()
        return
    try:
        launch.meet(relay)
    except StrangerError as stranger:
        server.refuse(relay, stranger.cause)
    except LaunchError as error:
        failed[launch.number] = error


def _note_end(
    launch: Launch, failed: dict[int, LaunchError], overdue: bool, patience_s: float
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
    failed[launch.number] = LaunchError(problem, argv, statuses[ended], launch.output_tail())


def stranger_caveats(strangers: Mapping[Cause, int]) -> list[Caveat]:
    """What a run says of connections that were refused; empty where none was."""
    total = sum(strangers.values())
    if total == 0:
        return []
    causes = sorted(strangers.items(), key=lambda item: (-item[1], item[0].value))
    said = ", ".join(f"{count} {cause.value}" for cause, count in causes)
    return [
        CaveatKind.STRANGERS.because(
            f"the control channel refused {total} connection{'s' * (total != 1)}: {said}"
        )
    ]
