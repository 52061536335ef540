"""Files that list hosts, one a line: a launcher's hostfile, or coordinates on a torus or mesh.

A hostfile has lines of "host", "host:8" or "host slots=8"; a file of coordinates lines of
"host x y z", and before them, if need be, the torus or mesh.
"""

from __future__ import annotations

import math

import numpy as np

from leadline.errors import UsageError
from leadline.topology.allocation import Allocation, allocation_of_nodes
from leadline.topology.networks import MOST_DIMS, MOST_SLOTS, Torus, parse_dims
from leadline.topology.readers.hostlist import check_host
from leadline.topology.readers.lines import LineError, NumberedLine, content_lines, whole
from leadline.topology.words import single_switch


def parse_hostfile(text: str, file: str, cores: int) -> Allocation:
    """All slots of the hosts in `text`, in its order, at a single switch.

    Args:
        text: The file's content.
        file: Its name in errors.
        cores: Slots of each host whose line has none.

    Raises:
        LineError: An invalid host name, a host that comes twice, a number of slots below 1, other
            words.
    """
    hosts: dict[str, int] = {}
    for line in content_lines(text, file):
        host, slots = _host(line, cores)
        check_host(host, line)
        if host in hosts:
            raise line.error(f"host {host} is listed twice; give its slots as {host}:2")
        hosts[host] = slots
    if not hosts:
        raise LineError(file, None, "no host; give one a line")
    counts = np.array(list(hosts.values()), dtype=np.int64)
    vertices = np.arange(len(hosts), dtype=np.int64)
    network = single_switch(len(hosts))
    return allocation_of_nodes(f"hosts:{file}", network, vertices, counts, tuple(hosts))


def _host(line: NumberedLine, cores: int) -> tuple[str, int]:
    """The host of a line and its slots: `cores` where the line has none."""
    first, *others = line.words
    host, colon, number = first.partition(":")
    settings = [word for word in others if not word.startswith("max_slots=")]
    if colon and not settings:
        return host, whole(number, line, "number of slots", least=1)
    if len(settings) == 1 and settings[0].startswith("slots="):
        return host, whole(settings[0].removeprefix("slots="), line, "number of slots", least=1)
    if settings or colon:
        raise line.error(f"{' '.join(line.words)!r} is not: host, host:8 or host slots=8")
    return host, cores


def parse_coordinates(text: str, file: str, cores: int) -> Allocation:
    """All slots of the hosts in `text`, in its order.

    The first line may be e.g. torus:8x8x8 or mesh:8x8x8; otherwise the network is the smallest
    torus that holds all hosts. Hosts may share coordinates, as where two share a router.

    Args:
        text: The file's content.
        file: Its name in errors.
        cores: Slots of each node, which the file has no numbers of.

    Raises:
        LineError: An invalid host name, a host that comes twice, hosts with different numbers of
            coordinates, a coordinate that is invalid or outside.
    """
    lines = list(content_lines(text, file))
    declared = _declared(lines[0]) if lines else None
    hosts: dict[str, list[int]] = {}
    for line in lines[declared is not None :]:
        if line.words[0] in hosts:
            raise line.error(f"host {line.words[0]} is listed twice")
        hosts[check_host(line.words[0], line)] = _coordinates(line, hosts, declared)
    if not hosts:
        raise LineError(file, None, "no host; write lines of: host x y z")
    rows = np.array(list(hosts.values())).T
    if declared is None:
        dims = tuple(max(row) + 1 for row in rows.tolist())
        if math.prod(dims) > MOST_SLOTS:
            raise LineError(file, None, f"coordinates span more than {MOST_SLOTS:,} places")
        declared = Torus(dims=dims, periodic=(True,) * len(dims))
    vertices = np.ravel_multi_index(rows, declared.dims)
    counts = np.full(len(hosts), cores, dtype=np.int64)
    return allocation_of_nodes(
        f"coordinates:{file}", declared, vertices.astype(np.int64), counts, tuple(hosts)
    )


def _declared(line: NumberedLine) -> Torus | None:
    """The network that the first line may declare; None: it is a host's."""
    kind, colon, body = line.words[0].partition(":")
    if len(line.words) > 1 or not colon:
        return None
    if kind not in ("torus", "mesh"):
        raise line.error(f"{line.words[0]!r} is neither torus:8x8x8 nor mesh:8x8x8")
    try:
        dims = parse_dims(body, kind)
    except UsageError as error:
        raise line.error(str(error)) from None
    return Torus(dims=dims, periodic=(kind == "torus",) * len(dims))


def _coordinates(
    line: NumberedLine, before: dict[str, list[int]], declared: Torus | None
) -> list[int]:
    """The coordinates in `line`, as many as the network has axes or the first host coordinates."""
    numbers = [whole(word, line, "coordinate") for word in line.words[1:]]
    axes = len(declared.dims) if declared else len(next(iter(before.values()), numbers))
    if len(numbers) > MOST_DIMS:
        raise line.error(f"{len(numbers)} coordinates; {MOST_DIMS} axes are the most")
    if len(numbers) != axes or not numbers:
        wanted = f"{axes or 'one'} or more" if not axes else str(axes)
        raise line.error(f"host {line.words[0]} has {len(numbers)} coordinates, not {wanted}")
    if declared and any(x >= length for x, length in zip(numbers, declared.dims, strict=True)):
        extent = "x".join(map(str, declared.dims))
        raise line.error(f"host {line.words[0]} lies outside {extent}; counting begins at 0")
    return numbers
