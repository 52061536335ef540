"""The socket that ranks connect to, where nobody else can where that is possible."""

from __future__ import annotations

import shutil
import socket
import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path

from leadline.errors import MachineError
from leadline.hosts.cleanup.notes import forget, note
from leadline.hosts.cleanup.sweep import remove_old_folders

LOOPBACK = "127.0.0.1"
FOLDER = "leadline-control-"
BACKLOG = 1024
"""Connections that wait to be accepted."""
_ANY_PORT = 9


class Listener:
    """A listening socket that doesn't block, and what is to be removed with it."""

    def __init__(self, listening: socket.socket, address: str, folder: str = "") -> None:
        """Use `listen`; takes over `listening` and `folder`."""
        self.socket, self.address, self._folder = listening, address, folder
        self._noted = note(Path(folder)) if folder else None
        listening.setblocking(False)

    def accept(self) -> socket.socket:
        """The next connection, which doesn't block; OSError as socket.accept."""
        accepted, _ = self.socket.accept()
        accepted.setblocking(False)
        if accepted.family != socket.AF_UNIX:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return accepted

    def close(self) -> None:
        """Listens no more."""
        self.socket.close()
        if self._noted is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            forget(self._noted)


def listen(hosts: Sequence[str]) -> Listener:
    """A new listener for ranks on `hosts`; where there are none, all are on this host.

    These connect to a Unix socket in a folder that only its owner can enter; to a port of the
    loopback device, which every local user can reach, where the folder's path is too long for a
    socket's or its file system has no sockets. Raises MachineError for a host that isn't known.
    """
    if hosts:
        return _by_network(address_towards(hosts))
    try:
        return _by_path()
    except OSError:
        return _by_network(LOOPBACK)


def _by_network(address: str) -> Listener:
    listening = socket.create_server((address, 0), backlog=BACKLOG)
    host, port = listening.getsockname()[:2]
    return Listener(listening, f"{host}:{port}")


def _by_path() -> Listener:
    folder = tempfile.mkdtemp(prefix=FOLDER)  # with rights for its owner alone
    listening = socket.socket(socket.AF_UNIX)
    try:
        listening.bind(_path_in(folder))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Listener(listening, f"unix:{_path_in(folder)}", folder)


def _path_in(folder: str) -> str:
    return f"{folder}/socket"


def user_of(connection: socket.socket) -> int | None:
    """The user whose process is at the other end; None over a network, which doesn't say."""
    if connection.family != socket.AF_UNIX:
        return None
    form = "3i"  # struct ucred: process, user, group
    credentials = connection.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize(form)
    )
    user: int = struct.unpack(form, credentials)[1]
    return user


def sweep_folders(least_age_s: float) -> list[str]:
    """Removes the folders of this user's front-ends that were killed so long ago; their paths.

    No shorter time will do: where hosts share a temporary directory, a folder may be of a campaign
    on another one, whose socket refuses everybody here.
    """
    return remove_old_folders(FOLDER, least_age_s, _somebody_listens)


def _somebody_listens(folder: Path) -> bool:
    """Or may listen, as who has too many callers: a campaign may take longer than a day."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        try:
            caller.connect(_path_in(str(folder)))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            return True
    return True


def address_towards(hosts: Sequence[str]) -> str:
    """This host's address as seen from `hosts`; loopback where there are none but itself.

    No packet is sent. Raises MachineError for a host that isn't known.
    """
    for host in hosts:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.connect((host, _ANY_PORT))
                address = str(probe.getsockname()[0])
        except OSError as error:
            raise MachineError(
                f"--hosts: {host!r} can't be reached: {error}; check the name and the network"
            ) from error
        if not address.startswith("127.") and address != _address_of(host):
            return address
    return _address_of(hosts[0]) if hosts else LOOPBACK


def _address_of(host: str) -> str:
    return str(socket.getaddrinfo(host, None, socket.AF_INET)[0][4][0])
