"""SHA-256 and HMAC in C: the standards' vectors, and what Python computes."""

from __future__ import annotations

import hashlib
import hmac
import random
import subprocess
from pathlib import Path

import pytest
from harness.contracts import link
from harness.kernels import NATIVE

from leadline.kernels.build import SOURCES
from leadline.kernels.connections import Credentials

DIGESTS = [
    (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ),
    (
        b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        b"hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    ),
    (b"a" * 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
]
"""Of FIPS 180-4: the examples that NIST publishes with it."""
MACS = [
    (
        b"\x0b" * 20,
        b"Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ),
    (
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (
        b"\xaa" * 20,
        b"\xdd" * 50,
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ),
    (
        bytes(range(1, 26)),
        b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]
"""Of RFC 4231, cases 1 to 4, 6 and 7; case 5 is a MAC cut short."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("proofs") / "proofs"
    sources = [NATIVE / "proofs.c", SOURCES / "channel" / "proof.c"]
    assert link(sources, target, sanitised=True).stderr == ""
    return target


def computed(program: Path, lines: list[str]) -> list[str]:
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_digests_are_those_that_the_standard_prints(program: Path) -> None:
    lines = [f"- {message.hex()}" for message, _ in DIGESTS]
    assert computed(program, lines) == [digest for _, digest in DIGESTS]


def test_macs_are_those_that_the_standard_prints(program: Path) -> None:
    lines = [f"{key.hex()} {message.hex()}" for key, message, _ in MACS]
    assert computed(program, lines) == [mac for *_, mac in MACS]


def test_messages_of_every_length_up_to_four_blocks_have_pythons_digest(program: Path) -> None:
    drawn = random.Random(14)
    messages = [drawn.randbytes(length) for length in range(257)]
    found = computed(program, [f"- {message.hex()}" for message in messages])
    assert found == [hashlib.sha256(message).hexdigest() for message in messages]


def test_keys_of_every_length_up_to_three_blocks_have_pythons_mac(program: Path) -> None:
    drawn = random.Random(15)
    pairs = [(drawn.randbytes(n), drawn.randbytes(drawn.randrange(200))) for n in range(1, 193)]
    found = computed(program, [f"{key.hex()} {message.hex()}" for key, message in pairs])
    assert found == [hmac.new(key, message, "sha256").hexdigest() for key, message in pairs]


def test_proof_is_the_mac_of_what_is_asked_in_whose_name(program: Path) -> None:
    ours = Credentials.fresh()
    asked = f"leadline abc {ours.name}".encode()
    assert computed(program, [f"{ours.secret} {asked.hex()}"]) == [ours.proof("abc")]
