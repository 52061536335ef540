"""Keepers: sleeping processes that hold the namespaces of a host, or of the wire between hosts."""

from __future__ import annotations

import time
from pathlib import Path

from leadline.errors import MachineError
from leadline.hosts.emulated.marks import has_ended, marked
from leadline.processes import detach

PATIENCE_S = 20.0
INTERVAL_S = 0.005
_NO_IPV6 = (
    "for one in default all lo; do f=/proc/sys/net/ipv6/conf/$one/disable_ipv6; "
    'if [ -e "$f" ]; then echo 1 > "$f"; fi; done'
)
"""Else a host that comes up speaks before anybody asks it to."""
_OWN_DEVICES = (
    'mount -t sysfs none "$2" && mount --bind "$2"/class/net /sys/class/net && '
    'mount --bind "$2"/devices/virtual/net /sys/devices/virtual/net && umount -l "$2"'
)
"""A library that looks for devices in /sys finds the host's; the rest of /sys is the machine's."""
HOST_SCRIPT = (
    f'hostname "$0" && mount --bind "$1" /etc/hosts && {_OWN_DEVICES} && {_NO_IPV6} && '
    "ip link set lo up && exec sleep infinity"
)
WIRE_SCRIPT = f"{_NO_IPV6}; exec sleep infinity"


def keep_wire(prefix: str, folder: Path) -> int:
    """Starts the keeper of the network between the hosts; its pid."""
    command = ("unshare", "--net", "sh", "-c", WIRE_SCRIPT)
    return _keep("wire", command, prefix, folder)


def keep_host(name: str, prefix: str, folder: Path, clock_offset_s: int = 0) -> int:
    """Starts the keeper of host `name`, who knows the names in `folder`/hosts; its pid.

    Mounts made on the machine later on are seen in the host; those of the host nowhere else.
    """
    ahead = ("--time", "--monotonic", str(clock_offset_s)) if clock_offset_s else ()
    unshare = ("unshare", "--net", "--uts", "--ipc", "--mount", "--propagation", "slave", *ahead)
    script = ("sh", "-c", HOST_SCRIPT, name, str(folder / "hosts"), str(folder / "sys"))
    return _keep(name, (*unshare, *script), prefix, folder, name)


def _keep(name: str, command: tuple[str, ...], prefix: str, folder: Path, host: str = "") -> int:
    with (folder / f"{name}.log").open("wb") as log:
        return detach(command, marked(prefix, host), log)


def await_keeper(name: str, pid: int, folder: Path) -> None:
    """Returns when keeper `pid` sleeps; MachineError with what it said where it ended."""
    end = time.monotonic() + PATIENCE_S
    while not _sleeps(pid):
        if has_ended(pid) or time.monotonic() > end:
            said = (folder / f"{name}.log").read_text(errors="replace").strip()
            raise MachineError(
                f"host {name!r} doesn't come up: {said or 'no word from its keeper'}; namespaces "
                "need root and a kernel that has them (unshare --net --uts --ipc --mount true)"
            )
        time.sleep(INTERVAL_S)


def _sleeps(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text() == "sleep\n"
    except OSError:
        return False
