"""Relays that introduce themselves to the front-end."""

from __future__ import annotations

from harness.callers import Caller, Front, until

from leadline.kernels.server import ReadyRelay

LISTENS = b"relay ranks=3 host=h1 pid=1\n"


def relay_of(server: Front) -> Caller:
    """Who proves to be of OURS, and says that it is a relay of three ranks."""
    relay = Caller(server)
    relay.proves()
    relay.says(LISTENS)
    return relay


def ready_relay(server: Front) -> ReadyRelay:
    until(server, lambda _: bool(server._ready_relays))
    (relay,) = server.ready_relays()
    assert server.ready_relays() == []
    return relay
