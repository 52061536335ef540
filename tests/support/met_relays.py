"""Relays that introduce themselves to the front-end."""

from __future__ import annotations

from harness.callers import Caller, Front, until

from leadline.kernels.server import Meeting

LISTENS = b"relay ranks=3 host=h1 pid=1\n"


def relay_of(server: Front) -> Caller:
    """Who proves to be of OURS, and says that it is a relay of three ranks."""
    relay = Caller(server)
    relay.proves()
    relay.says(LISTENS)
    return relay


def met(server: Front) -> Meeting:
    until(server, lambda _: bool(server._met))
    (meeting,) = server.met()
    assert server.met() == []
    return meeting
