"""Random damage: to bytes, to words, and to values of JSON."""

from __future__ import annotations

import random
import re

NUMBERS = (
    "0", "-1", "1", "2147483647", "2147483648", "4294967296", "9223372036854775808",
    "99999999999999999999", "1e300", "1e-300", "1e999", "-0", "nan", "infinity", "1_0.5", "0x10",
    "٣", "²", "1e", "+5", "5000000000",
)  # fmt: skip
"""What stands for a number, and is another one, or none."""
HOSTILE = (
    b"9" * 400, b"\n", b"[" * 5000, b'"', b"-", b"\x00", b"\x1b[2J", b"\xff\xfe", b"\r\n",
    b"\xe2\x80\xa8", b"\xc2\x9b31m", b"<a>", b"%s%n", b"\\u0000", b"\xef\xbb\xbf", b" " * 3000,
    b"/", b"\\", b"=", b",",
)  # fmt: skip


_WORD = re.compile(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[^\s\d]+")
_OFTEN = (1, 1, 1, 2, 3)


def damaged(content: bytes, rng: random.Random, strays: bytes = b"") -> bytes:
    """`content` with one to three kinds of damage at random places; `strays`: what may come in."""
    for _ in range(rng.choice(_OFTEN)):
        content = rng.choice((_flipped, _cut, _without, _within, _lines_moved, _strayed))(
            content, rng, strays
        )
    return content


def _flipped(content: bytes, rng: random.Random, _: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]


def _cut(content: bytes, rng: random.Random, _: bytes) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _without(content: bytes, rng: random.Random, _: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + content[at + rng.randint(1, 300) :]


def _within(content: bytes, rng: random.Random, _: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice((rng.randbytes(40), *HOSTILE)) + content[at:]


def _strayed(content: bytes, rng: random.Random, strays: bytes) -> bytes:
    """With some lines of `strays`, or of its own, between its own."""
    others = (strays or content).splitlines(keepends=True) or [b""]
    lines = content.splitlines(keepends=True)
    at = rng.randrange(len(lines) + 1)
    return b"".join([*lines[:at], *rng.choices(others, k=rng.randint(1, 3)), *lines[at:]])


def _lines_moved(content: bytes, rng: random.Random, _: bytes) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    at = rng.randrange(len(lines))
    if rng.random() < 0.5:
        return b"".join([*lines[:at], *lines[at + 1 :]])
    return b"".join(rng.sample(lines, len(lines)))


def with_other_words(text: str, rng: random.Random) -> str:
    """`text` with one or two of its words or numbers others: numbers, or words of its own."""
    for _ in range(rng.randint(1, 2)):
        words = list(_WORD.finditer(text))
        if not words:
            return text
        old = rng.choice(words)
        plain = str(rng.choice((rng.randrange(3, 70_000), rng.randrange(100), rng.random() * 50)))
        new = rng.choice((rng.choice(NUMBERS), plain, plain, rng.choice(words)[0]))
        text = text[: old.start()] + new + text[old.end() :]
    return text


def nonsense(value: object, rng: random.Random) -> object:
    """Something of another type, sign, length or size, perhaps deep inside `value`."""
    if isinstance(value, list) and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        return [*value[:at], nonsense(value[at], rng), *value[at + 1 :]]
    if isinstance(value, dict) and value and rng.random() < 0.7:
        key = rng.choice(list(value))
        return {**value, key: nonsense(value[key], rng)}
    return rng.choice(
        (
            None, True, False, -1, 0, 1, 2**31 - 1, 2**31, 2**62, 2**63, 10**40, 0.5, -0.5, 1e300,
            "", "8", "\x1b[2J", "a\nb", "\ud800", "9" * 4000, [], [[]], {}, {"a": [1]}, [value],
            value, _deep(rng.randint(1, 60)),
        )
    )  # fmt: skip


def _deep(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value
