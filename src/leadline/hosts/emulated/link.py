"""What a link between emulated hosts carries: its rate, its delay, and what framing takes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from leadline.errors import UsageError, naming, unknown_name
from leadline.record.provenance import LinkFacts
from leadline.units import parse_bit_rate, parse_duration, parse_size


def check_each_once(words: Iterable[str], kind_of: Callable[[str], str]) -> None:
    """UsageError where two of `words` set the same thing, which `kind_of` names."""
    told: dict[str, str] = {}
    for word in words:
        kind = kind_of(word)
        if kind in told:
            raise UsageError(f"{told[kind]!r} and {word!r}: give one {kind}")
        told[kind] = word


def name_of(word: str) -> str:
    """E.g. "delay" of "delay=1ms", "cut" of "cut"."""
    return word.partition("=")[0]


LEAST_BITS_PER_S, MOST_BITS_PER_S = 10_000, 100 * 10**9
LONGEST_DELAY_S = 1.0
LEAST_MTU = 68
"""The least that IPv4 allows (RFC 791)."""
SEGMENT_HEADERS_BYTES = 52
"""IPv4 20, TCP 20, and TCP's time stamps 12, which Linux sends with every segment."""
SEGMENTS_ACKNOWLEDGED = 2
"""By one acknowledgement (RFC 1122, 4.2.3.2)."""


class Medium(StrEnum):
    """Who waits for whom."""

    SHARED = "shared"
    """One frame at a time on the whole medium, as on a coaxial Ethernet: half duplex."""
    SWITCHED = "switched"
    """Each host has a line of its own to a switch, and one back: full duplex."""


class Framing(StrEnum):
    """What IP packets are wrapped in."""

    ETHERNET = "ethernet"
    ATM = "atm"


class Shaper(StrEnum):
    """Who makes the link as slow as it is to be."""

    KERNEL = "kernel"
    """Token buckets of Linux."""
    SWITCH = "switch"
    """A process in user space that gives each frame its time on the wire."""


ETHERNET_OVERHEAD_BYTES = 38
"""A frame beside IP: preamble 8, header 14, check sequence 4, gap 12 (IEEE 802.3)."""
ETHERNET_LEAST_BYTES = 84
"""The least frame, 64, with preamble and gap."""
CELL_BYTES, CELL_PAYLOAD_BYTES = 53, 48
AAL5_BYTES = 16
"""Of a packet beside IP: LLC/SNAP 8, AAL5's trailer 8 (RFC 2684, ITU-T I.363.5)."""
MOST_MTU: Mapping[Framing, int] = {Framing.ETHERNET: 65521, Framing.ATM: 9180}
"""A frame has 65535 bytes at most, with its header; of ATM the default of IP over it (RFC 2225)."""


@dataclass(frozen=True, slots=True)
class EmulatedLink:
    """A link between hosts; all hosts of a cluster have the same."""

    name: str
    """As it was asked for; `parse_link` makes the same of it again."""
    rated_bits_per_s: int
    """What the line is sold as."""
    rate_bits_per_s: int
    """What frames, or cells, are sent at: less than the line's where that has a framing too."""
    delay_s: float = 0.0
    """From the end of a frame to its delivery."""
    mtu: int = 1500
    """The most bytes of an IP packet."""
    medium: Medium = Medium.SWITCHED
    framing: Framing = Framing.ETHERNET

    def wire_bytes(self, ip_bytes: int) -> int:
        """What an IP packet occupies on the wire, all framing included."""
        if self.framing is Framing.ATM:
            return -(-(ip_bytes + AAL5_BYTES) // CELL_PAYLOAD_BYTES) * CELL_BYTES
        return max(ip_bytes + ETHERNET_OVERHEAD_BYTES, ETHERNET_LEAST_BYTES)

    @property
    def payload_bits_per_s(self) -> float:
        """The most that TCP carries in full segments; on a shared medium beside its answers."""
        sent = float(self.wire_bytes(self.mtu))
        if self.medium is Medium.SHARED:
            sent += self.wire_bytes(SEGMENT_HEADERS_BYTES) / SEGMENTS_ACKNOWLEDGED
        return self.rate_bits_per_s * max(self.mtu - SEGMENT_HEADERS_BYTES, 1) / sent

    @property
    def shaper(self) -> Shaper:
        """Who shapes this link."""
        return Shaper.SWITCH if self.rate_bits_per_s <= SWITCH_BITS_PER_S else Shaper.KERNEL

    @property
    def facts(self) -> LinkFacts:
        """What runs over it record of it."""
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
"""The highest rate that the switch in user space serves beside ranks that poll: measured, see
docs/benchmarks.md."""
SONET_SHARE = 149.76e6 / 155.52e6
"""What OC-3 leaves to cells: 260 of 270 columns (ITU-T G.707)."""


def _ethernet(name: str, bits_per_s: int, medium: Medium) -> EmulatedLink:
    return EmulatedLink(name, bits_per_s, bits_per_s, medium=medium)


LINKS: Mapping[str, EmulatedLink] = {
    "ethernet-10": _ethernet("ethernet-10", 10_000_000, Medium.SHARED),
    "atm-155": EmulatedLink("atm-155", 155_520_000, 149_760_000, mtu=9180, framing=Framing.ATM),
    "gigabit": _ethernet("gigabit", 1_000_000_000, Medium.SWITCHED),
}
"""Links by name."""


def parse_link(text: str) -> EmulatedLink:
    """The link in "atm-155", "100Mbit" or "10Mbit,delay=1ms,mtu=9000,shared"; UsageError."""
    first, *words = (word.strip() for word in text.split(","))
    link = replace(_rated(first), name=text)
    for word in words:
        link = _with(link, word)
    with naming(f"--link {text!r}"):
        check_each_once(words, _set_by)
    return _checked(link)


def _set_by(word: str) -> str:
    return "medium" if word in tuple(Medium) else name_of(word)


def _rated(word: str) -> EmulatedLink:
    if word in LINKS:
        return LINKS[word]
    if not word[:1].isdigit():
        raise unknown_name("link", word, [*LINKS, "RATE, e.g. 100Mbit"])
    bits_per_s = round(parse_bit_rate(word) * 8)
    if not LEAST_BITS_PER_S <= bits_per_s <= MOST_BITS_PER_S:
        raise UsageError(f"--link {word!r}: give a rate of 10kbit to 100Gbit")
    return _ethernet(word, bits_per_s, Medium.SWITCHED)


def _with(link: EmulatedLink, word: str) -> EmulatedLink:
    name, separator, value = word.partition("=")
    if word in tuple(Medium):
        return replace(link, medium=Medium(word))
    if not separator or name not in _SETTINGS:
        raise unknown_name("word of --link", word, [*Medium, "delay=TIME", "mtu=BYTES"])
    with naming(f"--link {link.name!r}: {name}"):
        return _SETTINGS[name](link, value)


def _delayed(link: EmulatedLink, value: str) -> EmulatedLink:
    if value.strip() in ("0", "0s"):
        return replace(link, delay_s=0.0)
    return replace(link, delay_s=parse_duration(value))


_SETTINGS: Mapping[str, Callable[[EmulatedLink, str], EmulatedLink]] = {
    "delay": _delayed,
    "mtu": lambda link, value: replace(link, mtu=parse_size(value)),
}


def _checked(link: EmulatedLink) -> EmulatedLink:
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
