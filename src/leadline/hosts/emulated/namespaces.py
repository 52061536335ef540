"""Processes of an emulated cluster, its namespaces, and the requirements on the machine.

Holders are sleeping processes that hold the namespaces of a host, or of the wire between hosts.
Marks in the environment distinguish a cluster's processes from all others, from their first
instant.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

from leadline.errors import MachineError
from leadline.hosts.cleanup.identities import environment_at_start
from leadline.processes import detach

PROGRAMS: Mapping[str, str] = {
    "unshare": "util-linux", "nsenter": "util-linux", "setsid": "util-linux",
    "mount": "mount", "hostname": "hostname", "ip": "iproute2", "tc": "iproute2",
}  # fmt: skip
"""Programs required, each with the package that has it."""


def check_machine() -> None:
    """Raises MachineError where emulated hosts can't be made here, with what to do."""
    check_root()
    for program, package in PROGRAMS.items():
        if shutil.which(program) is None:
            raise MachineError(f"emulated hosts need {program!r}: install the package {package}")


def check_root() -> None:
    """Raises MachineError for any user but root, who alone makes, enters and removes namespaces."""
    if os.geteuid() != 0:
        raise MachineError(
            "emulated hosts are namespaces, which are root's: sudo leadline ..., or a "
            "container with --cap-add=SYS_ADMIN,NET_ADMIN"
        )


CLUSTER, HOST, OUTSIDE = "LEADLINE_CLUSTER", "LEADLINE_HOST", "LEADLINE_OUTSIDE"
NAMESPACES = ("net", "uts")
"""Namespaces that show whether a process is in a host, or on the wire."""


def marks(prefix: str, host: str = "") -> dict[str, str]:
    """Variables that mark a process of the cluster, or the holder of one of its hosts."""
    return {CLUSTER: prefix, **({HOST: host} if host else {})}


def marked(prefix: str, host: str = "") -> dict[str, str]:
    """Environment of such a process: the marks, and the machine's own namespaces.

    A holder is in these before it has its own, and may be killed then. They are no part of the
    cluster, wherever the cluster is removed from.
    """
    return marks(prefix, host) | {OUTSIDE: " ".join(sorted(namespaces_of("self")))}


def is_marked(pid: int, prefix: str, host: str = "") -> bool:
    """Whether process `pid` lives and has these marks, as its number may be another's by now."""
    return marks(prefix, host).items() <= environment_of(pid).items()


def is_alive(pid: int, prefix: str, host: str = "") -> bool:
    """As `is_marked`; for another user's process, whose marks can't be read, whether it lives."""
    try:
        Path(f"/proc/{pid}/environ").open("rb").close()
    except PermissionError:
        return True
    except OSError:
        return False
    return is_marked(pid, prefix, host)


def has_ended(pid: int) -> bool:
    """Whether the process is gone, or a zombie.

    A living one may have no marks for an instant, while it becomes another program.
    """
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def environment_of(pid: int) -> Mapping[str, str]:
    """Environment that process `pid` was started with; empty without the mark of a cluster."""
    start = environment_at_start(pid)
    text = start.decode(errors="replace") if CLUSTER.encode() in start else ""  # for most, empty
    return dict(part.split("=", 1) for part in text.split("\0") if "=" in part)


def namespaces_of(pid: int | str) -> frozenset[str]:
    """Network and UTS namespaces of a process, e.g. "net:[4026532177]"; empty if it is gone."""
    try:
        return frozenset(str(Path(f"/proc/{pid}/ns/{kind}").readlink()) for kind in NAMESPACES)
    except OSError:
        return frozenset()


def pids() -> Iterator[int]:
    """Numbers of all processes but this one."""
    for name in (path.name for path in Path("/proc").iterdir()):
        if name.isdigit() and int(name) != os.getpid():
            yield int(name)


def kept(prefix: str) -> frozenset[str]:
    """Namespaces that the marked processes of a cluster have for themselves."""
    return frozenset[str]().union(
        *(namespaces_of(pid) - outside for pid, outside in _marked_ones(prefix))
    )


def hold(prefix: str, held: dict[str, int]) -> None:
    """Opens the namespaces of a cluster that `held` lacks, by name; the caller closes descriptors.

    The kernel reuses the number of a namespace that is gone for the next one, which may be another
    cluster's; as long as it is open it isn't gone.
    """
    for pid, outside in _marked_ones(prefix):
        for kind in NAMESPACES:
            with contextlib.suppress(OSError):
                descriptor = os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY)
                name = f"{kind}:[{os.fstat(descriptor).st_ino}]"
                if name in outside or name in held:
                    os.close(descriptor)
                else:
                    held[name] = descriptor


def _marked_ones(prefix: str) -> Iterator[tuple[int, set[str]]]:
    """Marked processes of a cluster, each with the machine's own namespaces."""
    for pid in pids():
        variables = environment_of(pid)
        if variables.get(CLUSTER) == prefix and variables.get(OUTSIDE):
            yield pid, set(variables[OUTSIDE].split())


def members(prefix: str, namespaces: Set[str]) -> set[int]:
    """Processes that have the cluster's mark, or are in one of `namespaces`."""
    return {pid for pid in pids() if is_marked(pid, prefix) or namespaces_of(pid) & namespaces}


PATIENCE_S = 20.0
INTERVAL_S = 0.005
_NO_IPV6 = (
    "for one in default all lo; do f=/proc/sys/net/ipv6/conf/$one/disable_ipv6; "
    'if [ -e "$f" ]; then echo 1 > "$f"; fi; done'
)
"""Disables IPv6, as a host that comes up would send messages unasked."""
_OWN_DEVICES = (
    'mount -t sysfs none "$2" && mount --bind "$2"/class/net /sys/class/net && '
    'mount --bind "$2"/devices/virtual/net /sys/devices/virtual/net && umount -l "$2"'
)
"""Shows the host's network devices in /sys to libraries; the rest of /sys is the machine's."""
HOST_SCRIPT = (
    f'hostname "$0" && mount --bind "$1" /etc/hosts && {_OWN_DEVICES} && {_NO_IPV6} && '
    "ip link set lo up && exec sleep infinity"
)
WIRE_SCRIPT = f"{_NO_IPV6}; exec sleep infinity"


def keep_wire(prefix: str, folder: Path) -> int:
    """Starts the holder of the network between the hosts; returns its pid."""
    command = ("unshare", "--net", "sh", "-c", WIRE_SCRIPT)
    return _keep("wire", command, prefix, folder)


def keep_host(name: str, prefix: str, folder: Path, clock_offset_s: int = 0) -> int:
    """Starts the holder of host `name`, with the names in `folder`/hosts; returns its pid.

    Mounts made on the machine later are visible in the host; those of the host nowhere else.
    """
    ahead = ("--time", "--monotonic", str(clock_offset_s)) if clock_offset_s else ()
    unshare = ("unshare", "--net", "--uts", "--ipc", "--mount", "--propagation", "slave", *ahead)
    script = ("sh", "-c", HOST_SCRIPT, name, str(folder / "hosts"), str(folder / "sys"))
    return _keep(name, (*unshare, *script), prefix, folder, name)


def _keep(name: str, command: tuple[str, ...], prefix: str, folder: Path, host: str = "") -> int:
    with (folder / f"{name}.log").open("wb") as log:
        return detach(command, marked(prefix, host), log)


def await_holder(name: str, pid: int, folder: Path) -> None:
    """Returns when holder `pid` sleeps; MachineError with its output where it ended."""
    end = time.monotonic() + PATIENCE_S
    while not _sleeps(pid):
        if has_ended(pid) or time.monotonic() > end:
            output = (folder / f"{name}.log").read_text(errors="replace").strip()
            raise MachineError(
                f"host {name!r} doesn't come up: {output or 'no word from its holder'}; namespaces "
                "need root and a kernel that has them (unshare --net --uts --ipc --mount true)"
            )
        time.sleep(INTERVAL_S)


def _sleeps(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text() == "sleep\n"
    except OSError:
        return False
