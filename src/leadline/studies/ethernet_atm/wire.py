"""What the links alone take, computed: frames and cells, whatever hosts and libraries add."""

from __future__ import annotations

from leadline.hosts.emulated.link import SEGMENT_HEADERS_BYTES, EmulatedLink, parse_link
from leadline.studies.ethernet_atm.stages import network
from leadline.studies.published.ethernet_atm import ATM, CROSSOVER_BYTES, ETHERNET


def link_of(name: str) -> EmulatedLink:
    """The link that the network which the paper calls `name` is emulated by."""
    return parse_link(network(name).link)


def message_s(link: EmulatedLink, size_bytes: int) -> float:
    """What `size_bytes` of payload, 1 at least, occupy `link` for, in TCP's full segments.

    Nothing else is sent: no library's header, no acknowledgement of its own.
    """
    most = link.mtu - SEGMENT_HEADERS_BYTES
    full, rest = divmod(size_bytes, most)
    sizes = [most] * full + [rest] * bool(rest)
    sent = sum(link.wire_bytes(size + SEGMENT_HEADERS_BYTES) for size in sizes)
    return 8 * sent / link.rate_bits_per_s


def payload_bytes_per_s(link: EmulatedLink) -> float:
    """The most that TCP carries over `link` one way: full segments, nothing coming back.

    What comes back in a ping-pong is the echo, with the acknowledgements in it.
    """
    full = link.mtu - SEGMENT_HEADERS_BYTES
    return full / message_s(link, full)


def saved_by_atm_s(size_bytes: int) -> float:
    """What an ATM link saves such a message beside Ethernet's."""
    return message_s(link_of(ETHERNET), size_bytes) - message_s(link_of(ATM), size_bytes)


def papers_adapter_s() -> float:
    """What the paper's ATM adapters and their TCP added to each message, beside Ethernet's.

    Where its curves cross, they take what the link saves.
    """
    return saved_by_atm_s(CROSSOVER_BYTES)
