"""Marks in the environment: every process of a cluster has them from its first instant."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

from leadline.hosts.identities import environment_at_start

CLUSTER, HOST, OUTSIDE = "LEADLINE_CLUSTER", "LEADLINE_HOST", "LEADLINE_OUTSIDE"
NAMESPACES = ("net", "uts")
"""That tell whether a process is in a host, or on the wire."""


def marks(prefix: str, host: str = "") -> dict[str, str]:
    """What tells a process of the cluster, or the keeper of one of its hosts, from all others."""
    return {CLUSTER: prefix, **({HOST: host} if host else {})}


def marked(prefix: str, host: str = "") -> dict[str, str]:
    """The environment that such a process gets: the marks, and what it has not yet left if killed.

    The machine's own namespaces, which a keeper is in before it has its own, are no part of the
    cluster, wherever the cluster is removed from.
    """
    return marks(prefix, host) | {OUTSIDE: " ".join(sorted(namespaces_of("self")))}


def is_marked(pid: int, prefix: str, host: str = "") -> bool:
    """Whether process `pid` lives and has these marks: a number alone may be another's by now."""
    return marks(prefix, host).items() <= environment_of(pid).items()


def is_alive(pid: int, prefix: str, host: str = "") -> bool:
    """Likewise; of another user's process, whose marks can't be seen, whether it lives."""
    try:
        Path(f"/proc/{pid}/environ").open("rb").close()
    except PermissionError:
        return True
    except OSError:
        return False
    return is_marked(pid, prefix, host)


def has_ended(pid: int) -> bool:
    """Whether the process is gone, or nobody has collected it yet.

    One that lives may have no marks for an instant: while it becomes another program.
    """
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def environment_of(pid: int) -> Mapping[str, str]:
    """What process `pid` was started with, if it has the mark of a cluster, and can be seen."""
    found = environment_at_start(pid)
    text = found.decode(errors="replace") if CLUSTER.encode() in found else ""  # of most nothing
    return dict(part.split("=", 1) for part in text.split("\0") if "=" in part)


def namespaces_of(pid: int | str) -> frozenset[str]:
    """The network and UTS namespaces of a process, e.g. "net:[4026532177]"; nothing if gone."""
    try:
        return frozenset(str(Path(f"/proc/{pid}/ns/{kind}").readlink()) for kind in NAMESPACES)
    except OSError:
        return frozenset()


def pids() -> Iterator[int]:
    """All processes, this one left out."""
    for name in (path.name for path in Path("/proc").iterdir()):
        if name.isdigit() and int(name) != os.getpid():
            yield int(name)


def kept(prefix: str) -> frozenset[str]:
    """The namespaces that the marked processes of a cluster have for themselves."""
    return frozenset[str]().union(
        *(namespaces_of(pid) - outside for pid, outside in _marked_ones(prefix))
    )


def hold(prefix: str, held: dict[str, int]) -> None:
    """Opens those that `held` lacks, by their names; the caller closes its descriptors.

    The kernel gives the number of a namespace that is gone to the next one, which may be another
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
    """Each marked process of a cluster, and the machine's own namespaces."""
    for pid in pids():
        found = environment_of(pid)
        if found.get(CLUSTER) == prefix and found.get(OUTSIDE):
            yield pid, set(found[OUTSIDE].split())


def members(prefix: str, namespaces: Set[str]) -> set[int]:
    """Processes that have the cluster's mark, or are in one of these `namespaces`."""
    return {pid for pid in pids() if is_marked(pid, prefix) or namespaces_of(pid) & namespaces}
