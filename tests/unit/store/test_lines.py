from __future__ import annotations

import json
import zlib
from dataclasses import replace

import numpy as np
import pytest
from harness.synthetic import one_slice
from syrupy.assertion import SnapshotAssertion
from tests.support.disturbed import WINDOW_NS, disturbance

from leadline.record.fields import FormatError
from leadline.record.quantities import UNKNOWN
from leadline.store.lines import seal, unseal
from leadline.store.slice_lines import decode_slice, encode_slice

SLICE = one_slice((0, 0, 0, 0), [[5000, 4100, 4000], [5001, 4101, 4001]])


@pytest.mark.parametrize("indent", [None, 2])
def test_sealed_record_reads_back_and_is_plain_json(indent: int | None) -> None:
    record = {"kind": "warning", "nested": {"list": [1, 2.5, "µ\u2028\n", None]}}
    sealed = seal(record, indent)
    assert unseal(sealed) == record
    assert {k: v for k, v in json.loads(sealed).items() if k != "crc32"} == record
    assert indent or b"\n" not in sealed


def test_checksum_is_of_the_text_before_it() -> None:
    assert seal({"a": 1}) == b'{"a":1,"crc32":"%08x"}' % zlib.crc32(b'{"a":1')


def test_every_flipped_bit_is_found() -> None:
    sealed = seal({"kind": "end", "complete": True})
    for position in range(8 * len(sealed)):
        broken = bytearray(sealed)
        broken[position // 8] ^= 1 << position % 8
        if broken.lower() != sealed.lower():
            with pytest.raises(FormatError):
                unseal(bytes(broken))


def test_line_without_checksum_is_bad(snapshot: SnapshotAssertion) -> None:
    messages = set()
    for text in (b"", b"{}", b"null", b"[1]", b'{"a":1}', b"\xff\xfe", b"[" * 9999):
        with pytest.raises(FormatError) as bad:
            unseal(text)
        messages.add(str(bad.value))
    assert messages == snapshot


def sealed_text(body: bytes) -> bytes:
    return body + b',"crc32":"%08x"}' % zlib.crc32(body)


@pytest.mark.parametrize("body", [b"{" + b'"a":[' * 50_000, b'{"a":' + b"9" * 5000, b"nonsense"])
def test_nonsense_with_a_checksum_is_bad_too(body: bytes) -> None:
    with pytest.raises(FormatError):
        unseal(sealed_text(body))


@pytest.mark.parametrize("number", [b"NaN", b"-Infinity", b"1e999", b"-1e999"])
def test_number_that_could_not_be_written_again_is_bad(
    number: bytes, snapshot: SnapshotAssertion
) -> None:
    """Tables are made of journals: a NaN among their metadata ended `run --resume`."""
    with pytest.raises(FormatError) as bad:
        unseal(sealed_text(b'{"metadata":{"speed":' + number + b"}"))
    assert str(bad.value) == snapshot


def test_slice_reads_back_with_its_flags() -> None:
    flags = np.array([[1, 1, 0, 4, 4, 0], [0, 0, 0, 0, 0, 3]], dtype=np.int32)
    times = np.arange(12, dtype=np.int64).reshape(2, 6) + 10**15
    original = replace(SLICE, start_ns=times, end_ns=times + 7, flags=flags)
    encoded = encode_slice(original)
    assert encoded["flags"] == [[[0, 2, 1], [3, 2, 4]], [[5, 1, 3]]]
    assert encoded["origin_ns"] == 10**15
    read = decode_slice(json.loads(json.dumps(encoded)))
    for name in ("ranks", "start_ns", "end_ns", "flags"):
        assert np.array_equal(getattr(read, name), getattr(original, name)), name


def test_slice_in_which_no_rank_recorded_reads_back() -> None:
    none = np.empty((0, 0), dtype=np.int64)
    empty = replace(SLICE, ranks=SLICE.ranks[:0], start_ns=none, end_ns=none, flags=SLICE.flags[:0])
    assert decode_slice(encode_slice(empty)).start_ns.shape == (0, 0)


def test_ranks_without_a_time_read_back_with_what_disturbed_them() -> None:
    watched = replace(SLICE, others=np.array([5], np.int32), disturbance=disturbance(0, 0, 0.3))
    read = decode_slice(json.loads(json.dumps(encode_slice(watched))))
    assert read.others.tolist() == [5]
    assert read.disturbance is not None
    assert read.disturbance.run_delay_ns.tolist() == [0, 0, WINDOW_NS * 3 // 10]
    assert read.disturbance.core_latency_ns.tolist() == [UNKNOWN] * 3


def test_core_latency_reads_back() -> None:
    handed = replace(disturbance(0, 0), core_latency_ns=np.array([95, 410]))
    read = decode_slice(json.loads(json.dumps(encode_slice(replace(SLICE, disturbance=handed)))))
    assert read.disturbance is not None
    assert read.disturbance.core_latency_ns.tolist() == [95, 410]


@pytest.mark.parametrize("others", [[0], [5], [5, 5]])
def test_other_ranks_that_do_not_fit_the_disturbance_are_bad(others: list[int]) -> None:
    watched = encode_slice(replace(SLICE, disturbance=disturbance(0, 0)))
    with pytest.raises(FormatError):
        decode_slice({**watched, "others": others})


def test_batch_of_a_usual_slice_takes_at_most_16_bytes() -> None:
    rng = np.random.default_rng(1)
    slice_ = one_slice((0, 0, 0, 0), rng.integers(20_000, 60_000, (2, 250)).tolist())
    assert len(seal(encode_slice(slice_))) / 500 <= 16


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("start_ns", [[0, 1, 2]]),
        ("start_ns", [[0, 1], [0, 1, 2]]),
        ("start_ns", [[0, 1, True], [0, 1, 2]]),
        ("start_ns", [[0, 1, 0.5], [0, 1, 2]]),
        ("start_ns", [[0, 1, "2"], [0, 1, 2]]),
        ("start_ns", [0, 1, 2]),
        ("start_ns", None),
        ("start_ns", {}),
        ("elapsed_ns", [[-1, 1, 2], [0, 1, 2]]),
        ("elapsed_ns", [[10**30, 1, 2], [0, 1, 2]]),
        ("elapsed_ns", [[2**63, 1, 2], [0, 1, 2]]),
        ("elapsed_ns", [[0], [0]]),
        ("origin_ns", -1),
        ("origin_ns", 2**62),
        ("origin_ns", 1.0),
        ("ranks", [0, 0]),
        ("ranks", [0, -1]),
        ("ranks", [0]),
        ("ranks", "01"),
        ("repetitions", 0),
        ("repetitions", 2**31),
        ("block", -1),
        ("block", 2**40),
        ("configuration", True),
        ("cell", None),
        ("flags", []),
        ("flags", [[], [[0, 4, 1]]]),
        ("flags", [[], [[0, 1, 32]]]),
        ("flags", [[], [[0, 1]]]),
        ("flags", [[], [[0, -1, 1]]]),
        ("flags", [[], 3]),
    ],
)
def test_slice_that_makes_no_sense_is_bad(name: str, value: object) -> None:
    with pytest.raises(FormatError):
        decode_slice(encode_slice(SLICE) | {name: value})
