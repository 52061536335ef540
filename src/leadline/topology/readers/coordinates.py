"""A file of coordinates: lines of "host x y z", and before them, if need be, the torus or mesh."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from leadline.errors import UsageError
from leadline.topology.allocation import Allocation, allocation_of_nodes
from leadline.topology.networks import MOST_DIMS, MOST_SLOTS, Torus, parse_dims
from leadline.topology.readers.hostlist import check_host
from leadline.topology.readers.lines import LineError, NumberedLine, content_lines, whole


def parse_coordinates(text: str, file: str, cores: int) -> Allocation:
    """All slots of the hosts in `text`, in its order.

    The first line may be e.g. torus:8x8x8 or mesh:8x8x8; otherwise the network is the smallest
    torus that holds all hosts. Hosts may share coordinates, as where two share a router.

    Args:
        text: The file's content.
        file: What errors call it.
        cores: Of each node, which the file doesn't say.

    Raises:
        LineError: A name that is no host's, one that comes twice, numbers of coordinates that
            differ, a coordinate that isn't one or lies outside.
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
    network = declared or _smallest_torus(list(hosts.values()), file)
    vertices = np.ravel_multi_index(np.array(list(hosts.values())).T, network.dims)
    counts = np.full(len(hosts), cores, dtype=np.int64)
    return allocation_of_nodes(
        f"coordinates:{file}", network, vertices.astype(np.int64), counts, tuple(hosts)
    )


def _declared(line: NumberedLine) -> Torus | None:
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


def _smallest_torus(rows: Sequence[Sequence[int]], file: str) -> Torus:
    dims = tuple(max(column) + 1 for column in zip(*rows, strict=True))
    if math.prod(dims) > MOST_SLOTS:
        raise LineError(file, None, f"coordinates span more than {MOST_SLOTS:,} places")
    return Torus(dims=dims, periodic=(True,) * len(dims))
