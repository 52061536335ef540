"""Values of JSON that aren't what a reader expects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from fuzz.chance import chance

_ODD = st.sampled_from((-1, 2**31 - 1, 2**31, 2**62, 2**63, 10**40, 1e300)) | st.sampled_from(
    ("8", "\x1b[2J", "a\nb", "\ud800", "9" * 4000)
)
_ANY = st.recursive(
    _ODD | st.none() | st.booleans() | st.integers(-1, 3) | st.floats(-1, 1) | st.just(""),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just("a"), inner),
)


@dataclass(frozen=True, slots=True)
class Changed:
    """A value, and where in it something is another."""

    value: Any
    path: str

    def inside(self, whole: Any, key: int | str) -> Changed:
        """Of `whole`, whose element `key` this is."""
        value: Any = {**whole} if isinstance(whole, dict) else [*whole]
        value[key] = self.value
        return Changed(value, f"[{key!r}]{self.path}")


@st.composite
def nonsense(draw: st.DrawFn, value: Any) -> Changed:
    """Something of another type, sign, length or size, perhaps deep inside `value`."""
    if isinstance(value, list | dict) and value and chance(draw, 70):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = draw(st.sampled_from(keys))
        return draw(nonsense(value[key])).inside(value, key)
    new = draw(_ANY | st.integers(1, 60).map(_deep) | st.just([value]))
    return Changed(new, f" = {new!r:.200}")


def _deep(levels: int) -> object:
    return [_deep(levels - 1)] if levels else 1
