"""What the paper says of messages between two PEs, held against this machine's."""

from __future__ import annotations

from leadline.studies.estimates import Quantity, estimate, ratio
from leadline.studies.findings import Claim, Conclusion, Evidence, above, between
from leadline.studies.published.cray_mpt import T3D, Transfer, transfer
from leadline.studies.results import Measurand, Results
from leadline.studies.shared_memory.stages import (
    BARRIER,
    LATENCY,
    PACKED,
    PINGPONG,
    PVM_IN_PLACE,
    TASKS,
    WORD_BYTES,
)
from leadline.studies.shared_memory.tables import asymptotic_bandwidth, message_pattern
from leadline.studies.units import Unit

SIMILAR = 1.25
"""Bandwidths that differ by less than this factor are called similar."""
NOTABLE_SHARE = 0.02


def _message(results: Results, kind: str, size_bytes: int = 0) -> Quantity:
    """Half a round trip of `size_bytes` through the library `kind`."""
    variant = results.library(kind)
    return results.counted(Measurand(LATENCY, variant, 2, message_pattern(kind), size_bytes))


def _bandwidth(results: Results, kind: str) -> Quantity:
    _message(results, kind)  # a curve of shared cores is none
    return asymptotic_bandwidth(results, results.library(kind), message_pattern(kind))


def _lower_latency(results: Results) -> Conclusion:
    found = ratio(_message(results, "pvm"), _message(results, "shmem"))
    return above(Evidence("PVM's latency is {} times SHMEM's", found), 1)


def _higher_bandwidth(results: Results) -> Conclusion:
    found = ratio(_bandwidth(results, "shmem"), _bandwidth(results, "pvm"))
    return above(Evidence("SHMEM's bandwidth is {} times PVM's", found), 1)


def _packing_costs_bandwidth(results: Results) -> Conclusion:
    found = ratio(_packed(results), _bandwidth(results, "pvm"))
    text = "PVM's bandwidth without packing and unpacking is {} times that with both"
    return above(Evidence(text, found), 1)


def _packed(results: Results) -> Quantity:
    return asymptotic_bandwidth(results, results.library("pvm"), PACKED)


def _similar_without_packing(results: Results) -> Conclusion:
    mine = _bandwidth(results, "shmem")
    text = "SHMEM's bandwidth is {} times PVM's without packing and unpacking"
    in_place = asymptotic_bandwidth(results, PVM_IN_PLACE, PINGPONG)
    return between(
        Evidence(text, ratio(mine, _packed(results))),
        1 / SIMILAR,
        SIMILAR,
        Evidence(
            "{} times PVM's past its daemon and from the user's memory", ratio(mine, in_place)
        ),
    )


def _more_bandwidth_than_t3d(results: Results) -> Conclusion:
    mine = estimate(_bandwidth(results, "shmem"))
    theirs = transfer(T3D, "SHMEM").bandwidth_bytes_per_s
    return above(
        Evidence("SHMEM's bandwidth is {} times the T3D's", mine.scaled(1 / theirs)),
        1,
        Evidence("it is {}", mine, Unit.BYTES_PER_SECOND),
    )


def _more_latency_than_t3d(results: Results) -> Conclusion:
    mine = estimate(_message(results, "shmem"))
    theirs = transfer(T3D, "SHMEM").latency_s
    return above(
        Evidence("SHMEM's latency is {} times the T3D's", mine.scaled(1 / theirs)),
        1,
        Evidence("it is {}", mine, Unit.SECONDS),
    )


def _larger_packets_needed(results: Results) -> Conclusion:
    """n_1/2 = latency times bandwidth: the packet that takes twice as long as an empty one."""
    mine = estimate(_message(results, "shmem").times(_bandwidth(results, "shmem")))
    there = transfer(T3D, "SHMEM")
    half = there.latency_s * there.bandwidth_bytes_per_s
    return above(
        Evidence("packets here must be {} times as long as on the T3D", mine.scaled(1 / half)),
        1,
        Evidence("half of the bandwidth takes {}", mine, Unit.BYTES),
    )


def _time_there(row: Transfer, size_bytes: int) -> float:
    return row.latency_s + size_bytes / row.bandwidth_bytes_per_s


def _small_packets(results: Results, kind: str, library: str) -> Conclusion:
    mine = estimate(_message(results, kind, WORD_BYTES))
    theirs = _time_there(transfer(T3D, library), WORD_BYTES)
    text = f"a word through {library} takes {{}} times the T3D's time"
    return above(Evidence(text, mine.scaled(1 / theirs)), 1)


def _small_packets_by_shmem(results: Results) -> Conclusion:
    return _small_packets(results, "shmem", "SHMEM")


def _small_packets_by_pvm(results: Results) -> Conclusion:
    return _small_packets(results, "pvm", "PVM")


def _barriers_raise_latency(results: Results) -> Conclusion:
    one = results.counted(Measurand(TASKS, results.library("shmem"), 2, BARRIER))
    found = ratio(one, _message(results, "shmem")).scaled(2)
    text = "two barriers take {} times as long as an empty message"
    return above(Evidence(text, found), NOTABLE_SHARE)


CLAIMS = (
    Claim("table 1", "SHMEM has a lower latency than PVM", _lower_latency),
    Claim("table 1", "SHMEM has a higher bandwidth than PVM", _higher_bandwidth),
    Claim(
        "latency and bandwidth",
        "Packing and unpacking lower PVM's bandwidth",
        _packing_costs_bandwidth,
    ),
    Claim(
        "latency and bandwidth",
        "Without them PVM's bandwidth is like SHMEM's, within a quarter",
        _similar_without_packing,
    ),
    Claim(
        "latency and bandwidth",
        "Shared memory has more bandwidth than the T3D's network",
        _more_bandwidth_than_t3d,
    ),
    Claim(
        "latency and bandwidth",
        "Shared memory has a higher latency than the T3D's network",
        _more_latency_than_t3d,
    ),
    Claim(
        "latency and bandwidth",
        "Its bandwidth takes longer packets to reach than the T3D's",
        _larger_packets_needed,
    ),
    Claim(
        "latency and bandwidth",
        "Small packets are faster on the T3D, by SHMEM",
        _small_packets_by_shmem,
    ),
    Claim(
        "latency and bandwidth",
        "Small packets are faster on the T3D, by PVM",
        _small_packets_by_pvm,
    ),
    Claim(
        "latency and bandwidth",
        "A couple of barriers inside the test raise its latency",
        _barriers_raise_latency,
    ),
)
