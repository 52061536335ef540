"""Which link was the busiest while a slice was timed, by the counters of its hosts' interfaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from leadline.hosts.placement import Hosts
from leadline.kernels.messages import Hello, Result
from leadline.record.slices import LinkUse

OWN_SPEED = 0.0
"""In the place of a rate: what each interface says of itself."""


def rate_of(hosts: Hosts) -> float:
    """Bytes a second of each link between `hosts`: as emulated ones have it, else OWN_SPEED."""
    return hosts.link.rate_bits_per_s / 8 if hosts.link else OWN_SPEED


def link_of(
    results: Sequence[Result], hellos: Mapping[int, Hello], bytes_per_s: float | None
) -> LinkUse | None:
    """The busiest one of a slice, `hellos` by rank; None without a rate: links aren't watched."""
    hosts = {rank: hello.host for rank, hello in hellos.items()}
    return None if bytes_per_s is None else busiest_link(results, hosts, bytes_per_s)


def busiest_link(
    results: Sequence[Result], hosts: Mapping[int, str], bytes_per_s: float
) -> LinkUse | None:
    """The link that carried the largest share of what its rate allows; None where none was read.

    Where the one that carried the most bytes has no known rate, no share can be the largest: it is
    that one, without a rate.

    Args:
        results: Of all ranks of the slice.
        hosts: The host of each rank, by which links are told apart.
        bytes_per_s: The rate of every link, or OWN_SPEED.
    """
    links = list(_links(results, hosts, bytes_per_s))
    if not links:
        return None
    most = max(links, key=lambda link: link.bytes)
    return max(links, key=_share) if most.bytes_per_s else most


def _links(
    results: Sequence[Result], hosts: Mapping[int, str], bytes_per_s: float
) -> Iterator[LinkUse]:
    for result in results:
        for carried in result.around.links:
            found = replace(carried, name=f"{hosts[result.rank]} {carried.name}")
            yield replace(found, bytes_per_s=bytes_per_s) if bytes_per_s else found


def _share(link: LinkUse) -> float:
    allowed = link.bytes_per_s * link.window_ns
    return link.bytes / allowed if allowed else 0.0
