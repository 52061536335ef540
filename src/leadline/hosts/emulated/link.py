"""Links between emulated hosts: rate, delay, and the overhead of framing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from leadline.errors import UsageError, naming, unknown_name
from leadline.record.provenance import LinkFacts
from leadline.units import parse_bit_rate, parse_duration, parse_size


def check_each_once(words: Iterable[str], kind_of: Callable[[str], str]) -> None:
    """Raises UsageError where two of `words` set the same property, which `kind_of` names."""
    seen: dict[str, str] = {}
    for word in words:
        kind = kind_of(word)
        if kind in seen:
            raise UsageError(f"{seen[kind]!r} and {word!r}: give one {kind}")
        seen[kind] = word


def name_of(word: str) -> str:
    """Name in a word, e.g. "delay" in "delay=1ms", "cut" in "cut"."""
    return word.partition("=")[0]


LEAST_BITS_PER_S, MOST_BITS_PER_S = 10_000, 100 * 10**9
LONGEST_DELAY_S = 1.0
LEAST_MTU = 68
"""Least MTU that IPv4 allows (RFC 791)."""
SEGMENT_HEADERS_BYTES = 52
"""Headers of a segment: IPv4 20, TCP 20, and TCP's time stamps 12, which Linux always sends."""
SEGMENTS_ACKNOWLEDGED = 2
"""Segments that one acknowledgement confirms (RFC 1122, 4.2.3.2)."""


class Medium(StrEnum):
    """Medium: which frames wait for others."""

    SHARED = "shared"
    """One frame at a time on the whole medium, as on a coaxial Ethernet: half duplex."""
    SWITCHED = "switched"
    """Each host has a line to a switch, and one back: full duplex."""


class Framing(StrEnum):
    """Encapsulation of IP packets."""

    ETHERNET = "ethernet"
    ATM = "atm"


class Shaper(StrEnum):
    """Component that limits the rate of a link."""

    KERNEL = "kernel"
    """Token buckets of the Linux kernel."""
    SWITCH = "switch"
    """Process in user space that gives each frame its time on the wire."""


ETHERNET_OVERHEAD_BYTES = 38
"""Overhead of a frame beside IP: preamble 8, header 14, check sequence 4, gap 12 (IEEE 802.3)."""
ETHERNET_LEAST_BYTES = 84
"""Least frame, 64, with preamble and gap."""
CELL_BYTES, CELL_PAYLOAD_BYTES = 53, 48
AAL5_BYTES = 16
"""Overhead of a packet beside IP: LLC/SNAP 8, AAL5's trailer 8 (RFC 2684, ITU-T I.363.5)."""
MOST_MTU: Mapping[Framing, int] = {Framing.ETHERNET: 65521, Framing.ATM: 9180}
"""Largest MTU: an Ethernet frame has 65535 bytes at most, with its header; for ATM the default of
IP over it (RFC 2225)."""


@dataclass(frozen=True, slots=True)
class EmulatedLink:
    """Link between hosts; all hosts of a cluster have the same."""

    name: str
    """Text of the request; `parse_link` gives the same link from it."""
    rated_bits_per_s: int
    """Nominal rate of the line."""
    rate_bits_per_s: int
    """Rate of frames, or cells: less than the line's where that has a framing too."""
    delay_s: float = 0.0
    """Delay from the end of a frame to its delivery."""
    mtu: int = 1500
    """Largest IP packet in bytes."""
    medium: Medium = Medium.SWITCHED
    framing: Framing = Framing.ETHERNET

    def wire_bytes(self, ip_bytes: int) -> int:
        """Bytes that an IP packet occupies on the wire, all framing included."""
        if self.framing is Framing.ATM:
            return -(-(ip_bytes + AAL5_BYTES) // CELL_PAYLOAD_BYTES) * CELL_BYTES
        return max(ip_bytes + ETHERNET_OVERHEAD_BYTES, ETHERNET_LEAST_BYTES)

    @property
    def payload_bits_per_s(self) -> float:
        """Largest rate of TCP in full segments; on a shared medium beside acknowledgements."""
        sent = float(self.wire_bytes(self.mtu))
        if self.medium is Medium.SHARED:
            sent += self.wire_bytes(SEGMENT_HEADERS_BYTES) / SEGMENTS_ACKNOWLEDGED
        return self.rate_bits_per_s * max(self.mtu - SEGMENT_HEADERS_BYTES, 1) / sent

    @property
    def shaper(self) -> Shaper:
        """Component that shapes this link."""
        return Shaper.SWITCH if self.rate_bits_per_s <= SWITCH_BITS_PER_S else Shaper.KERNEL

    @property
    def facts(self) -> LinkFacts:
        """Facts that runs over this link record."""
        return LinkFacts(
            name=self.name,
            rated_bits_per_s=self.rated_bits_per_s,
            rate_bits_per_s=self.rate_bits_per_s,
            payload_bits_per_s=self.payload_bits_per_s,
            delay_s=self.delay_s,
            mtu=self.mtu,
            medium=str(self.medium),
            framing=str(self.framing),
            shaper=str(self.shaper),
        )


SWITCH_BITS_PER_S = 400_000_000
"""Highest rate that the switch in user space serves beside ranks that poll: measured, see
docs/benchmarks.md."""
SONET_SHARE = 149.76e6 / 155.52e6
"""Share of OC-3 that is left to cells: 260 of 270 columns (ITU-T G.707)."""


def _ethernet(name: str, bits_per_s: int, medium: Medium) -> EmulatedLink:
    return EmulatedLink(name, bits_per_s, bits_per_s, medium=medium)


LINKS: Mapping[str, EmulatedLink] = {
    "ethernet-10": _ethernet("ethernet-10", 10_000_000, Medium.SHARED),
    "atm-155": EmulatedLink("atm-155", 155_520_000, 149_760_000, mtu=9180, framing=Framing.ATM),
    "gigabit": _ethernet("gigabit", 1_000_000_000, Medium.SWITCHED),
}
"""Links by name."""


def parse_link(text: str) -> EmulatedLink:
    """Link in "atm-155", "100Mbit" or "10Mbit,delay=1ms,mtu=9000,shared"; UsageError."""
    first, *words = (word.strip() for word in text.split(","))
    link = replace(_rated(first), name=text)
    for word in words:
        name, separator, value = word.partition("=")
        if word in tuple(Medium):
            link = replace(link, medium=Medium(word))
            continue
        if not separator or name not in _SETTINGS:
            raise unknown_name("word of --link", word, [*Medium, "delay=TIME", "mtu=BYTES"])
        with naming(f"--link {link.name!r}: {name}"):
            link = _SETTINGS[name](link, value)
    with naming(f"--link {text!r}"):
        check_each_once(words, lambda word: "medium" if word in tuple(Medium) else name_of(word))
    most = MOST_MTU[link.framing]
    if not LEAST_MTU <= link.mtu <= most:
        raise UsageError(
            f"--link {link.name!r}: an MTU of {link.mtu} bytes doesn't fit {link.framing} framing; "
            f"give {LEAST_MTU} to {most}"
        )
    if link.delay_s > LONGEST_DELAY_S:
        raise UsageError(
            f"--link {link.name!r}: a delay of {link.delay_s:g} s; give at most "
            f"{LONGEST_DELAY_S:g} s, as 5ms"
        )
    if link.delay_s and link.shaper is Shaper.KERNEL:
        raise UsageError(
            f"--link {link.name!r}: only the switch in user space delays frames, and it serves at "
            f"most {SWITCH_BITS_PER_S / 1e6:g} Mbit/s; give a lower rate, or no delay"
        )
    return link


def _rated(word: str) -> EmulatedLink:
    """Link of this name, or Ethernet of this rate."""
    if word in LINKS:
        return LINKS[word]
    if not word[:1].isdigit():
        raise unknown_name("link", word, [*LINKS, "RATE, e.g. 100Mbit"])
    bits_per_s = round(parse_bit_rate(word) * 8)
    if not LEAST_BITS_PER_S <= bits_per_s <= MOST_BITS_PER_S:
        raise UsageError(f"--link {word!r}: give a rate of 10kbit to 100Gbit")
    return _ethernet(word, bits_per_s, Medium.SWITCHED)


def _delayed(link: EmulatedLink, value: str) -> EmulatedLink:
    if value.strip() in ("0", "0s"):
        return replace(link, delay_s=0.0)
    return replace(link, delay_s=parse_duration(value))


_SETTINGS: Mapping[str, Callable[[EmulatedLink, str], EmulatedLink]] = {
    "delay": _delayed,
    "mtu": lambda link, value: replace(link, mtu=parse_size(value)),
}
