"""Damage to bytes: pieces of them gone, moved, or replaced."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate

from hypothesis import strategies as st

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
_WORD = re.compile(rb"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[^\s\d]+")

_PLAIN = st.integers(0, 70_000) | st.integers(0, 99) | st.floats(0, 50)


class Edited(bytes):
    """Content that was changed; an example that fails shows how, and not all of it."""

    how: tuple[str, ...]

    def __new__(cls, content: bytes, *how: str) -> Edited:
        self = super().__new__(cls, content)
        self.how = how
        return self

    def __repr__(self) -> str:
        return f"<{len(self)} bytes: {'; '.join(self.how) or 'as they were'}>"

    def edited(self, first: int, last: int, new: bytes) -> Edited:
        """With `new` in place of what was from `first` until `last`."""
        shown = repr(new) if len(new) < 200 else f"{new[:20]!r}... of {len(new)} bytes"
        said = f"[{first}:{last}] = {shown}"
        return Edited(self[:first] + new + self[last:], *self.how, said)


@st.composite
def damaged(draw: st.DrawFn, content: bytes, strays: bytes = b"") -> Edited:
    """`content` with one to three pieces others, anywhere; `strays`: whose lines may come in."""
    found = Edited(content)
    others = (strays or content).splitlines(keepends=True) or [b""]
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 3)))):
        size = len(found)
        lines = found.splitlines(keepends=True)
        starts = list(accumulate(map(len, lines), initial=0))
        first = draw(st.integers(0, size) | st.sampled_from(starts))
        following = st.sampled_from([one - first for one in starts if one >= first])
        spans = st.just(0), st.just(1), st.integers(1, 300), following, st.just(size)
        last = first + draw(st.one_of(*spans))
        kinds = (
            st.just(b""),
            st.binary(min_size=1, max_size=1),
            st.sampled_from(HOSTILE) | st.binary(max_size=40),
            st.lists(st.sampled_from(others), min_size=1, max_size=3).map(b"".join),
            st.just(b"".join(reversed(found[first:last].splitlines(keepends=True)))),
        )
        found = found.edited(first, last, draw(st.one_of(*kinds)))
    return found


@st.composite
def with_other_words(draw: st.DrawFn, content: bytes) -> Edited:
    """`content` with one or two of its words or numbers others: numbers, or words of its own."""
    found = Edited(content)
    for _ in range(draw(st.integers(1, 2))):
        words = list(_WORD.finditer(found))
        if words:
            old = words[draw(st.integers(0, len(words) - 1))]
            own = words[draw(st.integers(0, len(words) - 1))][0]
            plain = str(draw(_PLAIN)).encode()
            strange = draw(st.sampled_from(NUMBERS)).encode()
            found = found.edited(*old.span(), draw(st.sampled_from((own, plain, plain, strange))))
    return found


@st.composite
def others(draw: st.DrawFn, texts: Mapping[str, bytes], strays: bytes = b"") -> tuple[str, Edited]:
    """One of `texts` that is damaged, or has other words; with its name."""
    name = draw(st.sampled_from(list(texts)))
    return name, draw(with_other_words(texts[name]) | damaged(texts[name], strays))
