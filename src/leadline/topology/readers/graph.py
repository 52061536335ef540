"""Files of communication graphs: edges in lines, or METIS's format."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from leadline.topology.communication import Graph
from leadline.topology.networks import MOST_SLOTS
from leadline.topology.readers.lines import (
    LineError,
    NumberedLine,
    content_lines,
    lines_of,
    printed,
    whole,
    words_of,
)


@dataclass(frozen=True, slots=True)
class Edge:
    """What rank `source` sends to rank `target`, and its line in the file."""

    source: int
    target: int
    weight: float
    line: NumberedLine


def parse_graph(text: str, file: str) -> Graph:
    """The graph in `text`: in METIS's format if `file` ends in .graph, else lines of edges.

    A line "3 4 1000" means that rank 3 sends 1000 (bytes, messages: the user's unit) to rank 4;
    without a third number 1. The opposite direction is a line of its own. Ranks count from 0 and
    end with the largest number named. METIS's vertices count from 1; their edges have no
    direction.

    Raises:
        LineError: An invalid rank, a weight that is negative or not finite, an edge of a rank to
            itself or one that comes twice, or a METIS header that doesn't match the lines.
    """
    if file.endswith(".graph"):
        ranks, edges = _metis(text, file)
    else:
        edges = [_edge(line) for line in content_lines(text, file)]
        ranks = 1 + max((max(edge.source, edge.target) for edge in edges), default=-1)
    if not edges:
        raise LineError(file, None, "no edge; write lines of: source target weight")
    seen: dict[tuple[int, int], NumberedLine] = {}
    for edge in edges:
        if edge.source == edge.target:
            raise edge.line.error("a rank sends to itself, which no mapping can change")
        if (edge.source, edge.target) in seen:
            first = seen[edge.source, edge.target].number
            raise edge.line.error(f"this edge comes twice, first in line {first}")
        seen[edge.source, edge.target] = edge.line
    edges.sort(key=lambda edge: (edge.source, edge.target))
    counts = np.bincount([edge.source for edge in edges], minlength=ranks)
    return Graph(
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        neighbours=np.array([edge.target for edge in edges], dtype=np.int64),
        weights=np.array([edge.weight for edge in edges], dtype=np.float64),
    )


def _edge(line: NumberedLine) -> Edge:
    """The edge of a line "source target [weight]"."""
    if len(line.words) not in (2, 3):
        raise line.error("an edge has a source, a target and at most a weight")
    ends: list[int] = []
    for word in line.words[:2]:
        ends.append(whole(word, line, "rank"))
        if ends[-1] >= MOST_SLOTS:
            raise line.error(f"rank {ends[-1]} is too large; {MOST_SLOTS - 1:,} is the last")
    weight = _weight(line.words[2], line) if len(line.words) == 3 else 1.0
    return Edge(ends[0], ends[1], weight, line)


def _weight(word: str, line: NumberedLine) -> float:
    try:
        weight = float(word)
    except ValueError:
        raise line.error(f"weight {word!r} is not a number") from None
    if not (math.isfinite(weight) and weight >= 0):
        raise line.error(f"weight {word} must be finite and not negative")
    return weight


def _metis(text: str, file: str) -> tuple[int, list[Edge]]:
    """The number of vertices, and the edges; a header "vertices edges [format]", a line a vertex.

    The format's last digit says whether edges have weights (Karypis, METIS manual); vertices with
    weights or sizes of their own are refused, as every rank takes one slot.
    """
    lines = [
        printed(NumberedLine(file, number, words_of(line)))
        for number, line in enumerate(lines_of(text), 1)
        if not line.startswith("%")
    ]
    if not lines or len(lines[0].words) not in (2, 3):
        raise LineError(file, None, "METIS's header is: vertices edges [format]")
    header, rows = lines[0], lines[1:]
    vertices, count = (whole(word, header, "number", least=1) for word in header.words[:2])
    form = header.words[2].lstrip("0") if len(header.words) == 3 else ""
    if form not in ("", "1"):
        raise header.error(f"format {header.words[2]} has weights of vertices; only 0 and 1 do")
    weighted = form == "1"
    step = 2 if weighted else 1
    edges: list[Edge] = []
    for vertex, row in enumerate(rows):
        if len(row.words) % step:
            raise row.error("a neighbour has no weight")
        for i in range(0, len(row.words), step):
            neighbour = whole(row.words[i], row, "neighbour", least=1) - 1
            weight = _weight(row.words[i + 1], row) if weighted else 1.0
            edges.append(Edge(vertex, neighbour, weight, row))
    if len(rows) != vertices or len(edges) != 2 * count:
        raise header.error(
            f"{vertices} vertices and {count} edges are announced, {len(rows)} lines and "
            f"{len(edges) / 2:g} edges follow (each edge is in the lines of both its ends)"
        )
    for edge in edges:
        if edge.target >= vertices:
            raise edge.line.error(f"neighbour {edge.target + 1} is beyond the last vertex")
    return vertices, edges
