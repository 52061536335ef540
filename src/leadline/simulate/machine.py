"""A machine as its file describes it: network, nodes, processors, and what libraries cost there.

Fields are keys of the file, with the bounds of their values; machine_files.py reads and writes
them. A field with a default may be left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta

from leadline.errors import UsageError
from leadline.topology.allocation import Allocation, first_slots, t3e_slots
from leadline.topology.words import COUNTED_KINDS, synthetic_machine

Rate = Annotated[float, Meta(gt=0, le=1e30, examples=["16e9"])]
Duration = Annotated[float, Meta(ge=0, le=1e6, examples=["1e-6"])]
PartOfOne = Annotated[float, Meta(gt=0, le=1, examples=["0.5"])]
Count = Annotated[int, Meta(ge=1, le=2**40)]
MessageBytes = Annotated[int, Meta(ge=0, le=2**40)]
Text = Annotated[str, Meta(pattern=r"\S")]
"""Values of a machine file; their bounds are far beyond any machine, and far from where arithmetic
fails."""


class Mode(StrEnum):
    """How a message is sent."""

    STANDARD = "standard"
    SYNCHRONOUS = "synchronous"
    NONBLOCKING = "nonblocking"


@dataclass(frozen=True, slots=True)
class Links:
    """What connects vertices; each direction of a link is one by itself."""

    bytes_per_s: Rate
    latency_s: Duration
    """Latency of a hop."""
    parallel: tuple[Count, ...] = ()
    """Number of links up from a switch, by levels of a tree from the lowest; (): one each."""
    shared: bool = False
    """Whether all links are one medium, which a message occupies once."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """What many messages at a time cost."""

    most_flows: Count
    """Most messages under way over one node's bus that are no crowd."""
    factor: PartOfOne
    """Share of the bus's rate that a crowd gets."""


@dataclass(frozen=True, slots=True)
class Nic:
    """Where a node's messages leave it and come in."""

    latency_s: Duration
    """Latency of a message, once, however many hops."""
    in_bytes_per_s: Rate
    out_bytes_per_s: Rate
    bus_bytes_per_s: Rate | None = None
    """Shared by what leaves and what comes in; None: either has its own way."""
    crowd: Crowd | None = None


@dataclass(frozen=True, slots=True)
class Compute:
    """How fast one rank computes between its calls; infinite: at no cost."""

    flop_per_s: Rate = math.inf
    bytes_per_s: Rate = math.inf
    """Bytes read and written."""

    def seconds(self, flop: float, size_bytes: float) -> float:
        """The longer of the times of the operations and of the bytes."""
        return max(flop / self.flop_per_s, size_bytes / self.bytes_per_s)


@dataclass(frozen=True, slots=True)
class BarrierTime:
    """A barrier without messages: base + doubling log2 p + rank p, on p ranks."""

    base_s: Duration
    doubling_s: Duration = 0.0
    rank_s: Duration = 0.0

    def seconds(self, ranks: int) -> float:
        """Time from the last rank's arrival until all ranks leave."""
        return self.base_s + self.doubling_s * math.log2(ranks) + self.rank_s * ranks


@dataclass(frozen=True, slots=True)
class ProfilePiece:
    """The costs of a message from a size on."""

    least_bytes: MessageBytes
    send_overhead_s: Duration
    """While the sender's processor is busy."""
    receive_overhead_s: Duration
    gap_s_per_byte: Duration
    """The library's own limit: a rank takes at least this for each byte that it sends, in whatever
    message with this gap, and as much for each that it receives."""
    synchronous: bool = False
    """Whether it waits for its receive: the sender asks, the receiver answers, each with the
    network's latency and no further overhead; then the message goes."""
    copy_bytes_per_s: Rate | None = None
    """Rate at which the sender copies it into a buffer, then goes on; None: it doesn't."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The costs of one library on a machine."""

    name: str
    """The key of its table."""
    summary: Text
    pieces: Mapping[Mode, tuple[ProfilePiece, ...]]
    """By size, the first from 0 bytes; there are always those of STANDARD."""
    collectives: Mapping[str, str]
    """Pattern -> algorithm, where it isn't the kernel's own fallback."""
    barrier: BarrierTime | None = None
    """None: a barrier is made of messages."""
    collective_pieces: Mapping[str, tuple[ProfilePiece, ...]] = field(default_factory=dict)
    """Collective -> the costs of its messages, where they differ from those of others."""

    def pieces_of(self, mode: Mode) -> tuple[ProfilePiece, ...]:
        """The pieces of `mode`, or of STANDARD where it has none of its own."""
        return self.pieces.get(mode, self.pieces[Mode.STANDARD])

    def piece(self, size_bytes: int, mode: Mode = Mode.STANDARD) -> ProfilePiece:
        """The piece of a message of this size."""
        return [piece for piece in self.pieces_of(mode) if piece.least_bytes <= size_bytes][-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineModel:
    """The contents of a machine file."""

    name: Text
    summary: Text
    network: Text
    """In the words of `leadline map --machine`: torus:8x8x8, mesh:16x16, tree:4x8x1, nodes:16x1."""
    allocation: Literal["first", "t3e"]
    """In which order ranks get slots; "t3e" is the T3E's numbering."""
    cores_per_node: Count
    ties: Literal["one way", "split"]
    """Whether a message that has several shortest ways takes one, or all in equal parts."""
    links: Links
    nic: Nic
    compute: Compute = field(default_factory=Compute)
    profiles: Mapping[str, Profile]
    """Profiles by library; the first is the default."""
    sources: Mapping[str, Text]
    """Key, or the table that it stands in -> where its value comes from."""
    fitted: Mapping[str, Annotated[tuple[Text, ...], Meta(min_length=1)]] = field(
        default_factory=dict
    )
    """Key -> ids of the published figures that its value is, or was chosen to reach; for a machine
    that a user describes, any names of figures."""
    text: str
    """The text of the file, which isn't a key."""

    def whole(self) -> Allocation:
        """All slots, in the network's own order."""
        kind = self.network.partition(":")[0]
        cores = None if kind in COUNTED_KINDS else self.cores_per_node
        return synthetic_machine(self.network, cores)

    def allocate(self, ranks: int) -> Allocation:
        """The slots that `ranks` ranks get, in order; UsageError where there are fewer."""
        whole = self.whole()
        if ranks > len(whole):
            raise UsageError(
                f"{self.name} ({self.network}) has {len(whole):,} slots, {ranks:,} ranks need as "
                "many; take fewer ranks, or a copy of the file with a larger network"
            )
        return (t3e_slots if self.allocation == "t3e" else first_slots)(whole, ranks)
